// An OpenTelemetry SDK as a host brings it by --import; writes each span as a line to the file that SPANS names.
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installTools } from '../../tools/install-tools.mjs';

// A folder that the service's packages are not in, as a host may keep its SDK: with an API of its own.
const require = createRequire(join(await installTools(), 'package.json'));
const { NodeTracerProvider, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-node');

const exporter = {
  export(spans, done) {
    for (const span of spans) {
      const { name, kind, attributes, status, events } = span;
      const { traceId, spanId } = span.spanContext();
      const parent = span.parentSpanContext?.spanId;
      appendFileSync(
        process.env.SPANS,
        `${JSON.stringify({ name, kind, traceId, spanId, parent, attributes, status, events })}\n`,
      );
    }
    done({ code: 0 });
  },
  async shutdown() {},
};

new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();

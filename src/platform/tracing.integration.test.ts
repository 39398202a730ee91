import {
  type Attributes,
  context,
  propagation,
  type SpanContext,
  type SpanStatus,
  trace,
} from '@opentelemetry/api';
import { afterEach, describe, expect, it } from 'vitest';
import { importTool } from '../../test/support/tool-package.ts';
import { createTracing } from './tracing.ts';

interface FinishedSpan {
  readonly name: string;
  readonly parentSpanContext?: SpanContext;
  readonly attributes: Attributes;
  readonly status: SpanStatus;
  readonly events: readonly unknown[];
  /** Seconds, and nanoseconds. */
  readonly duration: readonly [number, number];
  spanContext(): SpanContext;
}
interface SpanExporter {
  getFinishedSpans(): FinishedSpan[];
}
/** Used part of `@opentelemetry/sdk-trace-node`. */
interface Sdk {
  readonly InMemorySpanExporter: new () => SpanExporter;
  readonly SimpleSpanProcessor: new (exporter: SpanExporter) => object;
  readonly NodeTracerProvider: new (options: { spanProcessors: object[] }) => { register(): void };
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const request = (status = 200) => ({
  name: 'POST assessSignup',
  headers: { traceparent: `00-${TRACE}-${CALLER}-01` },
  attributes: { 'gatehouse.request_id': 'req_1' },
  status: () => status,
});

afterEach(() => {
  for (const api of [trace, context, propagation]) api.disable();
});

describe('without an SDK', () => {
  it('wraps nothing', () => {
    const { step, ended, request: answer } = createTracing('1.0.0');
    const work = async () => 1;
    expect(step('gather', work)).toBe(work);
    expect([ended, answer]).toEqual([undefined, undefined]);
  });
});

describe('with an SDK', () => {
  const register = async () => {
    const { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } = await importTool<Sdk>(
      '@opentelemetry/sdk-trace-node',
    );
    const exporter = new InMemorySpanExporter();
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
    return exporter;
  };
  const treeOf = (exporter: SpanExporter) => {
    const spans = exporter.getFinishedSpans();
    const nameOf = (id?: string) => spans.find((span) => span.spanContext().spanId === id)?.name ?? id;
    return spans.map((span) => [span.name, nameOf(span.parentSpanContext?.spanId)]);
  };

  it('makes spans of a request below the one of the caller', async () => {
    const exporter = await register();
    const tracing = createTracing('1.0.0');
    const gather = tracing.step('gather', async (email: string) => {
      tracing.ended?.('gather mx', 5);
      return email.length;
    });
    await tracing.request?.(request(), async () => {
      expect(await gather('jo@example.com')).toBe(14);
    });
    expect(treeOf(exporter)).toEqual([
      ['gatehouse start', undefined],
      ['gather mx', 'gather'],
      ['gather', 'POST assessSignup'],
      ['POST assessSignup', CALLER],
    ]);
    const [, mx, , answer] = exporter.getFinishedSpans();
    expect(answer?.spanContext().traceId).toBe(TRACE);
    expect(answer?.attributes).toEqual({ 'gatehouse.request_id': 'req_1', 'http.response.status_code': 200 });
    const [seconds = 0, nanoseconds = 0] = mx?.duration ?? [];
    expect(seconds * 1_000 + nanoseconds / 1_000_000).toBeCloseTo(5, 0);
  });

  it('notes failures without what they say', async () => {
    const exporter = await register();
    const tracing = createTracing('1.0.0');
    const record = tracing.step('record', async () => {
      throw new TypeError('jo@example.com could not be stored');
    });
    await expect(record()).rejects.toThrow('could not be stored');
    await tracing.request?.(request(503), async () => {});
    const [, failed, answer] = exporter.getFinishedSpans();
    expect(failed?.status).toEqual({ code: 2, message: 'TypeError' });
    expect(failed?.events).toEqual([]);
    expect(answer?.status).toEqual({ code: 2 });
  });
});

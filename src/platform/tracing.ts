/** Spans for a host that brings an OpenTelemetry SDK. Without one nothing is wrapped, so tracing costs nothing. */
import type { IncomingHttpHeaders } from 'node:http';
import {
  type Attributes,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

export interface TracedRequest {
  readonly name: string;
  /** Headers, which may name the caller's own span (`traceparent`). */
  readonly headers: IncomingHttpHeaders;
  readonly attributes: Attributes;
  /** Status of the answer, once there is one. */
  readonly status: () => number;
}

export interface Tracing {
  /** The same function, whose calls are spans below the active one; without an SDK the function itself. */
  step<Work extends (...args: never[]) => unknown>(name: string, work: Work): Work;
  /** Adds a span to the active one for work that has just ended; `undefined` without an SDK. */
  readonly ended: ((name: string, milliseconds: number) => void) | undefined;
  /** Answers a request within a span below the caller's; `undefined` without an SDK. */
  readonly request: ((request: TracedRequest, answer: () => Promise<void>) => Promise<void>) | undefined;
}

const SERVER_ERROR = 500;
const UNTRACED: Tracing = { step: (_, work) => work, ended: undefined, request: undefined };

/** An SDK is registered before the service starts, by `--import`: one that comes later is not seen. */
export function createTracing(version: string): Tracing {
  const tracer = trace.getTracer('gatehouse', version);
  const start = tracer.startSpan('gatehouse start');
  start.end();
  return isSpanContextValid(start.spanContext()) ? tracingBy(tracer) : UNTRACED;
}

function tracingBy(tracer: Tracer): Tracing {
  return {
    step(name, work) {
      const traced = (...args: Parameters<typeof work>) =>
        tracer.startActiveSpan(name, (span) => settle(span, () => work(...args)));
      return traced as typeof work;
    },
    ended(name, milliseconds) {
      const now = Date.now();
      tracer.startSpan(name, { startTime: now - milliseconds }).end(now);
    },
    request({ name, headers, attributes, status }, answer) {
      const caller = propagation.extract(ROOT_CONTEXT, headers);
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, caller);
      const work = context.with(trace.setSpan(caller, span), answer);
      return work.finally(() => {
        span.setAttribute('http.response.status_code', status());
        if (status() >= SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
    },
  };
}

/** Ends the span with the work. An error is noted by its kind alone: its message may name a person. */
async function settle<T>(span: Span, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
    throw error;
  } finally {
    span.end();
  }
}

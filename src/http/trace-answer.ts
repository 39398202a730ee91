/** Decides what the span of a request says: its operation, id and status. Paths are left out, because those of hooks and links have secrets. */
import type { Tracing } from '../platform/tracing.ts';
import type { TraceAnswer } from './core/request-handler.ts';

/** `undefined` where nothing is traced. */
export function createTraceAnswer({ request }: Pick<Tracing, 'request'>): TraceAnswer | undefined {
  if (request === undefined) return undefined;
  return (context, answer) => {
    const { method, operation, headers, id, response } = context;
    const attributes = {
      'http.request.method': method,
      'gatehouse.operation': operation,
      'gatehouse.request_id': id,
    };
    return request(
      { name: `${method} ${operation}`, headers, attributes, status: () => response.statusCode },
      answer,
    );
  };
}

/** Answers every request of a listener: finds its route, runs it, and turns every failure into the same form of error answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MakeId } from '../../contract/identifiers.ts';
import { Problem } from '../../contract/problem.ts';
import type { ToErrorResponse } from './problems.ts';
import { RequestContext } from './request-context.ts';
import type { Router } from './router.ts';
import type { ClientOrigin } from './trusted-proxies.ts';

/** Answers the request of the context. @throws Problem, or any other error, which is answered as `internal_error` */
export type Handle = (context: RequestContext) => Promise<void>;

export interface Route {
  /** Its name in metrics and logs. */
  readonly operation: string;
  readonly handle: Handle;
  /** JSON Schema of the body, for tests that go through all routes; absent where there is none. */
  readonly body?: object;
}

/** Registers routes beside the operations of the public API. */
export interface Routes {
  /** `path`: a pattern of the router. `body`: its JSON Schema, where `handle` checks it by one. */
  add(method: string, path: string, handle: Handle, body?: object): void;
}

/** The name, in metrics and logs, of every route beside the operations of the public API. */
export const OTHER = 'other';

/** Answers a request within a span of a tracer. */
export type TraceAnswer = (context: RequestContext, answer: () => Promise<void>) => Promise<void>;

/** Called for every answer, to count, time and log it. */
export type OnAnswer = (context: RequestContext, status: number) => void;

export interface RequestHandlerOptions {
  readonly router: Router<Route>;
  /** Answers a request that no route matches. */
  readonly handleMissing: Handle;
  readonly toErrorResponse: ToErrorResponse;
  readonly onAnswer: OnAnswer;
  /** `undefined`: nothing is traced. */
  readonly traceAnswer?: TraceAnswer | undefined;
  readonly origin: ClientOrigin;
  readonly makeId: MakeId;
  readonly clock: () => number;
  /** Whether each answer is the last of its connection. */
  readonly stopping: () => boolean;
}

const HOST = 'host';
/** The scheme and host of a target in absolute form, as a proxy sends it. */
const ORIGIN = /^https?:\/\/(?:\[[\da-f:.]+\](?::\d*)?|[^/?#[\]]+)(?=[/?]|$)/i;

export function createRequestHandler(options: RequestHandlerOptions) {
  const { router, handleMissing, toErrorResponse, onAnswer, traceAnswer, origin } = options;
  const { makeId, clock, stopping } = options;

  function fail(context: RequestContext, error: unknown): void {
    const { status, headers, body } = toErrorResponse(error, context.id, isChange(context), context.trace);
    onAnswer(context, status);
    if (context.response.headersSent) {
      context.response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(headers))
      if (!context.hasHeader(name)) context.header(name, value);
    context.json(status, body);
  }

  async function answer(context: RequestContext, handle: Handle): Promise<void> {
    try {
      if (!hasValidHost(context.request)) throw new Problem('bad_request');
      await handle(context);
    } catch (error) {
      fail(context, error);
      return;
    }
    onAnswer(context, context.response.statusCode);
  }

  const run =
    traceAnswer === undefined
      ? answer
      : (context: RequestContext, handle: Handle) => traceAnswer(context, () => answer(context, handle));

  return (request: IncomingMessage, response: ServerResponse): void => {
    const { path, query } = readTarget(request.url as string);
    const match = router.find(request.method as string, path);
    const at = clock();
    const context = new RequestContext({
      request,
      response,
      operation: match?.route.operation ?? OTHER,
      route: match?.route,
      path,
      query,
      params: match?.params ?? {},
      id: makeId('req', at),
      at,
      started: performance.now(),
      origin,
      stopping,
    });
    void run(context, match?.route.handle ?? handleMissing);
  };
}

/** RFC 9112, section 3.2: exactly one Host; HTTP/1.0 may leave it out. */
function hasValidHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
}

function readTarget(target: string): { path: string; query: string } {
  const local = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const end = local.indexOf('?');
  const path = end < 0 ? local : local.slice(0, end);
  return { path: path === '' ? '/' : path, query: end < 0 ? '' : local.slice(end + 1) };
}

/** Whether the request changes what people manage: after an error, such a change may be saved; signups are undone. */
function isChange({ method, path }: RequestContext): boolean {
  return method !== 'GET' && (path.startsWith('/dashboard/') || path.startsWith('/v1/manage/'));
}

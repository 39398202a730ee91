/** Decides which requests of the public API are refused because more come than the service can answer in time, before anything of them is read. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Problem, toEnvelope } from '../contract/problem.ts';
import { JSON_TYPE, NO_PAGE } from './request-context.ts';

/** What cannot keep up: this thread (`event_loop`) or the database (`commit`). */
export type ShedCause = 'event_loop' | 'commit';

export interface LoadShedderOptions {
  /** Whether so many commits wait for so long that another would come too late. */
  readonly isBehind: () => boolean;
  /** Called for each request that is refused. */
  readonly onShed: (cause: ShedCause) => void;
  /** The id that the refusal of a request carries. */
  readonly makeId: () => string;
  /** Milliseconds by any steady clock; for tests. */
  readonly clock?: () => number;
  /** Calls back after the requests that are ready now; for tests. */
  readonly atEndOfTurn?: (act: () => void) => void;
}

export interface LoadShedder {
  /** Call once for each request: why it is refused, `undefined` if it is not. */
  readonly sheds: () => ShedCause | undefined;
  /** Answers what is refused, and lets everything else through. */
  readonly before: (handle: RequestListener) => RequestListener;
}

/**
 * Of one turn of the event loop, which handles all requests that are ready: what comes after so long has waited at least
 * as long in the system's buffers, and would wait for its answer as long again.
 */
const MAX_TURN_MS = 200;
/** As many are always taken: a process that was not given its processor for a while is not overloaded. */
const ALWAYS_TAKEN = 64;
/** By then such a turn is over. */
const RETRY_AFTER_S = 1;
const API = '/v1/';

export function createLoadShedder({
  isBehind,
  onShed,
  makeId,
  clock = () => performance.now(),
  atEndOfTurn = setImmediate,
}: LoadShedderOptions): LoadShedder {
  let taken = 0;
  let turnStarted = 0;
  const endTurn = () => {
    taken = 0;
  };

  function causeOf(): ShedCause | undefined {
    taken += 1;
    if (taken === 1) {
      turnStarted = clock();
      atEndOfTurn(endTurn);
    } else if (taken > ALWAYS_TAKEN && clock() - turnStarted > MAX_TURN_MS) return 'event_loop';
    return isBehind() ? 'commit' : undefined;
  }

  function sheds(): ShedCause | undefined {
    const cause = causeOf();
    if (cause !== undefined) onShed(cause);
    return cause;
  }

  return {
    sheds,
    before: (handle) => (request, response) => {
      // Health, metrics and the dashboard are what an operator looks at now.
      if (isOfApi(request) && sheds() !== undefined) refuse(response, makeId());
      else handle(request, response);
    },
  };
}

function isOfApi({ url = '' }: IncomingMessage): boolean {
  return url.startsWith(API);
}

const BODY = JSON.stringify(
  toEnvelope(
    new Problem('unavailable', undefined, {
      message: 'More requests come than this service can answer now. Nothing was charged.',
      resolution: 'Send the request again after as many seconds as Retry-After says.',
    }),
  ),
);
/** Names and values in turn. */
const HEADERS = [
  ...['Content-Type', JSON_TYPE, 'Content-Length', Buffer.byteLength(BODY)],
  ...['Retry-After', RETRY_AFTER_S, 'Cache-Control', 'no-store'],
  ...['X-Content-Type-Options', 'nosniff', 'Content-Security-Policy', NO_PAGE],
];

/** Without a log line, or a metric of its operation: refusing must be far cheaper than answering. */
function refuse(response: ServerResponse, id: string): void {
  response.writeHead(503, ['X-Request-Id', id, ...HEADERS] as never).end(BODY);
}

/** Decides which requests of the public API are refused because more come than the service can answer in time, before anything of them is read. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { refusalText, refuse } from './refusal.ts';

/** The part that cannot keep up: this thread (`event_loop`) or the database (`commit`). */
export type ShedCause = 'event_loop' | 'commit';

export interface LoadShedderOptions {
  /** Whether so many commits wait for so long that another would come too late. */
  readonly isBehind: () => boolean;
  /**
   * Max. duration of one turn of the event loop, which handles all requests that are ready: what comes after it has
   * waited at least as long in the system's buffers, and would wait for its answer as long again. `null`: a turn may last
   * for ever.
   */
  readonly maxTurnMs: number | null;
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
  /** Answers refused requests, and passes on all others. It does not ask again for those that `refusal` has taken. */
  readonly before: (handle: RequestListener) => RequestListener;
  /**
   * The whole answer to a request that is refused before anything else is done for it; `undefined` where it is taken: then the
   * request is to say so (`isTaken`). `keepAlive`: the lines that say how long the connection is kept.
   */
  readonly refusal: (keepAlive: string) => string | undefined;
}

/** A request that the strict reader may have asked about. */
interface ReceivedRequest extends IncomingMessage {
  readonly isTaken?: boolean;
}

/** Requests that are always taken: a process that was not given its processor for a while is not overloaded. */
const ALWAYS_TAKEN = 64;
const API = '/v1/';

export function createLoadShedder({
  isBehind,
  maxTurnMs,
  onShed,
  makeId,
  clock = () => performance.now(),
  atEndOfTurn = setImmediate,
}: LoadShedderOptions): LoadShedder {
  const maxMs = maxTurnMs ?? Infinity;
  let taken = 0;
  let turnStarted = 0;
  const endTurn = () => {
    taken = 0;
  };

  function causeOf(): ShedCause | undefined {
    if (taken >= ALWAYS_TAKEN && clock() - turnStarted > maxMs) return 'event_loop';
    return isBehind() ? 'commit' : undefined;
  }

  function take(): void {
    taken += 1;
    if (taken > 1) return;
    turnStarted = clock();
    atEndOfTurn(endTurn);
  }

  function sheds(): ShedCause | undefined {
    const cause = causeOf();
    if (cause === undefined) take();
    else onShed(cause);
    return cause;
  }

  return {
    sheds,
    before: (handle) => (request: ReceivedRequest, response) => {
      // Health, metrics and the dashboard are what an operator looks at now.
      if (request.isTaken !== true && isOfApi(request) && sheds() !== undefined) refuse(response, makeId());
      else handle(request, response);
    },
    refusal(keepAlive) {
      return sheds() === undefined ? undefined : refusalText(makeId(), keepAlive);
    },
  };
}

function isOfApi({ url = '' }: IncomingMessage): boolean {
  return url.startsWith(API);
}

/** Limits long work: a few at once, no account takes all places, and it ends when nobody waits for it. */
import { Problem } from '../contract/problem.ts';
import { tryAgainIn } from '../store/history-problems.ts';
import type { RequestContext } from './request-context.ts';

export interface WorkPlacesOptions {
  /** Several of what is done: `exports`. */
  readonly what: string;
  readonly perAccount: number;
  readonly inAll: number;
  /** About how long such work takes. */
  readonly retryAfterSeconds: number;
}

export interface WorkPlaces {
  /**
   * Takes a place; call what it returns when the work is over.
   * @throws Problem `rate_limit` where the account has all it may have, `unavailable` where all places are taken
   */
  enter(accountId: string): () => void;
}

export function createWorkPlaces(options: WorkPlacesOptions): WorkPlaces {
  const { what, perAccount, inAll, retryAfterSeconds } = options;
  const taken = new Map<string, number>();
  let sum = 0;

  const again = { resolution: tryAgainIn(retryAfterSeconds), retryAfterSeconds };
  return {
    enter(accountId) {
      const own = taken.get(accountId) ?? 0;
      if (own >= perAccount) {
        const message = `This account already runs ${perAccount} ${what}, which is the limit.`;
        throw new Problem('rate_limit', undefined, { message, ...again });
      }
      if (sum >= inAll) {
        const message = `Gatehouse already runs ${inAll} ${what}, which is the limit.`;
        throw new Problem('unavailable', undefined, { message, ...again });
      }
      taken.set(accountId, own + 1);
      sum += 1;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        sum -= 1;
        const others = (taken.get(accountId) ?? 1) - 1;
        if (others === 0) taken.delete(accountId);
        else taken.set(accountId, others);
      };
    },
  };
}

/** Stops the work of a request whose client has disconnected: not a fault of the service. */
export class NobodyWaits extends Problem {
  constructor() {
    super('unavailable', undefined, { message: 'Nobody waits for this answer any more.' });
  }
}

/** Aborted when the client disconnects before its answer was sent; the reason is a `NobodyWaits`. */
export function goneSignal({ response }: Pick<RequestContext, 'response'>): AbortSignal {
  const gone = new AbortController();
  const end = () => {
    if (!response.writableFinished) gone.abort(new NobodyWaits());
  };
  // A client that left before the handler ran causes no event any more.
  if (response.destroyed) end();
  else response.once('close', end);
  return gone.signal;
}

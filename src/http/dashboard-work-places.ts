/** Limits long work: a few at once, no account takes all places, and it ends when nobody waits for it. */
import { Problem } from '../contract/problem.ts';
import { tryAgainIn } from '../store/history-problems.ts';
import { NobodyWaits } from './core/problems.ts';
import type { RequestContext } from './core/request-context.ts';

export interface WorkPlacesOptions {
  /** The work, in the plural: `exports`. */
  readonly what: string;
  readonly perAccount: number;
  readonly inAll: number;
  /** Approximate time that such work takes. */
  readonly retryAfterSeconds: number;
}

export interface WorkPlaces {
  /**
   * Takes a place; returns the function that releases it.
   * @throws Problem `rate_limit` where the account has all it may have, `unavailable` where all places are taken
   */
  enter(accountId: string): () => void;
}

export function createWorkPlaces(options: WorkPlacesOptions): WorkPlaces {
  const { what, perAccount, inAll, retryAfterSeconds } = options;
  const ofAccounts = createPlaces();
  const ofAll = createPlaces();

  function refusal(code: 'rate_limit' | 'unavailable', who: string, max: number): Problem {
    const message = `${who} already runs ${max} ${what}, which is the limit.`;
    return new Problem(code, undefined, { message, ...tryAgainAfter(retryAfterSeconds) });
  }

  return {
    enter(accountId) {
      const leaveAccount = ofAccounts.take(accountId, perAccount);
      if (leaveAccount === undefined) throw refusal('rate_limit', 'This account', perAccount);
      const leaveAll = ofAll.take('all', inAll);
      if (leaveAll === undefined) {
        leaveAccount();
        throw refusal('unavailable', 'Gatehouse', inAll);
      }
      return () => {
        leaveAccount();
        leaveAll();
      };
    },
  };
}

export interface Places {
  /** Takes a place under a name; call the result to free it. `undefined` when `max` of its places are taken. */
  take(name: string, max: number): (() => void) | undefined;
}

export function createPlaces(): Places {
  const taken = new Map<string, number>();

  function free(name: string): void {
    const others = (taken.get(name) ?? 1) - 1;
    if (others === 0) taken.delete(name);
    else taken.set(name, others);
  }

  return {
    take(name, max) {
      const count = taken.get(name) ?? 0;
      if (count >= max) return undefined;
      taken.set(name, count + 1);
      let left = false;
      return () => {
        if (!left) free(name);
        left = true;
      };
    },
  };
}

/** Time after which a refused request may be sent again: in words, and as `Retry-After`. */
export function tryAgainAfter(retryAfterSeconds: number) {
  return { resolution: tryAgainIn(retryAfterSeconds), retryAfterSeconds };
}

/** Aborted when the client disconnects before its answer was sent; the reason is a `NobodyWaits`. */
export function goneSignal({ response }: Pick<RequestContext, 'response'>): AbortSignal {
  const gone = new AbortController();
  const abort = () => {
    if (!response.writableFinished) gone.abort(new NobodyWaits());
  };
  // A client that disconnected before the handler ran causes no further event.
  if (response.destroyed) abort();
  else response.once('close', abort);
  return gone.signal;
}

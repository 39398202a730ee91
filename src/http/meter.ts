/** The rate limit of a caller and the headers that tell where it stands. */
import type { Caller } from '../accounts/directory.ts';
import type { Quota } from '../accounts/quota.ts';
import { Problem } from '../contract/problem.ts';
import type { Counters, RateState, RateWindow } from '../counters/counters.ts';

const WINDOW_SECONDS = 5;
/** The burst budget: this many times the limit, over the whole window. */
const BURST = 3;

/** Who is counted, when, and where the headers of the answer go. */
export interface Metered {
  /** `Date.now()` when the request came in. */
  readonly at: number;
  readonly caller: Omit<Caller, 'key'> & { readonly key: Pick<Caller['key'], 'id' | 'mode'> };
  /** Adds a header to the answer; each name at most once. */
  header(name: string, value: string | number): void;
}

export interface Meter {
  /**
   * Counts a request; at once where the counters are in memory.
   * @throws Problem `rate_limit`, with the headers already set on the answer
   */
  admit(exchange: Metered): void | Promise<void>;
  /** Sets the headers of a metered answer, at once where it can. `used` where it is known exactly. */
  show(exchange: Metered, used?: number): void | Promise<void>;
}

export interface MeterOptions {
  readonly counters: Pick<Counters, 'admit' | 'peek'>;
  readonly quota: Quota;
}

export function createMeter({ counters, quota }: MeterOptions): Meter {
  async function refuse(exchange: Metered, state: RateState): Promise<void> {
    if (state.admitted) return;
    const { caller, at } = exchange;
    setHeaders(exchange, state, await quota.used(caller, at));
    exchange.header('Retry-After', Math.max(1, Math.ceil((state.retryAt - at) / 1000)));
    throw new Problem('rate_limit');
  }

  return {
    admit(exchange) {
      const { caller, at } = exchange;
      const state = counters.admit(bucketOf(caller), windowOf(caller), at);
      if (state instanceof Promise) return state.then((late) => refuse(exchange, late));
      return state.admitted ? undefined : refuse(exchange, state);
    },
    show(exchange, exactly) {
      const { caller, at } = exchange;
      const used = exactly ?? quota.used(caller, at);
      const state = counters.peek(bucketOf(caller), windowOf(caller), at);
      if (!(state instanceof Promise) && !(used instanceof Promise)) {
        setHeaders(exchange, state, used);
        return undefined;
      }
      return Promise.all([state, used]).then(([late, known]) => setHeaders(exchange, late, known));
    },
  };
}

function setHeaders(exchange: Metered, state: RateState, used: number): void {
  const { at } = exchange;
  const { limits } = exchange.caller;
  exchange.header('X-RateLimit-Limit', limits.requestsPerSecond);
  exchange.header('X-RateLimit-Remaining', Math.min(state.remaining, BURST * limits.requestsPerSecond));
  exchange.header('X-RateLimit-Reset', Math.ceil(Math.max(state.retryAt, at) / 1000));
  exchange.header('X-Quota-Used', used);
  exchange.header('X-Quota-Limit', limits.monthlyAssessments);
}

/** All live keys of an account share one bucket; its sandbox has another. */
function bucketOf({ account, key }: Metered['caller']): string {
  return `${account.id}:${key.mode}`;
}

function windowOf({ limits }: Metered['caller']): RateWindow {
  return { windowMs: WINDOW_SECONDS * 1000, admits: BURST * WINDOW_SECONDS * limits.requestsPerSecond };
}

/** The rate limit of a caller and the headers that tell where it stands. */
import type { FastifyReply } from 'fastify';
import type { Caller } from '../accounts/directory.ts';
import type { Quota } from '../accounts/quota.ts';
import { Problem } from '../contract/problem.ts';
import type { Counters, RateState, RateWindow } from '../counters/counters.ts';

const WINDOW_SECONDS = 5;
/** The burst budget: this many times the limit, over the whole window. */
const BURST = 3;

export interface Meter {
  /**
   * Counts a request; at once where the counters are in memory.
   * @throws Problem `rate_limit`, with the headers already set on the reply
   */
  admit(caller: Caller, now: number, reply: FastifyReply): void | Promise<void>;
  /** Sets the headers of a metered answer, at once where it can. `used` where it is known exactly. */
  show(caller: Caller, now: number, reply: FastifyReply, used?: number): void | Promise<void>;
}

export interface MeterOptions {
  readonly counters: Pick<Counters, 'admit' | 'peek'>;
  readonly quota: Quota;
}

export function createMeter({ counters, quota }: MeterOptions): Meter {
  async function refuse(caller: Caller, now: number, reply: FastifyReply, state: RateState): Promise<void> {
    if (state.admitted) return;
    setHeaders(caller, now, reply, state, await quota.used(caller, now));
    reply.header('Retry-After', Math.max(1, Math.ceil((state.retryAt - now) / 1000)));
    throw new Problem('rate_limit');
  }

  return {
    admit(caller, now, reply) {
      const state = counters.admit(bucketOf(caller), windowOf(caller), now);
      if (state instanceof Promise) return state.then((late) => refuse(caller, now, reply, late));
      return state.admitted ? undefined : refuse(caller, now, reply, state);
    },
    show(caller, now, reply, exactly) {
      const used = exactly ?? quota.used(caller, now);
      const state = counters.peek(bucketOf(caller), windowOf(caller), now);
      if (!(state instanceof Promise) && !(used instanceof Promise)) {
        setHeaders(caller, now, reply, state, used);
        return undefined;
      }
      return Promise.all([state, used]).then(([late, known]) => setHeaders(caller, now, reply, late, known));
    },
  };
}

function setHeaders(
  { limits }: Caller,
  now: number,
  reply: FastifyReply,
  state: RateState,
  used: number,
): void {
  reply.header('X-RateLimit-Limit', limits.requestsPerSecond);
  reply.header('X-RateLimit-Remaining', Math.min(state.remaining, BURST * limits.requestsPerSecond));
  reply.header('X-RateLimit-Reset', Math.ceil(Math.max(state.retryAt, now) / 1000));
  reply.header('X-Quota-Used', used);
  reply.header('X-Quota-Limit', limits.monthlyAssessments);
}

/** All live keys of an account share one bucket; its sandbox has another. */
function bucketOf({ account, key }: Caller): string {
  return `${account.id}:${key.mode}`;
}

function windowOf({ limits }: Caller): RateWindow {
  return { windowMs: WINDOW_SECONDS * 1000, admits: BURST * WINDOW_SECONDS * limits.requestsPerSecond };
}

/** What a caller may do yet: the rate limit, then the quota, and the headers that tell where it stands. */

import type { Caller } from '../accounts/directory.ts';
import type { Quota } from '../accounts/quota.ts';
import { Problem } from '../contract/problem.ts';
import type {
  Counters,
  CountRequest,
  CountResult,
  CreditClaim,
  RateState,
  RateWindow,
  Reservation,
} from '../counters/counters.ts';
import type { VelocityEvent } from '../model/velocity-event.ts';
import { monthOf } from '../store/month.ts';

const WINDOW_SECONDS = 5;
/** The burst budget: this many times the limit, over the whole window. */
const BURST = 3;

/** Who is counted, when, and where the headers of the answer go. */
export interface RateLimitContext {
  /** `Date.now()` when the request came in. */
  readonly at: number;
  readonly caller: Omit<Caller, 'key'> & { readonly key: Pick<Caller['key'], 'id' | 'mode'> };
  /** Adds a header to the answer; each name at most once. */
  header(name: string, value: string | number): void;
}

/** A request that was let in. */
export interface AdmissionResult {
  readonly rate: RateState;
  /** `null` for one that is not counted as an attempt. */
  readonly counted: Reservation | null;
}

/** Counts at once where the counters are in memory. A refusal has its headers already set on the answer. */
export interface RateLimiter {
  /** Counts a request that is no live attempt. @throws Problem `rate_limit` */
  admit(exchange: RateLimitContext): AdmissionResult | Promise<AdmissionResult>;
  /** Counts a live attempt, unless it is refused. @throws Problem `rate_limit`, then `quota_exceeded` */
  checkAndCount(
    exchange: RateLimitContext,
    attempt: VelocityEvent,
  ): AdmissionResult | Promise<AdmissionResult>;
  /** Sets the headers of an answer that was not counted. `used` where it is known exactly. */
  peek(exchange: RateLimitContext, used?: number): void | Promise<void>;
  /** Sets the headers of a request that was let in. */
  setHeaders(exchange: RateLimitContext, rate: RateState, used: number): void;
  /** The refusal of a request that was let in before the cap was found reached. */
  quotaExceeded(exchange: RateLimitContext, rate: RateState, used: number): Problem;
}

export interface RateLimiterOptions {
  readonly counters: Pick<Counters, 'admit' | 'peek' | 'checkAndCount'>;
  readonly quota: Quota;
}

export function createRateLimiter({ counters, quota }: RateLimiterOptions): RateLimiter {
  async function refuseRate(exchange: RateLimitContext, state: RateState): Promise<never> {
    const { caller, at } = exchange;
    setHeaders(exchange, state, await quota.used(caller, at));
    exchange.header('Retry-After', secondsToWait(state.retryAt - at));
    throw new Problem('rate_limit');
  }

  function refuseCredit(exchange: RateLimitContext, rate: RateState, used: number): Problem {
    setHeaders(exchange, rate, used);
    exchange.header('Retry-After', quota.secondsToReset(exchange.at));
    return new Problem('quota_exceeded');
  }

  function admit(exchange: RateLimitContext): AdmissionResult | Promise<AdmissionResult> {
    const { caller, at } = exchange;
    const settle = (rate: RateState) =>
      rate.admitted ? { rate, counted: null } : refuseRate(exchange, rate);
    const state = counters.admit(bucketOf(caller), windowOf(caller), at);
    return state instanceof Promise ? state.then(settle) : settle(state);
  }

  function arriveKnowing(
    exchange: RateLimitContext,
    attempt: VelocityEvent,
    used: number,
  ): AdmissionResult | Promise<AdmissionResult> {
    if (quota.isFull(exchange.caller, used)) return refuseAtCap(exchange, used);
    const arrival = toArrival(exchange, attempt, used);
    const settle = (arrived: CountResult) => settleArrival(exchange, arrival, arrived);
    const arriving = counters.checkAndCount(arrival);
    return arriving instanceof Promise ? arriving.then(settle) : settle(arriving);
  }

  function settleArrival(
    exchange: RateLimitContext,
    arrival: CountRequest,
    arrived: CountResult,
  ): AdmissionResult | Promise<AdmissionResult> {
    const rate = arrived.rate as RateState;
    if (!rate.admitted) return refuseRate(exchange, rate);
    return arrived.credit === 'refused'
      ? claimAgain(exchange, arrival, rate)
      : { rate, counted: arrived.counted };
  }

  async function refuseAtCap(exchange: RateLimitContext, used: number): Promise<never> {
    const { rate } = await admit(exchange);
    throw refuseCredit(exchange, rate, used);
  }

  /** A node that died may hold credits reserved: the store knows better, and is asked once in a while. */
  async function claimAgain(
    exchange: RateLimitContext,
    arrival: CountRequest,
    rate: RateState,
  ): Promise<AdmissionResult> {
    const { caller, at } = exchange;
    const verifying = quota.verify(caller, at);
    if (verifying !== undefined) {
      const used = await verifying.used;
      if (!quota.isFull(caller, used)) {
        const credit = { ...(arrival.credit as CreditClaim), used, exact: verifying.first };
        const again = await counters.checkAndCount({ ...arrival, window: null, credit });
        if (again.credit !== 'refused') return { rate, counted: again.counted };
      }
    }
    throw refuseCredit(exchange, rate, await quota.used(caller, at));
  }

  return {
    admit,
    checkAndCount(exchange, attempt) {
      const used = quota.usedSoon(exchange.caller, exchange.at);
      return used instanceof Promise
        ? used.then((late) => arriveKnowing(exchange, attempt, late))
        : arriveKnowing(exchange, attempt, used);
    },
    peek(exchange, exactly) {
      const { caller, at } = exchange;
      const used = exactly ?? quota.used(caller, at);
      const state = counters.peek(bucketOf(caller), windowOf(caller), at);
      if (!(state instanceof Promise) && !(used instanceof Promise)) {
        setHeaders(exchange, state, used);
        return undefined;
      }
      return Promise.all([state, used]).then(([late, known]) => setHeaders(exchange, late, known));
    },
    setHeaders: setHeaders,
    quotaExceeded: refuseCredit,
  };
}

function toArrival({ caller, at }: RateLimitContext, attempt: VelocityEvent, used: number): CountRequest {
  const { cap } = caller.limits;
  return {
    bucket: bucketOf(caller),
    window: windowOf(caller),
    credit: cap === null ? null : { month: monthOf(at), cap, used, exact: false },
    event: attempt,
  };
}

function setHeaders(exchange: RateLimitContext, state: RateState, used: number): void {
  const { at } = exchange;
  const { limits } = exchange.caller;
  exchange.header('X-RateLimit-Limit', limits.requestsPerSecond);
  exchange.header('X-RateLimit-Remaining', Math.min(state.remaining, BURST * limits.requestsPerSecond));
  exchange.header('X-RateLimit-Reset', Math.ceil(Math.max(state.retryAt, at) / 1000));
  exchange.header('X-Quota-Used', used);
  exchange.header('X-Quota-Limit', limits.monthlyAssessments);
}

/** Another node's clock may be ahead of ours, and what it admitted too: nobody waits longer than the window is long. */
function secondsToWait(milliseconds: number): number {
  return Math.min(Math.max(1, Math.ceil(milliseconds / 1000)), WINDOW_SECONDS);
}

/** All live keys of an account share one bucket; its sandbox has another. */
function bucketOf({ account, key }: RateLimitContext['caller']): string {
  return `${account.id}:${key.mode}`;
}

function windowOf({ limits }: RateLimitContext['caller']): RateWindow {
  return { windowMs: WINDOW_SECONDS * 1000, admits: BURST * WINDOW_SECONDS * limits.requestsPerSecond };
}

/** Decides whether a caller may go on: the rate limit, then the quota; and sets the headers that report both. */
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
import type { Awaitable } from '../model/awaitable.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { VelocityEvent } from '../model/velocity-event.ts';
import { monthOf } from '../store/month.ts';

const WINDOW_SECONDS = 5;
/** The burst budget: this many times the limit, over the whole window. */
const BURST = 3;

/** Who is counted, when, and where the headers of the answer go. */
export interface RateLimitContext {
  /** `Date.now()` when the request came in. */
  readonly at: number;
  readonly caller: Omit<Caller, 'key'> & { readonly key: Pick<Caller['key'], 'id' | 'mode' | 'shadow'> };
  /** Adds a header to the answer; each name at most once. */
  header(name: string, value: string | number): void;
}

/** An admitted request. */
export interface AdmissionResult {
  readonly rate: RateState;
  /** `null` for one that is not counted as an attempt. */
  readonly counted: Reservation | null;
}

/** A refusal has its headers already set on the answer. */
export interface RateLimiter {
  /** Counts a request that is not a live signup. @throws Problem `rate_limit` */
  admit(context: RateLimitContext): Promise<AdmissionResult>;
  /**
   * Counts a live attempt, unless it is refused: at once, unless the counters are on a server. `admitted`: where the rate limit has admitted the request before.
   * @throws Problem `rate_limit`, then `quota_exceeded`
   */
  admitAttempt(
    context: RateLimitContext,
    attempt: VelocityEvent,
    admitted?: RateState,
  ): Awaitable<AdmissionResult>;
  /** Sets the headers of a request that is not counted: at once, where both are in memory. `used`: the exact number, where it is known. */
  peek(context: RateLimitContext, used?: number): Awaitable<void>;
  /** Sets the headers of an admitted request. */
  setHeaders(context: RateLimitContext, rate: RateState, used: number): void;
  /** Makes the refusal of an admitted request whose commit found the cap reached. */
  quotaExceeded(context: RateLimitContext, rate: RateState, used: number): Problem;
}

export interface RateLimiterOptions {
  readonly counters: Counters;
  readonly quota: Quota;
}

export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { counters, quota } = options;
  const refusals = createRefusals(quota);
  const admit = createAdmit(counters, refusals);
  const admitAttempt = createAdmitAttempt(options, admit, refusals);
  return {
    admit,
    admitAttempt,
    peek(context, exactly) {
      const { caller, at } = context;
      const used = exactly ?? quota.used(caller, at);
      const state = counters.peek(bucketOf(caller), windowOf(caller), at);
      if (!(used instanceof Promise || state instanceof Promise)) return setHeaders(context, state, used);
      return Promise.all([used, state]).then(([number, read]) => setHeaders(context, read, number));
    },
    setHeaders,
    quotaExceeded: refusals.credit,
  };
}

interface Refusals {
  rate(context: RateLimitContext, state: RateState): Promise<never>;
  credit(context: RateLimitContext, rate: RateState, used: number): Problem;
}

/** Every refusal says in `Retry-After` when to try again. */
function createRefusals(quota: Quota): Refusals {
  return {
    async rate(context, state) {
      const { caller, at } = context;
      setHeaders(context, state, await quota.used(caller, at));
      context.header('Retry-After', secondsToWait(state.retryAt - at));
      throw new Problem('rate_limit');
    },
    credit(context, rate, used) {
      setHeaders(context, rate, used);
      context.header('Retry-After', quota.secondsToReset(context.at));
      return new Problem('quota_exceeded');
    },
  };
}

/** Counts a request that is not a live signup. */
function createAdmit(counters: Pick<Counters, 'admit'>, refusals: Refusals): RateLimiter['admit'] {
  return async (context) => {
    const { caller, at } = context;
    const rate = await counters.admit(bucketOf(caller), windowOf(caller), at);
    return rate.admitted ? { rate, counted: null } : refusals.rate(context, rate);
  };
}

/** Counts a live attempt. */
function createAdmitAttempt(
  { counters, quota }: RateLimiterOptions,
  admit: RateLimiter['admit'],
  refusals: Refusals,
): RateLimiter['admitAttempt'] {
  async function refuseAtCap(context: RateLimitContext, used: number, admitted?: RateState): Promise<never> {
    const rate = admitted ?? (await admit(context)).rate;
    throw refusals.credit(context, rate, used);
  }

  /** A crashed node may have left credits reserved. The store has the exact count, so it is read, at most once a second. */
  async function claimAgain(
    context: RateLimitContext,
    request: CountRequest,
    rate: RateState,
  ): Promise<AdmissionResult> {
    const { caller, at } = context;
    const verifying = quota.verify(caller, at);
    if (verifying !== undefined) {
      const used = await verifying.used;
      if (!quota.isFull(caller, used)) {
        const credit = { ...(request.credit as CreditClaim), used, exact: verifying.first };
        const again = await counters.checkAndCount({ ...request, window: null, credit });
        if (again.credit !== 'refused') return { rate, counted: again.counted };
      }
    }
    throw refusals.credit(context, rate, await quota.used(caller, at));
  }

  function conclude(
    context: RateLimitContext,
    request: CountRequest,
    result: CountResult,
    admitted: RateState | undefined,
  ): Awaitable<AdmissionResult> {
    const rate = admitted ?? (result.rate as RateState);
    if (!rate.admitted) return refusals.rate(context, rate);
    if (result.credit === 'refused') return claimAgain(context, request, rate);
    return { rate, counted: result.counted };
  }

  function count(
    context: RateLimitContext,
    attempt: VelocityEvent,
    used: number,
    admitted: RateState | undefined,
  ): Awaitable<AdmissionResult> {
    if (quota.isFull(context.caller, used)) return refuseAtCap(context, used, admitted);
    const request = toCountRequest(context, attempt, used, admitted === undefined);
    const result = counters.checkAndCount(request);
    return result instanceof Promise
      ? result.then((counted) => conclude(context, request, counted, admitted))
      : conclude(context, request, result, admitted);
  }

  return (context, attempt, admitted) => {
    const used = quota.usedSoon(context.caller, context.at);
    return used instanceof Promise
      ? used.then((read) => count(context, attempt, read, admitted))
      : count(context, attempt, used, admitted);
  };
}

function toCountRequest(
  { caller, at }: RateLimitContext,
  attempt: VelocityEvent,
  used: number,
  isNew: boolean,
): CountRequest {
  const { cap } = caller.limits;
  return {
    bucket: bucketOf(caller),
    window: isNew ? windowOf(caller) : null,
    credit: cap === null ? null : { month: monthOf(at), cap, used, exact: false },
    event: attempt,
  };
}

function setHeaders(context: RateLimitContext, state: RateState, used: number): void {
  const { at } = context;
  const { limits } = context.caller;
  context.header('X-RateLimit-Limit', limits.requestsPerSecond);
  context.header('X-RateLimit-Remaining', Math.min(state.remaining, BURST * limits.requestsPerSecond));
  context.header('X-RateLimit-Reset', Math.ceil(Math.max(state.retryAt, at) / 1000));
  context.header('X-Quota-Used', used);
  context.header('X-Quota-Limit', limits.monthlyAssessments);
}

/** Another node's clock may be ahead of ours: the wait is never longer than the window. */
function secondsToWait(milliseconds: number): number {
  return Math.min(Math.max(1, Math.ceil(milliseconds / 1000)), WINDOW_SECONDS);
}

/** All live keys of an account share one bucket; its sandbox has another. */
function bucketOf({ account, key }: RateLimitContext['caller']): string {
  let names = bucketNames.get(account);
  if (names === undefined) {
    names = { live: `${account.id}:live`, test: `${account.id}:test` };
    bucketNames.set(account, names);
  }
  return names[key.mode];
}

/** Made once: a new text would be hashed and compared for each request. */
const bucketNames = new WeakMap<Caller['account'], Readonly<Record<KeyMode, string>>>();

function windowOf({ limits }: RateLimitContext['caller']): RateWindow {
  return { windowMs: WINDOW_SECONDS * 1000, admits: BURST * WINDOW_SECONDS * limits.requestsPerSecond };
}

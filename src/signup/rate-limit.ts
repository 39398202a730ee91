/** Decides whether a caller may go on: the rate limit, then the quota. */
import { Problem } from '../contract/problem.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { VelocityEvent } from '../model/velocity-event.ts';
import { monthOf } from '../platform/month.ts';
import type { Counters, CountRequest, RateState, RateWindow, Reservation } from '../velocity/counters.ts';
import type { Quota, QuotaRequest } from './quota.ts';
import type { SignupCaller } from './signup-caller.ts';

const WINDOW_SECONDS = 5;
/** The burst budget: this many times the limit, over the whole window. */
const BURST = 3;

/** A request that may be limited: its caller and its moment. */
export interface LimitedRequest extends QuotaRequest {
  readonly caller: SignupCaller;
}

/** The limits of a caller after a request, as the headers of its answer say. */
export interface LimitReport {
  /** Requests a second. */
  readonly limit: number;
  /** Requests that are admitted at once. */
  readonly remaining: number;
  /** Time at which the next request is admitted, seconds since the epoch. */
  readonly resetAt: number;
  /** Live credits of the month. */
  readonly used: number;
  readonly quota: number;
}

/** The refusal of a caller that has reached a limit. */
export class LimitReached extends Problem {
  readonly limits: LimitReport;

  constructor(code: 'rate_limit' | 'quota_exceeded', limits: LimitReport, retryAfterSeconds: number) {
    super(code, undefined, { retryAfterSeconds });
    this.limits = limits;
  }
}

/** A live attempt that was admitted and counted. */
export interface CountedAttempt {
  readonly rate: RateState;
  readonly reservation: Reservation;
}

export interface RateLimiter {
  /** Counts a request for the rate limit alone. @throws LimitReached `rate_limit` */
  admit(request: LimitedRequest): Promise<RateState>;
  /**
   * Counts a live attempt for the rate limit, the quota and velocity, unless it is refused.
   * @param admitted the state of a request that `admit` has counted before
   * @throws LimitReached `rate_limit`, then `quota_exceeded`
   */
  countAttempt(
    request: LimitedRequest,
    event: VelocityEvent,
    admitted: RateState | null,
  ): Promise<CountedAttempt>;
  /** The limits of a request that is not counted. `used`: the exact number, where it is known. */
  peek(request: LimitedRequest, used?: number): Promise<LimitReport>;
  /** The refusal of an admitted request whose commit found the cap reached. */
  quotaExceeded(request: LimitedRequest, rate: RateState, used: number): LimitReached;
}

export interface RateLimiterOptions {
  readonly counters: Counters;
  readonly quota: Quota;
  /** Called with how long a live attempt took to be counted, milliseconds. */
  readonly onCounted: (milliseconds: number) => void;
}

export function createRateLimiter({ counters, quota, onCounted }: RateLimiterOptions): RateLimiter {
  async function admit(request: LimitedRequest): Promise<RateState> {
    const { caller, at } = request;
    const rate = await counters.admit(bucketOf(caller), windowOf(caller), at);
    return rate.admitted ? rate : refuse(request, rate);
  }

  async function refuse(request: LimitedRequest, rate: RateState): Promise<never> {
    const limits = toLimitReport(request, rate, await quota.used(request));
    throw new LimitReached('rate_limit', limits, secondsToWait(rate.retryAt - request.at));
  }

  function quotaExceeded(request: LimitedRequest, rate: RateState, used: number): LimitReached {
    const limits = toLimitReport(request, rate, used);
    return new LimitReached('quota_exceeded', limits, quota.secondsToReset(request.at));
  }

  /** A crashed node may have left credits reserved. The store has the exact count, so it is read, at most once a second. */
  async function countAgain(request: LimitedRequest, counting: CountRequest): Promise<Reservation | null> {
    const verifying = quota.verify(request);
    if (verifying === undefined || counting.credit === null) return null;
    const used = await verifying.used;
    if (quota.isFull(request.caller, used)) return null;
    const credit = { ...counting.credit, used, exact: verifying.first };
    return (await counters.checkAndCount({ ...counting, window: null, credit })).counted;
  }

  return {
    admit,
    async countAttempt(request, event, admitted) {
      const { caller, month } = request;
      const { cap } = caller.limits;
      const started = performance.now();
      const used = await quota.usedSoon(request);
      if (quota.isFull(caller, used)) throw quotaExceeded(request, admitted ?? (await admit(request)), used);
      const counting: CountRequest = {
        bucket: bucketOf(caller),
        window: admitted === null ? windowOf(caller) : null,
        credit: cap === null ? null : { month, cap, used, exact: false },
        event,
      };
      const result = await counters.checkAndCount(counting);
      const rate = admitted ?? (result.rate as RateState);
      if (!rate.admitted) return refuse(request, rate);
      const reservation = result.credit === 'refused' ? await countAgain(request, counting) : result.counted;
      if (reservation === null) throw quotaExceeded(request, rate, await quota.used(request));
      onCounted(performance.now() - started);
      return { rate, reservation };
    },
    async peek(request, exactly) {
      const { caller, at } = request;
      const used = exactly ?? (await quota.used(request));
      return toLimitReport(request, await counters.peek(bucketOf(caller), windowOf(caller), at), used);
    },
    quotaExceeded,
  };
}

export function toLimitReport(
  { caller: { limits }, at }: LimitedRequest,
  rate: RateState,
  used: number,
): LimitReport {
  const { requestsPerSecond, monthlyAssessments } = limits;
  return {
    limit: requestsPerSecond,
    remaining: Math.min(rate.remaining, BURST * requestsPerSecond),
    resetAt: Math.ceil(Math.max(rate.retryAt, at) / 1000),
    used,
    quota: monthlyAssessments,
  };
}

export function limitedRequestOf(caller: SignupCaller, at: number): LimitedRequest {
  return { caller, at, month: monthOf(at) };
}

/** The clock of another node may be ahead of ours: the wait is never longer than the window. */
function secondsToWait(milliseconds: number): number {
  return Math.min(Math.max(1, Math.ceil(milliseconds / 1000)), WINDOW_SECONDS);
}

/** All live keys of an account share one bucket; its sandbox has another. */
function bucketOf({ account, key }: SignupCaller): string {
  let names = bucketNames.get(account);
  if (names === undefined) {
    names = { live: `${account.id}:live`, test: `${account.id}:test` };
    bucketNames.set(account, names);
  }
  return names[key.mode];
}

/** Made once: a new text would be hashed and compared for each request. */
const bucketNames = new WeakMap<SignupCaller['account'], Readonly<Record<KeyMode, string>>>();

function windowOf({ limits }: SignupCaller): RateWindow {
  return { windowMs: WINDOW_SECONDS * 1000, admits: BURST * WINDOW_SECONDS * limits.requestsPerSecond };
}

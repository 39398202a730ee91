/** The port for everything that counts requests and attempts in sliding windows. */

/** A sliding window (now − `windowMs`, now] that admits at most `admits` requests. */
export interface RateWindow {
  /** Above 0; always the same for one bucket. */
  readonly windowMs: number;
  /** 0 or more; may differ from call to call (a change of plan). */
  readonly admits: number;
}

export interface RateState {
  readonly admitted: boolean;
  /** Requests the window still admits after this call; 0 … `admits`. A `peek` uses none up. */
  readonly remaining: number;
  /**
   * Milliseconds since the epoch at which the next request would pass: `now` while any remain, else the
   * moment enough of the admitted ones have left. A window that admits none says `now` + `windowMs`.
   */
  readonly retryAt: number;
}

/** One live signup attempt, by the keys it is counted under. All strings are opaque to the counters. */
export interface Attempt {
  readonly account: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The IP or its /64; `null` without a usable one. */
  readonly network: string | null;
  readonly domain: string;
  /** Keyed hash of the address. An address always comes with the same domain and mailbox. */
  readonly address: string;
  /** Keyed hash of the mailbox the address delivers to. */
  readonly mailbox: string;
}

/** Counts that include the attempt itself; windows are (at − length, at]. */
export interface AttemptCounts {
  /** Attempts from the network; 0 without one. */
  readonly network1h: number;
  readonly network24h: number;
  /** Distinct addresses of the domain. */
  readonly domain1h: number;
  readonly domain24h: number;
  /** Distinct addresses of the mailbox. */
  readonly mailbox24h: number;
  /** True when memory bounds made the counter forget attempts younger than 24 h: counts are lower bounds. */
  readonly partial: boolean;
}

export interface CountedAttempt {
  readonly counts: AttemptCounts;
  /** Takes the attempt back, as if it had never been counted. Idempotent; used when it could not be stored. */
  undo(): void | Promise<void>;
}

/**
 * Sliding windows, exact to the millisecond unless `partial` says otherwise. Accounts and buckets do not know
 * of each other. Time stands still rather than going back: a call with an earlier time than its bucket or
 * account has seen may be answered, and counted, at that later time. Never throws for a full memory.
 */
export interface Counters {
  /** Counts one request against a window if it admits it. A refused request is not counted. */
  admit(bucket: string, window: RateWindow, now: number): RateState | Promise<RateState>;
  /** The state that `admit` would meet, without counting. `admitted` tells whether a request would pass. */
  peek(bucket: string, window: RateWindow, now: number): RateState | Promise<RateState>;
  /** Counts an attempt and returns the counts that include it. */
  count(attempt: Attempt): CountedAttempt | Promise<CountedAttempt>;
  /**
   * Counts stored attempts of the last 24 h again, oldest first, before the first `count`. One that stands
   * a little out of order (commits overtake each other) may be counted at the time of the one before it.
   */
  restore(attempts: Iterable<Attempt> | AsyncIterable<Attempt>): Promise<void>;
}

/** The port for everything that counts requests and attempts in sliding windows. */
import type { VelocityCounts, VelocityEvent } from '../model/velocity-event.ts';

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

export interface Reservation {
  readonly counts: VelocityCounts;
  /**
   * Takes the attempt back, as if it had never been counted, and the credit reserved with it. Idempotent; used when
   * it could not be stored.
   */
  undo(): Promise<void>;
}

/** A wish to reserve one live credit of an account's month, so that all nodes refuse early. The store decides exactly. */
export interface CreditClaim {
  /** The UTC month, `2026-05`. */
  readonly month: string;
  readonly cap: number;
  /** Credits known to be used: the counters never assume fewer. */
  readonly used: number;
  /** `used` was read from the store just now: it replaces what the counters assume. */
  readonly exact: boolean;
}

/** A live attempt as it comes in, with everything that is asked of the counters about it. */
export interface CountRequest {
  readonly bucket: string;
  /** `null` where the request has been admitted before. */
  readonly window: RateWindow | null;
  readonly credit: CreditClaim | null;
  /** Its account and time are those of the arrival. */
  readonly event: VelocityEvent;
}

export interface CountResult {
  /** `null` where no window was given. */
  readonly rate: RateState | null;
  /** `unknown`: none was asked for, or these counters keep no credits. */
  readonly credit: 'reserved' | 'refused' | 'unknown';
  /** `null` where the window or the credit was refused: then nothing else was counted. */
  readonly counted: Reservation | null;
}

/**
 * Sliding windows, exact to the millisecond unless `partial` says otherwise. Accounts and buckets do not know
 * of each other. Calls overtake each other: one with a time up to a minute earlier than its account has seen, or a fifth
 * of the window than its bucket has, may be answered, and counted, at that later time. An earlier time than that means
 * that the clock was set back: what was counted keeps its age or is forgotten, so that nothing is refused or counted for
 * longer than its window.
 * Never throws for a full memory.
 *
 * A bucket is named by the account it belongs to and, where that has several, a colon and a name of its own.
 */
export interface Counters {
  /** Counts one request against a window if it admits it. A refused request is not counted. */
  admit(bucket: string, window: RateWindow, now: number): Promise<RateState>;
  /** The state that `admit` would meet, without counting. `admitted` tells whether a request would pass. */
  peek(bucket: string, window: RateWindow, now: number): Promise<RateState>;
  /** In this order: admits the request, reserves a credit, counts the attempt. What is refused ends it. */
  checkAndCount(arrival: CountRequest): Promise<CountResult>;
  /**
   * Counts stored attempts of the last 24 h again, oldest first, before their accounts’ first arrival. One that stands
   * a little out of order (commits overtake each other) may be counted at the time of the one before it.
   */
  restore(attempts: Iterable<VelocityEvent> | AsyncIterable<VelocityEvent>): Promise<void>;
}

/** Counters of this process, which answer at once. */
export interface LocalCounters extends Pick<Counters, 'restore'> {
  admit(bucket: string, window: RateWindow, now: number): RateState;
  peek(bucket: string, window: RateWindow, now: number): RateState;
  checkAndCount(arrival: CountRequest): CountResult;
}

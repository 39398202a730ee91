/** The port for everything that counts requests and attempts in sliding windows. */
import type { AttemptChunk, VelocityCounts, VelocityEvent, VelocityVoices } from '../model/velocity-event.ts';

/** A sliding window (now − `windowMs`, now] that admits at most `admits` requests. */
export interface RateWindow {
  /** Length of the window, above 0; always the same for one bucket. */
  readonly windowMs: number;
  /** 0 or more; may differ from call to call (a change of plan). */
  readonly admits: number;
}

export interface RateState {
  readonly admitted: boolean;
  /** Requests that the window still admits after this call, 0 … `admits`. `peek` does not use one. */
  readonly remaining: number;
  /**
   * Time at which the next request would be admitted, milliseconds since the epoch: `now` while any remain, otherwise when enough
   * admitted requests have left the window. For a window that admits none: `now` + `windowMs`.
   */
  readonly retryAt: number;
}

export interface Reservation {
  readonly counts: VelocityCounts;
  /** Voices at the moment when the event was counted, as far as later ones do not show otherwise. */
  readonly voices: VelocityVoices;
  /**
   * Removes the attempt from the counts and frees its reserved credit, as if it had never been counted. Idempotent; called
   * when the attempt could not be stored.
   */
  undo(): Promise<void>;
  /**
   * Says that the attempt was answered with `block`: it stays in all counts, and `VoiceCount.blocked` tells it apart from
   * then on. Idempotent; nothing for an attempt that was undone or is no longer counted. Nobody needs to wait for it. Does
   * not fail: a shared server that cannot be reached learns it later.
   */
  markBlocked(): Promise<void>;
}

/** A request to reserve one live credit of an account's month, so that all nodes refuse early. The store decides exactly. */
export interface CreditClaim {
  /** The UTC month, `2026-05`. */
  readonly month: string;
  readonly cap: number;
  /** Credits known to be used. The counters never assume fewer. */
  readonly used: number;
  /** `used` was just read from the store: it replaces the counters' own number. */
  readonly exact: boolean;
}

/** A live attempt, with everything that the counters are to check and count for it. */
export interface CountRequest {
  readonly bucket: string;
  /** `null` if the request was admitted before. */
  readonly window: RateWindow | null;
  readonly credit: CreditClaim | null;
  /** Its account and time apply to the window and the credit too. */
  readonly event: VelocityEvent;
}

export interface CountResult {
  /** `null` if the request has no window. */
  readonly rate: RateState | null;
  /** `unknown`: no credit was requested, or these counters do not keep credits. */
  readonly credit: 'reserved' | 'refused' | 'unknown';
  /** `null` if the window or the credit was refused: then the attempt was not counted. */
  readonly counted: Reservation | null;
}

/**
 * Sliding windows, exact to the millisecond unless `partial` is set. Accounts and buckets are independent of each other.
 * Calls may come out of order: a time up to one minute before the latest time of the account (or a fifth of the window
 * before the latest time of the bucket) may be counted as that latest time. An earlier time means that the clock was set
 * back: earlier counts then keep their age or are removed, so that nothing is refused or counted for longer than its window.
 * Never throws because memory is full.
 *
 * A bucket's name is its account, followed by a colon and a name if the account has several buckets.
 */
export interface Counters {
  /** Counts one request if the window admits it. A refused request is not counted. */
  admit(bucket: string, window: RateWindow, now: number): Promise<RateState>;
  /** The current state, without counting. `admitted`: whether `admit` would admit a request now. */
  peek(bucket: string, window: RateWindow, now: number): Promise<RateState>;
  /** Admits the request, reserves a credit and counts the attempt, in this order. Stops at the first refusal. */
  checkAndCount(request: CountRequest): Promise<CountResult>;
}

/** Attempts that a store streams at a start. */
export type AttemptChunks = Iterable<AttemptChunk> | AsyncIterable<AttemptChunk>;

/** Counters in this process, which answer synchronously. */
export interface LocalCounters {
  admit(bucket: string, window: RateWindow, now: number): RateState;
  peek(bucket: string, window: RateWindow, now: number): RateState;
  checkAndCount(request: CountRequest): CountResult;
  /**
   * Counts stored attempts of the last 24 h again, oldest first, before the first new attempt of their accounts. An attempt
   * slightly out of order (commits may overtake each other) may be counted at the time of the attempt before it. Other work
   * comes between two chunks.
   */
  restore(chunks: AttemptChunks): Promise<void>;
}

/** What velocity counts: one live signup attempt, and how often its keys were seen. */

/** One live signup attempt, by the keys it is counted under. All strings are opaque to the counters. */
export interface VelocityEvent {
  /** The request id of its assessment. No two attempts share one, so shared counters never count an attempt twice. */
  readonly id: string;
  readonly account: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The IP or its /64; `null` without a usable one. */
  readonly network: string | null;
  readonly domain: string;
  /** Keyed hash of the address. An address always comes with the same domain and mailbox. */
  readonly addressHash: string;
  /** Keyed hash of the mailbox the address delivers to. */
  readonly mailbox: string;
  /** Its hashes under keys from before a rotation, as long as attempts of them are counted. Its count is not below theirs. */
  readonly olderMailboxes?: readonly string[] | undefined;
}

/** Counts that include the attempt itself; windows are (at − length, at]. */
export interface VelocityCounts {
  /** Attempts from the network; 0 without one. */
  readonly network1h: number;
  readonly network24h: number;
  /** Distinct addresses of the domain. */
  readonly domain1h: number;
  readonly domain24h: number;
  /** Distinct addresses of the mailbox. */
  readonly mailbox24h: number;
  /**
   * True when counts are lower bounds: memory bounds made the counter forget attempts younger than 24 h, or the
   * counters that all nodes share could not be asked in time.
   */
  readonly partial: boolean;
}

/** Numbers of `keys` for each attempt: where its network (empty where there is none), domain, address and mailbox begin and end. */
export const KEY_BOUNDS = 8;

/**
 * Many live attempts, oldest first, with their keys as bytes of UTF-8: a start reads millions, and makes no object or text
 * of each. Arrays may be longer than there are attempts, and are written over by what follows.
 */
export interface AttemptColumns {
  readonly length: number;
  readonly accounts: readonly string[];
  /** By attempt: the place of its account in `accounts`. */
  readonly account: Uint32Array;
  /** Milliseconds since the epoch. */
  readonly at: Float64Array;
  /** By attempt, `KEY_BOUNDS`. */
  readonly keys: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Some thousands at a time at most. */
export type AttemptChunk = readonly VelocityEvent[] | AttemptColumns;

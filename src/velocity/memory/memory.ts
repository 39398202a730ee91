/** Decides that counts live in this process: exact, bounded, and rebuilt from the store at start. */
import type { LocalCounters } from '../counters.ts';
import { uncountedReservation } from '../uncounted-reservation.ts';
import { RateBuckets } from './rate-buckets.ts';
import { Velocity } from './velocity.ts';

export interface MemoryCountersOptions {
  /** Bytes that velocity may use; 256 MB by default. Beyond that, the largest account forgets its oldest attempts. */
  readonly maxVelocityBytes?: number;
}

export interface MemoryCountersSize {
  readonly buckets: number;
  readonly accounts: number;
  readonly attempts: number;
  readonly velocityBytes: number;
  readonly maxVelocityBytes: number;
  /** Attempts forgotten too early because memory was full, since the start. */
  readonly forgotten: number;
  /** Keys that growing and shrinking tables have moved, since the start. */
  readonly moves: number;
}

const DEFAULT_VELOCITY_BYTES = 256 * 1024 * 1024;

/** Do not keep credits. */
export interface MemoryCounters extends LocalCounters {
  /**
   * Removes expired attempts and frees idle buckets and accounts, for about a millisecond. Call it with the clock that
   * stamps the attempts, about every 20 ms for as long as it returns true: there is more to look at. Counts are exact
   * without it; it prevents that the first request after a quiet time has to do all this work.
   */
  sweep(now: number): boolean;
  size(): MemoryCountersSize;
  /** Forgets the attempts of an account that was deleted. */
  removeAccount(account: string): void;
}

export function createMemoryCounters(options: MemoryCountersOptions = {}): MemoryCounters {
  const buckets = new RateBuckets();
  const maxVelocityBytes = options.maxVelocityBytes ?? DEFAULT_VELOCITY_BYTES;
  const velocity = new Velocity(maxVelocityBytes);
  return {
    admit: (bucket, window, now) => buckets.admit(bucket, window, now),
    peek: (bucket, window, now) => buckets.peek(bucket, window, now),
    checkAndCount({ bucket, window, event }) {
      const rate = window === null ? null : buckets.admit(bucket, window, event.at);
      if (rate !== null && !rate.admitted) return { rate, credit: 'unknown', counted: null };
      const counted = event.broughtBy === undefined ? velocity.count(event) : uncountedReservation(event);
      return { rate, credit: 'unknown', counted };
    },
    removeAccount: (account) => velocity.removeAccount(account),
    restore: (chunks) => velocity.restore(chunks),
    sweep(now) {
      const moreBuckets = buckets.sweep(now);
      return velocity.sweep(now) || moreBuckets;
    },
    size: () => ({
      buckets: buckets.size,
      accounts: velocity.accounts,
      attempts: velocity.attempts,
      velocityBytes: velocity.bytes,
      maxVelocityBytes,
      forgotten: velocity.forgotten,
      moves: velocity.moves,
    }),
  };
}

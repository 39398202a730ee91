/** Decides which rate buckets exist: one from its first admitted request until its window is empty again. */
import type { RateState, RateWindow } from '../counters.ts';
import { RateBucket } from './rate-bucket.ts';

/** Buckets checked in one sweep. */
const SWEEP_BUCKETS = 256;

export class RateBuckets {
  readonly #buckets = new Map<string, RateBucket>();
  #cursor = this.#buckets.entries();

  get size(): number {
    return this.#buckets.size;
  }

  admit(key: string, window: RateWindow, now: number): RateState {
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      bucket = new RateBucket();
      this.#buckets.set(key, bucket);
    }
    return bucket.admit(window, now);
  }

  peek(key: string, window: RateWindow, now: number): RateState {
    return (this.#buckets.get(key) ?? new RateBucket()).peek(window, now);
  }

  sweep(now: number): void {
    for (let checked = 0; checked < SWEEP_BUCKETS; checked += 1) {
      const { done, value } = this.#cursor.next();
      if (done) {
        this.#cursor = this.#buckets.entries();
        return;
      }
      if (value[1].isIdle(now)) this.#buckets.delete(value[0]);
    }
  }
}

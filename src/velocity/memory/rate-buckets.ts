/** Decides whether a bucket admits a request, and which buckets exist: one from its first request until its window is empty. */
import { wasSetBackInWindow } from '../clock-step.ts';
import type { RateState, RateWindow } from '../counters.ts';

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

  /** Removes idle buckets, a bounded number at a time. Returns whether some are left to check. `now`: milliseconds since the epoch. */
  sweep(now: number): boolean {
    for (let checked = 0; checked < SWEEP_BUCKETS; checked += 1) {
      const { done, value } = this.#cursor.next();
      if (done) {
        this.#cursor = this.#buckets.entries();
        return false;
      }
      if (value[1].isIdle(now)) this.#buckets.delete(value[0]);
    }
    return true;
  }
}

const FIRST_CAPACITY = 8;

/** Admits by the exact times of the requests that it admitted before. */
class RateBucket {
  /** A ring: request `n` is at index `n & mask`. Times never decrease. */
  #times = new Float64Array(FIRST_CAPACITY);
  #first = 0;
  #next = 0;
  #now = Number.NEGATIVE_INFINITY;
  #windowMs = 0;

  admit(window: RateWindow, now: number): RateState {
    this.#advance(window, now);
    if (this.#next - this.#first >= window.admits) return this.#state(false, window);
    if (this.#next - this.#first === this.#times.length) this.#grow();
    this.#times[this.#next & (this.#times.length - 1)] = this.#now;
    this.#next += 1;
    return this.#state(true, window);
  }

  peek(window: RateWindow, now: number): RateState {
    this.#advance(window, now);
    return this.#state(this.#next - this.#first < window.admits, window);
  }

  /** Whether every request has left the window, so that the bucket can be removed. */
  isIdle(now: number): boolean {
    if (wasSetBackInWindow(now, this.#now, this.#windowMs)) this.#shift(now);
    return this.#first === this.#next || now - this.#time(this.#next - 1) >= this.#windowMs;
  }

  #advance(window: RateWindow, now: number): void {
    this.#windowMs = window.windowMs;
    if (now > this.#now) this.#now = now;
    else if (wasSetBackInWindow(now, this.#now, this.#windowMs)) this.#shift(now);
    while (this.#first < this.#next && this.#now - this.#time(this.#first) >= window.windowMs)
      this.#first += 1;
  }

  #state(admitted: boolean, { admits, windowMs }: RateWindow): RateState {
    const count = this.#next - this.#first;
    if (count < admits) return { admitted, remaining: admits - count, retryAt: this.#now };
    // After a change of plan the bucket may contain more than the window admits: then several have to leave first.
    const blocking = admits > 0 ? this.#time(this.#next - admits) : this.#now;
    return { admitted, remaining: 0, retryAt: blocking + windowMs };
  }

  #time(request: number): number {
    return this.#times[request & (this.#times.length - 1)] as number;
  }

  /** The clock was set back to `now`: everything keeps its age. */
  #shift(now: number): void {
    const back = this.#now - now;
    for (let request = this.#first; request < this.#next; request += 1)
      this.#times[request & (this.#times.length - 1)] = this.#time(request) - back;
    this.#now = now;
  }

  /** Copies the old ring into both halves, so that each request is at its index under the wider mask. */
  #grow(): void {
    const times = new Float64Array(this.#times.length * 2);
    times.set(this.#times);
    times.set(this.#times, this.#times.length);
    this.#times = times;
  }
}

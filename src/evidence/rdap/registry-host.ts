/** Decides whether one registry's server is asked now, later or not at all, and whether its answers are worth a wait. */
import { createBreaker } from '../breaker.ts';

/**
 * How a question stands: `prompt`: worth a wait; `slow`: asked, but its answers have come too late lately;
 * `trial`: asked to see whether a failing server is back; `refused`: not asked.
 */
export type Availability = 'prompt' | 'slow' | 'trial' | 'refused';

const CONCURRENT = 4;
const QUEUED = 200;
const FAILURES = 5;
const REST_MS = 30_000;
const LATE_IN_A_ROW = 5;

export class RegistryHost {
  readonly #clock: () => number;
  readonly #failing = createBreaker({ failures: FAILURES, restMs: REST_MS });
  readonly #slow = createBreaker({ failures: LATE_IN_A_ROW, restMs: REST_MS });
  readonly #queue: ((admitted: boolean) => void)[] = [];
  #active = 0;
  #pausedUntil = 0;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Takes the trial if one is due, so its result must be used. */
  availability(): Availability {
    const now = this.#clock();
    if (this.#pausedUntil > now || this.#queue.length >= QUEUED) return 'refused';
    if (this.#failing.open) return this.#failing.tryHalfOpen(now) ? 'trial' : 'refused';
    return this.#slow.open ? 'slow' : 'prompt';
  }

  /** Runs `task` when its turn comes; `undefined` when the host was given up meanwhile. */
  async run<T>(standing: Availability, task: () => Promise<T>): Promise<T | undefined> {
    const admitted = standing === 'trial' || (await this.#turn());
    if (!admitted) return undefined;
    if (standing === 'trial') this.#active += 1;
    try {
      return await task();
    } finally {
      this.#active -= 1;
      this.#next();
    }
  }

  /** It replied, however unhelpfully. */
  replied(): void {
    this.#failing.succeed();
  }

  /** It answered within the time that lookups wait. */
  answeredInTime(): void {
    this.#slow.succeed();
  }

  /** A lookup went on without its answer. */
  keptWaiting(): void {
    this.#slow.fail(this.#clock());
  }

  failed(): void {
    this.#failing.fail(this.#clock());
  }

  /** It asked to be left alone for this long. */
  pause(milliseconds: number): void {
    this.#pausedUntil = this.#clock() + milliseconds;
  }

  #turn(): boolean | Promise<boolean> {
    if (this.#active >= CONCURRENT) return new Promise((resolve) => this.#queue.push(resolve));
    this.#active += 1;
    return true;
  }

  /** Gives the free place to the next in the queue, or sends all of them away. */
  #next(): void {
    const shunned = this.#failing.open || this.#pausedUntil > this.#clock();
    if (shunned) {
      for (const resolve of this.#queue.splice(0)) resolve(false);
    }
    const resolve = this.#active < CONCURRENT ? this.#queue.shift() : undefined;
    if (resolve === undefined) return;
    this.#active += 1;
    resolve(true);
  }
}

/** Decides whether one source outside is asked now, later or not at all, and whether its answers are worth a wait. */
import type { LookupAnswer, Question, Substitute } from './lookup.ts';

export interface RemoteSourceOptions<Value> {
  /** An answer that takes longer is late, milliseconds. */
  readonly deadlineMs: number;
  /** Questions under way at once. */
  readonly maxOpen: number;
  /** Questions that wait for their turn. */
  readonly maxQueued: number;
  /** Used without an answer. */
  readonly unknown: Value;
  /** Used while the answer has not come yet. */
  readonly late: Value;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** The source asks for a pause. */
export class SourceBusy extends Error {
  readonly pauseMs: number;
  constructor(pauseMs: number) {
    super('busy');
    this.pauseMs = pauseMs;
  }
}

type Answer<Value> = LookupAnswer<Value> | Substitute<Value>;
type Task<Value> = () => Promise<LookupAnswer<Value> | undefined>;
type Believe<Value> = (found: LookupAnswer<Value>) => Promise<Answer<Value>>;
type AskResult<Value> = Question<Value> | Substitute<Value> | undefined;

/** `slow`: asked, but not waited for. `probe`: asked to see whether a failing source is back. `blocked`: not asked. */
type Availability = 'ready' | 'slow' | 'probe' | 'blocked';

const MAX_FAILURES = 5;
const MAX_LATE = 5;
const REST_MS = 30_000;

/** A server or service of somebody else. */
export class RemoteSource<Value> {
  readonly #options: RemoteSourceOptions<Value>;
  readonly #failing = createBreaker({ failures: MAX_FAILURES, restMs: REST_MS });
  readonly #slow = createBreaker({ failures: MAX_LATE, restMs: REST_MS });
  readonly #queue: ((admitted: boolean) => void)[] = [];
  #open = 0;
  #pausedUntil = 0;

  constructor(options: RemoteSourceOptions<Value>) {
    this.#options = options;
  }

  /**
   * Asks it in its turn, if its state permits; `undefined` when too many questions are queued.
   * @param task the question. Resolves to `undefined` where the source replied without an answer. Rejects when the source
   * is out of order, or with `SourceBusy`. Bounded in time.
   * @param believe returns the answer, or a substitute if the answer does not count. Never rejects.
   */
  ask(task: Task<Value>, believe: Believe<Value> = async (found) => found): AskResult<Value> {
    const { maxOpen, maxQueued, unknown, late, clock } = this.#options;
    const now = clock();
    const isPaused = this.#pausedUntil > now;
    if (!isPaused && this.#open >= maxOpen && this.#queue.length >= maxQueued) return undefined;
    const availability = isPaused ? 'blocked' : this.#availability(now);
    const blocked: Substitute<Value> = { outcome: 'breaker', value: unknown };
    if (availability === 'blocked') return blocked;
    const slow: Substitute<Value> = { outcome: 'slow', value: late };
    return {
      answer: this.#run(task, believe, availability === 'probe'),
      instead: availability === 'probe' ? blocked : availability === 'slow' ? slow : undefined,
      missed: () => {
        this.#slow.fail(clock());
        return { outcome: 'late', value: late };
      },
    };
  }

  /** Takes the probe if one is due. */
  #availability(now: number): Availability {
    if (this.#failing.open) return this.#failing.tryHalfOpen(now) ? 'probe' : 'blocked';
    return this.#slow.open ? 'slow' : 'ready';
  }

  /** A probe does not wait for its turn. */
  async #run(task: Task<Value>, believe: Believe<Value>, isProbe: boolean): Promise<Answer<Value>> {
    const failed: Substitute<Value> = { outcome: 'failed', value: this.#options.unknown };
    if (isProbe) this.#open += 1;
    else if (!(await this.#turn())) return failed;
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
    }, this.#options.deadlineMs).unref();
    try {
      const found = await task();
      this.#failing.succeed();
      if (!isLate) this.#slow.succeed();
      // Not awaited here: the next question need not wait for it.
      return found === undefined ? failed : believe(found);
    } catch (error) {
      this.#noteError(error);
      return failed;
    } finally {
      clearTimeout(deadline);
      this.#open -= 1;
      this.#admitNext();
    }
  }

  #noteError(error: unknown): void {
    const now = this.#options.clock();
    if (error instanceof SourceBusy) {
      // It replied.
      this.#failing.succeed();
      this.#pausedUntil = now + error.pauseMs;
    } else this.#failing.fail(now);
  }

  /** Whether the question may be asked. */
  async #turn(): Promise<boolean> {
    if (this.#open >= this.#options.maxOpen) return new Promise((resolve) => this.#queue.push(resolve));
    this.#open += 1;
    return true;
  }

  /** Gives the free place to the next in the queue, or sends all of them away. */
  #admitNext(): void {
    if (this.#failing.open || this.#pausedUntil > this.#options.clock())
      for (const resolve of this.#queue.splice(0)) resolve(false);
    const next = this.#open < this.#options.maxOpen ? this.#queue.shift() : undefined;
    if (next === undefined) return;
    this.#open += 1;
    next(true);
  }
}

/** Decides when a source that keeps failing is no longer asked. */
export interface Breaker {
  /** True from the last tolerated failure in a row until the next success. */
  readonly open: boolean;
  succeed(): void;
  fail(now: number): void;
  /** Whether it is open and `restMs` have passed since it opened or since the last probe: takes the one probe. */
  tryHalfOpen(now: number): boolean;
}

/** Opens after `failures` in a row; while it is open, one probe is allowed every `restMs`. Times are milliseconds. */
export function createBreaker(options: { failures: number; restMs: number }): Breaker {
  let inARow = 0;
  let restingSince = 0;
  return {
    get open() {
      return inARow >= options.failures;
    },
    succeed() {
      inARow = 0;
    },
    fail(now) {
      inARow += 1;
      if (inARow === options.failures) restingSince = now;
    },
    tryHalfOpen(now) {
      if (inARow < options.failures || now - restingSince < options.restMs) return false;
      restingSince = now;
      return true;
    },
  };
}

/** Decides when the next batch starts: a batch costs the server and the node more than its rows do, so few requests do not get one each. */

/** Time from the start of a batch to that of the next; not after a batch of one request, which has no company. */
const APART_MS = 2;
/** A batch that takes longer than this may be stuck: others start beside it. */
const LONG_MS = 10;
/** Commits that are worth a batch: it starts at once. Larger ones cost little less each, and everything else waits for them. */
const MANY = 16;

export interface BatchPace {
  /** Whether so many wait that none of them gains by waiting longer. */
  isMany(waiting: number): boolean;
  /**
   * Milliseconds until a batch may start; 0: now.
   * @param waiting requests that would be in it
   * @param underWay when the batches started that are not answered yet, milliseconds of `performance.now()`
   */
  pauseMs(waiting: number, underWay: Iterable<number>, now: number): number;
  /** @param size requests in the batch */
  started(now: number, size: number): void;
}

export function createBatchPace(): BatchPace {
  /** Time at which the next may start, as far as the last one is concerned. */
  let earliest = Number.NEGATIVE_INFINITY;
  return {
    isMany: (waiting) => waiting >= MANY,
    pauseMs(waiting, underWay, now) {
      if (waiting >= MANY) return 0;
      const newest = Math.max(Number.NEGATIVE_INFINITY, ...underWay);
      return Math.max(0, Math.round(Math.max(earliest, newest + LONG_MS) - now));
    },
    started(now, size) {
      earliest = size > 1 ? now + APART_MS : now;
    },
  };
}

export interface BatchStarts {
  /** Whether a batch may start now; if not, `start` is called when it may. */
  isDue(waiting: number, underWay: Iterable<number>): boolean;
  /** Whether `start` will be called, and not too late for so many. */
  isSet(waiting: number): boolean;
  /** `start` is not called any more. */
  unset(): void;
  started(size: number): void;
}

export function createBatchStarts(start: () => void): BatchStarts {
  const pace = createBatchPace();
  let timer: NodeJS.Timeout | undefined;
  function unset(): void {
    clearTimeout(timer);
    timer = undefined;
  }
  return {
    isDue(waiting, underWay) {
      const ms = pace.pauseMs(waiting, underWay, performance.now());
      unset();
      if (ms > 0) timer = setTimeout(start, ms);
      return ms === 0;
    },
    isSet: (waiting) => timer !== undefined && !pace.isMany(waiting),
    unset,
    started: (size) => pace.started(performance.now(), size),
  };
}

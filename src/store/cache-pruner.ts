/** Decides when cached texts that have expired or exceed the limits are removed: in the background, a few at a time. */
import type { CacheStore } from './store.ts';

export interface CachePruner {
  start(): void;
  close(): Promise<void>;
}

export interface CachePrunerOptions {
  readonly cache: Pick<CacheStore, 'prune'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** 0 up to 1. */
  readonly random: () => number;
  readonly onFault: (error: Error) => void;
  /** Default 1,000,000. */
  readonly maxEntries?: number;
  /** Of names and texts. Default 256 MiB. */
  readonly maxBytes?: number;
  /** Pause while there is nothing to remove; a random part of up to the same length is added. Default 10 s. */
  readonly idleMs?: number;
}

/** An expired text still serves as a first guess until a new answer comes. */
const EXPIRED_FOR_MS = 86_400_000;
/** The database needs a few milliseconds for one step. */
const STEP_ENTRIES = 200;
/** Pause between two steps, for other work. */
const STEP_MS = 50;
const AFTER_FAULT_MS = 60_000;

export function createCachePruner(options: CachePrunerOptions): CachePruner {
  const { cache, clock, random, onFault, idleMs = 10_000 } = options;
  const { maxEntries = 1_000_000, maxBytes = 256 * 1024 * 1024 } = options;
  let next: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
  let closed = false;

  async function step(): Promise<number> {
    const expiredBefore = clock() - EXPIRED_FOR_MS;
    const { pruned } = await cache.prune({ expiredBefore, maxEntries, maxBytes }, STEP_ENTRIES);
    return pruned < STEP_ENTRIES ? idleMs * (1 + random()) : STEP_MS;
  }

  function plan(pauseMs: number): void {
    if (closed) return;
    next = setTimeout(() => {
      working = step()
        .catch((error: Error) => {
          if (!closed) onFault(error);
          return AFTER_FAULT_MS;
        })
        .then(plan);
    }, pauseMs).unref();
  }

  return {
    start: () => plan(idleMs * (1 + random())),
    async close() {
      closed = true;
      clearTimeout(next);
      await working;
    },
  };
}

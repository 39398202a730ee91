/** Decides when knowledge that has expired, or is more than may be kept, is removed: in the background, a little at a time. */
import type { CacheStore } from './store.ts';

export interface KnowledgePruner {
  start(): void;
  close(): Promise<void>;
}

export interface KnowledgePrunerOptions {
  readonly store: Pick<CacheStore, 'pruneKnowledge'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** 0 up to 1. */
  readonly random: () => number;
  readonly onFault: (error: Error) => void;
  /** Default 1,000,000. */
  readonly maxEntries?: number;
  /** Of names and texts. Default 256 MiB. */
  readonly maxBytes?: number;
  /** Pause where there is nothing to do. Nodes differ by up to as much again. Default 10 s. */
  readonly idleMs?: number;
}

/** What has expired still serves as a first guess, while a new answer is on its way. */
const EXPIRED_FOR_MS = 86_400_000;
/** A few milliseconds of a database. */
const STEP_ENTRIES = 200;
/** Others go first in between. */
const STEP_MS = 50;
const AFTER_FAULT_MS = 60_000;

export function createCachePruner(options: KnowledgePrunerOptions): KnowledgePruner {
  const { store, clock, random, onFault, idleMs = 10_000 } = options;
  const { maxEntries = 1_000_000, maxBytes = 256 * 1024 * 1024 } = options;
  let next: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
  let closed = false;

  async function step(): Promise<number> {
    const expiredBefore = clock() - EXPIRED_FOR_MS;
    const { pruned } = await store.pruneKnowledge({ expiredBefore, maxEntries, maxBytes }, STEP_ENTRIES);
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

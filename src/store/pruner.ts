/** Removes expired rows in the background, a few at a time. */
import type { Logger } from 'pino';
import type { CacheStore } from './cache-store.ts';
import { type ChallengeStore, MAILS_COUNT_MS } from './challenge-store.ts';
import { type IdempotencyStore, KEY_LIFETIME_MS } from './idempotency-store.ts';

export interface Pruner {
  start(): void;
  close(): Promise<void>;
}

/** Removes at most `maxPruned` rows; resolves to how many. */
export type Prune = (maxPruned: number) => Promise<number>;

export interface PrunerOptions {
  readonly prune: Prune;
  /** 0 up to 1. */
  readonly random: () => number;
  readonly onFault: (error: Error) => void;
  /** Pause while there is nothing to remove; a random part of up to the same length is added. Default 10 s. */
  readonly idleMs?: number;
}

/** The database needs a few milliseconds for one step. */
const STEP_ROWS = 200;
/** The pause between two steps, for other work, is so many times as long as the step, within these bounds. */
const REST = { times: 4, minMs: 5, maxMs: 50 };
const AFTER_FAULT_MS = 60_000;

export function createPruner({ prune, random, onFault, idleMs = 10_000 }: PrunerOptions): Pruner {
  let next: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
  let closed = false;

  async function step(): Promise<number> {
    const began = performance.now();
    if ((await prune(STEP_ROWS)) < STEP_ROWS) return idleMs * (1 + random());
    return Math.min(Math.max(REST.times * (performance.now() - began), REST.minMs), REST.maxMs);
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

export interface PruneCacheOptions {
  readonly cache: Pick<CacheStore, 'prune'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Default 1,000,000. */
  readonly maxEntries?: number;
  /** Max. bytes of names and texts. Default 256 MiB. */
  readonly maxBytes?: number;
}

/** An expired text still serves as a first guess until a new answer comes. */
const EXPIRED_FOR_MS = 86_400_000;

/** Cached texts that have expired or exceed the limits. */
export function pruneCache(options: PruneCacheOptions): Prune {
  const { cache, clock, maxEntries = 1_000_000, maxBytes = 256 * 1024 * 1024 } = options;
  return async (maxPruned) => {
    const expiredBefore = clock() - EXPIRED_FOR_MS;
    return (await cache.prune({ expiredBefore, maxEntries, maxBytes }, maxPruned)).pruned;
  };
}

/** Idempotency keys that have expired. */
function pruneKeys(store: Pick<IdempotencyStore, 'pruneKeys'>, clock: () => number): Prune {
  return (maxPruned) => store.pruneKeys(clock() - KEY_LIFETIME_MS, maxPruned);
}

/** Networks whose mails of challenges count no more. */
function pruneNetworks(store: Pick<ChallengeStore, 'forgetNetworks'>, clock: () => number): Prune {
  return (maxPruned) => store.forgetNetworks(clock() - MAILS_COUNT_MS, maxPruned);
}

/** Pruners of the cache, of idempotency keys and of networks. `clock`: milliseconds since the epoch. */
export function createPruners(
  store: Pick<IdempotencyStore, 'pruneKeys'> &
    Pick<ChallengeStore, 'forgetNetworks'> & { readonly cache: CacheStore },
  clock: () => number,
  log: Pick<Logger, 'error'>,
): Pruner[] {
  const prunes = [
    pruneCache({ cache: store.cache, clock }),
    pruneKeys(store, clock),
    pruneNetworks(store, clock),
  ];
  return prunes.map((prune) => createPruner({ prune, random: Math.random, onFault: prunerFault(log) }));
}

export function prunerFault(log: Pick<Logger, 'error'>): (error: Error) => void {
  return (error) => log.error({ err: error }, 'expired rows could not be removed');
}

/** Decides for how long a registration date is believed, and keeps it until then. */
import { createTwoGenerationCache } from '../two-generation-cache.ts';
import type { TextCache } from './bootstrap.ts';

export interface AgeRecord {
  /** Milliseconds since the epoch; `null` when the registry knows no date. */
  readonly registeredAt: number | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** What survives a restart. No method may throw or reject. */
export interface AgeCache extends TextCache {
  /** By registrable domain: a point read. */
  get(domain: string): AgeRecord | undefined | Promise<AgeRecord | undefined>;
  /** Fire and forget. */
  put(domain: string, record: AgeRecord): void;
}

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const SETTLED_MS = 30 * DAY_MS;
/** A young domain may lapse and be registered anew. */
const YOUNG_MS = 7 * DAY_MS;
const UNLISTED_MS = DAY_MS;
const MAX_UNCONFIRMED = 20_000;

export interface AgeMemory {
  /** What memory holds under the very domain asked for: the cheapest look. */
  recent(domain: string, now: number): AgeRecord | undefined;
  /** What memory or the cache behind it holds for the registrable `name` of `domain`. */
  recall(domain: string, name: string, now: number): AgeRecord | undefined | Promise<AgeRecord | undefined>;
  remember(name: string, registeredAt: number | null, now: number): AgeRecord;
  /** What was remembered so far is believed for good. */
  confirm(): void;
  /** Forgets what was remembered since the last `confirm`, in the cache behind it as well. */
  forgetUnconfirmed(): void;
}

export function createAgeMemory({ cache, capacity }: { cache: AgeCache; capacity: number }): AgeMemory {
  const memory = createTwoGenerationCache<AgeRecord>(capacity);
  const unconfirmed = new Set<string>();

  function recent(domain: string, now: number): AgeRecord | undefined {
    const record = memory.get(domain);
    return record !== undefined && record.expiresAt > now ? record : undefined;
  }

  return {
    recent,
    recall(domain, name, now) {
      const take = (record: AgeRecord | undefined) => {
        if (record === undefined || record.expiresAt <= now) return undefined;
        memory.set(domain, record);
        return record;
      };
      const record = recent(name, now) ?? cache.get(name);
      // While the cache was read, the registry's answer may have come.
      return record instanceof Promise
        ? record.then((kept) => take(kept ?? recent(name, now)))
        : take(record);
    },
    remember(name, registeredAt, now) {
      const record = { registeredAt, expiresAt: now + lifetimeMs(registeredAt, now) };
      memory.set(name, record);
      cache.put(name, record);
      if (unconfirmed.size < MAX_UNCONFIRMED) unconfirmed.add(name);
      return record;
    },
    confirm: () => unconfirmed.clear(),
    forgetUnconfirmed() {
      // Also what it knows by the names below; the cache brings the rest back.
      memory.clear();
      for (const name of unconfirmed) cache.put(name, { registeredAt: null, expiresAt: 0 });
      unconfirmed.clear();
    },
  };
}

function lifetimeMs(registeredAt: number | null, now: number): number {
  if (registeredAt === null) return UNLISTED_MS;
  return now - registeredAt > YEAR_MS ? SETTLED_MS : YOUNG_MS;
}

/** Decides for how long a registration date is used, and keeps it beyond the process. */
import { createCachedTexts, type StoredText, type TextCache } from './cached-texts.ts';
import type { LookupMemory, MemoryEntry } from './lookup.ts';

/** What a registry knows of a domain. */
export interface Registration {
  /** Milliseconds since the epoch; `null` when the registry knows no date. */
  readonly registeredAt: number | null;
}

/** By registrable domain. */
export interface AgeMemory extends LookupMemory<Registration> {
  /** Keeps what was learned so far. */
  confirm(): void;
  /** Forgets what was learned since the last `confirm`, also in the store. */
  forgetUnconfirmed(): void;
}

export interface AgeMemoryOptions {
  readonly texts: TextCache;
  /** Domains in memory at most. */
  readonly capacity: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const SETTLED_MS = 30 * DAY_MS;
/** A young domain may lapse and be registered again. */
const YOUNG_MS = 7 * DAY_MS;
const UNLISTED_MS = DAY_MS;
const MAX_UNCONFIRMED = 20_000;

export function createAgeMemory({ texts, capacity, clock }: AgeMemoryOptions): AgeMemory {
  const nameOf = (domain: string) => `age:${domain}`;
  const cached = createCachedTexts<MemoryEntry<Registration>>({ texts, nameOf, capacity });
  const unconfirmed = new Set<string>();

  return {
    get: cached.get,
    set(domain, remembered) {
      const { value, until } = remembered;
      cached.set(domain, remembered);
      cached.write(domain, { text: JSON.stringify(value.registeredAt), expiresAt: until });
      if (unconfirmed.size < MAX_UNCONFIRMED) unconfirmed.add(domain);
    },
    load(domain) {
      cached.read(domain, (stored) => {
        const entry = readAge(stored);
        if (entry !== undefined && entry.until > clock()) cached.set(domain, entry);
      });
      return cached.reading(domain);
    },
    confirm: () => unconfirmed.clear(),
    forgetUnconfirmed() {
      // Confirmed entries are read from the store again.
      cached.clear();
      for (const domain of unconfirmed) cached.write(domain, { text: 'null', expiresAt: 0 });
      unconfirmed.clear();
    },
  };
}

function readAge(stored: StoredText | undefined): MemoryEntry<Registration> | undefined {
  if (stored === undefined) return undefined;
  const registeredAt = stored.text === 'null' ? null : Number(stored.text);
  return { value: { registeredAt }, learnedAt: 0, until: stored.expiresAt };
}

/** How long an answer of a registry is used, milliseconds. */
export function lifetimeMs({ registeredAt }: Registration, now: number): number {
  if (registeredAt === null) return UNLISTED_MS;
  return now - registeredAt > YEAR_MS ? SETTLED_MS : YOUNG_MS;
}

/** Decides how long a registration date is used, keeps it across restarts, and decides whether registries can be trusted. */
import { registrableDomain } from '../../address/domain.ts';
import type { StoredText, TextCache } from '../../model/text-cache.ts';
import { createCachedTexts } from './cached-texts.ts';
import { type Canary, createCanary, createNoCanary, majorityOf } from './canary.ts';
import type { LookupMemory, MemoryEntry } from './lookup.ts';

/** A registry's answer about a domain. */
export interface Registration {
  /** Milliseconds since the epoch; `null` when the registry knows no date. */
  readonly registeredAt: number | null;
}

/** Registrations by registrable domain. */
export interface AgeMemory extends LookupMemory<Registration> {
  /** Confirms all ages learned so far: `forgetUnconfirmed` keeps them. */
  confirm(): void;
  /** Forgets the ages learned since the last `confirm`, also in the store. */
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
  const cached = createCachedTexts<MemoryEntry<Registration>>({ texts, nameOf: ageName, capacity });
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
      return cached.read(domain, (stored) => {
        const entry = readAge(stored);
        if (entry !== undefined && entry.until > clock()) cached.set(domain, entry);
      });
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

/** Time that an answer of a registry is used, milliseconds. */
export function lifetimeMs({ registeredAt }: Registration, now: number): number {
  if (registeredAt === null) return UNLISTED_MS;
  return now - registeredAt > YEAR_MS ? SETTLED_MS : YOUNG_MS;
}

export interface AgeCanaryOptions {
  /** Domains that are certainly old; without any, registries are always trusted. */
  readonly domains: readonly string[];
  /** Milliseconds since the epoch; `null` when the registry does not list the domain; `undefined` without an answer. */
  readonly registeredAt: (name: string) => Promise<number | null | undefined>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onChange: (canary: Canary) => void;
  /** Called when a round of control questions found the registries right. */
  readonly onRight: () => void;
}

/** Registries belong to others, so they are seldom asked. */
const INTERVALS = { everyMs: 3_600_000, freshMs: 7_200_000, burstMs: 60_000, retryMs: 60_000 };

/** Asks registries about domains that are certainly old. */
export function createAgeCanary(options: AgeCanaryOptions): Canary {
  const { domains, registeredAt, clock, onChange, onRight } = options;
  if (domains.length === 0) return createNoCanary('rdap');

  async function ask() {
    const names = domains.map((domain) => registrableDomain(domain) ?? domain);
    const dates = await Promise.all(names.map(registeredAt));
    const answered = dates.filter((date) => date !== undefined);
    // Several owners did not register their domains within one second.
    const same = answered.length > 2 && new Set(answered).size === 1;
    const isWrong = (date: number | null | undefined) =>
      date !== undefined && (same || date === null || clock() - date < YEAR_MS);
    const wrong = names.filter((_, at) => isWrong(dates[at]));
    const round = majorityOf(wrong, answered.length - wrong.length, names.length);
    if (round.outcome === 'right') onRight();
    return round;
  }

  return createCanary({ source: 'rdap', ask, intervals: INTERVALS, clock, onChange });
}

export function ageName(domain: string): string {
  return `age:${domain}`;
}

/** Decides what became of people of a domain says of it: customers who paid speak for it, many bounces against its being usual. */
import type { SignupOutcome } from '../model/outcome.ts';
import type { OutcomeStore } from '../store/outcome-store.ts';
import { createAccountMemory } from './account-memory.ts';

/** Outcome of one signup. */
export interface OutcomeOfDomain {
  readonly requestId: string;
  readonly domain: string;
  readonly outcome: SignupOutcome;
}

export interface DomainOutcomes {
  /** Several customers of the domain paid, and hardly any was banned: it is known to the account. */
  isKnown(account: string, domain: string): boolean;
  /** Most addresses of the domain of which anything is known bounced: who came before speaks for nobody. It accuses nobody. */
  isBouncing(account: string, domain: string): boolean;
}

export interface DomainOutcomesOptions {
  /** The newest outcomes of an account. */
  readonly read: (account: string) => Promise<readonly OutcomeOfDomain[]>;
  /** Milliseconds; never goes back. */
  readonly clock: () => number;
  /** Default one minute. */
  readonly ttlMs?: number;
}

/** Paying customers beyond banned ones. */
const PAYING = 3;
/** Bounces, at least, and more of them than people who confirmed or paid. */
const BOUNCING = 3;
const MAX_OUTCOMES = 2_000;
const MEMORY_MS = 180 * 86_400_000;

export interface DomainSets {
  readonly known: ReadonlySet<string>;
  readonly bouncing: ReadonlySet<string>;
}

const NOTHING: DomainSets = { known: new Set(), bouncing: new Set() };

export function createDomainOutcomes({ read, clock, ttlMs }: DomainOutcomesOptions): DomainOutcomes {
  const setsOf = createAccountMemory<DomainSets>({
    read: async (account) => domainSets(await read(account)),
    empty: NOTHING,
    clock,
    ttlMs,
  });
  return {
    isKnown: (account, domain) => setsOf(account).known.has(domain),
    isBouncing: (account, domain) => setsOf(account).bouncing.has(domain),
  };
}

/** @param now milliseconds since the epoch */
export function readDomainOutcomes(
  store: Pick<OutcomeStore, 'domainOutcomes'>,
  account: string,
  now: number,
): Promise<readonly OutcomeOfDomain[]> {
  return store.domainOutcomes(account, now - MEMORY_MS, MAX_OUTCOMES);
}

export function domainSets(outcomes: readonly OutcomeOfDomain[]): DomainSets {
  const domains = new Map<string, { good: number; banned: number; paid: number; bounced: number }>();
  for (const { domain, outcome } of outcomes) {
    const counts = domains.get(domain) ?? { good: 0, banned: 0, paid: 0, bounced: 0 };
    domains.set(domain, counts);
    if (outcome === 'verified' || outcome === 'paid') counts.good += 1;
    if (outcome === 'paid' || outcome === 'banned' || outcome === 'bounced') counts[outcome] += 1;
  }
  const namesOf = (
    isOne: (counts: { good: number; banned: number; paid: number; bounced: number }) => boolean,
  ) => new Set([...domains].filter(([, counts]) => isOne(counts)).map(([domain]) => domain));
  return {
    known: namesOf(({ paid, banned }) => paid - banned >= PAYING),
    bouncing: namesOf(({ bounced, good }) => bounced >= BOUNCING && bounced > good),
  };
}

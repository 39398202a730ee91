/** Decides which domains an account has labelled good: it reported several of their signups as good customers stopped. */
import { createAccountMemory } from './account-memory.ts';

/** One reported mistake. */
export interface Report {
  readonly domain: string;
  /** A good customer was stopped; otherwise fraud was allowed. */
  readonly good: boolean;
}

export interface GoodReportsOptions {
  /** The newest reports of an account. */
  readonly read: (account: string) => Promise<readonly Report[]>;
  /** Milliseconds; never goes back. */
  readonly clock: () => number;
  /** Default one minute. */
  readonly ttlMs?: number;
}

export interface GoodReports {
  /** Tells from the reports that were read last. Nobody waits: the first answer after a start is no, then reports are read. */
  isGood(account: string, domain: string): boolean;
}

/** Good ones beyond the bad ones. */
const SEVERAL = 2;

export function createGoodReports({ read, clock, ttlMs }: GoodReportsOptions): GoodReports {
  const domainsOf = createAccountMemory<ReadonlySet<string>>({
    read: async (account) => goodDomains(await read(account)),
    empty: new Set(),
    clock,
    ttlMs,
  });
  return { isGood: (account, domain) => domainsOf(account).has(domain) };
}

/** Domains that reports name good more often than bad, by several. */
export function goodDomains(reports: readonly Report[]): ReadonlySet<string> {
  const balance = new Map<string, number>();
  for (const { domain, good } of reports) balance.set(domain, (balance.get(domain) ?? 0) + (good ? 1 : -1));
  return new Set([...balance].filter(([, count]) => count >= SEVERAL).map(([domain]) => domain));
}

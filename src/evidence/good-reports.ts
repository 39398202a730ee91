/** Decides which domains an account has labelled good: it reported several of their signups as good customers stopped. */
import { createTwoGenerationCache } from './sources/two-generation-cache.ts';

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
const ACCOUNTS = 1_000;
const TTL_MS = 60_000;

interface Known {
  good: ReadonlySet<string>;
  /** Time at which its reports were read last. */
  readAt: number;
}

export function createGoodReports({ read, clock, ttlMs = TTL_MS }: GoodReportsOptions): GoodReports {
  const accounts = createTwoGenerationCache<Known>(ACCOUNTS);

  return {
    isGood(account, domain) {
      let known = accounts.get(account);
      if (known === undefined) {
        known = { good: new Set(), readAt: Number.NEGATIVE_INFINITY };
        accounts.set(account, known);
      }
      if (clock() - known.readAt >= ttlMs) refresh(account, known);
      return known.good.has(domain);
    },
  };

  function refresh(account: string, known: Known): void {
    known.readAt = clock();
    read(account).then(
      (reports) => {
        known.good = goodDomains(reports);
      },
      // The earlier reports stay; a later attempt reads again.
      () => {},
    );
  }
}

/** Domains that reports name good more often than bad, by several. */
export function goodDomains(reports: readonly Report[]): ReadonlySet<string> {
  const balance = new Map<string, number>();
  for (const { domain, good } of reports) balance.set(domain, (balance.get(domain) ?? 0) + (good ? 1 : -1));
  return new Set([...balance].filter(([, count]) => count >= SEVERAL).map(([domain]) => domain));
}

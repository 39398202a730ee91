/** Operators' decisions about mail hosts, and the report about one host that operators see. */
import { HOUR_MS, type HostRecord, isOver } from './mail-host-record.ts';
import { judgeHost } from './mail-host-verdict.ts';

/** The part of a decision that changes evidence. */
export interface HostDecisionEffect {
  /** The key of a host (see `hostKey`), or one of its addresses. */
  readonly key: string;
  /** Number of times that the host was forgotten. */
  readonly generation: number;
  readonly neverFlag: boolean;
}

/** The decisions that all nodes share. */
export interface HostDecisionSource {
  /** Grows with every decision, and with every erasure. Cheap: asked several times a second. */
  hostDecisionsVersion(): Promise<number>;
  hostDecisionsSince(version: number): Promise<readonly HostDecisionEffect[]>;
}

export interface HostDecisions {
  /**
   * Reads the decisions since the last call.
   * @returns whether the version grew without one: an erasure changed stored records
   * @throws when they cannot be read
   */
  refresh(): Promise<boolean>;
  generationOf(key: string): number;
  isNeverFlagged(key: string): boolean;
  /** Grows with every decision that was read. */
  readonly version: number;
}

export function createHostDecisions(source: HostDecisionSource): HostDecisions {
  const decisions = new Map<string, HostDecisionEffect>();
  let version = 0;
  return {
    async refresh() {
      const current = await source.hostDecisionsVersion();
      if (current === version) return false;
      const changed = await source.hostDecisionsSince(version);
      for (const decision of changed) decisions.set(decision.key, decision);
      version = current;
      return changed.length === 0;
    },
    generationOf: (key) => decisions.get(key)?.generation ?? 0,
    isNeverFlagged: (key) => decisions.get(key)?.neverFlag === true,
    get version() {
      return version;
    },
  };
}

/** The observations of a host, and the result. */
export interface HostSummary {
  readonly state: 'flagged' | 'flagged_for_some' | 'ordinary' | 'unknown';
  readonly listed: readonly string[];
  readonly ordinary: readonly string[];
  readonly accounts: number;
  /** Number of accounts for which the host is flagged because of their own observations. */
  readonly flaggedFor: number;
  /** Milliseconds since the epoch; `null` when nothing was seen. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
}

/** Summarizes what still counts at `now`, milliseconds since the epoch. */
export function summarizeHost(record: HostRecord, minListed: number, now: number): HostSummary {
  const hour = Math.floor(now / HOUR_MS);
  const names = { listed: [] as string[], ordinary: [] as string[], neither: [] as string[] };
  const accounts = new Set<string>();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [domain, { kind, seen }] of record.domains) {
    const live = [...seen].filter(([, sighting]) => !isOver(sighting.last, hour));
    if (live.length === 0 || kind === 'neither') continue;
    names[kind].push(domain);
    for (const [account, sighting] of live) {
      accounts.add(account);
      first = Math.min(first, sighting.first);
      last = Math.max(last, sighting.last);
    }
  }
  const judged = (account: string | null) =>
    judgeHost(record, { account, domain: '', hour, minListed }).state;
  const forAllAccounts = judged(null);
  const flaggedFor = [...accounts].filter((account) => judged(account) === 'flagged').length;
  const isFlaggedForSome = forAllAccounts !== 'flagged' && flaggedFor > 0;
  const seen = accounts.size > 0;
  return {
    state: isFlaggedForSome
      ? 'flagged_for_some'
      : forAllAccounts === 'unknown' && names.ordinary.length > 0
        ? 'ordinary'
        : forAllAccounts,
    listed: names.listed,
    ordinary: names.ordinary,
    accounts: accounts.size,
    flaggedFor,
    firstAt: seen ? first * HOUR_MS : null,
    lastAt: seen ? last * HOUR_MS : null,
  };
}

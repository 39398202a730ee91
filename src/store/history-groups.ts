/** Counts what a search finds by the values of a property: page by page, so that no page keeps a thread busy for long. */
import { registrableDomain } from '../address/domain.ts';
import { VERDICTS, type Verdict } from '../contract/messages.ts';
import { mailHostOf } from '../model/mail-host.ts';
import { mainDetectorOf } from '../model/main-finding.ts';
import { type FoundAssessment, MAX_ROWS_READ, type RelatedSearch } from './history-search.ts';
import type { GroupBy, HistoryPosition, HistoryStore, SearchGroup } from './history-store.ts';

/** Assessments with the same value, verdict and mode of answering. */
export interface GroupCount {
  readonly value: string | null;
  readonly verdict: Verdict;
  readonly shadow: boolean;
  readonly count: number;
  readonly newestAt: number;
  readonly oldestAt: number;
}

export interface GroupPage {
  /** Counts in no order; a group may be there more than once. */
  readonly counts: readonly GroupCount[];
  readonly rowsRead: number;
  /** Position to count on from; `null` at the end. */
  readonly next: HistoryPosition | null;
}

/** @param maxRows about how many assessments to read; the page may end earlier */
export type CountPage = (
  accountId: string,
  search: RelatedSearch,
  by: GroupBy,
  after: HistoryPosition | null,
  maxRows: number,
) => Promise<GroupPage>;

export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;
const MAX_ROWS_COUNTED = 50_000;

export function createCountGroups(
  countPage: CountPage,
  maxRows = MAX_ROWS_COUNTED,
): HistoryStore['countGroups'] {
  return async (accountId, search, by, signal) => {
    const groups = new Map<string | null, WritableGroup>();
    let after: HistoryPosition | null = null;
    let rowsRead = 0;
    do {
      signal?.throwIfAborted();
      const page: GroupPage = await countPage(accountId, search, by, after, maxRows - rowsRead);
      for (const count of page.counts) addTo(groups, count);
      rowsRead += page.rowsRead;
      after = page.next;
    } while (after !== null && rowsRead < maxRows);
    const sorted = [...groups.values()].map((group) => ({ group, size: totalOf(group) }));
    sorted.sort((a, b) => b.size - a.size || b.group.newestAt - a.group.newestAt);
    return { groups: sorted.map(({ group }) => group), reached: after?.at ?? null };
  };
}

export function createCountVerdicts(countPage: CountPage): HistoryStore['countVerdicts'] {
  const countGroups = createCountGroups(countPage, MAX_ROWS_READ);
  return async (accountId, search) => {
    const { groups, reached } = await countGroups(accountId, search, 'all');
    const { verdicts = { allow: 0, challenge: 0, block: 0 } } = groups[0] ?? {};
    return { ...verdicts, reached };
  };
}

export function totalOf({ verdicts }: Pick<SearchGroup, 'verdicts'>): number {
  return verdicts.allow + verdicts.challenge + verdicts.block;
}

interface WritableGroup extends SearchGroup {
  readonly verdicts: Record<Verdict, number>;
  readonly observed: Record<Verdict, number>;
  newestAt: number;
  oldestAt: number;
}

function addTo(groups: Map<string | null, WritableGroup>, added: GroupCount): void {
  const { value, verdict, shadow, count, newestAt, oldestAt } = added;
  const group = groups.get(value) ?? {
    value,
    verdicts: { allow: 0, challenge: 0, block: 0 },
    observed: { allow: 0, challenge: 0, block: 0 },
    newestAt,
    oldestAt,
  };
  groups.set(value, group);
  group.verdicts[verdict] += count;
  if (shadow) group.observed[verdict] += count;
  group.newestAt = Math.max(group.newestAt, newestAt);
  group.oldestAt = Math.min(group.oldestAt, oldestAt);
}

const VALUES: { readonly [By in GroupBy]: (found: FoundAssessment) => string | null } = {
  all: () => null,
  range: ({ entry: { ip }, network }) => (ip === null ? null : rangeOf(ip, network)),
  network: ({ entry }) => (entry.asn === 0 ? null : String(entry.asn)),
  domain: ({ entry }) => entry.emailDomain,
  finding: ({ entry }) => mainDetectorOf(entry.facts) || null,
  mailbox: ({ mailboxHash }) => mailboxHash,
  mail_host: ({ entry }) => operatorOf(mailHostOf(entry.facts)),
  session: ({ entry }) => entry.sessionId,
  country: ({ entry }) => entry.countryCode || null,
  key: ({ entry }) => entry.keyId,
  hour: ({ entry }) => String(Math.floor(entry.at / HOUR_MS)),
  minute: ({ entry }) => String(Math.floor(entry.at / MINUTE_MS)),
};

/** Counts assessments that were found by their own values. */
export function countFound(found: readonly FoundAssessment[], by: GroupBy): GroupCount[] {
  const counts = new Map<string, { -readonly [Name in keyof GroupCount]: GroupCount[Name] }>();
  const toValue = VALUES[by];
  for (const assessment of found) {
    const { at, verdict, shadow } = assessment.entry;
    const value = toValue(assessment);
    const name = `${VERDICTS.indexOf(verdict)} ${shadow} ${value === null ? '' : `=${value}`}`;
    const known = counts.get(name);
    if (known === undefined)
      counts.set(name, { value, verdict, shadow, count: 1, newestAt: at, oldestAt: at });
    else {
      known.count += 1;
      known.newestAt = Math.max(known.newestAt, at);
      known.oldestAt = Math.min(known.oldestAt, at);
    }
  }
  return [...counts.values()];
}

/** The domain under which the operator of a mail exchange has it. */
export function operatorOf(host: string | null): string | null {
  return host === null ? null : (registrableDomain(host) ?? host);
}

/** The /24 of an IPv4 address; an IPv6 address is in the /64 by which velocity counts it. */
function rangeOf(ip: string, network: string | null): string {
  return ip.includes(':') ? (network ?? ip) : ip.replace(/\d+$/, '0/24');
}

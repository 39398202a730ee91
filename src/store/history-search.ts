/** Searches stored assessments newest first, a bounded number at a time. */
import type { HistoryEntry, HistoryPosition, HistorySearch } from './history-store.ts';

/** A search, with the properties that only related signups and list candidates are found by. */
export interface RelatedSearch extends HistorySearch {
  /** Keyed hash of the address. */
  readonly address?: string;
  /** Any domain below this one. */
  readonly below?: string;
  /** Network by which velocity counts the IP. */
  readonly network?: string;
}

export type AddressBlock = NonNullable<HistorySearch['ip']>;

/** A stored assessment that was found, with what related signups and list candidates are found by. */
export interface FoundAssessment {
  readonly entry: HistoryEntry;
  /** Its place in the order of commits. */
  readonly seq: number;
  /** Network by which velocity counts the IP. */
  readonly network: string | null;
  readonly mailboxHash: string;
  readonly addressHash: string;
}

export interface SearchResult {
  /** Newest first. */
  readonly found: readonly FoundAssessment[];
  /** Position to search on from; `null` at the end. */
  readonly next: HistoryPosition | null;
  /** It stopped at the limit of assessments to read. */
  readonly partial: boolean;
  readonly rowsRead: number;
}

/** @param maxRowsRead about how many assessments to read before the result is partial */
export type SearchHistory = (
  accountId: string,
  search: RelatedSearch,
  after: HistoryPosition | null,
  limit: number,
  maxRowsRead?: number,
) => Promise<SearchResult>;

/** Strictly before a position, no older than an instant. */
export interface SearchRange {
  readonly before: HistoryPosition;
  readonly from: number;
}

export interface ScanResult {
  /** The newest that match, newest first. */
  readonly found: readonly FoundAssessment[];
  readonly rowsRead: number;
  /** Position to read on from, strictly before it; `null` at the end of the range. */
  readonly last: HistoryPosition | null;
}

/** Assessments that an index can read newest first. */
export interface SearchSource {
  /** Reading more at once would cost more than it is worth. */
  readonly maxScanRows: number;
  /** Reads the next `count` assessments of the range; `limit` matching ones are enough. */
  scan(range: SearchRange, count: number, limit: number): Promise<ScanResult>;
}

/** Chooses the source that serves a search best; each is for one search. */
export type ChooseSource = (accountId: string, search: RelatedSearch) => Promise<SearchSource>;

/** A search for a page reads about this many assessments at most. */
export const MAX_ROWS_READ = 20_000;
const FIRST_SCAN = 128;
const GROWTH = 4;
/** Position after everything. */
export const NEWEST: HistoryPosition = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

export function createSearch(chooseSource: ChooseSource): SearchHistory {
  return async (accountId, search, after, limit, maxRowsRead = MAX_ROWS_READ) => {
    const { from = 0, to } = search;
    let before = after ?? NEWEST;
    if (to !== undefined && to <= before.at) before = { at: to, seq: 0 };
    const source = await chooseSource(accountId, search);
    const found: FoundAssessment[] = [];
    let rowsRead = 0;
    let count = Math.max(FIRST_SCAN, limit + 1);
    while (rowsRead < maxRowsRead) {
      const scanned = await source.scan({ before, from }, count, limit + 1 - found.length);
      found.push(...scanned.found);
      rowsRead += scanned.rowsRead;
      if (found.length > limit) {
        const page = found.slice(0, limit);
        return { found: page, next: positionOf(page.at(-1) as FoundAssessment), partial: false, rowsRead };
      }
      if (scanned.last === null) return { found, next: null, partial: false, rowsRead };
      before = scanned.last;
      count = Math.max(limit + 1, Math.min(count * GROWTH, source.maxScanRows));
    }
    return { found, next: before, partial: true, rowsRead };
  };
}

/** The ids of the only assessments that a search may find; empty: it names none. */
export function requestIdsOf({ requestId, where = {} }: RelatedSearch): readonly string[] {
  return requestId === undefined ? (where.requestId?.any ?? []) : [requestId];
}

/** Whether everything that a search finds has feedback. */
export function isReported({ feedback = 'none', where = {} }: RelatedSearch): boolean {
  const { any = [], not = [] } = where.feedback ?? {};
  return feedback !== 'none' || not.includes(null) || (any.length > 0 && !any.includes(null));
}

function positionOf({ entry, seq }: FoundAssessment): HistoryPosition {
  return { at: entry.at, seq };
}

/** Text of fixed width that sorts as the address does: 8 digits for IPv4, 32 for IPv6. */
export function ipOrder(ip: string): string {
  if (!ip.includes(':'))
    return ip
      .split('.')
      .map((octet) => hex(Number(octet), 2))
      .join('');
  const [head = '', tail] = ip.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array(8 - before.length - after.length).fill('0') as string[];
  return [...before, ...zeros, ...after].map((group) => hex(Number.parseInt(group, 16), 4)).join('');
}

/** Whether an address is in a block; never if it is of the other family. */
export function isWithin(ip: string, block: AddressBlock): boolean {
  return createIsWithin(block)(ip);
}

/** The same for many addresses. */
export function createIsWithin({ first, last }: AddressBlock): (ip: string) => boolean {
  const [lowest, highest] = [ipOrder(first), ipOrder(last)];
  return (ip) => {
    const order = ipOrder(ip);
    return order.length === lowest.length && order >= lowest && order <= highest;
  };
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

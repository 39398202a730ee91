/** Finds the customers whom members ask to let in, and whether somebody did. */
import { REQUEST_NOTE } from '../contract/customer-request.ts';
import type { ListEntry } from '../model/list-entry.ts';
import type { HistoryStore, StoredFeedbackPage, WholeAssessment } from '../store/history-store.ts';
import type { ListStore } from '../store/store.ts';

export type RequestStore = Pick<HistoryStore, 'reportedMistakes' | 'findAssessment'> &
  Pick<ListStore, 'searchListEntries'>;

type Report = StoredFeedbackPage['entries'][number];

export interface FoundRequest {
  readonly report: Report;
  /** Absent while nobody has answered it. */
  readonly done: AnsweredRequest | undefined;
}

export interface AnsweredRequest {
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** End of the entry that lets the customer in; `null`: it has none, or the request was closed without one. */
  readonly until: number | null;
}

const DAYS_MS = 30 * 86_400_000;
/** Newest reports among which the requests are. */
const MAX_REPORTS = 500;
const MAX_REQUESTS = 50;

/** Newest first, at most 50 of the last 30 days. */
export async function findRequests(
  store: RequestStore,
  accountId: string,
  now: number,
): Promise<FoundRequest[]> {
  const filter = { mode: 'live', since: now - DAYS_MS } as const;
  const { entries } = await store.reportedMistakes(accountId, filter, null, MAX_REPORTS);
  const requests = entries.filter(({ mark }) => isRequest(mark)).slice(0, MAX_REQUESTS);
  if (requests.length === 0) return [];
  const signups = await Promise.all(
    requests.map(({ row }) => store.findAssessment(accountId, row.requestId)),
  );
  const values = signups.flatMap((signup) => (signup === undefined ? [] : hashesOf(signup)));
  const lists = await store.searchListEntries(accountId, { values, prefixes: [] });
  return requests.map((report, at) => ({ report, done: doneBy(report, signups[at], lists, now) }));
}

export function isRequest({ outcome, note }: Pick<Report['mark'], 'outcome' | 'note'>): boolean {
  return outcome === 'false_positive' && note === REQUEST_NOTE;
}

function hashesOf({ stored }: Pick<WholeAssessment, 'stored'>): string[] {
  return [stored.addressHash, stored.mailboxHash];
}

/** Finds the entry that lets the customer in: it is in use, or was made after the request and is over. Else, the request may be closed. */
function doneBy(
  { mark }: Report,
  signup: WholeAssessment | undefined,
  lists: readonly ListEntry[],
  now: number,
): AnsweredRequest | undefined {
  const hashes = signup === undefined ? [] : hashesOf(signup);
  const entry = lists.find(
    ({ action, value, createdAt, expiresAt }) =>
      action === 'allow' &&
      hashes.includes(value) &&
      (createdAt >= mark.at || expiresAt === null || expiresAt > now),
  );
  if (entry === undefined) return mark.closed && { ...mark.closed, until: null };
  return { by: entry.author, at: entry.createdAt, until: entry.expiresAt };
}

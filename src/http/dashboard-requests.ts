/** GET …/requests: customers whom somebody asks to let in, and whether somebody did. */
import { REQUEST_NOTE } from '../contract/customer-request.ts';
import type { CustomerRequest, CustomerRequests } from '../contract/dashboard-customer.ts';
import type { ListEntry } from '../model/list-entry.ts';
import type { HistoryStore, StoredFeedbackPage, WholeAssessment } from '../store/history-store.ts';
import type { ListStore } from '../store/store.ts';
import { instantOrNull, toInstant } from './dashboard-history.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { labelFact } from './state-facts.ts';
import { versionOf } from './state-version.ts';

export interface RequestsRouteOptions {
  readonly store: Pick<HistoryStore, 'reportedMistakes' | 'findAssessment'> &
    Pick<ListStore, 'searchListEntries'>;
}

const DAYS_MS = 30 * 86_400_000;
/** Newest reports among which the requests are. */
const MAX_REPORTS = 500;
const MAX_REQUESTS = 50;

export function requestsRoute(routes: DashboardRoutes, { store }: RequestsRouteOptions): void {
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/requests',
    minRole: 'member',
    async handle({ account, now }): Promise<CustomerRequests> {
      const requests = await readRequests(store, account.id, now);
      return { requests: requests.sort((a, b) => Number(a.done !== null) - Number(b.done !== null)) };
    },
  });
}

/** Requests of the last 30 days, newest first. */
export async function readRequests(
  store: RequestsRouteOptions['store'],
  accountId: string,
  now: number,
): Promise<CustomerRequest[]> {
  const filter = { mode: 'live', since: now - DAYS_MS } as const;
  const { entries } = await store.reportedMistakes(accountId, filter, null, MAX_REPORTS);
  const asked = entries.filter(({ mark }) => isRequest(mark)).slice(0, MAX_REQUESTS);
  const signups = await Promise.all(asked.map(({ row }) => store.findAssessment(accountId, row.requestId)));
  const values = signups.flatMap((signup) => (signup === undefined ? [] : hashesOf(signup)));
  const lists = await store.searchListEntries(accountId, { values, prefixes: [] });
  return asked.map((report, at) => toRequest(report, doneBy(report, signups[at], lists, now)));
}

type Report = StoredFeedbackPage['entries'][number];

export function isRequest({ outcome, note }: Pick<Report['mark'], 'outcome' | 'note'>): boolean {
  return outcome === 'false_positive' && note === REQUEST_NOTE;
}

function hashesOf({ stored }: Pick<WholeAssessment, 'stored'>): string[] {
  return [stored.addressHash, stored.mailboxHash];
}

/** The entry that answers a request: it is in use, or was made after it and is over. */
function doneBy(
  { mark }: Report,
  signup: WholeAssessment | undefined,
  lists: readonly ListEntry[],
  now: number,
): ListEntry | undefined {
  const hashes = signup === undefined ? [] : hashesOf(signup);
  return lists.find(
    ({ action, value, createdAt, expiresAt }) =>
      action === 'allow' &&
      hashes.includes(value) &&
      (createdAt >= mark.at || expiresAt === null || expiresAt > now),
  );
}

function toRequest({ row, mark }: Report, entry: ListEntry | undefined): CustomerRequest {
  return {
    request_id: row.requestId,
    at: toInstant(row.at),
    email: row.email,
    verdict: row.shadow ? 'allow' : row.verdict,
    label: mark.outcome,
    asked_by: mark.by,
    asked_at: toInstant(mark.at),
    done:
      entry === undefined
        ? null
        : { by: entry.author, at: toInstant(entry.createdAt), until: instantOrNull(entry.expiresAt) },
    version: versionOf([labelFact(row.requestId, row.feedback)]),
  };
}

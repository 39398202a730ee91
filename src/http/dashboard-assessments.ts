/** GET …/assessments and …/assessments.csv: the signups of an account, by page and as a file. */
import { toCsvRow } from '../contract/csv-row.ts';
import type { AssessmentRow, AssessmentSearchResult } from '../contract/dashboard-assessments.ts';
import { MAX_RECALLED } from '../signup/recall/recall-run.ts';
import { describeCause } from '../signup/recall/recall-words.ts';
import type { HistoryEntry, HistorySearch, HistoryStore } from '../store/history-store.ts';
import type { RecalledSignup, RecallStore } from '../store/recall-store.ts';
import { NobodyWaits } from './core/problems.ts';
import { requireIndexed, toAssessmentRow, toIndexBacklog, toNamedSignup } from './dashboard-history.ts';
import { readLogFilter, type SearchReaders } from './dashboard-history-filter.ts';
import type { IntelligenceService } from './dashboard-intelligence-service.ts';
import { DAY_MS } from './dashboard-periods.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { readPage, toCursor } from './dashboard-values.ts';
import { createWorkPlaces } from './dashboard-work-places.ts';

export interface AssessmentsRoutesOptions {
  readonly store: Pick<HistoryStore, 'indexing' | 'findAssessments' | 'exportAssessments' | 'dayCounts'> &
    Pick<RecallStore, 'recalledSignups'>;
  readonly readers: SearchReaders;
  readonly intelligence: Pick<IntelligenceService, 'asName'>;
}

const OK = 200;
const EXPORT_PLACES = { what: 'exports', perAccount: 2, inAll: 6, retryAfterSeconds: 15 };

export function assessmentsRoutes(routes: DashboardRoutes, options: AssessmentsRoutesOptions): void {
  const { store, readers, intelligence } = options;
  const places = createWorkPlaces(EXPORT_PLACES);

  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/assessments',
    minRole: 'member',
    async handle({ account, query, now }): Promise<AssessmentSearchResult> {
      const search = readLogFilter(query, readers, { now, timeZone: account.timeZone });
      const { after: place, limit } = readPage(query, (mark) => Number.isSafeInteger(Number(mark)));
      const after = place && { at: place.at, seq: Number(place.mark) };
      const progress = search.requestId === undefined ? await store.indexing(after?.at ?? search.to) : null;
      const { rows, next, partial } = await store.findAssessments(account.id, search, after, limit);
      const cursor = toCursor(next === null ? null : { at: next.at, mark: String(next.seq) });
      const named = rows.map((row) => toNamedSignup(row, intelligence));
      return { rows: named, cursor, partial, indexing: toIndexBacklog(progress) };
    },
  });

  // A browser shows no error of a refused download: the page checks here first.
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/assessments.csv/ready',
    minRole: 'member',
    async handle({ account, query, now }) {
      const search = readLogFilter(query, readers, { now, timeZone: account.timeZone });
      await requireIndexed(store, search.to);
      places.enter(account.id)();
    },
  });

  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/assessments.csv',
    minRole: 'member',
    async handle({ account, query, context, now, audit }) {
      const search = readLogFilter(query, readers, { now, timeZone: account.timeZone });
      await requireIndexed(store, search.to);
      if (context.response.destroyed) throw new NobodyWaits();
      // The place is free again when the last byte is sent or the connection is closed, for every answer.
      context.response.once('close', places.enter(account.id));
      const chunks = store.exportAssessments(account.id, search)[Symbol.asyncIterator]();
      // The first read happens before the answer begins, so that its error can still become the answer.
      const first = await chunks.next();
      const recalled = await recalledById(store, account.id);
      // Personal data is exported: the audit log names who did it before the first byte is sent.
      await audit(
        'signups.export',
        'signups',
        await describeExport(store, account.id, { search, query, now }),
      );
      const day = new Date(now).toISOString().slice(0, 10);
      context.header('Content-Disposition', `attachment; filename="assessments-${day}.csv"`);
      await context.stream(OK, 'text/csv; charset=utf-8', csvOf(first, chunks, recalled));
    },
  });
}

type Chunk = readonly HistoryEntry[];

async function* csvOf(
  first: IteratorResult<Chunk>,
  others: AsyncIterator<Chunk>,
  recalled: ReadonlyMap<string, RecalledSignup>,
): AsyncIterable<string> {
  yield CSV_HEADER;
  for (let chunk = first; chunk.done !== true; chunk = await others.next())
    yield chunk.value.map((row) => toCsvLine(toAssessmentRow(row), recalled.get(row.requestId))).join('');
}

/** Signups of an account that would not come in now, by their ids. */
export async function recalledById(
  store: Pick<RecallStore, 'recalledSignups'>,
  accountId: string,
): Promise<ReadonlyMap<string, RecalledSignup>> {
  const recalled = await store.recalledSignups(accountId, {}, MAX_RECALLED);
  return new Map(recalled.map((found) => [found.requestId, found]));
}

const COLUMNS = [
  'request_id',
  'at',
  'mode',
  'verdict',
  'score',
  'reasons',
  'email',
  'domain',
  'ip',
  'country_code',
  'asn',
  'key_id',
  'key_name',
  'session_id',
  'feedback',
  'shadow',
] as const satisfies readonly (keyof AssessmentRow)[];
const FINDING_COLUMNS = ['main_finding', 'main_finding_points', 'main_finding_title'];

/** Verdict that the signup would get now, and why, where that is stricter. */
const RECALL_COLUMNS = ['new_verdict', 'new_score', 'new_because'];

export const CSV_HEADER = `${[...COLUMNS, ...FINDING_COLUMNS, ...RECALL_COLUMNS].join(',')}\r\n`;

/** One signup as a line of the file. */
export function toCsvLine(row: AssessmentRow, recalled?: RecalledSignup): string {
  const { main_finding: main } = row;
  const finding = [main?.detector ?? null, main?.points ?? null, main?.title ?? null];
  const now = [
    recalled?.newVerdict ?? null,
    recalled?.newScore ?? null,
    recalled === undefined ? null : describeCause(recalled),
  ];
  return toCsvRow([...COLUMNS.map((column) => row[column]), ...finding, ...now]);
}

const GROUPED = new Intl.NumberFormat('en');

/**
 * An export for the audit log: its filter, and the maximum number of signups.
 * @param query the filter as the client sent it; it was accepted
 */
async function describeExport(
  store: Pick<HistoryStore, 'dayCounts'>,
  accountId: string,
  { search, query, now }: { search: HistorySearch; query: Readonly<Record<string, string>>; now: number },
): Promise<string> {
  const filter = Object.entries(query).filter(([, value]) => value !== '');
  const words = filter.map(([name, value]) => `${name} ${value}`).join(', ');
  const count = await countAtMost(store, accountId, search, now);
  const max = count === undefined ? 'signups not counted' : `at most ${GROUPED.format(count)} signups`;
  return `${words === '' ? 'no filter' : words}; ${max}`;
}

/** Counts whole days by the rollups, without reading any signup; `undefined` if they do not answer. */
async function countAtMost(
  store: Pick<HistoryStore, 'dayCounts'>,
  accountId: string,
  { from = 0, to = Number.POSITIVE_INFINITY, mode }: HistorySearch,
  now: number,
): Promise<number | undefined> {
  const end = Math.min(to, now + 2 * DAY_MS);
  const span = [Math.floor(from / DAY_MS) * DAY_MS, Math.ceil(end / DAY_MS) * DAY_MS] as const;
  const days = await store.dayCounts(accountId, ...span).catch(() => undefined);
  return days?.reduce(
    (sum, { live, test }) => sum + (mode === 'test' ? 0 : live) + (mode === 'live' ? 0 : test),
    0,
  );
}

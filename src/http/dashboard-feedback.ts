/** GET …/feedback: the queue of mistakes that people reported, and for each reason how many stopped signups were reported as wrong. */
import type { Label, StopReports } from '../contract/dashboard-assessments.ts';
import {
  type FeedbackPage,
  MISTAKE_STATES,
  type MistakeQueue,
  type MistakeState,
} from '../contract/dashboard-mistakes.ts';
import { shareInterval } from '../signup/share-interval.ts';
import type { HistoryStore } from '../store/history-store.ts';
import { instantOrNull, toIndexBacklog } from './dashboard-history.ts';
import { readPeriod, spanOf } from './dashboard-periods.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { oneOf, type Place, readMode, readPage, toCursor } from './dashboard-values.ts';
import { groupMistakes, type MistakeGroupsOptions } from './mistake-groups.ts';
import { type MistakeQueueOptions, type QueuedMistake, readMistakes } from './mistake-queue.ts';

export interface FeedbackPageOptions {
  readonly store: Pick<HistoryStore, 'indexing' | 'labelCounts'> &
    MistakeQueueOptions['store'] &
    MistakeGroupsOptions['store'];
  readonly directory: MistakeQueueOptions['directory'];
  readonly readers: MistakeGroupsOptions['readers'];
  readonly box: MistakeQueueOptions['box'];
}

export function feedbackPageRoute(routes: DashboardRoutes, options: FeedbackPageOptions): void {
  const { store } = options;
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/feedback',
    minRole: 'member',
    async handle({ account, query, now }): Promise<FeedbackPage> {
      const mode = readMode(query.mode, 'live');
      const state = oneOf(MISTAKE_STATES, 'state', query.state, 'open');
      const period = readPeriod(query.period, '24h');
      const { from, to } = spanOf(period, now, account.timeZone);
      const { after, limit } = readPage(query);
      const progress = await store.indexing();
      const [{ mistakes, reached }, counts] = await Promise.all([
        readMistakes(options, account.id, { mode, since: from, now }),
        store.labelCounts(account.id, { mode, from, to }),
      ]);
      const open = mistakes.filter(({ row }) => stateOf(row) === 'open');
      const shown = mistakes.filter(
        ({ row }) => stateOf(row) === state && (query.cause === undefined || row.cause === query.cause),
      );
      const { rows, next } = pageOf(shown, after, limit);
      const call = { account, mode, since: from, now, period };
      return {
        indexing: toIndexBacklog(progress),
        queue: {
          rows: rows.map(({ row }) => row),
          open: open.length,
          done: mistakes.length - open.length,
          reached: instantOrNull(reached),
          groups: after === null ? await groupMistakes(options, call, open) : [],
        },
        cursor: toCursor(next),
        reasons: reportsOf(counts.reasons),
        findings: reportsOf(counts.findings),
        totals: {
          false_positives: counts.totals.false_positive,
          false_negatives: counts.totals.false_negative,
          confirmed: counts.totals.confirmed_fraud,
        },
      };
    },
  });
}

function stateOf({ closed }: Pick<MistakeQueue['rows'][number], 'closed'>): MistakeState {
  return closed === null ? 'open' : 'done';
}

/** @param shown newest first */
function pageOf(shown: readonly QueuedMistake[], after: Place | null, limit: number) {
  const older = shown.filter(
    ({ reportedAt: at, row }) =>
      after === null || at < after.at || (at === after.at && row.request_id < after.mark),
  );
  const rows = older.slice(0, limit);
  const last = older.length > limit ? rows.at(-1) : undefined;
  return { rows, next: last === undefined ? null : { at: last.reportedAt, mark: last.row.request_id } };
}

/** Fewer labels than this are not enough for a precision. */
const MIN_LABELS = 20;

/** Most harmful first: by how many were reported wrong, then by their share, then by how many were stopped. */
export function reportsOf<Kind extends StopLabels>(kinds: readonly Kind[]): Reported<Kind>[] {
  return kinds.map(toReports).sort(byHarm);
}

interface StopLabels {
  readonly stopped: number;
  readonly labels: Readonly<Record<Label, number>>;
}

type Reported<Kind extends StopLabels> = Omit<Kind, keyof StopLabels> & StopReports;

/** A precision needs labels of both kinds: without confirmed fraud it would always be 0. */
function toReports<Kind extends StopLabels>({ stopped, labels, ...kind }: Kind): Reported<Kind> {
  const { false_positive: wrong, confirmed_fraud: confirmed } = labels;
  const enough = confirmed > 0 && wrong + confirmed >= MIN_LABELS;
  return {
    ...kind,
    stopped,
    reported_wrong: wrong,
    confirmed,
    precision: enough ? confirmed / (wrong + confirmed) : null,
    precision_interval: enough ? shareInterval(confirmed, wrong + confirmed) : null,
  };
}

/** Cross-multiplied: shares of whole numbers compare exactly. */
function byHarm(a: StopReports, b: StopReports): number {
  return (
    b.reported_wrong - a.reported_wrong ||
    b.reported_wrong * a.stopped - a.reported_wrong * b.stopped ||
    b.stopped - a.stopped
  );
}

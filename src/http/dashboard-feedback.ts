/** GET …/feedback: what people reported, and for each reason how many stopped signups were reported as wrong. */
import type { FeedbackPage, Label, StopReports } from '../contract/dashboard-assessments.ts';
import type { HistoryStore } from '../store/history-store.ts';
import { toAssessmentRow, toIndexBacklog, toMark } from './dashboard-history.ts';
import { readPeriod, spanOf } from './dashboard-periods.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { readMode, readPage, toCursor } from './dashboard-values.ts';

export interface FeedbackPageOptions {
  readonly store: Pick<HistoryStore, 'indexing' | 'reportedMistakes' | 'labelCounts'>;
}

export function feedbackPageRoute(routes: DashboardRoutes, { store }: FeedbackPageOptions): void {
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/feedback',
    minRole: 'member',
    async handle({ account, query, now }): Promise<FeedbackPage> {
      const mode = readMode(query.mode, 'live');
      const { from, to } = spanOf(readPeriod(query.period, '24h'), now, account.timeZone);
      const { after: place, limit } = readPage(query);
      const after = place && { at: place.at, requestId: place.mark };
      const progress = await store.indexing();
      const [page, counts] = await Promise.all([
        store.reportedMistakes(account.id, { mode, since: from }, after, limit),
        store.labelCounts(account.id, { mode, from, to }),
      ]);
      const { next } = page;
      return {
        indexing: toIndexBacklog(progress),
        rows: page.entries.map(({ row, mark }) => ({ ...toAssessmentRow(row), mark: toMark(mark) })),
        cursor: toCursor(next === null ? null : { at: next.at, mark: next.requestId }),
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

/** GET …/feedback: what people reported, and for each reason how many stopped signups were reported as wrong. */
import type { FeedbackPage, ReasonReports } from '../contract/dashboard-assessments.ts';
import type { HistoryStore, LabelCounts } from '../store/history-store.ts';
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
        reasons: reasonReports(counts.reasons),
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
export function reasonReports(reasons: LabelCounts['reasons']): ReasonReports[] {
  return reasons.map(toReports).sort(byHarm);
}

/** A precision needs labels of both kinds: without confirmed fraud it would always be 0. */
function toReports({ code, stopped, labels }: LabelCounts['reasons'][number]): ReasonReports {
  const { false_positive: wrong, confirmed_fraud: confirmed } = labels;
  const enough = confirmed > 0 && wrong + confirmed >= MIN_LABELS;
  return {
    code,
    stopped,
    reported_wrong: wrong,
    confirmed,
    precision: enough ? confirmed / (wrong + confirmed) : null,
  };
}

/** Cross-multiplied: shares of whole numbers compare exactly. */
function byHarm(a: ReasonReports, b: ReasonReports): number {
  return (
    b.reported_wrong - a.reported_wrong ||
    b.reported_wrong * a.stopped - a.reported_wrong * b.stopped ||
    b.stopped - a.stopped
  );
}

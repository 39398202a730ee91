/** GET …/feedback: what people reported, and how many of those a reason stopped were reported as wrong. */
import type { FeedbackPage } from '../contract/dashboard-assessments.ts';
import type { LogStore } from '../store/history-store.ts';
import { readCursor, toCursor } from './dashboard-cursor.ts';
import { readLimit } from './dashboard-history-filter.ts';
import { toLogRow, toMark } from './dashboard-history-row.ts';
import { toIndexBacklog } from './dashboard-index-progress.ts';
import { readPeriod, spanOf } from './dashboard-periods.ts';
import { reasonReports } from './dashboard-reason-reports.ts';
import { oneOf } from './dashboard-refusals.ts';
import type { DashboardRoutes } from './dashboard-route.ts';

export interface FeedbackPageOptions {
  readonly store: Pick<LogStore, 'indexing' | 'reportedMistakes' | 'labelCounts'>;
}

const PAGE = 50;
const MAX_PAGE_ROWS = 200;

export function feedbackPageRoute(routes: DashboardRoutes, { store }: FeedbackPageOptions): void {
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/feedback',
    minRole: 'member',
    async handle({ account, query, now }): Promise<FeedbackPage> {
      const mode = oneOf(['live', 'test'], 'mode', query.mode, 'live');
      const { from, to } = spanOf(readPeriod(query.period, '24h'), now);
      const place = readCursor(query.cursor);
      const after = place === null ? null : { at: place.at, requestId: place.mark };
      const limit = readLimit(query.limit, PAGE, MAX_PAGE_ROWS);
      const progress = await store.indexing();
      const [page, counts] = await Promise.all([
        store.reportedMistakes(account.id, { mode, since: from }, after, limit),
        store.labelCounts(account.id, { mode, from, to }),
      ]);
      const { next } = page;
      return {
        indexing: toIndexBacklog(progress),
        rows: page.entries.map(({ row, mark }) => ({ ...toLogRow(row), mark: toMark(mark) })),
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

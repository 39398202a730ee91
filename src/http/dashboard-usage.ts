/** GET …/usage: an account's usage this month. */
import { limitsOf } from '../accounts/plans.ts';
import type { UsagePage } from '../contract/dashboard-account.ts';
import { monthOf } from '../platform/month.ts';
import { monthBounds } from '../signup/quota.ts';
import { addUpAnswers } from '../store/answer-counts.ts';
import { totalOf } from '../store/history-groups.ts';
import type { HistoryStore, Traffic } from '../store/history-store.ts';
import type { Account, AssessmentStore } from '../store/store.ts';
import { toIndexBacklog, toInstant } from './dashboard-history.ts';
import { daysWithin, type Span, spanOf } from './dashboard-periods.ts';
import type { DashboardRoutes } from './dashboard-route.ts';

export interface UsageRoutesOptions {
  readonly store: Pick<AssessmentStore, 'creditsUsed'> & Pick<HistoryStore, 'indexing' | 'traffic'>;
}

export function usageRoutes(routes: DashboardRoutes, { store }: UsageRoutesOptions): void {
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/usage',
    minRole: 'member',
    async handle({ account, now }): Promise<UsagePage> {
      const used = await store.creditsUsed(account.id, monthOf(now));
      const { start, end } = monthBounds(now);
      const span = { from: start, to: Math.min(end, spanOf('30d', now, account.timeZone).to) };
      const progress = await store.indexing();
      const [live, test] = await Promise.all([
        store.traffic(account.id, { mode: 'live', ...span }),
        store.traffic(account.id, { mode: 'test', ...span }),
      ]);
      const limits = limitsOf(account);
      return {
        indexing: toIndexBacklog(progress),
        plan: account.plan,
        overage: limits.cap === null,
        overage_rate_per_1k: limits.overagePer1k,
        ...monthSoFar(account, used, now),
        days: daysOf(daysWithin(span, account.timeZone), live, test),
        requests_per_second: limits.requestsPerSecond,
      };
    },
  });
}

function daysOf(edges: readonly number[], live: Traffic, test: Traffic): UsagePage['days'] {
  const countWithin = ({ slots }: Traffic, { from, to }: Span) => {
    const answers = addUpAnswers(slots.filter(({ at }) => at >= from && at < to));
    const { challenge, block } = answers.observed;
    return totalOf({ verdicts: answers }) + challenge + block;
  };
  return edges.slice(0, -1).map((from, index) => {
    const span = { from, to: edges[index + 1] as number };
    return {
      from: toInstant(from),
      to: toInstant(span.to),
      live: countWithin(live, span),
      test: countWithin(test, span),
    };
  });
}

/** The first hour is too short to project from. */
const MIN_MS = 3_600_000;

/** The usage of this month, projected to its end. `used`: live credits of the UTC month of `now`. */
export function monthSoFar(account: Account, used: number, now: number) {
  const { start, end } = monthBounds(now);
  const { monthlyAssessments: limit, cap, overagePer1k } = limitsOf(account);
  const going = Math.round((used * (end - start)) / Math.max(MIN_MS, now - start));
  // An account with a cap is refused there, so its usage cannot exceed it.
  const projected = Math.max(used, cap === null ? going : Math.min(going, cap));
  /** US dollars; 0 where overage is not allowed. */
  const costOf = (count: number) =>
    cap === null ? Math.round((Math.max(0, count - limit) / 1000) * overagePer1k * 100) / 100 : 0;
  return {
    used,
    limit,
    projected,
    overage_cost: costOf(used),
    projected_cost: costOf(projected),
    period_start: toInstant(start),
    reset_at: toInstant(end),
  };
}

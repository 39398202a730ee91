/** GET /v1/usage: the month of the caller's account. */
import { monthBounds } from '../accounts/quota.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { serializeUsage } from '../contract/serialize.ts';
import { toTimestamp } from '../contract/timestamp.ts';
import { monthOf } from '../store/month.ts';
import type { AssessmentStore } from '../store/store.ts';
import type { Operations } from './operation.ts';
import type { RateLimiter } from './rate-limit.ts';

export interface UsageRouteOptions {
  readonly store: Pick<AssessmentStore, 'creditsUsed'>;
  readonly rateLimiter: RateLimiter;
}

export function usageRoute(operations: Operations, { store, rateLimiter }: UsageRouteOptions): void {
  operations.register(OPERATIONS.getUsage, async (context) => {
    const { caller, at } = context;
    const { account, limits } = caller;
    const { start, end } = monthBounds(at);
    const used = await store.creditsUsed(account.id, monthOf(at));
    await rateLimiter.peek(context, used);
    return serializeUsage({
      plan: account.plan,
      period_start: toTimestamp(start),
      period_end: toTimestamp(end - 1000),
      assessments_used: used,
      assessments_limit: limits.monthlyAssessments,
      overage_rate_per_1k: limits.overagePer1k,
      reset_at: toTimestamp(end),
    });
  });
}

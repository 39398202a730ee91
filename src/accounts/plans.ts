/** The plans, once: what each allows and costs. */
import type { PlanName } from '../contract/messages.ts';
import type { Account } from '../store/store.ts';

export interface Plan {
  readonly requestsPerSecond: number;
  readonly monthlyAssessments: number;
  /** USD per 1,000 assessments above the cap; 0 where overage is never allowed. */
  readonly overagePer1k: number;
}

export const PLANS: Record<PlanName, Plan> = {
  free: { requestsPerSecond: 1, monthlyAssessments: 1_000, overagePer1k: 0 },
  starter: { requestsPerSecond: 10, monthlyAssessments: 10_000, overagePer1k: 0.5 },
  pro: { requestsPerSecond: 50, monthlyAssessments: 100_000, overagePer1k: 0.4 },
  business: { requestsPerSecond: 200, monthlyAssessments: 1_000_000, overagePer1k: 0.3 },
};

/** Limits of an account: those of its plan with its own overrides. */
export interface Limits {
  readonly requestsPerSecond: number;
  readonly monthlyAssessments: number;
  /** The monthly cap that refuses, or `null` where overage is allowed. */
  readonly cap: number | null;
  readonly overagePer1k: number;
}

export function limitsOf(account: Account): Limits {
  const plan = PLANS[account.plan];
  const monthlyAssessments = account.monthlyQuota ?? plan.monthlyAssessments;
  const overage = account.overage && account.plan !== 'free';
  return {
    requestsPerSecond: account.requestsPerSecond ?? plan.requestsPerSecond,
    monthlyAssessments,
    cap: overage ? null : monthlyAssessments,
    overagePer1k: plan.overagePer1k,
  };
}

/** Reports the account's usage in this month, and projects it to the end of the month. */
import { limitsOf } from '../accounts/plans.ts';
import { monthBounds } from '../accounts/quota.ts';
import type { Account } from '../store/store.ts';

export interface MonthSoFar {
  /** Milliseconds since the epoch; `end` is the start of the next month. */
  readonly start: number;
  readonly end: number;
  readonly limit: number;
  /** Assessments by the end of the month. */
  readonly projected: number;
  /** US dollars, for what is used and for the projection; 0 where overage is not allowed. */
  readonly overageCost: number;
  readonly projectedCost: number;
}

/** The first hour is too short to project from. */
const MIN_MS = 3_600_000;

/** `used`: live credits of the UTC month of `now`. */
export function monthSoFar(account: Account, used: number, now: number): MonthSoFar {
  const { start, end } = monthBounds(now);
  const { monthlyAssessments: limit, cap, overagePer1k } = limitsOf(account);
  const going = Math.round((used * (end - start)) / Math.max(MIN_MS, now - start));
  // An account with a cap is refused there, so its usage cannot exceed it.
  const projected = Math.max(used, cap === null ? going : Math.min(going, cap));
  const costOf = (count: number) =>
    cap === null ? Math.round((Math.max(0, count - limit) / 1000) * overagePer1k * 100) / 100 : 0;
  return {
    start,
    end,
    limit,
    projected,
    overageCost: costOf(used),
    projectedCost: costOf(projected),
  };
}

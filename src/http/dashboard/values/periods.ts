/** Decides what a period is: how long it lasts, in which buckets it is shown, and where those begin. */
import type { Period } from '../../../contract/dashboard/account.ts';
import { oneOf } from './refusals.ts';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const PERIODS: Readonly<Record<Period, { readonly bucketMs: number; readonly buckets: number }>> = {
  '24h': { bucketMs: HOUR_MS / 2, buckets: 48 },
  '7d': { bucketMs: 4 * HOUR_MS, buckets: 42 },
  '30d': { bucketMs: DAY_MS, buckets: 30 },
};

export interface Span {
  readonly bucketMs: number;
  /** Milliseconds since the epoch; `from` inside, `to` outside. */
  readonly from: number;
  readonly to: number;
}

/** @throws Problem `invalid_value` */
export function readPeriod(query: Readonly<Record<string, string>>): Period {
  return oneOf(['24h', '7d', '30d'], 'period', query.period, '24h');
}

/** Whole buckets of UTC, the one that `now` is in the last. */
export function spanOf(period: Period, now: number): Span {
  const { bucketMs, buckets } = PERIODS[period];
  const to = Math.floor(now / bucketMs) * bucketMs + bucketMs;
  return { bucketMs, from: to - buckets * bucketMs, to };
}

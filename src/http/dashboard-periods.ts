/** Decides what the last 24 hours, 7 days and 30 days are: one meaning for every page, count and link. */
import type { Period } from '../contract/dashboard-account.ts';
import { oneOf } from './dashboard-values.ts';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const PERIODS = {
  '24h': { unitMs: HOUR_MS, units: 24, bucketMs: HOUR_MS },
  '7d': { unitMs: DAY_MS, units: 7, bucketMs: 4 * HOUR_MS },
  '30d': { unitMs: DAY_MS, units: 30, bucketMs: DAY_MS },
} as const satisfies Readonly<Record<Period, object>>;

/** Milliseconds since the epoch; `from` inclusive, `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** @throws Problem `invalid_value` */
export function readPeriod(text: string | undefined, otherwise?: Period): Period {
  return oneOf(['24h', '7d', '30d'], 'period', text, otherwise);
}

/**
 * Whole hours of UTC for 24 hours, whole days of UTC for 7 and 30 days; the last is the current hour or day, which is not
 * over yet. So a count only changes when a signup comes in.
 */
export function spanOf(period: Period, now: number): Span {
  const { unitMs, units } = PERIODS[period];
  const to = Math.floor(now / unitMs) * unitMs + unitMs;
  return { from: to - units * unitMs, to };
}

/** Length of a bar of the period's chart; the period is a multiple of it. */
export function bucketMsOf(period: Period): number {
  return PERIODS[period].bucketMs;
}

/** The period before, up to the same time of it as now is in this one: what this period is compared with. */
export function earlierSpan({ from, to }: Span, now: number): Span {
  const lengthMs = to - from;
  return { from: from - lengthMs, to: now - lengthMs };
}

/** Decides what the last 24 hours, 7 days and 30 days of an account are: one meaning for every page, count and link. */
import type { Period } from '../contract/dashboard-account.ts';
import type { RecentSpan } from '../contract/dashboard-assessments.ts';
import { createWallClock, type TimeZone } from '../model/time-zone.ts';
import { SLOT_MS } from '../store/history-store.ts';
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
 * Whole hours of the account's clock for 24 hours, whole days for 7 and 30 days; the last is the current hour or day, which
 * is not over yet. So a count only changes when a signup comes in.
 */
export function spanOf(period: Period, now: number, zone: TimeZone): Span {
  const { count, edgeAt } = createEdges(period, now, zone);
  return { from: edgeAt(0), to: edgeAt(count) };
}

/** Span of a filter: a period, or the 60 minutes before now, with an open end. @throws Problem `invalid_value` */
export function recentSpanOf(text: string, now: number, zone: TimeZone): Pick<Span, 'from'> & Partial<Span> {
  const span = oneOf<RecentSpan>(['1h', '24h', '7d', '30d'], 'period', text);
  return span === '1h' ? { from: now - HOUR_MS } : spanOf(span, now, zone);
}

/** The instants at which the bars of the period's chart begin, and the end of the last. */
export function edgesOf(period: Period, now: number, zone: TimeZone): number[] {
  const { count, edgeAt } = createEdges(period, now, zone);
  return Array.from({ length: count + 1 }, (_, at) => edgeAt(at));
}

/**
 * A day has 23 or 25 hours where the clock changes. Rollups count half hours, so the days of a zone such as Asia/Kathmandu
 * begin at a quarter past midnight.
 */
function createEdges(period: Period, now: number, zone: TimeZone) {
  const { unitMs, units, bucketMs } = PERIODS[period];
  const clock = createWallClock(zone);
  const offsetMs = clock.wallOf(now) - now;
  const shiftMs = modulo(offsetMs, SLOT_MS);
  const wall = now + offsetMs - shiftMs;
  const end = wall - modulo(wall, unitMs) + unitMs;
  const count = (units * unitMs) / bucketMs;
  const edgeAt = (at: number) => {
    const edge = end + (at - count) * bucketMs;
    // Every hour has the same length. When clocks go back, one hour of the clock comes twice.
    return period === '24h' ? now + edge - wall : clock.instantOf(edge + shiftMs);
  };
  return { count, edgeAt };
}

/**
 * Days of the account's clock within a span: its start, each midnight in it, its end. Midnight is where rollups have an edge,
 * as above.
 */
export function daysWithin({ from, to }: Span, zone: TimeZone): number[] {
  const clock = createWallClock(zone);
  const edges = [from];
  for (let wall = clock.wallOf(from) - modulo(clock.wallOf(from), DAY_MS) + DAY_MS; ; wall += DAY_MS) {
    const midnight = clock.instantOf(wall);
    const edge = clock.instantOf(wall + modulo(clock.wallOf(midnight) - midnight, SLOT_MS));
    if (edge >= to) return [...edges, to];
    if (edge > from) edges.push(edge);
  }
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

/** The UTC calendar months that quota counts in, and that assessments are partitioned by. */
import { lastValue } from './last-value.ts';

const MINUTE_MS = 60_000;
/** Months start at the beginning of a minute. */
const monthOfMinute = lastValue((minute) => new Date(minute * MINUTE_MS).toISOString().slice(0, 7));

/** `2026-05` for an instant in milliseconds since the epoch. */
export function monthOf(now: number): string {
  return monthOfMinute(Math.floor(now / MINUTE_MS));
}

export function addMonths(month: string, count: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

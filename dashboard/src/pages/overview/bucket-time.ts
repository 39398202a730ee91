/** How the start of a chart's bucket is written: local time, but UTC days where a bucket is a UTC day. */
import type { Period } from '../../../../src/contract/dashboard/account.ts';

const HOUR_MS = 3_600_000;
const LENGTH_MS: Readonly<Record<Period, number>> = {
  '24h': HOUR_MS,
  '7d': 4 * HOUR_MS,
  '30d': 24 * HOUR_MS,
};
const TIME = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'short' });
const UTC_DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

export function bucketTick(period: Period, at: string): string {
  const date = new Date(at);
  if (period === '7d') return `${WEEKDAY.format(date)} ${date.getDate()}`;
  return (period === '24h' ? TIME : UTC_DAY).format(date);
}

/** Which buckets the axis names; `undefined` leaves it to the room there is. */
export function bucketTicks(period: Period, starts: readonly string[]): string[] | undefined {
  if (period !== '7d') return undefined;
  const days = starts.map((at) => new Date(at).getDate());
  return starts.filter((_, index) => index > 0 && days[index] !== days[index - 1]);
}

export function bucketTitle(period: Period, at: string): string {
  const start = new Date(at);
  if (period === '30d') return `${UTC_DAY.format(start)} (UTC)`;
  const end = new Date(start.getTime() + LENGTH_MS[period]);
  return `${DAY.format(start)}, ${TIME.format(start)}–${TIME.format(end)}`;
}

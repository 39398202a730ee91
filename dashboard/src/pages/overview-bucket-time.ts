/** How the bars of a period are named, which names the axis may show, and whether each bar is over: hours are local, days UTC. */
import type { Period } from '../../../src/contract/dashboard-account.ts';
import { everyNth } from '../ui/chart-bar-layout.ts';
import type { Bar } from '../ui/chart-bars.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LENGTH_MS: Readonly<Record<Period, number>> = { '24h': HOUR_MS, '7d': 4 * HOUR_MS, '30d': DAY_MS };
const UTC = { timeZone: 'UTC' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const TIME = new Intl.DateTimeFormat('en', CLOCK);
const UTC_TIME = new Intl.DateTimeFormat('en', { ...CLOCK, ...UTC });
const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const UTC_DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', ...UTC });
const UTC_WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'short', ...UTC });

/** Name on the axis. */
export function bucketName(period: Period, at: string): string {
  const date = new Date(at);
  if (period === '24h') return TIME.format(date);
  return period === '7d' ? `${UTC_WEEKDAY.format(date)} ${date.getUTCDate()}` : UTC_DAY.format(date);
}

/** Title above the exact values; `asOf` is when they were read. */
export function bucketTitle(period: Period, at: string, asOf: string): string {
  const start = new Date(at);
  const running = bucketState(period, at, asOf) === 'running';
  const end = running ? new Date(asOf) : new Date(bucketEnd(period, at));
  if (period === '24h')
    return `${DAY.format(start)}, ${TIME.format(start)}–${TIME.format(end)}${soFar(running)}`;
  if (period === '30d')
    return `${UTC_DAY.format(start)}${running ? `, until ${UTC_TIME.format(end)}` : ''} UTC`;
  return `${UTC_WEEKDAY.format(start)}, ${UTC_DAY.format(start)}, ${UTC_TIME.format(start)}–${UTC_TIME.format(end)} UTC${soFar(running)}`;
}

function soFar(running: boolean): string {
  return running ? ', so far' : '';
}

export function bucketEnd(period: Period, at: string): string {
  return new Date(Date.parse(at) + LENGTH_MS[period]).toISOString();
}

export function bucketState(period: Period, at: string, asOf: string): Bar['state'] {
  if (Date.parse(at) > Date.parse(asOf)) return 'ahead';
  return Date.parse(at) + LENGTH_MS[period] > Date.parse(asOf) ? 'running' : 'over';
}

/** The first bar of the hour or the UTC day that is not over. */
export function unfinishedFrom(period: Period, starts: readonly string[], asOf: string): number {
  const unitMs = period === '24h' ? HOUR_MS : DAY_MS;
  const began = Math.floor(Date.parse(asOf) / unitMs) * unitMs;
  const at = starts.findIndex((start) => Date.parse(start) >= began);
  return at === -1 ? starts.length : at;
}

/** Bars that the axis may name, the longest list first: round hours, the first bar of each day, or days back from today. */
export function nameableBars(period: Period, starts: readonly string[]): number[][] {
  const those = (is: (date: Date) => boolean) =>
    starts.flatMap((at, index) => (is(new Date(at)) ? [index] : []));
  if (period === '24h')
    return [1, 2, 3, 4, 6, 12].map((step) => those((date) => date.getHours() % step === 0));
  if (period === '7d') {
    const days = those((date) => date.getUTCHours() === 0);
    return [days, days.filter((_, index) => index % 2 === 0), days.filter((_, index) => index % 3 === 0)];
  }
  return [1, 2, 3, 5, 7, 10].map((step) => everyNth(starts.length, step, 'last'));
}

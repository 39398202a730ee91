/** How the bars of a period are named, which names the axis may show, and whether each bar is over: all by the account's clock. */
import type { Period, Today } from '../../../src/contract/dashboard-today.ts';
import { everyNth } from '../ui/chart-bar-layout.ts';
import type { Bar } from '../ui/chart-bars.ts';
import type { Times } from '../ui/times.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Instants at which a bar and the next one begin. */
type Bucket = Pick<Today['series'][number], 'at' | 'to'>;

/** Name on the axis. */
export function bucketName(times: Times, period: Period, { at }: Pick<Bucket, 'at'>): string {
  if (period === '24h') return times.clock(at);
  return period === '7d' ? `${times.weekday(at)} ${times.dayNumber(at)}` : times.day(at);
}

/** Title above the exact values; `asOf` is when they were read. */
export function bucketTitle(times: Times, period: Period, bucket: Bucket, asOf: string): string {
  const running = bucketState(bucket, asOf) === 'running';
  const end = running ? asOf : bucket.to;
  if (period === '30d') return `${times.day(bucket.at)}${running ? `, until ${times.clock(end)}` : ''}`;
  const hours = `${times.day(bucket.at)}, ${times.clock(bucket.at)}–${times.clock(end)}`;
  return `${period === '7d' ? `${times.weekday(bucket.at)}, ` : ''}${hours}${running ? ', so far' : ''}`;
}

export function bucketState({ at, to }: Bucket, asOf: string): Bar['state'] {
  if (Date.parse(at) > Date.parse(asOf)) return 'ahead';
  return Date.parse(to) > Date.parse(asOf) ? 'running' : 'over';
}

/** The first bar of the hour or the day that is not over. */
export function unfinishedFrom(
  times: Times,
  period: Period,
  series: readonly Bucket[],
  asOf: string,
): number {
  const running = series.findIndex(({ to }) => Date.parse(to) > Date.parse(asOf));
  if (running === -1) return series.length;
  if (period !== '7d') return running;
  const dayOf = ({ at }: Bucket) => Math.floor(times.wallClock.wallOf(Date.parse(at)) / DAY_MS);
  const today = dayOf(series[running] as Bucket);
  return series.findIndex((bucket) => dayOf(bucket) === today);
}

/** Bars that the axis may name, the longest list first: round hours, the first bar of each day, or days back from today. */
export function nameableBars(times: Times, period: Period, series: readonly Bucket[]): number[][] {
  const hours = series.map(({ at }) =>
    Math.floor((times.wallClock.wallOf(Date.parse(at)) % DAY_MS) / HOUR_MS),
  );
  const those = (is: (hour: number, index: number) => boolean) =>
    hours.flatMap((hour, index) => (is(hour, index) ? [index] : []));
  if (period === '24h') return [1, 2, 3, 4, 6, 12].map((step) => those((hour) => hour % step === 0));
  if (period === '7d') {
    const days = those((hour, index) => index === 0 || hour < (hours[index - 1] ?? 0));
    return [days, days.filter((_, index) => index % 2 === 0), days.filter((_, index) => index % 3 === 0)];
  }
  return [1, 2, 3, 5, 7, 10].map((step) => everyNth(series.length, step, 'last'));
}

import { describe, expect, it } from 'vitest';
import { createTimes } from '../ui/times.ts';
import { bucketName, bucketState, bucketTitle, nameableBars, unfinishedFrom } from './today-bucket-time.ts';

const DAY_MS = 86_400_000;
const AS_OF = '2026-11-22T10:17:00.000Z';
const UTC = createTimes('en-US', 'UTC');
const every = (from: string, stepMs: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const at = Date.parse(from) + index * stepMs;
    return { at: new Date(at).toISOString(), to: new Date(at + stepMs).toISOString() };
  });
const MONTH = every('2026-10-24T00:00:00.000Z', DAY_MS, 30);
const WEEK = every('2026-11-16T00:00:00.000Z', DAY_MS / 6, 42);
const DAY = every('2026-11-21T11:00:00.000Z', DAY_MS / 24, 24);
type Bucket = (typeof MONTH)[number];

describe('the bars of a period', () => {
  it('are over, running or ahead', () => {
    const states = (series: readonly Bucket[]) => series.map((bucket) => bucketState(bucket, AS_OF));
    expect(states(MONTH).filter((state) => state === 'over')).toHaveLength(29);
    expect(states(MONTH).at(-1)).toBe('running');
    expect(states(WEEK).slice(-5)).toEqual(['over', 'running', 'ahead', 'ahead', 'ahead']);
    expect(states(DAY).at(-1)).toBe('running');
  });

  it('are unfinished from the start of today, or of the hour, on', () => {
    expect(unfinishedFrom(UTC, '30d', MONTH, AS_OF)).toBe(29);
    expect(unfinishedFrom(UTC, '7d', WEEK, AS_OF)).toBe(36);
    expect(unfinishedFrom(UTC, '24h', DAY, AS_OF)).toBe(23);
    expect(unfinishedFrom(UTC, '30d', MONTH.slice(0, 5), AS_OF)).toBe(5);
  });

  it('are named by days, with how far today is', () => {
    expect(bucketName(UTC, '30d', MONTH[0] as Bucket)).toBe('Oct 24');
    expect(bucketName(UTC, '7d', WEEK[6] as Bucket)).toBe('Tue 17');
    expect(bucketTitle(UTC, '30d', MONTH[0] as Bucket, AS_OF)).toBe('Oct 24');
    expect(bucketTitle(UTC, '30d', MONTH[29] as Bucket, AS_OF)).toBe('Nov 22, until 10:17');
    expect(bucketTitle(UTC, '7d', WEEK[38] as Bucket, AS_OF)).toBe('Sun, Nov 22, 08:00–10:17, so far');
    expect(bucketTitle(UTC, '7d', WEEK[0] as Bucket, AS_OF)).toBe('Mon, Nov 16, 00:00–04:00');
    expect(bucketTitle(UTC, '24h', DAY[0] as Bucket, AS_OF)).toBe('Nov 21, 11:00–12:00');
  });

  it('follow the clock of the account, whatever the zone of the browser', () => {
    const berlin = createTimes('en-US', 'Europe/Berlin');
    const week = every('2026-11-15T23:00:00.000Z', DAY_MS / 6, 42);
    expect(bucketName(berlin, '7d', week[0] as Bucket)).toBe('Mon 16');
    expect(bucketTitle(berlin, '7d', week[0] as Bucket, AS_OF)).toBe('Mon, Nov 16, 00:00–04:00');
    expect(nameableBars(berlin, '7d', week)[0]).toEqual([0, 6, 12, 18, 24, 30, 36]);
    expect(unfinishedFrom(berlin, '7d', week, AS_OF)).toBe(36);
  });

  it('may be named at the start of each day, or so many days back from today', () => {
    expect(nameableBars(UTC, '7d', WEEK)[0]).toEqual([0, 6, 12, 18, 24, 30, 36]);
    for (const days of nameableBars(UTC, '30d', MONTH)) expect(days.at(-1)).toBe(29);
    expect(nameableBars(UTC, '24h', DAY).map(({ length }) => length)).toEqual([24, 12, 8, 6, 4, 2]);
  });
});

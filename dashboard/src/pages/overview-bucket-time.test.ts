import { describe, expect, it } from 'vitest';
import {
  bucketEnd,
  bucketName,
  bucketState,
  bucketTitle,
  nameableBars,
  unfinishedFrom,
} from './overview-bucket-time.ts';

const DAY_MS = 86_400_000;
const AS_OF = '2026-11-22T10:17:00.000Z';
const every = (from: string, stepMs: number, count: number) =>
  Array.from({ length: count }, (_, at) => new Date(Date.parse(from) + at * stepMs).toISOString());
const MONTH = every('2026-10-24T00:00:00.000Z', DAY_MS, 30);
const WEEK = every('2026-11-16T00:00:00.000Z', DAY_MS / 6, 42);
const DAY = every('2026-11-21T11:00:00.000Z', DAY_MS / 24, 24);

describe('the bars of a period', () => {
  it('are over, running or ahead', () => {
    const states = (period: '24h' | '7d' | '30d', starts: readonly string[]) =>
      starts.map((at) => bucketState(period, at, AS_OF));
    expect(states('30d', MONTH).filter((state) => state === 'over')).toHaveLength(29);
    expect(states('30d', MONTH).at(-1)).toBe('running');
    expect(states('7d', WEEK).slice(-5)).toEqual(['over', 'running', 'ahead', 'ahead', 'ahead']);
    expect(states('24h', DAY).at(-1)).toBe('running');
  });

  it('are unfinished from the start of today, or of the hour, on', () => {
    expect(unfinishedFrom('30d', MONTH, AS_OF)).toBe(29);
    expect(unfinishedFrom('7d', WEEK, AS_OF)).toBe(36);
    expect(unfinishedFrom('24h', DAY, AS_OF)).toBe(23);
    expect(unfinishedFrom('30d', MONTH.slice(0, 5), AS_OF)).toBe(5);
  });

  it('are named by UTC days, with how far today is', () => {
    expect(bucketName('30d', MONTH[0] as string)).toBe('Oct 24');
    expect(bucketName('7d', WEEK[6] as string)).toBe('Tue 17');
    expect(bucketTitle('30d', MONTH[0] as string, AS_OF)).toBe('Oct 24 UTC');
    expect(bucketTitle('30d', MONTH[29] as string, AS_OF)).toBe('Nov 22, until 10:17 UTC');
    expect(bucketTitle('7d', WEEK[38] as string, AS_OF)).toBe('Sun, Nov 22, 08:00–10:17 UTC, so far');
    expect(bucketTitle('7d', WEEK[0] as string, AS_OF)).toBe('Mon, Nov 16, 00:00–04:00 UTC');
  });

  it('end where the next begins', () => {
    for (const [period, starts] of [
      ['24h', DAY],
      ['7d', WEEK],
      ['30d', MONTH],
    ] as const)
      expect(starts.slice(0, -1).map((at) => bucketEnd(period, at))).toEqual(starts.slice(1));
  });

  it('may be named at the start of each day, or so many days back from today', () => {
    expect(nameableBars('7d', WEEK)[0]).toEqual([0, 6, 12, 18, 24, 30, 36]);
    for (const days of nameableBars('30d', MONTH)) expect(days.at(-1)).toBe(29);
    expect(nameableBars('24h', DAY).map(({ length }) => length)).toEqual([24, 12, 8, 6, 4, 2]);
  });
});

import { describe, expect, it } from 'vitest';
import { HOUR_MS, limitOf, MIN_COUNT, medianOf, usualOf, usualStep, WEEK_MS, WEEKS } from './unusual.ts';

describe('medianOf', () => {
  it('is the middle one, or the mean of the two in the middle', () => {
    expect([medianOf([]), medianOf([7]), medianOf([9, 1, 5]), medianOf([1, 9, 3, 5])]).toEqual([0, 7, 5, 4]);
  });
});

describe('limitOf', () => {
  it('is four times the usual, or six deviations above it, and never below the least', () => {
    expect(limitOf({ count: 0, deviation: 0 })).toBe(MIN_COUNT);
    expect(limitOf({ count: 100, deviation: 10 })).toBe(400);
    expect(limitOf({ count: 100, deviation: 80 })).toBe(580);
  });

  it('follows the median: one attack in four weeks does not become the usual', () => {
    expect(usualOf([60, 5_000, 66, 54])).toEqual({ count: 63, deviation: 6 });
  });
});

/** Signups of people in an hour: by day ten times as many as by night, at weekends half. `zoneHours`: offset of their clock. */
function everyday(at: number, zoneHours: (at: number) => number): number {
  const wall = new Date(at + zoneHours(at) * HOUR_MS);
  const isWeekend = [0, 6].includes(wall.getUTCDay());
  const isDay = wall.getUTCHours() >= 8 && wall.getUTCHours() < 20;
  return (isDay ? 3_000 : 300) / (isWeekend ? 2 : 1);
}

/** Hours of three months in which somebody would be told, though nothing but the calendar happened. */
function alarms(zoneHours: (at: number) => number): number {
  const [from, to] = [Date.UTC(2026, 1, 1), Date.UTC(2026, 4, 1)];
  let count = 0;
  for (let hour = from + WEEKS * WEEK_MS; hour < to; hour += HOUR_MS) {
    const hours = [-1, 0, 1].map((beside) =>
      Array.from({ length: WEEKS }, (_, week) =>
        everyday(hour + beside * HOUR_MS - (week + 1) * WEEK_MS, zoneHours),
      ),
    );
    if (everyday(hour, zoneHours) / 6 > limitOf(usualStep(hours))) count += 1;
  }
  return count;
}

describe('usualStep', () => {
  it('tells nobody of mornings and weekends', () => {
    expect(alarms(() => 1)).toBe(0);
  });

  it('tells nobody when the clocks are changed, forwards or back', () => {
    const change = Date.UTC(2026, 2, 29, 1);
    expect(alarms((at) => (at < change ? 1 : 2))).toBe(0);
    expect(alarms((at) => (at < change ? 2 : 1))).toBe(0);
    // Without the hours beside it, the first mornings would be news.
    const morning = change + 29 * HOUR_MS;
    const zone = (at: number) => (at < change ? 1 : 2);
    const before = everyday(morning - WEEK_MS, zone);
    expect(everyday(morning, zone)).toBeGreaterThan(4 * before);
  });
});

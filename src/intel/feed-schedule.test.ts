import { describe, expect, it } from 'vitest';
import { createSchedule } from './feed-schedule.ts';

const HOUR = 3_600_000;
const at = (random: number) => createSchedule({ clock: () => 0, random: () => random });
const next = at(0.5).next;

describe('the next fetch', () => {
  it('comes after the feed’s own interval, a tenth earlier or later', () => {
    expect(next({ everyHours: 12 }, 'good', 0)).toBe(12 * HOUR);
    expect(at(0).next({ everyHours: 10 }, 'good', 0)).toBeCloseTo(9 * HOUR);
    expect(at(1).next({ everyHours: 10 }, 'good', 0)).toBeCloseTo(11 * HOUR);
  });

  it('comes later and later when fetches fail, but at most after six hours or its own interval', () => {
    const minutes = [1, 2, 3, 4, 20].map((failures) => next({ everyHours: 24 }, 'failed', failures) / 60_000);
    expect(minutes).toEqual([1, 2, 4, 8, 360]);
    expect(next({ everyHours: 1 }, 'failed', 20)).toBe(HOUR);
  });

  it('comes earlier than usual after a refusal', () => {
    expect(next({ everyHours: 24 }, 'refused', 0)).toBe(6 * HOUR);
    expect(next({ everyHours: 2 }, 'refused', 0)).toBe(2 * HOUR);
  });
});

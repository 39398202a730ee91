/** Bounds of a session: 7 days without use, 30 days whatever its use, and what a clock that was wrong left in the future. */
import { describe, expect, it } from 'vitest';
import { hasEnded, timesAfterUse } from './session-bounds.ts';
import { createSessionClock } from './session-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 1_800_000_000_000;
const clockAt = (now: number, confirmed = true) => ({ now: () => now, isConfirmed: () => confirmed });

describe('a session', () => {
  it('ends 7 days after its last use, and 30 days after it began', () => {
    const times = { createdAt: NOW, seenAt: NOW + 10 * DAY };
    expect(hasEnded(times, NOW + 17 * DAY - 1)).toBe(false);
    expect(hasEnded(times, NOW + 17 * DAY)).toBe(true);
    const used = { createdAt: NOW, seenAt: NOW + 29 * DAY };
    expect(hasEnded(used, NOW + 30 * DAY - 1)).toBe(false);
    expect(hasEnded(used, NOW + 30 * DAY)).toBe(true);
  });

  it('keeps its use every 15 minutes', () => {
    const times = { createdAt: NOW, seenAt: NOW };
    expect(timesAfterUse(times, clockAt(NOW + 15 * MINUTE - 1))).toBeUndefined();
    expect(timesAfterUse(times, clockAt(NOW + 15 * MINUTE))).toEqual({
      createdAt: NOW,
      seenAt: NOW + 15 * MINUTE,
    });
  });

  it('from the future counts from now on, once the clock is confirmed', () => {
    const future = { createdAt: NOW + 60 * DAY, seenAt: NOW + 61 * DAY };
    expect(timesAfterUse(future, clockAt(NOW, false))).toBeUndefined();
    expect(timesAfterUse(future, clockAt(NOW))).toEqual({ createdAt: NOW, seenAt: NOW });
    const used = { createdAt: NOW - DAY, seenAt: NOW + 60 * DAY };
    expect(timesAfterUse(used, clockAt(NOW))).toEqual({ createdAt: NOW - DAY, seenAt: NOW });
  });
});

/** Somebody who uses a session once an hour, while the clock is set as told; days until it is over. */
function daysOpen(offsetAt: (elapsed: number) => number, start = 0): number {
  let elapsed = start;
  const clock = createSessionClock({
    wall: () => NOW + elapsed + offsetAt(elapsed),
    monotonic: () => elapsed,
  });
  let times = { createdAt: clock.now(), seenAt: clock.now() };
  for (elapsed = start; elapsed < 400 * DAY; elapsed += 20 * MINUTE) {
    if (hasEnded(times, clock.now())) return (elapsed - start) / DAY;
    times = timesAfterUse(times, clock) ?? times;
  }
  return Number.POSITIVE_INFINITY;
}

describe('a session that is used all the time', () => {
  const during = (from: number, to: number, step: number) => (elapsed: number) =>
    elapsed >= from && elapsed < to ? step : 0;
  it.each([
    ['a right clock', () => 0, 30],
    ['an hour back for a minute', during(DAY, DAY + MINUTE, -HOUR), 30],
    ['two hours ahead for half an hour', during(DAY, DAY + HOUR / 2, 2 * HOUR), 30],
    ['60 days ahead for half an hour', during(DAY, DAY + HOUR / 2, 60 * DAY), 30],
    ['60 days back for half an hour', during(DAY, DAY + HOUR / 2, -60 * DAY), 30],
  ])('lasts 30 days under %s', (_name, offsetAt, days) => {
    expect(daysOpen(offsetAt)).toBeCloseTo(days, 1);
  });

  it('lasts no longer than the step of a clock that stays set back', () => {
    expect(daysOpen(during(DAY, Number.POSITIVE_INFINITY, -HOUR))).toBeCloseTo(30 + 1 / 24, 1);
  });

  it('lasts 30 days from then on where it began before the clock of a new process was set', () => {
    expect(daysOpen(during(0, HOUR / 2, 60 * DAY))).toBeLessThan(30.2);
  });

  it('is ended by a step ahead that lasts, an hour later', () => {
    expect(daysOpen(during(DAY, Number.POSITIVE_INFINITY, 60 * DAY))).toBeCloseTo(1 + 1 / 24, 1);
  });
});

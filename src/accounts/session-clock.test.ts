/** When sessions end if the wall clock steps: the effect of a wrong minute, and when a step is accepted. */
import { describe, expect, it } from 'vitest';
import { createSessionClock, hasEnded, timesAfterUse } from './session-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = 1_800_000_000_000;

/** `error()` is 0 if the session clock shows the right time. */
function world(offset = 0) {
  let elapsed = 0;
  let step = offset;
  const clock = createSessionClock({ wall: () => START + elapsed + step, monotonic: () => 50 + elapsed });
  return {
    clock,
    pass: (ms: number) => {
      elapsed += ms;
      clock.now();
    },
    set: (to: number) => {
      step = to;
      clock.now();
    },
    error: () => clock.now() - (START + elapsed),
  };
}

describe('a clock that was right for an hour', () => {
  it.each([-HOUR, 2 * HOUR, 60 * DAY, -60 * DAY])('ignores a step of %i ms that is undone', (step) => {
    const { clock, pass, set, error } = world();
    pass(HOUR);
    expect(clock.isConfirmed()).toBe(true);
    set(step);
    expect([error(), clock.isConfirmed()]).toEqual([0, false]);
    pass(MINUTE);
    expect(error()).toBe(0);
    set(0);
    pass(30 * MINUTE);
    expect([error(), clock.isConfirmed()]).toEqual([0, false]);
    pass(31 * MINUTE);
    expect([error(), clock.isConfirmed()]).toEqual([0, true]);
  });

  it('follows a step that lasts, such as after the machine slept', () => {
    const { pass, set, error } = world();
    pass(HOUR);
    set(3 * DAY);
    expect(error()).toBe(0);
    pass(59 * MINUTE);
    expect(error()).toBe(0);
    pass(MINUTE);
    expect(error()).toBe(3 * DAY);
  });

  it('follows small corrections at once', () => {
    const { clock, pass, set, error } = world();
    pass(HOUR);
    set(30_000);
    expect([error(), clock.isConfirmed()]).toEqual([30_000, true]);
  });
});

it('shows the wall clock unchanged in the first hour, so that a late correction after the start applies at once', () => {
  const { clock, pass, set, error } = world(60 * DAY);
  pass(MINUTE);
  expect([error(), clock.isConfirmed()]).toEqual([60 * DAY, false]);
  set(0);
  expect(error()).toBe(0);
});

const clockAt = (now: number, confirmed = true) => ({ now: () => now, isConfirmed: () => confirmed });

describe('a session', () => {
  it('ends 7 days after its last use, and 30 days after it began', () => {
    const times = { createdAt: START, seenAt: START + 10 * DAY };
    expect(hasEnded(times, START + 17 * DAY - 1)).toBe(false);
    expect(hasEnded(times, START + 17 * DAY)).toBe(true);
    const used = { createdAt: START, seenAt: START + 29 * DAY };
    expect(hasEnded(used, START + 30 * DAY - 1)).toBe(false);
    expect(hasEnded(used, START + 30 * DAY)).toBe(true);
  });

  it('saves its last use every 15 minutes', () => {
    const times = { createdAt: START, seenAt: START };
    expect(timesAfterUse(times, clockAt(START + 15 * MINUTE - 1))).toBeUndefined();
    expect(timesAfterUse(times, clockAt(START + 15 * MINUTE))).toEqual({
      createdAt: START,
      seenAt: START + 15 * MINUTE,
    });
  });

  it('with times in the future counts from now, once the clock is confirmed', () => {
    const future = { createdAt: START + 60 * DAY, seenAt: START + 61 * DAY };
    expect(timesAfterUse(future, clockAt(START, false))).toBeUndefined();
    expect(timesAfterUse(future, clockAt(START))).toEqual({ createdAt: START, seenAt: START });
    const used = { createdAt: START - DAY, seenAt: START + 60 * DAY };
    expect(timesAfterUse(used, clockAt(START))).toEqual({ createdAt: START - DAY, seenAt: START });
  });
});

/** A user who uses a session once an hour, while the clock is wrong by `offsetAt`. Returns the days until the session ends. */
function daysOpen(offsetAt: (elapsed: number) => number, start = 0): number {
  let elapsed = start;
  const clock = createSessionClock({
    wall: () => START + elapsed + offsetAt(elapsed),
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

  it('lasts longer only by the step, if the clock is set back for good', () => {
    expect(daysOpen(during(DAY, Number.POSITIVE_INFINITY, -HOUR))).toBeCloseTo(30 + 1 / 24, 1);
  });

  it('lasts 30 days after the correction, if it began before the clock of a new process was set', () => {
    expect(daysOpen(during(0, HOUR / 2, 60 * DAY))).toBeLessThan(30.2);
  });

  it('ends an hour after the clock is set 60 days ahead for good', () => {
    expect(daysOpen(during(DAY, Number.POSITIVE_INFINITY, 60 * DAY))).toBeCloseTo(1 + 1 / 24, 1);
  });
});

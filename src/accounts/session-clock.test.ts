/** Time for sessions under a wall clock that steps: what a wrong minute changes, and when a step is believed. */
import { describe, expect, it } from 'vitest';
import { createSessionClock } from './session-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = 1_800_000_000_000;

/** `true` is what a right clock shows. */
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
  it.each([-HOUR, 2 * HOUR, 60 * DAY, -60 * DAY])('passes over a step of %i ms that is undone', (step) => {
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

  it('follows a step that lasts, such as the one of a machine that slept', () => {
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

it('shows the wall clock as it is in the first hour: a start before the clock was set is put right at once', () => {
  const { clock, pass, set, error } = world(60 * DAY);
  pass(MINUTE);
  expect([error(), clock.isConfirmed()]).toEqual([60 * DAY, false]);
  set(0);
  expect(error()).toBe(0);
});

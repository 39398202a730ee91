import { expect, it } from 'vitest';
import { createMonthClock, createSteadyClock } from './steady-clock.ts';

const HOUR_MS = 3_600_000;

it('with patience, follows a jump ahead after it has lasted', () => {
  let [wall, monotonic] = [1_000_000_000, 0];
  const now = createSteadyClock({ wall: () => wall, monotonic: () => monotonic, patienceMs: HOUR_MS });
  const pass = (milliseconds: number, step = 0) => {
    monotonic += milliseconds;
    wall += milliseconds + step;
    return now() - monotonic - 1_000_000_000;
  };
  expect(pass(1000, 500)).toBe(500);
  expect(pass(1000, 1440 * HOUR_MS)).toBe(500);
  expect(pass(HOUR_MS - 1)).toBe(500);
  expect(pass(1000, -1440 * HOUR_MS)).toBe(500);
  expect(pass(HOUR_MS, 2 * HOUR_MS)).toBe(500);
  expect(pass(HOUR_MS)).toBe(2 * HOUR_MS + 500);
  expect(pass(1000, -2 * HOUR_MS)).toBe(2 * HOUR_MS + 500);
});

it('does not run ahead after a pause between the readings of both clocks', () => {
  let [time, pause] = [0, 0];
  const read = (start: number) => () => {
    const shown = start + time;
    time += pause;
    return shown;
  };
  const now = createSteadyClock({ wall: read(1_000_000_000), monotonic: read(0) });
  pause = 50;
  now();
  pause = 0;
  expect(now()).toBe(1_000_000_000 + time);
});

it('follows the wall clock forward, also when it jumps ahead, and never goes back', () => {
  let [wall, monotonic] = [1_000_000_000, 50];
  const now = createSteadyClock({ wall: () => wall, monotonic: () => monotonic });
  const pass = (milliseconds: number, step = 0) => {
    monotonic += milliseconds;
    wall += milliseconds + step;
    return now();
  };
  expect(pass(0)).toBe(1_000_000_000);
  expect(pass(20)).toBe(1_000_000_020);
  expect(pass(0.75)).toBe(1_000_000_020);
  expect(pass(0.25)).toBe(1_000_000_021);
  expect(pass(20, -HOUR_MS)).toBe(1_000_000_041);
  expect(pass(60_000)).toBe(1_000_060_041);
  expect(pass(0, HOUR_MS)).toBe(1_000_060_041);
  expect(pass(0, 2 * HOUR_MS)).toBe(1_000_060_041 + 2 * HOUR_MS);
  expect(pass(10, -2 * HOUR_MS)).toBe(1_000_060_051 + 2 * HOUR_MS);
});

it('stays at the start of a month when it is set back across it, and follows a clock that was wrong by more than a day', () => {
  const DAY_MS = 24 * HOUR_MS;
  const [april, may, june] = [3, 4, 5].map((month) => Date.UTC(2028, month, 1)) as [number, number, number];
  let wall = may - 1;
  const { calendar: now, beginMonth } = createMonthClock(() => wall);
  const at = (instant: number) => {
    wall = instant;
    return now();
  };
  expect([at(may - 1), at(may - HOUR_MS), at(may), at(may + 10)]).toEqual([
    may - 1,
    may - HOUR_MS,
    may,
    may + 10,
  ]);
  expect([at(may - 1), at(may - HOUR_MS), at(may - DAY_MS)]).toEqual([may, may, may]);
  expect([at(may + 20), at(june + 5), at(june - 5)]).toEqual([may + 20, june + 5, june]);
  // Two months ahead and back: nothing in the month that it leaves was right.
  expect([at(june + 40 * DAY_MS), at(may + DAY_MS), at(june)]).toEqual([
    june + 40 * DAY_MS,
    may + DAY_MS,
    june,
  ]);
  expect([at(april), at(april - 1)]).toEqual([april, april]);
  // The month of stored data already counts as seen.
  beginMonth(may + 5);
  expect([at(may - 1), at(may + 1), at(april + 1)]).toEqual([may, may + 1, april + 1]);
});

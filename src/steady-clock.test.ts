import { expect, it } from 'vitest';
import { createSteadyClock } from './steady-clock.ts';

const HOUR_MS = 3_600_000;

it('with patience, follows a jump ahead once it has lasted', () => {
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

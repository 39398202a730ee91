import { expect, it } from 'vitest';
import { createServerClock } from './counting-servers.ts';

const HOUR_MS = 3_600_000;

it('follows the server’s clock as exactly as the answer times allow, whatever the clock of this node does', async () => {
  let [wall, monotonic, server] = [1_000_000_000, 50, 1_000_000_000 - 2 * HOUR_MS];
  const pass = (milliseconds: number) => {
    wall += milliseconds;
    monotonic += milliseconds;
    server += milliseconds;
  };
  const clock = createServerClock({ clock: () => wall, monotonic: () => monotonic });
  const measure = (there: number, back: number) =>
    clock.measure(async () => {
      pass(there);
      const time = server;
      pass(back);
      return time;
    });
  expect(clock.aheadMs()).toBe(0);
  await measure(400, 400);
  expect(Math.abs(clock.aheadMs() + 2 * HOUR_MS)).toBeLessThanOrEqual(401);
  await measure(3, 5);
  expect(Math.abs(clock.aheadMs() + 2 * HOUR_MS)).toBeLessThanOrEqual(6);

  wall -= HOUR_MS;
  expect(Math.abs(clock.aheadMs() + HOUR_MS)).toBeLessThanOrEqual(6);
  wall -= HOUR_MS;
  expect(clock.aheadMs()).toBe(0);
  server += 10_000;
  await measure(0, 0);
  expect(clock.aheadMs()).toBe(10_000);
});

it('treats clocks as equal if they differ by less than the answer time, or by less than a quarter of a second', async () => {
  let monotonic = 0;
  const clock = createServerClock({ clock: () => monotonic, monotonic: () => monotonic });
  await clock.measure(async () => {
    monotonic += 5_000;
    return monotonic - 3_000;
  });
  expect(clock.aheadMs()).toBe(0);
  await clock.measure(async () => monotonic + 200);
  expect(clock.aheadMs()).toBe(0);
});

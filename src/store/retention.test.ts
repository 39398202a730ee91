import { expect, it } from 'vitest';
import { createPatience, keptFrom } from './retention.ts';

const NEWEST = Date.UTC(2024, 2, 1, 10, 14, 33);

it.each([
  [{ days: 1 }, '2024-02-29'],
  [{ days: 30 }, '2024-01-31'],
  [{ days: 365 }, '2023-03-02'],
  [{ months: 0 }, '2024-03-01'],
  [{ months: 13 }, '2023-02-01'],
])('%j keeps everything from %s on', (retention, day) => {
  expect(new Date(keptFrom(retention, NEWEST)).toISOString()).toBe(`${day}T00:00:00.000Z`);
});

const HOUR_MS = 3_600_000;
const DAYS_MS = 86_400_000;

it('waits an hour if new assessments are much newer than all earlier ones, because the clock may be wrong', () => {
  let now = NEWEST;
  const may = createPatience(NEWEST, () => now);
  expect(may(NEWEST + 30 * DAYS_MS)).toBe(true);
  expect(may(NEWEST + 32 * DAYS_MS)).toBe(false);
  now += HOUR_MS;
  expect(may(NEWEST + 32 * DAYS_MS)).toBe(true);
  expect(createPatience(undefined, () => now)(NEWEST)).toBe(true);
});

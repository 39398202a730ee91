import { expect, it } from 'vitest';
import { keptFrom } from './retention.ts';

const NEWEST = Date.UTC(2024, 2, 1, 10, 14, 33);

it.each([
  [{ days: 1 }, '2024-02-29'],
  [{ days: 30 }, '2024-01-31'],
  [{ days: 365 }, '2023-03-02'],
  [{ months: 0 }, '2024-03-01'],
  [{ months: 13 }, '2023-02-01'],
])('%j keeps all from %s on', (retention, day) => {
  expect(new Date(keptFrom(retention, NEWEST)).toISOString()).toBe(`${day}T00:00:00.000Z`);
});

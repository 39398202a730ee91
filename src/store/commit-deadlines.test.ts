import { expect, it } from 'vitest';
import { isBehind, SERVICE_DEADLINES } from './commit-deadlines.ts';

const writes = (count: number, waitedMs: number) =>
  Array.from({ length: count }, () => ({
    since: performance.now() - waitedMs,
    reject() {},
    answered: false,
  }));

it.each([
  ['many that have just come', 5_000, 0, false],
  ['a few that wait for long', 999, 10_000, false],
  ['many that wait for long', 1_000, 301, true],
  ['none', 0, 0, false],
])('says whether commits are behind: %s', (_what, count, waitedMs, expected) => {
  expect(isBehind(writes(count, waitedMs), SERVICE_DEADLINES)).toBe(expected);
});

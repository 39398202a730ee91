import { expect, it } from 'vitest';
import type { ShadowCounts } from '../store/history-store.ts';
import { readinessOf } from './dashboard-shadow-readiness.ts';

const NOW = Date.parse('2026-11-28T16:00:00Z');
const DAY_MS = 86_400_000;

function countsOf(days: number, signups: number, good = 0): ShadowCounts {
  const stopped = { keyId: 'key_a', verdict: 'block', finding: 'vpn', reasons: [] } as const;
  const label = (label: 'false_positive' | 'confirmed_fraud', count: number) => {
    return { keyId: 'key_a', verdict: 'block', label, count } as const;
  };
  return {
    counts: [
      { ...stopped, count: 1, oldestAt: NOW },
      { ...stopped, count: signups - 1, oldestAt: NOW - days * DAY_MS },
      // Another key says nothing about this one.
      { ...stopped, keyId: 'key_b', count: 9_000, oldestAt: NOW - 29 * DAY_MS },
    ],
    labels: [
      label('confirmed_fraud', 32),
      label('false_positive', good),
      { keyId: 'key_a', verdict: 'allow', label: 'false_positive', count: 5 },
      { keyId: 'key_b', verdict: 'block', label: 'false_positive', count: 7 },
    ],
    reached: null,
  };
}

it.each([
  ['too few days', countsOf(6.9, 4_071), 'collecting', 6, 0],
  ['too few signups', countsOf(13, 499), 'collecting', 13, 0],
  ['enough of both', countsOf(7, 500), 'ready', 7, 0],
  ['known good customers among the stopped', countsOf(13, 4_071, 24), 'look', 13, 24],
] as const)('with %s, a key is judged rightly', (_, counts, state, days, good) => {
  expect(readinessOf('key_a', counts, NOW)).toMatchObject({ state, days, good, fraud: 32 });
});

it('of a key without signups collects', () => {
  expect(readinessOf('key_c', countsOf(13, 900), NOW)).toEqual({
    state: 'collecting',
    days: 0,
    signups: 0,
    good: 0,
    fraud: 0,
  });
});

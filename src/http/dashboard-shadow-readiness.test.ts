import { expect, it } from 'vitest';
import { aKey } from '../../test/support/a-key.ts';
import { anAccount } from '../../test/support/an-account.ts';
import type { HistoryEntry, ShadowCounts } from '../store/history-store.ts';
import { type ReadinessOptions, readinessOf, readReadiness } from './dashboard-shadow-readiness.ts';

const NOW = Date.parse('2026-11-28T16:00:00Z');
const DAY_MS = 86_400_000;

function countsOf(days: number, signups: number, good = 0): ShadowCounts {
  const stopped = { keyId: 'key_a', verdict: 'block', finding: 'vpn', reasons: [] } as const;
  const label = (label: 'false_positive' | 'confirmed_fraud', count: number, finding = 'vpn') => {
    return { keyId: 'key_a', verdict: 'block', label, finding, count } as const;
  };
  return {
    counts: [
      { ...stopped, count: 1, oldestAt: NOW },
      { ...stopped, verdict: 'allow', count: signups - 1, oldestAt: NOW - days * DAY_MS },
      // Another key says nothing about this one.
      { ...stopped, keyId: 'key_b', count: 9_000, oldestAt: NOW - 29 * DAY_MS },
    ],
    labels: [
      label('confirmed_fraud', 30),
      label('confirmed_fraud', 2, 'ip_burst'),
      label('false_positive', good > 0 ? 1 : 0),
      label('false_positive', good > 0 ? good - 1 : 0, 'ip_burst'),
      { keyId: 'key_a', verdict: 'allow', label: 'false_positive', finding: '', count: 5 },
      { keyId: 'key_a', verdict: 'allow', label: 'false_negative', finding: '', count: 9 },
      { keyId: 'key_b', verdict: 'block', label: 'false_positive', finding: 'tor_exit', count: 7 },
    ],
    reached: null,
  };
}

it.each([
  ['too few days', countsOf(6.9, 4_071), 'collecting', { days: 1, signups: 0 }, 0],
  ['too few signups', countsOf(13, 499), 'collecting', { days: 0, signups: 1 }, 0],
  ['enough of both', countsOf(7, 500), 'ready', { days: 0, signups: 0 }, 0],
  ['good customers among the stopped', countsOf(13, 4_071, 24), 'look', { days: 0, signups: 0 }, 24],
] as const)('with %s, a key is judged rightly, with both labels', (_, counts, state, missing, good) => {
  const reported = { good_stopped: good, good_allowed: 5, fraud_stopped: 32, fraud_allowed: 9 };
  expect(readinessOf('key_a', counts, NOW)).toMatchObject({ state, missing, reported });
});

it('names the causes that most of the good customers share, with their fraud', () => {
  expect(readinessOf('key_a', countsOf(13, 900, 24), NOW).causes).toEqual([
    { detector: 'ip_burst', good: 23, fraud: 2 },
    { detector: 'vpn', good: 1, fraud: 30 },
  ]);
  expect(readinessOf('key_a', countsOf(13, 900), NOW).causes).toEqual([]);
});

it('of a key without signups collects', () => {
  expect(readinessOf('key_c', countsOf(13, 900), NOW)).toEqual({
    state: 'collecting',
    days: 0,
    missing: { days: 7, signups: 500 },
    verdicts: { allow: 0, challenge: 0, block: 0 },
    reported: { good_stopped: 0, good_allowed: 0, fraud_stopped: 0, fraud_allowed: 0 },
    causes: [],
  });
});

const account = anAccount({ id: 'acc_a' });
const keys = [
  aKey({ id: 'key_a', accountId: 'acc_a', enforcedShare: 10 }),
  aKey({ id: 'key_enforces', accountId: 'acc_a' }),
  aKey({ id: 'key_test', accountId: 'acc_a', mode: 'test', enforcedShare: 0 }),
  aKey({ id: 'key_revoked', accountId: 'acc_a', enforcedShare: 0, revokedAt: 1 }),
];
const storeOf = (counts: ShadowCounts, older: readonly Pick<HistoryEntry, 'at'>[]): ReadinessOptions => ({
  store: {
    shadowCounts: async () => counts,
    findAssessments: async () => ({ rows: older as HistoryEntry[], next: null }) as never,
  },
});

it('is read of keys alone that are live, valid and in shadow mode', async () => {
  const read = await readReadiness(storeOf(countsOf(13, 900), []), account, keys, NOW);
  expect([...read.keys()]).toEqual(['key_a']);
});

it('knows the days of a key that has more signups than are counted', async () => {
  const counts = { ...countsOf(2, 100_000), reached: NOW - 2 * DAY_MS };
  const stateWith = async (...older: Pick<HistoryEntry, 'at'>[]) =>
    (await readReadiness(storeOf(counts, older), account, keys, NOW)).get('key_a')?.state;
  expect(await stateWith()).toBe('collecting');
  expect(await stateWith({ at: NOW - 7 * DAY_MS })).toBe('ready');
});

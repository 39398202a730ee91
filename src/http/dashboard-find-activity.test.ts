import { expect, it } from 'vitest';
import type { HistoryStore, SearchGroup } from '../store/history-store.ts';
import { createReadActivity } from './dashboard-find-activity.ts';

const NONE = { allow: 0, challenge: 0, block: 0 };
const group = (value: string | null): SearchGroup => ({
  value,
  verdicts: { ...NONE, allow: 1 },
  observed: NONE,
  newestAt: 1,
  oldestAt: 1,
});

function scene() {
  const reads: string[] = [];
  const countGroups: HistoryStore['countGroups'] = async (accountId, { mode }, by) => {
    reads.push(`${accountId} ${mode} ${by}`);
    if (accountId === 'acc_away') throw new Error('away');
    const values = by === 'network' ? ['24940', null] : ['example.com'];
    return { groups: values.map(group), reached: null };
  };
  return { reads, read: createReadActivity({ countGroups }) };
}

it('reads networks and domains of an account and a mode once a minute', async () => {
  const { reads, read } = scene();
  const scope = { accountId: 'acc_a', mode: 'live', now: 1_000_000 } as const;
  expect(await read(scope)).toEqual({ asns: [24_940], domains: ['example.com'] });
  await read({ ...scope, now: 1_059_999 });
  expect(reads).toEqual(['acc_a live network', 'acc_a live domain']);
  await read({ ...scope, mode: 'test' });
  await read({ ...scope, accountId: 'acc_b' });
  await read({ ...scope, now: 1_060_000 });
  expect(reads).toHaveLength(8);
});

it('keeps the 10,000 domains and networks with the most signups', async () => {
  const groups = Array.from({ length: 10_001 }, (_, at) => group(String(at)));
  const read = createReadActivity({ countGroups: async () => ({ groups, reached: null }) });
  const { asns, domains } = await read({ accountId: 'acc_a', mode: 'live', now: 1_000_000 });
  expect([asns.length, domains.length, domains[0]]).toEqual([10_000, 10_000, '0']);
});

it('keeps no failure, and the newest fifty accounts only', async () => {
  const { reads, read } = scene();
  const scope = { accountId: 'acc_away', mode: 'live', now: 1_000_000 } as const;
  for (let time = 0; time < 2; time += 1) await expect(read(scope)).rejects.toThrow('away');
  expect(reads).toHaveLength(4);
  for (let at = 0; at <= 50; at += 1) await read({ ...scope, accountId: `acc_${at}` });
  const before = reads.length;
  await read({ ...scope, accountId: 'acc_50' });
  expect(reads).toHaveLength(before);
  await read({ ...scope, accountId: 'acc_0' });
  expect(reads).toHaveLength(before + 2);
});

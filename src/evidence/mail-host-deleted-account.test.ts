import { beforeEach, expect, it } from 'vitest';
import type { StoredText, TextCache } from '../model/text-cache.ts';
import { readRecord, recordName, withoutAccounts, withoutDomains } from './mail-host-record.ts';
import { HostRecords } from './mail-host-records.ts';

const NOW = Date.UTC(2026, 4, 10);
const KEY = '*.hosts.example';
const observation = (account: string, domain: string) =>
  ({ account, domain, kind: 'listed', host: 'mx.hosts.example' }) as const;

let stored: Map<string, StoredText>;
const texts: TextCache = {
  isShared: true,
  get: async (name) => stored.get(name),
  read: async (name) => stored.get(name),
  set: (name, text, expiresAt) => void stored.set(name, { text, expiresAt }),
};
beforeEach(() => {
  stored = new Map();
});

const open = () =>
  new HostRecords({
    texts,
    decisions: { generationOf: () => 0 },
    minListed: 2,
    clock: () => NOW,
    capacity: 10,
  });
const sightings = () => {
  const record = readRecord(stored.get(recordName(KEY))?.text ?? '');
  return [...(record?.domains ?? [])].map(([domain, { seen }]) => [domain, [...seen.keys()]]);
};

/** A record that is read at that moment is written by a later flush. */
const flushed = (records: HostRecords) => {
  records.flush();
  return sightings();
};

it('what a deleted account saw is neither kept in memory nor written again with later changes', async () => {
  const [here, there] = [open(), open()];
  here.observe(KEY, observation('acc_gone', 'a.example'));
  here.observe(KEY, observation('acc_kept', 'a.example'));
  here.observe(KEY, observation('acc_gone', 'b.example'));
  await expect
    .poll(() => flushed(here))
    .toEqual([
      ['a.example', ['acc_gone', 'acc_kept']],
      ['b.example', ['acc_gone']],
    ]);
  there.observe(KEY, observation('acc_gone', 'c.example'));
  for (const node of [here, there]) node.removeAccount('acc_gone');
  here.observe(KEY, observation('acc_gone', 'd.example'));
  there.observe(KEY, observation('acc_kept', 'e.example'));
  await expect
    .poll(() => flushed(there))
    .toEqual([
      ['a.example', ['acc_kept']],
      ['e.example', ['acc_kept']],
    ]);
  await Promise.all([here.close(), there.close()]);
  expect(JSON.stringify([...stored])).not.toContain('acc_gone');
});

it('a record of other accounts does not change', () => {
  const text = JSON.stringify({
    generation: 3,
    accounts: ['acc_kept'],
    names: ['mx.hosts.example'],
    domains: [['a.example', 'listed', [[0, 1, 2]]]],
  });
  const record = readRecord(text);
  if (record === undefined) throw new Error('it cannot be read');
  expect(withoutAccounts(record, new Set(['acc_gone']))).toEqual(record);
});

it('what an erasure took out of the stored record does not come back from memory', async () => {
  const records = open();
  records.observe(KEY, observation('acc_kept', 'erased.example'));
  await expect.poll(() => flushed(records)).toEqual([['erased.example', ['acc_kept']]]);
  records.observe(KEY, observation('acc_kept', 'other.example'));
  records.reset();
  stored.clear();
  await records.close();
  expect([...stored]).toEqual([]);
});

it('nor from a write that is under way', async () => {
  const records = open();
  await records.load(KEY);
  records.observe(KEY, observation('acc_kept', 'erased.example'));
  // Reads the stored record first, and would write both together.
  records.flush();
  records.reset();
  await records.close();
  expect([...stored]).toEqual([]);
});

it('an erasure takes out only what the account saw of these domains', () => {
  const record = readRecord(
    JSON.stringify({
      generation: 3,
      accounts: ['acc_a', 'acc_b'],
      names: ['mx.doe.example', 'mx.both.example', 'mx.hosts.example'],
      domains: [
        ['doe.example', 'ordinary', [[0, 1, 2]]],
        [
          'both.example',
          'ordinary',
          [
            [0, 1, 2],
            [1, 3, 4],
          ],
        ],
        ['other.example', 'listed', [[0, 1, 2]]],
      ],
    }),
  );
  if (record === undefined) throw new Error('it cannot be read');
  const isErased = (domain: string) => /(?:doe|both)\.example$/.test(domain);
  const kept = withoutDomains(record, 'acc_a', isErased);
  expect([...kept.domains].map(([domain, { seen }]) => [domain, [...seen.keys()]])).toEqual([
    ['both.example', ['acc_b']],
    ['other.example', ['acc_a']],
  ]);
  expect([...kept.names]).toEqual(['mx.both.example', 'mx.hosts.example']);
  expect(withoutDomains(record, 'acc_c', () => true).domains).toEqual(record.domains);
});

import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ListChange, ListEntry } from '../model/list-entry.ts';
import { createAccountLists, type ListSource } from './list-accounts.ts';

/** A source in memory that keeps its changes, in the order of their versions. */
function createSource() {
  const log: { version: number; change: ListChange }[] = [];
  const hits: Record<string, { hits: number; at: number }>[] = [];
  let reads = 0;
  const source: ListSource = {
    listsVersion: async () => log.length,
    async *listChangesSince(version) {
      reads += 1;
      for (const { change } of log.slice(version)) {
        await setImmediate();
        yield change;
      }
    },
    async addListHits(counted) {
      hits.push(Object.fromEntries(counted));
    },
  };
  const say = (change: ListChange) => log.push({ version: log.length + 1, change });
  return { source, say, hits, reads: () => reads };
}

const entry = (fields: Partial<ListEntry> = {}): ListEntry => ({
  id: 'lst_1',
  accountId: 'acc_a',
  action: 'deny',
  kind: 'domain',
  value: 'shop.example',
  shown: 'shop.example',
  reason: 'because',
  author: 'ada@shop.example',
  createdAt: 0,
  expiresAt: null,
  hits: 0,
  lastHitAt: null,
  ...fields,
});
const subject = (account = 'acc_a') => ({
  account,
  at: 1_000,
  addressHash: 'hash',
  mailbox: 'mailbox',
  email: { domain: 'shop.example' },
  ip: null,
});

describe('the lists of all accounts', () => {
  it('follow saved and removed entries, separately for each account', async () => {
    const { source, say } = createSource();
    const lists = createAccountLists(source);
    expect(lists.find(subject(), null)).toBeNull();
    say({ saved: entry() });
    await lists.refresh();
    expect(lists.find(subject(), null)).toEqual({
      id: 'lst_1',
      action: 'deny',
      kind: 'domain',
      value: 'shop.example',
      reason: 'because',
    });
    expect(lists.find(subject('acc_b'), null)).toBeNull();
    say({ removed: 'lst_1' });
    say({ removed: 'lst_unknown' });
    await lists.refresh();
    expect(lists.find(subject(), null)).toBeNull();
  });

  it('show an address masked, although it is found by its hash', async () => {
    const { source, say } = createSource();
    const lists = createAccountLists(source);
    say({ saved: entry({ kind: 'address', value: 'hash', shown: 'j***@shop.example' }) });
    await lists.refresh();
    expect(lists.find(subject(), null)).toMatchObject({ kind: 'address', value: 'j***@shop.example' });
  });

  it('read nothing when nothing changed, and never twice at once', async () => {
    const { source, say, reads } = createSource();
    const lists = createAccountLists(source);
    say({ saved: entry() });
    await Promise.all([lists.refresh(), lists.refresh()]);
    await lists.refresh();
    expect(reads()).toBe(1);
  });

  it('read again after a failed read', async () => {
    const { source, say } = createSource();
    say({ saved: entry() });
    let broken = true;
    const lists = createAccountLists({
      ...source,
      listChangesSince(version) {
        if (broken) throw new Error('no disk');
        return source.listChangesSince(version);
      },
    });
    await expect(lists.refresh()).rejects.toThrow('no disk');
    broken = false;
    await lists.refresh();
    expect(lists.find(subject(), null)).not.toBeNull();
  });

  it('store their hit counts once when they close', async () => {
    const { source, hits } = createSource();
    const lists = createAccountLists(source);
    lists.noteHit('lst_1', 7);
    lists.noteHit('lst_1', 5);
    lists.noteHit('lst_2', 9);
    await lists.close();
    await lists.close();
    expect(hits).toEqual([{ lst_1: { hits: 2, at: 7 }, lst_2: { hits: 1, at: 9 } }]);
  });
});

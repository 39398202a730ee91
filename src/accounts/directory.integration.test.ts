import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUILT_THREADS } from '../../test/support/built-threads.ts';
import { openSqliteStore } from '../store/sqlite/sqlite.ts';
import type { Store } from '../store/store.ts';
import { hashKey } from './api-keys.ts';
import { createDirectory } from './directory.ts';

const SECRET = `sk_live_${'0123456789abcdefghijklmnopqrstuv'}`;

describe('the directory', () => {
  let place: string;
  let store: Store;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'gatehouse-directory-'));
    store = openSqliteStore({ directory: place, forTests: BUILT_THREADS });
    const plain = {
      plan: 'pro',
      overage: false,
      monthlyQuota: null,
      requestsPerSecond: null,
      timeZone: 'UTC',
    } as const;
    await store.saveAccount({ id: 'acc_a', name: 'a', ...plain, thresholds: null, createdAt: 1 });
    const unused = { shadow: false, thresholds: null, createdAt: 1, lastUsedAt: null, revokedAt: null };
    const key = { id: 'key_a', accountId: 'acc_a', name: 'k', mode: 'live', prefix: 'sk_live_0123' } as const;
    await store.saveKey({ ...key, hash: hashKey(SECRET), ...unused });
  });
  afterEach(async () => {
    await store.close();
    await rm(place, { recursive: true });
  });

  it('stores counts of key uses again if the last attempt failed', async () => {
    let failing = true;
    const storeLastUses: Store['storeLastUses'] = (table, uses) =>
      failing ? Promise.reject(new Error('gone')) : store.storeLastUses(table, uses);
    const directory = createDirectory({ ...store, storeLastUses });
    await directory.refresh();
    directory.find(SECRET, 5);
    await expect(directory.close()).rejects.toThrow('gone');
    failing = false;
    await directory.close();
    expect((await store.changesSince(0)).keys[0]?.lastUsedAt).toBe(5);
  });

  it('knows the current policy of each account, and follows changes', async () => {
    const directory = createDirectory(store);
    await directory.refresh();
    const policy = () => {
      const caller = directory.find(SECRET, 1);
      return typeof caller === 'object' ? caller.policy : caller;
    };
    expect(policy()).toBeNull();
    const common = { accountId: 'acc_a', createdAt: 1, author: 'jo', note: '' };
    const first = await store.savePolicy({ ...common, weights: { tor: 1 } });
    await directory.refresh();
    expect(policy()).toEqual(first);
    const second = await store.savePolicy({ ...common, weights: { tor: 2 } });
    await directory.refresh();
    expect(policy()).toEqual(second);
    const restarted = createDirectory(store);
    await restarted.refresh();
    expect(restarted.find(SECRET, 1)).toMatchObject({ policy: second });
  });
});

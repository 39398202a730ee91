import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aKey } from '../../test/support/a-key.ts';
import { anAccount } from '../../test/support/an-account.ts';
import { BUILT_THREADS } from '../../test/support/built-threads.ts';
import { openSqliteStore } from '../store/sqlite/sqlite.ts';
import type { Store } from '../store/store.ts';
import { hashKey } from './api-keys.ts';
import { createDirectory } from './directory.ts';

const SECRET = `sk_live_${'0123456789abcdefghijklmnopqrstuv'}`;

const NEW_SECRET = `sk_live_${'vutsrqponmlkjihgfedcba9876543210'}`;
const FROM = { ip: '203.0.113.7' };

describe('the directory', () => {
  let place: string;
  let store: Store;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'gatehouse-directory-'));
    store = openSqliteStore({ directory: place, forTests: BUILT_THREADS });
    await store.saveAccount(anAccount({ id: 'acc_a', name: 'a', createdAt: 1 }));
    await store.saveKey(aKey({ id: 'key_a', accountId: 'acc_a', hash: hashKey(SECRET) }));
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
    directory.find(SECRET, 5, FROM);
    await expect(directory.close()).rejects.toThrow('gone');
    failing = false;
    await directory.close();
    expect((await store.changesSince(0)).keys[0]?.lastUsedAt).toBe(5);
  });

  const rotation = { hash: hashKey(NEW_SECRET), prefix: 'sk_live_vuts', at: 10, previousUntil: 20 };

  it('finds one key by both secrets until the overlap ends, and notes the uses of each', async () => {
    const directory = createDirectory(store);
    await directory.refresh();
    expect(directory.find(NEW_SECRET, 9, FROM)).toBeUndefined();
    directory.find(SECRET, 9, FROM);
    await store.rotateKey('key_a', rotation);
    await directory.refresh();
    const found = [SECRET, NEW_SECRET].map((secret) => directory.find(secret, 19, FROM));
    expect(found).toMatchObject([{ key: { id: 'key_a' } }, { key: { id: 'key_a' } }]);
    expect(directory.find(SECRET, 20, FROM)).toBe('replaced');
    expect(directory.find(NEW_SECRET, 21, FROM)).toMatchObject({ key: { id: 'key_a' } });
    const used = [{ lastUsedAt: 21, previous: { lastUsedAt: 19 } }];
    expect(directory.keysOf('acc_a')).toMatchObject(used);
    await directory.close();
    const other = createDirectory(store);
    expect(await other.readKeys('acc_a')).toMatchObject(used);
  });

  it('knows no secret that was replaced twice, and finds the first again where a rotation is taken back', async () => {
    const directory = createDirectory(store);
    await store.rotateKey('key_a', rotation);
    await directory.refresh();
    await store.swapSecrets('key_a', 15);
    await directory.refresh();
    expect(directory.find(SECRET, 30, FROM)).toMatchObject({ key: { id: 'key_a' } });
    expect(directory.find(NEW_SECRET, 30, FROM)).toBe('replaced');
    await store.rotateKey('key_a', { ...rotation, hash: 'third', at: 40, previousUntil: 50 });
    await directory.refresh();
    expect(directory.find(NEW_SECRET, 41, FROM)).toBeUndefined();
    await store.changeKey('key_a', { revokedAt: 42 });
    await directory.refresh();
    expect(directory.find(SECRET, 43, FROM)).toBe('revoked');
  });

  it('refuses an expired key, and callers outside its ranges, whose uses are not noted', async () => {
    const directory = createDirectory(store);
    await store.changeKey('key_a', { expiresAt: 100, allowedRanges: ['198.51.100.0/24', '2001:db8::/32'] });
    await directory.refresh();
    const findFrom = (ip: string, now = 99) => directory.find(SECRET, now, { ip });
    expect([FROM.ip, '', 'unknown', '2001:db9::1'].map((ip) => findFrom(ip))).toEqual(
      Array(4).fill('elsewhere'),
    );
    expect(directory.keysOf('acc_a')).toMatchObject([{ lastUsedAt: null }]);
    expect(findFrom('198.51.100.200')).toMatchObject({ key: { id: 'key_a' } });
    expect(findFrom('::ffff:198.51.100.9')).toMatchObject({ key: { id: 'key_a' } });
    expect(findFrom('2001:db8:9::1')).toMatchObject({ key: { id: 'key_a' } });
    expect(findFrom('198.51.100.200', 100)).toBe('expired');
  });

  it('knows the current policy of each account, and follows changes', async () => {
    const directory = createDirectory(store);
    await directory.refresh();
    const policy = () => {
      const caller = directory.find(SECRET, 1, FROM);
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
    expect(restarted.find(SECRET, 1, FROM)).toMatchObject({ policy: second });
  });
});

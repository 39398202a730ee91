/** What every store must keep of accounts and keys; part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import type { MakeId } from '../contract/identifiers.ts';
import type { Account, Key, Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);

export function describeAccounts(store: () => Store, makeId: MakeId): void {
  describe('accounts and keys', () => {
    const newAccount = () => makeId('acc', NOW);
    const account = (given: Partial<Account> = {}): Account => ({
      id: newAccount(),
      name: 'Ünïcode & Söns',
      plan: 'starter',
      overage: false,
      monthlyQuota: null,
      requestsPerSecond: null,
      thresholds: null,
      createdAt: NOW,
      ...given,
    });
    const key = (accountId: string, given: Partial<Key> = {}): Key => ({
      id: makeId('key', NOW),
      accountId,
      name: 'signup form',
      mode: 'live',
      hash: makeId('key', NOW),
      prefix: 'sk_live_abcd',
      thresholds: { challenge: 20, block: 80 },
      createdAt: NOW,
      lastUsedAt: null,
      revokedAt: null,
      ...given,
    });

    it('come back as they were saved, among the changes after a version', async () => {
      const one = account();
      const two = account({
        overage: true,
        monthlyQuota: 0,
        requestsPerSecond: 7,
        thresholds: { challenge: 1, block: 100 },
      });
      const before = await store().directoryVersion();
      await store().saveAccount(one);
      await store().saveAccount(two);
      await store().saveKey(key(two.id, { id: 'key_of_two' }));
      const changes = await store().changesSince(before);
      expect(changes.accounts).toEqual([one, two]);
      expect(changes.keys).toMatchObject([
        { id: 'key_of_two', accountId: two.id, thresholds: { challenge: 20, block: 80 } },
      ]);
      expect(changes.version).toBe(await store().directoryVersion());
      expect(changes.version).toBeGreaterThan(before);
      expect(await store().changesSince(changes.version)).toEqual({
        version: changes.version,
        accounts: [],
        keys: [],
        policies: [],
      });
      await store().saveAccount({ ...one, plan: 'pro' });
      expect((await store().changesSince(changes.version)).accounts).toEqual([{ ...one, plan: 'pro' }]);
    });

    it('a key needs its account', async () => {
      await expect(store().saveKey(key('acc_nobody'))).rejects.toThrow();
    });

    it('a revocation stays, whatever is saved later', async () => {
      const owner = account();
      const before = await store().directoryVersion();
      await store().saveAccount(owner);
      const active = key(owner.id);
      await store().saveKey(active);
      await store().saveKey({ ...active, revokedAt: NOW });
      await store().saveKey({ ...active, name: 'renamed by somebody who had not seen it' });
      expect((await store().changesSince(before)).keys).toMatchObject([{ id: active.id, revokedAt: NOW }]);
    });

    it('noting uses is no change of the directory, and the newest use stands', async () => {
      const owner = account();
      const before = await store().directoryVersion();
      await store().saveAccount(owner);
      const used = key(owner.id);
      await store().saveKey(used);
      const version = await store().directoryVersion();
      await store().touchKeys(new Map([[used.id, NOW + 5]]));
      await store().touchKeys(new Map([[used.id, NOW + 3]]));
      expect(await store().directoryVersion()).toBe(version);
      expect((await store().changesSince(before)).keys).toMatchObject([{ id: used.id, lastUsedAt: NOW + 5 }]);
    });

    it('the first account is made once in the life of an installation', async () => {
      const first = account({ name: 'default' });
      expect(await store().saveFirstAccount(first, [key(first.id)])).toBe(true);
      const second = account({ name: 'default' });
      expect(await store().saveFirstAccount(second, [key(second.id)])).toBe(false);
      const { accounts } = await store().changesSince(0);
      expect(accounts.filter(({ name }) => name === 'default').map(({ id }) => id)).toEqual([first.id]);
    });
  });
}

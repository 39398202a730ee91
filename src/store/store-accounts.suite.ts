/** How every store must save accounts and keys. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { aKey } from '../../test/support/a-key.ts';
import { anAccount } from '../../test/support/an-account.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { StaleVersion } from './sql-database.ts';
import type { Account, DirectoryChangeStore, Key, Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);

export function describeAccounts(store: () => Store, makeId: MakeId): void {
  describe('accounts and keys', () => {
    const newAccount = () => makeId('acc', NOW);
    const account = (values: Partial<Account> = {}) =>
      anAccount({
        id: newAccount(),
        name: 'Ünïcode & Söns',
        plan: 'starter',
        createdAt: NOW,
        ...values,
      });
    const key = (accountId: string, values: Partial<Key> = {}): Key =>
      aKey({
        id: makeId('key', NOW),
        hash: makeId('key', NOW),
        accountId,
        thresholds: { challenge: 20, block: 80 },
        createdAt: NOW,
        ...values,
      });
    const newAccountWithKey = async (values: Partial<Key> = {}) => {
      const owner = account();
      await store().saveAccount(owner);
      const saved = key(owner.id, values);
      await store().saveKey(saved);
      return saved;
    };
    const read = async ({ accountId }: Key) => (await store().keysOf(accountId))[0];

    it('are read as they were saved, among the changes after a version', async () => {
      const saved = account();
      const two = account({
        overage: true,
        monthlyQuota: 0,
        requestsPerSecond: 7,
        timeZone: 'America/Argentina/Buenos_Aires',
        thresholds: { challenge: 1, block: 100 },
      });
      const before = await store().directoryVersion();
      await store().saveAccount(saved);
      await store().saveAccount(two);
      await store().saveKey(key(two.id, { id: 'key_of_two', enforcedShare: 0 }));
      const changes = await store().changesSince(before);
      expect(changes.accounts).toEqual([saved, two]);
      expect(changes.keys).toMatchObject([
        { id: 'key_of_two', accountId: two.id, enforcedShare: 0, thresholds: { challenge: 20, block: 80 } },
      ]);
      expect(changes.version).toBe(await store().directoryVersion());
      expect(changes.version).toBeGreaterThan(before);
      expect(await store().changesSince(changes.version)).toEqual({
        version: changes.version,
        accounts: [],
        keys: [],
        hooks: [],
        tokens: [],
        policies: [],
        removedAccounts: [],
      });
      await store().changeAccount(saved.id, { plan: 'pro' });
      expect((await store().changesSince(changes.version)).accounts).toEqual([{ ...saved, plan: 'pro' }]);
    });

    it('refuse a key without an account', async () => {
      await expect(store().saveKey(key('acc_nobody'))).rejects.toThrow();
    });

    it('keep a key revoked, whatever is saved later', async () => {
      const owner = account();
      const before = await store().directoryVersion();
      await store().saveAccount(owner);
      const active = key(owner.id);
      await store().saveKey(active);
      await store().changeKey(active.id, { revokedAt: NOW });
      await store().changeKey(active.id, { name: 'renamed by somebody who had not seen it' });
      await store().changeKey(active.id, { revokedAt: NOW + 1 });
      expect((await store().changesSince(before)).keys).toMatchObject([{ id: active.id, revokedAt: NOW }]);
    });

    it('lose no change when several are made at the same time', async () => {
      const thresholds = { challenge: 5, block: 60 };
      const owner = account({ overage: true, monthlyQuota: 5, thresholds: { challenge: 1, block: 2 } });
      const before = await store().directoryVersion();
      await store().saveAccount(owner);
      const used = key(owner.id);
      await store().saveKey(used);
      await Promise.all([
        store().changeAccount(owner.id, { plan: 'pro' }),
        store().changeAccount(owner.id, { thresholds }),
        store().changeAccount(owner.id, { overage: false, monthlyQuota: null }),
        store().changeAccount(owner.id, { name: 'renamed', requestsPerSecond: 7 }),
        store().changeKey(used.id, { name: 'renamed' }),
        store().changeKey(used.id, { thresholds: null }),
        store().changeKey(used.id, { enforcedShare: 0 }),
      ]);
      const changed = { plan: 'pro', thresholds, overage: false, monthlyQuota: null, requestsPerSecond: 7 };
      const { accounts, keys } = await store().changesSince(before);
      expect(accounts).toEqual([{ ...owner, ...changed, name: 'renamed' }]);
      expect(keys).toEqual([{ ...used, name: 'renamed', thresholds: null, enforcedShare: 0 }]);
    });

    it('change only while the directory is as it was read, and store no audit entry of what is not changed', async () => {
      const owner = account();
      const used = key(owner.id);
      await store().saveAccount(owner);
      await store().saveKey(used);
      const read = await store().directoryVersion();
      const entry = {
        at: NOW,
        by: 'jo@example.com',
        accountId: owner.id,
        action: 'a',
        target: '',
        detail: '',
      };
      const policy = { accountId: owner.id, weights: {}, createdAt: NOW, author: 'jo', note: '' };
      const changes = [
        (on: DirectoryChangeStore) => on.changeAccount(owner.id, { name: 'renamed' }, entry),
        (on: DirectoryChangeStore) => on.changeKey(used.id, { name: 'renamed' }, entry),
        (on: DirectoryChangeStore) => on.saveKey(key(owner.id), entry),
        (on: DirectoryChangeStore) => on.savePolicy(policy, () => entry),
      ];
      // The first change wins, and the others must be refused.
      for (let left = changes.length; left > 0; left -= 1) {
        const at = await store().directoryVersion();
        const done = await Promise.allSettled(changes.map((change) => change(store().ifDirectoryIs(at))));
        const refused = done.filter((each) => each.status === 'rejected');
        expect(refused.map(({ reason }) => reason)).toEqual(refused.map(() => expect.any(StaleVersion)));
        expect(done.length - refused.length).toBe(1);
        changes.splice(
          done.findIndex(({ status }) => status === 'fulfilled'),
          1,
        );
      }
      await expect(store().ifDirectoryIs(read).saveKey(key(owner.id), entry)).rejects.toThrow(StaleVersion);
      const { accounts, keys, policies } = await store().changesSince(read);
      expect([accounts, keys.length, policies]).toMatchObject([[{ name: 'renamed' }], 2, [policy]]);
      expect((await store().auditEntries(owner.id, null, 9)).entries).toHaveLength(4);
    });

    it('save no second account with a taken name, however many requests try at once', async () => {
      const before = await store().directoryVersion();
      const name = makeId('acc', NOW);
      const entryOf = (accountId: string) => {
        const change = { action: 'account_created', target: name, detail: '' };
        return { at: NOW, by: 'jo@example.com', accountId, ...change };
      };
      const accounts = Array.from({ length: 4 }, () => account({ name }));
      const saved = await Promise.all(
        accounts.map((each) => store().saveAccountOnce(each, entryOf(each.id))),
      );
      const [owner, ...others] = (await store().changesSince(before)).accounts;
      expect([saved.filter(Boolean), others]).toEqual([[true], []]);
      const logs = await Promise.all(accounts.map(({ id }) => store().auditEntries(id, null, 9)));
      expect(logs.flatMap(({ entries }) => entries)).toEqual([entryOf(owner?.id as string)]);
    });

    it('ignore changes to an unknown account or key', async () => {
      const version = await store().directoryVersion();
      await store().changeAccount('acc_nobody', { plan: 'pro' });
      await store().changeKey('key_nobody', { revokedAt: NOW });
      expect(await store().changesSince(version)).toMatchObject({ accounts: [], keys: [] });
    });

    it('keep the newest time of use, without a change to the directory', async () => {
      const owner = account();
      const before = await store().directoryVersion();
      await store().saveAccount(owner);
      const used = key(owner.id);
      await store().saveKey(used);
      const version = await store().directoryVersion();
      await store().storeLastUses('keys', new Map([[used.hash, NOW + 5]]));
      await store().storeLastUses('keys', new Map([[used.hash, NOW + 3]]));
      expect(await store().directoryVersion()).toBe(version);
      expect((await store().changesSince(before)).keys).toMatchObject([{ id: used.id, lastUsedAt: NOW + 5 }]);
    });

    it('keep expiry and ranges of a key, and end both', async () => {
      const limits = { expiresAt: NOW + 9, allowedRanges: ['203.0.113.0/24', '2001:db8::/32'] };
      const saved = await newAccountWithKey(limits);
      expect(await read(saved)).toEqual(saved);
      await store().changeKey(saved.id, { expiresAt: null });
      expect(await read(saved)).toEqual({ ...saved, expiresAt: null });
      await store().changeKey(saved.id, { allowedRanges: null });
      expect(await read(saved)).toEqual({ ...saved, expiresAt: null, allowedRanges: null });
    });

    it('rotate a key, with the uses of each secret apart', async () => {
      const saved = await newAccountWithKey();
      const fresh = makeId('key', NOW);
      await store().storeLastUses('keys', new Map([[saved.hash, NOW + 1]]));
      const version = await store().directoryVersion();
      await store().rotateKey(saved.id, {
        hash: fresh,
        prefix: 'sk_live_new1',
        at: NOW + 2,
        previousUntil: NOW + 9,
      });
      expect(await store().directoryVersion()).toBeGreaterThan(version);
      const previous = { hash: saved.hash, prefix: saved.prefix, lastUsedAt: NOW + 1, until: NOW + 9 };
      const rotated = { ...saved, hash: fresh, prefix: 'sk_live_new1', rotatedAt: NOW + 2, previous };
      expect(await read(saved)).toEqual(rotated);
      // Noted by a node before it knew of the rotation, and after.
      const uses = new Map([
        [saved.hash, NOW + 4],
        [fresh, NOW + 3],
      ]);
      await store().storeLastUses('keys', uses);
      const used = { ...rotated, lastUsedAt: NOW + 3, previous: { ...previous, lastUsedAt: NOW + 4 } };
      expect(await read(saved)).toEqual(used);
      expect((await store().changesSince(version)).keys).toEqual([used]);

      await store().endPreviousSecret(saved.id, NOW + 5);
      await store().endPreviousSecret(saved.id, NOW + 8);
      expect((await read(saved))?.previous?.until).toBe(NOW + 5);

      await store().swapSecrets(saved.id, NOW + 6);
      expect(await read(saved)).toEqual({
        ...saved,
        lastUsedAt: NOW + 4,
        rotatedAt: NOW + 6,
        previous: { hash: fresh, prefix: 'sk_live_new1', lastUsedAt: NOW + 3, until: NOW + 6 },
      });
    });

    it('store no audit entry of a secret that there is not', async () => {
      const saved = await newAccountWithKey();
      const entry = { at: NOW, by: 'jo@example.com', accountId: saved.accountId, target: '', detail: '' };
      await store().endPreviousSecret(saved.id, NOW, { ...entry, action: 'key.rotate_end' });
      await store().swapSecrets(saved.id, NOW, { ...entry, action: 'key.rotate_undo' });
      expect(await read(saved)).toEqual(saved);
      expect((await store().auditEntries(saved.accountId, null, 9)).entries).toEqual([]);
    });

    it('create the first account once per installation, also if several nodes try at the same time', async () => {
      const firsts = Array.from({ length: 4 }, () => account({ name: 'default' }));
      const made = await Promise.all(firsts.map((first) => store().saveFirstAccount(first, [key(first.id)])));
      expect(made.filter(Boolean)).toHaveLength(1);
      const { accounts, keys } = await store().changesSince(0);
      const id = firsts[made.indexOf(true)]?.id;
      expect(accounts.filter(({ name }) => name === 'default').map((account) => account.id)).toEqual([id]);
      expect(keys.filter(({ accountId }) => firsts.some((first) => first.id === accountId))).toMatchObject([
        { accountId: id },
      ]);
    });
  });
}

/** How every store must change the rules of several accounts: all of them, or none. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { aKey } from '../../test/support/a-key.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { ListChange, ListEntry } from '../model/list-entry.ts';
import type { AuditEntry } from './audit-store.ts';
import type { RuleChange } from './rule-change-store.ts';
import { StaleVersion } from './sql-database.ts';
import type { Store } from './store.ts';
import { savePlainAccount } from './store-people.suite.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);

export function describeRuleChanges(store: () => Store, makeId: MakeId): void {
  const newAccount = () => savePlainAccount(store(), makeId);
  const versions = async () => ({
    directory: await store().directoryVersion(),
    lists: await store().listsVersion(),
  });
  const audit = (accountId: string, action: string, target = 'x'): AuditEntry => {
    return { at: NOW, by: 'jo', accountId, action, target, detail: '' };
  };
  const listEntry = (accountId: string, value: string): ListEntry => ({
    id: makeId('lst', NOW),
    accountId,
    action: 'deny',
    kind: 'domain',
    value,
    shown: value,
    reason: 'why \u0000 & \ud800',
    author: 'jo',
    createdAt: NOW,
    expiresAt: null,
    hits: 0,
    lastHitAt: null,
  });
  const actionsOf = async (accountId: string) =>
    (await store().auditEntries(accountId, null, 50)).entries.map(
      ({ action, target }) => `${action} ${target}`,
    );

  /** One change of each kind. */
  async function scene() {
    const [accountId, other] = [await newAccount(), await newAccount()];
    const key = aKey({ id: makeId('key', NOW), accountId: other, hash: makeId('key', NOW) });
    await store().saveKey(key);
    const [old, fresh] = [listEntry(accountId, 'old.example'), listEntry(other, 'new.example')];
    await store().saveListEntry(old);
    const policy = { accountId, weights: { vpn: 5 }, createdAt: NOW, author: 'jo', note: '' };
    const changes: readonly RuleChange[] = [
      {
        of: 'account',
        id: accountId,
        thresholds: { challenge: 20, block: 50 },
        audit: audit(accountId, 'thresholds.set', 'account'),
      },
      {
        of: 'key',
        id: key.id,
        thresholds: { challenge: 21, block: 51 },
        audit: audit(other, 'thresholds.set', 'key'),
      },
      { of: 'weights', policy, audit: (version) => audit(accountId, 'policy.save', version) },
      { of: 'saved entry', entry: fresh, audit: audit(other, 'list.deny') },
      { of: 'removed entry', id: old.id, audit: audit(accountId, 'list.remove') },
      { of: 'removed entry', id: 'lst_nothing', audit: audit(accountId, 'list.remove', 'nothing') },
    ];
    return { accountId, other, key, old, fresh, policy, changes };
  }

  describe('rules', () => {
    it('of several accounts are changed together, as services find it, with the audit entries of what changed', async () => {
      const { accountId, other, key, old, fresh, policy, changes } = await scene();
      const before = await versions();
      await store().changeRules(before, changes);
      const { accounts, keys, policies } = await store().changesSince(before.directory);
      expect(accounts).toMatchObject([{ id: accountId, thresholds: { challenge: 20, block: 50 } }]);
      expect(keys).toMatchObject([{ id: key.id, thresholds: { challenge: 21, block: 51 } }]);
      expect(policies).toEqual([{ ...policy, version: 'custom-1' }]);
      const listed: ListChange[] = [];
      for await (const change of store().listChangesSince(before.lists)) listed.push(change);
      expect(listed).toEqual([{ removed: old.id }, { saved: fresh }]);
      expect(await actionsOf(accountId)).toEqual([
        'list.remove x',
        'policy.save custom-1',
        'thresholds.set account',
      ]);
      expect(await actionsOf(other)).toEqual(['list.deny x', 'thresholds.set key']);
    });

    it('are not changed at all where the directory or the lists changed meanwhile', async () => {
      const { accountId, other, changes } = await scene();
      const before = await versions();
      for (const stale of [
        { ...before, directory: before.directory - 1 },
        { ...before, lists: before.lists - 1 },
      ])
        await expect(store().changeRules(stale, changes)).rejects.toThrow(StaleVersion);
      expect(await versions()).toEqual(before);
      expect([await actionsOf(accountId), await actionsOf(other)]).toEqual([[], []]);
    });

    it('are not changed at all where one of them cannot be', async () => {
      const { accountId, other, changes } = await scene();
      const before = await versions();
      const impossible: RuleChange = {
        of: 'saved entry',
        entry: listEntry('acc_nobody', 'x.example'),
        audit: audit('acc_nobody', 'list.deny'),
      };
      await expect(store().changeRules(before, [...changes, impossible])).rejects.toThrow();
      expect(await versions()).toEqual(before);
      expect([await actionsOf(accountId), await actionsOf(other)]).toEqual([[], []]);
      expect(await store().policies(accountId)).toEqual([]);
    });
  });
}

/** How every store must keep policies and the audit log. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import type { MakeId } from '../contract/identifiers.ts';
import type { AuditEntry } from './audit-store.ts';
import type { Store } from './store.ts';
import { savePlainAccount } from './store-people.suite.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const HARD = 'Ünïcode \u0000 & a lone \ud800';

export function describePolicies(store: () => Store, makeId: MakeId): void {
  const newAccount = () => savePlainAccount(store(), makeId);

  describe('policies', () => {
    const policy = { weights: { tor: 12.5 }, createdAt: NOW, author: 'jo@example.com', note: HARD };

    it('are kept in all versions; the newest is active, and a change in the directory', async () => {
      const [accountId, other] = [await newAccount(), await newAccount()];
      const before = await store().directoryVersion();
      expect(await store().policies(accountId)).toEqual([]);
      const first = await store().savePolicy({ ...policy, accountId });
      expect(first).toEqual({ ...policy, accountId, version: 'custom-1' });
      const second = await store().savePolicy({ ...policy, accountId, weights: {} });
      await store().savePolicy({ ...policy, accountId: other });
      expect(await store().policies(accountId)).toEqual([second, first]);
      const { policies, version } = await store().changesSince(before);
      expect(policies.filter((policy) => policy.accountId === accountId)).toEqual([second]);
      expect(policies).toHaveLength(2);
      expect((await store().changesSince(version)).policies).toEqual([]);
    });

    it('each get their own version, also if they are saved at the same time', async () => {
      const accountId = await newAccount();
      const saved = await Promise.all(
        Array.from({ length: 8 }, () => store().savePolicy({ ...policy, accountId })),
      );
      expect(saved.map(({ version }) => version).sort()).toEqual(
        Array.from(saved, (_, at) => `custom-${at + 1}`),
      );
    });

    it('need their account', async () => {
      await expect(store().savePolicy({ ...policy, accountId: 'acc_nobody' })).rejects.toThrow();
    });
  });

  describe('the audit log', () => {
    it('lists entries newest first, page by page, for an account or the whole installation', async () => {
      const accountId = makeId('acc', NOW);
      const entry = (values: Partial<AuditEntry>): AuditEntry => ({
        at: NOW,
        by: 'jo@example.com',
        accountId,
        action: 'key.revoke',
        target: HARD,
        detail: '',
        ...values,
      });
      const own = [1, 2, 3, 4, 5].map((at) => entry({ at }));
      const whole = entry({ accountId: null, action: 'user.create', detail: accountId });
      for (const recorded of [...own, whole]) await store().audit(recorded);
      const first = await store().auditEntries(accountId, null, 3);
      const second = await store().auditEntries(accountId, first.next, 3);
      expect([...first.entries, ...second.entries]).toEqual(own.toReversed());
      expect([first.entries.length, second.next]).toEqual([3, null]);
      expect((await store().auditEntries(null, null, 1)).entries).toEqual([whole]);
    });
  });
}

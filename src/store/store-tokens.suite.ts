/** How every store must save tokens of the management API. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { anAccount } from '../../test/support/an-account.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { ManageToken } from '../model/manage-token.ts';
import type { Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);

export function describeTokens(store: () => Store, makeId: MakeId): void {
  const newToken = (values: Partial<ManageToken> = {}): ManageToken => ({
    id: makeId('tok', NOW),
    name: 'terraform',
    hash: makeId('tok', NOW),
    prefix: 'gatehouse_token_Ab3x',
    scopes: ['keys:read', 'lists:write'],
    accountId: null,
    createdBy: 'jo \u0000 🦊',
    createdAt: NOW,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    ...values,
  });
  const tokensSince = async (version: number) => (await store().changesSince(version)).tokens;

  describe('tokens', () => {
    it('are read as they were saved, among the changes after a version', async () => {
      const accountId = makeId('acc', NOW);
      await store().saveAccount(anAccount({ id: accountId, plan: 'free', createdAt: NOW }));
      const before = await store().directoryVersion();
      const saved = [newToken(), newToken({ accountId, expiresAt: NOW + 1, scopes: ['audit:read'] })];
      for (const token of saved) await store().saveToken(token);
      expect(await tokensSince(before)).toEqual(saved);
      expect(await tokensSince(await store().directoryVersion())).toEqual([]);
    });

    it('need the account that they are bound to, and a unique hash', async () => {
      await expect(store().saveToken(newToken({ accountId: 'acc_nobody' }))).rejects.toThrow();
      const token = newToken();
      await store().saveToken(token);
      await expect(store().saveToken(newToken({ hash: token.hash }))).rejects.toThrow();
    });

    it('are revoked once, and do not change when their use is recorded', async () => {
      const token = newToken();
      await store().saveToken(token);
      const before = await store().directoryVersion();
      await store().revokeToken(token.id, NOW + 1);
      await store().revokeToken(token.id, NOW + 2);
      const version = await store().directoryVersion();
      await store().storeLastUses(
        'manage_tokens',
        new Map([
          [token.id, NOW + 9],
          ['tok_nobody', NOW],
        ]),
      );
      await store().storeLastUses('manage_tokens', new Map([[token.id, NOW + 3]]));
      await store().storeLastUses('manage_tokens', new Map());
      expect(await store().directoryVersion()).toBe(version);
      expect(await tokensSince(before)).toEqual([{ ...token, revokedAt: NOW + 1, lastUsedAt: NOW + 9 }]);
    });
  });
}

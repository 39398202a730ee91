/** How every store must save hooks. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { anAccount } from '../../test/support/an-account.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { Hook } from '../model/hook.ts';
import type { AuditEntry } from './audit-store.ts';
import type { Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);

export function describeHooks(store: () => Store, makeId: MakeId): void {
  describe('hooks', () => {
    const newHook = (accountId: string, values: Partial<Hook> = {}): Hook => ({
      id: makeId('hk', NOW),
      accountId,
      provider: 'supabase',
      name: 'signup form',
      mode: 'live',
      secrets: { current: 'encrypted', previous: null },
      reach: 'public',
      challengeAs: 'allow',
      onError: 'deny',
      createdAt: NOW,
      lastUsedAt: null,
      revokedAt: null,
      ...values,
    });
    async function newAccount(): Promise<string> {
      const id = makeId('acc', NOW);
      await store().saveAccount(anAccount({ id, plan: 'free', createdAt: NOW }));
      return id;
    }

    it('are read as they were saved, among the changes after a version', async () => {
      const account = await newAccount();
      const before = await store().directoryVersion();
      const secrets = { current: null, previous: { text: 'older', until: NOW + 1 } };
      const saved = [newHook(account), newHook(account, { secrets, mode: 'test', reach: 'anywhere' })];
      for (const hook of saved) await store().saveHook(hook);
      const changes = await store().changesSince(before);
      expect(changes.hooks).toEqual(saved);
      expect(changes.version).toBeGreaterThan(before);
      expect((await store().changesSince(changes.version)).hooks).toEqual([]);
    });

    it('change only in the named members, and stay revoked', async () => {
      const hook = newHook(await newAccount());
      await store().saveHook(hook);
      const before = await store().directoryVersion();
      const entry: AuditEntry = {
        at: NOW,
        by: 'jo@example.com',
        accountId: hook.accountId,
        action: 'hook.rotate',
        target: 'supabase hook signup form',
        detail: '',
      };
      const secrets = { current: 'newer', previous: { text: 'encrypted', until: NOW + 5 } };
      await store().changeHook(hook.id, { secrets, reach: 'anywhere' }, entry);
      await store().changeHook(hook.id, { revokedAt: NOW });
      await store().changeHook(hook.id, { revokedAt: NOW + 1 });
      await store().changeHook('hk_nobody', { revokedAt: NOW }, entry);
      expect((await store().changesSince(before)).hooks).toEqual([
        { ...hook, secrets, reach: 'anywhere', revokedAt: NOW },
      ]);
      expect((await store().auditEntries(hook.accountId, null, 9)).entries).toEqual([entry]);
    });

    it('are not saved if their name is taken, unless the other hook is revoked', async () => {
      const account = await newAccount();
      const attempts = Array.from({ length: 4 }, () => store().saveHookOnce(newHook(account)));
      expect((await Promise.all(attempts)).filter(Boolean)).toEqual([true]);
      expect(await store().saveHookOnce(newHook(account, { mode: 'test' }))).toBe(true);
      expect(await store().saveHookOnce(newHook(account, { provider: 'okta' }))).toBe(true);
      expect(await store().saveHookOnce(newHook(await newAccount()))).toBe(true);
      const { hooks } = await store().changesSince(0);
      const first = hooks.find(({ accountId }) => accountId === account) as Hook;
      await store().changeHook(first.id, { revokedAt: NOW });
      expect(await store().saveHookOnce(newHook(account))).toBe(true);
    });

    it('need their account, and do not change when their use is recorded', async () => {
      await expect(store().saveHook(newHook('acc_nobody'))).rejects.toThrow();
      const hook = newHook(await newAccount());
      const before = await store().directoryVersion();
      await store().saveHook(hook);
      const version = await store().directoryVersion();
      await store().storeLastUses(
        'hooks',
        new Map([
          [hook.id, NOW + 9],
          ['hk_nobody', NOW],
        ]),
      );
      await store().storeLastUses('hooks', new Map([[hook.id, NOW + 3]]));
      await store().storeLastUses('hooks', new Map());
      expect(await store().directoryVersion()).toBe(version);
      expect((await store().changesSince(before)).hooks).toEqual([{ ...hook, lastUsedAt: NOW + 9 }]);
    });
  });
}

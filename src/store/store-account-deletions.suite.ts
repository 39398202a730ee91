/** Duties of every store when an account is deleted. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { aLearnedCampaign } from '../../test/support/a-campaign.ts';
import { aKey } from '../../test/support/a-key.ts';
import { aUsualDomain } from '../../test/support/a-usual-domain.ts';
import { anAccount } from '../../test/support/an-account.ts';
import { anAssessment } from '../../test/support/an-assessment.ts';
import { joinAccount } from '../../test/support/join-account.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { hashOfAccount } from './account-deletion-store.ts';
import type { Account, Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const MONTH = '2026-05';
const ASSESSMENTS = 70;
const EMPTY = {
  keys: 0,
  hooks: 0,
  tokens: 0,
  listEntries: 0,
  campaigns: 0,
  policies: 0,
  feedback: 0,
  challenges: 0,
  auditEntries: 0,
  members: 0,
  users: 0,
  invitations: 0,
  credits: 0,
};

export function describeAccountDeletions(store: () => Store, makeId: MakeId): void {
  describe('an account that is deleted', () => {
    async function makeAccount(): Promise<Account> {
      const account = anAccount({ id: makeId('acc', NOW), name: 'gone', createdAt: NOW });
      await store().saveAccount(account);
      return account;
    }

    async function addUser(accountId: string): Promise<string> {
      const id = makeId('usr', NOW);
      const email = `${id}@example.com`;
      const tokenHash = makeId('inv', NOW);
      const invitation = { id: tokenHash, tokenHash, email, accountId, role: 'owner' as const };
      await store().saveInvitation({ ...invitation, invitedBy: 'b', expiresAt: NOW + 1e9, acceptedAt: null });
      const user = { id, email, name: 'Jo', passwordHash: 'h' };
      expect(await store().joinAsNewUser(user, tokenHash, NOW)).toBe(true);
      return id;
    }

    /** Stores a row of every kind. @returns ids of the assessments */
    async function furnish({ id: accountId }: Account): Promise<string[]> {
      const key = aKey({ id: makeId('key', NOW), accountId, createdAt: NOW });
      await store().saveKey(key);
      await store().savePolicy({ accountId, weights: {}, createdAt: NOW, author: 'jo', note: '' });
      for (const value of ['a.example', 'b.example', 'c.example'])
        await store().saveListEntry({
          id: makeId('lst', NOW),
          accountId,
          action: 'deny',
          kind: 'domain',
          value,
          shown: value,
          reason: null,
          author: 'jo',
          createdAt: NOW,
          expiresAt: null,
          hits: 0,
          lastHitAt: null,
        });
      await store().audit({ at: NOW, by: 'jo', accountId, action: 'key.create', target: 'form', detail: '' });
      const requestIds = Array.from({ length: ASSESSMENTS }, () => makeId('req', NOW));
      await Promise.all(
        requestIds.map((requestId) => store().record(anAssessment({ requestId, accountId, at: NOW }))),
      );
      const [requestId = ''] = requestIds;
      await store().saveFeedback({ requestId, outcome: 'false_positive', note: 'n', keyId: key.id, at: NOW });
      for (const domain of ['one.example', 'two.example'])
        await store().saveLearned(aLearnedCampaign(accountId, domain));
      await store().saveMailboxUses(
        ['a', 'b', 'c'].map((address) => {
          return { accountId, mailbox: 'm', address, at: NOW, isBlocked: false };
        }),
      );
      await store().saveUsualDomain(aUsualDomain(accountId, 'uni.example'));
      const { id: campaignId } = aLearnedCampaign(accountId, 'one.example');
      await store().saveCampaignReport({
        campaignId,
        accountId,
        requestId,
        outcome: 'false_positive',
        at: NOW,
      });
      await store().openChallenge({ requestId, accountId, expiresAt: NOW, at: NOW, returnUrl: null });
      const claim = { accountId, mode: 'live' as const, operation: 'feedback' as const, keyHash: 'k' };
      const answered = { claim: { ...claim, bodyDigest: 'd', requestId, at: NOW }, answer: '{}' };
      if ((await store().claimKey(answered.claim)).outcome === 'claimed')
        await store().saveFeedbackOnce(
          { requestId, outcome: 'false_positive', note: 'n', keyId: key.id, at: NOW },
          answered,
        );
      return requestIds;
    }

    const isStored = async (accountId: string, requestId: string) =>
      (await store().findStored(requestId, { accountId, mode: 'live' })) !== undefined;
    const removeAll = async (id: string) => {
      while (await store().removeAccountRows(id, 2));
      while (!(await store().removeAccountAssessments(id)));
    };
    const knows = async ({ id }: Account) =>
      (await store().changesSince(0)).accounts.some((account) => account.id === id);

    it('is marked, then deleted in small steps; only a hash remains, and other accounts keep everything', async () => {
      const [gone, other] = [await makeAccount(), await makeAccount()];
      const [requestIds, kept] = [await furnish(gone), await furnish(other)];
      const [lonely, shared] = [await addUser(gone.id), await addUser(gone.id)];
      await joinAccount(store(), { userId: shared, accountId: other.id, role: 'member' });
      expect(await store().accountContents(gone.id)).toEqual({
        keys: 1,
        hooks: 0,
        tokens: 0,
        listEntries: 3,
        campaigns: 2,
        policies: 1,
        feedback: 1,
        challenges: 1,
        auditEntries: 1,
        members: 2,
        users: 1,
        invitations: 2,
        credits: ASSESSMENTS,
      });
      const untouched = await store().accountContents(other.id);
      const [version, listsVersion] = [await store().directoryVersion(), await store().listsVersion()];

      const entry = {
        at: NOW,
        by: 'op',
        accountId: null,
        action: 'account_deleted',
        target: 't',
        detail: '',
      };
      await store().beginAccountDeletion(gone.id, NOW, entry);
      await store().beginAccountDeletion(gone.id, NOW + 1, entry);
      await store().beginAccountDeletion('acc_nobody', NOW, entry);
      const log = (await store().auditEntries(null, null, 100)).entries;
      expect(log.filter(({ action }) => action === 'account_deleted')).toEqual([entry]);
      expect(await store().findAccountDeletion(gone.id)).toEqual({ at: NOW, isDone: false });
      expect(await store().findAccountDeletion(other.id)).toBeUndefined();
      expect(await store().unfinishedDeletions()).toEqual([gone.id]);
      const { removedAccounts, accounts, keys } = await store().changesSince(version);
      expect({ removedAccounts, accounts, keys }).toEqual({
        removedAccounts: [hashOfAccount(gone.id)],
        accounts: [],
        keys: [],
      });
      expect([await knows(gone), await knows(other)]).toEqual([false, true]);
      expect(await store().findUser(lonely)).toBeUndefined();
      expect(await store().findUser(shared)).toMatchObject({ homeAccount: null, invitedBy: null });
      expect(await store().memberships({ userId: shared })).toMatchObject([{ accountId: other.id }]);

      // A slow request may still store this.
      expect(await store().finishAccountDeletion(gone.id)).toBe(false);
      await removeAll(gone.id);
      const late = makeId('req', NOW);
      await store().record(anAssessment({ requestId: late, accountId: gone.id, at: NOW }));
      await removeAll(gone.id);
      expect(await store().finishAccountDeletion(gone.id)).toBe(true);

      expect(await store().accountContents(gone.id)).toEqual(EMPTY);
      for (const requestId of [...requestIds, late]) expect(await isStored(gone.id, requestId)).toBe(false);
      expect((await store().findAssessments(gone.id, {}, null, 10)).rows).toEqual([]);
      expect(await store().listEntries(gone.id)).toEqual([]);
      const removals = [];
      for await (const change of store().listChangesSince(listsVersion))
        if ('removed' in change) removals.push(change.removed);
      expect(removals).toHaveLength(3);
      expect(await store().creditsUsed(gone.id, MONTH)).toBe(0);
      expect(await store().findAccountDeletion(gone.id)).toEqual({ at: NOW, isDone: true });
      expect(await store().unfinishedDeletions()).toEqual([]);

      expect(await store().accountContents(other.id)).toEqual({ ...untouched, members: 1, users: 1 });
      for (const requestId of kept) expect(await isStored(other.id, requestId)).toBe(true);
      const found = await store().findAssessments(other.id, {}, null, 100);
      expect(found.rows.map(({ requestId }) => requestId).sort()).toEqual(kept.toSorted());
      expect(await store().findFeedback(kept[0] as string)).toBeDefined();
    });

    it('is found in cached texts', async () => {
      const expiresAt = Date.UTC(2100, 0, 1);
      for (const [name, text] of [
        ['part:a', 'of acc_x1'],
        ['part:b', 'of acc_y2'],
        ['part:c', 'acc_x1'],
      ] as const)
        store().cache.set(name, text, expiresAt);
      await expect.poll(async () => (await store().cache.read('part:c'))?.text).toBe('acc_x1');
      const between = { after: 'part:', to: 'part;' };
      expect(await store().cachedTextsWith('acc_x1', between, 2)).toEqual([
        { name: 'part:a', found: true },
        { name: 'part:b', found: false },
      ]);
      expect(await store().cachedTextsWith('acc_x1', { ...between, after: 'part:b' }, 2)).toEqual([
        { name: 'part:c', found: true },
      ]);
    });
  });
}

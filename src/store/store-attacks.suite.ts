/** How every store must save what people did about attacks. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { aLearnedCampaign } from '../../test/support/a-campaign.ts';
import { aDestination } from '../../test/support/a-destination.ts';
import { anAccount } from '../../test/support/an-account.ts';
import { aSighting } from '../../test/support/an-alert.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { Campaign, CampaignAction } from '../model/campaign.ts';
import type { AttackAction } from './attack-action-store.ts';
import type { Store } from './store.ts';
import { audited } from './store-destinations.suite.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 0);
const ATTACK = 'cmp_Ünïcode';

export function describeAttacks(store: () => Store, makeId: MakeId): void {
  describe('actions about attacks', () => {
    async function newAccount(): Promise<string> {
      const id = makeId('acc', NOW);
      const account = anAccount({ id, name: 'attacks', createdAt: NOW });
      await store().saveAccount(account);
      return id;
    }
    async function act(accountId: string, at = NOW, attack = ATTACK) {
      const action = anAction(accountId, attack, at);
      await store().saveDestination(aDestination(accountId), { ...audited(accountId), undo: action });
      return action;
    }
    function anAction(accountId: string, attack: string, at: number): AttackAction {
      const report = {
        id: 'req_Ünï "\u0000',
        mark: { at, outcome: 'false_negative' as const },
        before: null,
      };
      return {
        id: makeId('act', at),
        accountId,
        attack,
        at,
        undo: { reports: [report], entries: [], decisions: [] },
      };
    }
    const ofAttack = (accountId: string) => store().attackActions(accountId, ATTACK);

    it('are read newest first, by their own account alone, until they are taken back', async () => {
      const accountId = await newAccount();
      const first = await act(accountId);
      const second = await act(accountId, NOW + 1);
      await act(accountId, NOW, 'cmp_other');
      expect(await ofAttack(accountId)).toEqual([second, first]);
      expect(await ofAttack(await newAccount())).toEqual([]);
      await store().removeAttackAction('acc_other', first.id);
      await store().removeAttackAction(accountId, second.id);
      expect(await ofAttack(accountId)).toEqual([first]);
      await expect(act('acc_nobody')).rejects.toThrow();
    });

    it('are saved with their change alone, and changed', async () => {
      const accountId = await newAccount();
      const missing = { ...audited(accountId), undo: anAction(accountId, ATTACK, NOW) };
      await store().changeDestination(accountId, 'dst_none', { name: 'b' }, missing);
      expect(await ofAttack(accountId)).toEqual([]);
      const action = await act(accountId);
      const nothing = { reports: [], entries: [], decisions: [] };
      await store().changeAttackAction('acc_other', action.id, nothing);
      expect(await ofAttack(accountId)).toEqual([action]);
      await store().changeAttackAction(accountId, action.id, nothing);
      expect(await store().attackActions(accountId)).toEqual([{ ...action, undo: nothing }]);
    });

    it('are removed when they are old, a few at a time', async () => {
      const accountId = await newAccount();
      const young = await act(accountId, NOW + 9);
      for (const at of [1, 2, 3]) await act(accountId, at);
      expect(await store().pruneAttackActions(9, 2)).toBe(2);
      while ((await store().pruneAttackActions(9, 2)) > 0);
      expect(await ofAttack(accountId)).toEqual([young]);
    });

    it('find an alert of the account itself', async () => {
      const accountId = await newAccount();
      const alert = await store().seeAlert(makeId('alr', NOW), aSighting(accountId), () => ({}));
      expect(await store().findAlert(accountId, alert?.id as string)).toEqual(alert);
      expect(await store().findAlert(await newAccount(), alert?.id as string)).toBeUndefined();
    });

    it('put a decision back exactly, unless somebody decided since', async () => {
      const learned = aLearnedCampaign(await newAccount(), 'postfarm.example');
      const open = (await store().saveLearned(learned)) as Campaign;
      const decide = (action: CampaignAction, at: number) =>
        store().decideCampaign(open.accountId, open.id, { action, by: 'an', note: '', at });
      await decide('confirm', NOW);
      expect(await store().restoreDecision(open, NOW)).toEqual(open);
      const silent = await store().endSilent(open.id, { lastAt: open.lastAt, at: NOW });
      await decide('dismiss', NOW + 1);
      expect(await store().restoreDecision(silent as Campaign, NOW + 1)).toEqual(silent);
      await decide('confirm', NOW + 2);
      await decide('confirm', NOW + 3);
      expect(await store().restoreDecision(open, NOW + 2)).toBeUndefined();
      expect(await store().findCampaign(open.accountId, open.id)).toMatchObject({ decidedAt: NOW + 3 });
    });
  });
}

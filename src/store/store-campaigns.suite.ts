/** How every store must save campaigns. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { aLearnedCampaign, asOpened } from '../../test/support/a-campaign.ts';
import { anAccount } from '../../test/support/an-account.ts';
import { anAssessment } from '../../test/support/an-assessment.ts';
import type { Label } from '../contract/dashboard-assessments.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { Campaign, CampaignAction, LearnedCampaign } from '../model/campaign.ts';
import type { Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const BY = 'jo@example.com';
const NOTE = 'Ünïcode \u0000 & a lone \ud800';

export function describeCampaigns(store: () => Store, makeId: MakeId): void {
  describe('campaigns', () => {
    async function newAccount(): Promise<string> {
      const id = makeId('acc', NOW);
      await store().saveAccount(anAccount({ id, name: 'waves', createdAt: NOW }));
      return id;
    }

    async function opened(fields: Partial<LearnedCampaign> = {}): Promise<Campaign> {
      const saved = await store().saveLearned(
        aLearnedCampaign(await newAccount(), 'postfarm.example', fields),
      );
      return saved as Campaign;
    }

    const decide = ({ accountId, id }: Campaign, action: CampaignAction, at = NOW) =>
      store().decideCampaign(accountId, id, { action, by: BY, note: NOTE, at });
    const find = ({ accountId, id }: Campaign) => store().findCampaign(accountId, id);
    const report = (
      { accountId, id: campaignId }: Campaign,
      outcome: Label | null,
      requestId = makeId('req', NOW),
    ) => store().saveCampaignReport({ campaignId, accountId, requestId, outcome, at: NOW });

    async function changesSince(version: number): Promise<Campaign[]> {
      const changed: Campaign[] = [];
      for await (const campaign of store().campaignChangesSince(version)) changed.push(campaign);
      return changed;
    }

    it('are read as they were saved, by their own account alone', async () => {
      const learned = aLearnedCampaign(await newAccount(), 'postfarm.example', { families: [] });
      const saved = await store().saveLearned(learned);
      expect(saved).toEqual(asOpened(learned));
      expect(await store().findCampaign(learned.accountId, learned.id)).toEqual(saved);
      expect(await store().findCampaign(await newAccount(), learned.id)).toBeUndefined();
      for (const id of ['', 'cmp_', '\u0000', "' OR 1=1 --"])
        expect(await store().findCampaign(learned.accountId, id)).toBeUndefined();
    });

    it('refuse an account that is not there', async () => {
      await expect(store().saveLearned(aLearnedCampaign('acc_nobody', 'postfarm.example'))).rejects.toThrow();
    });

    it('grow, and never lose members to somebody who saw fewer', async () => {
      const first = await opened();
      const more = { ...first, members: 30, stopped: 21, decades: 20.1, families: ['names'] as const };
      const grown = await store().saveLearned({ ...more, lastAt: first.lastAt + 5 });
      expect(grown).toEqual({ ...first, ...more, lastAt: first.lastAt + 5 });
      // A node that starts again learns from the beginning.
      const late = { ...first, members: 5, letIn: 8, decades: 1, usual: 0.5, networks: 1 };
      expect(await store().saveLearned(late)).toEqual({ ...grown, letIn: 8 });
    });

    it('are one for each key of an account, however many open it at once', async () => {
      const accountId = await newAccount();
      const all = [1, 2, 3, 4].map((since) =>
        aLearnedCampaign(accountId, 'postfarm.example', { since: NOW + since }),
      );
      const saved = await Promise.all(all.map((learned) => store().saveLearned(learned)));
      expect(saved.filter((campaign) => campaign !== undefined)).toHaveLength(1);
      expect((await store().campaigns(accountId, { limit: 10 })).campaigns).toHaveLength(1);
      const other = aLearnedCampaign(await newAccount(), 'postfarm.example', { since: NOW });
      expect(await store().saveLearned(other)).toEqual(asOpened(other));
    });

    it('keep the decision of a person, whatever is learned later', async () => {
      const campaign = await opened();
      const confirmed = await decide(campaign, 'confirm');
      const decided = { decision: 'confirmed', decidedAt: NOW, decidedBy: BY, decidedNote: NOTE } as const;
      expect(confirmed).toEqual({ ...campaign, ...decided });
      const grown = await store().saveLearned({ ...campaign, members: 31 });
      expect(grown).toEqual({ ...campaign, ...decided, members: 31 });
    });

    it('stay dismissed: neither it nor another one with its key opens', async () => {
      const campaign = await opened();
      const ended = { at: NOW, by: BY, reason: 'person' } as const;
      expect(await decide(campaign, 'dismiss')).toMatchObject({
        state: 'ended',
        ended,
        decision: 'dismissed',
      });
      const again = aLearnedCampaign(campaign.accountId, 'postfarm.example', { since: NOW + 1 });
      for (const learned of [campaign, again]) expect(await store().saveLearned(learned)).toBeUndefined();
      expect(await find(campaign)).toMatchObject({ state: 'ended', decision: 'dismissed', members: 9 });
    });

    it('may open again after an end, as another one', async () => {
      const campaign = await opened();
      expect(await decide(campaign, 'end')).toMatchObject({ state: 'ended', decision: '' });
      expect(await decide(campaign, 'end', NOW + 1)).toBeUndefined();
      expect(await store().saveLearned({ ...campaign, members: 50 })).toBeUndefined();
      const again = aLearnedCampaign(campaign.accountId, 'postfarm.example', { since: NOW + 1 });
      expect(await store().saveLearned(again)).toEqual(asOpened(again));
      // Two open ones with one key would decide in an order that nobody knows.
      for (const action of ['reopen', 'confirm'] as const)
        expect(await decide(campaign, action)).toBeUndefined();
      expect(await find(campaign)).toMatchObject({ state: 'ended', ended: { at: NOW, reason: 'person' } });
    });

    it.each(['confirm', 'dismiss', 'end'] as const)('are as before after %s and reopen', async (action) => {
      const campaign = await opened();
      await decide(campaign, action);
      expect(await decide(campaign, 'reopen')).toEqual(campaign);
      expect(await find(campaign)).toEqual(campaign);
    });

    it('end in silence, but not if somebody saw a newer member', async () => {
      const campaign = await opened();
      const { id, lastAt } = campaign;
      expect(await store().endSilent(id, { lastAt: lastAt - 1, at: NOW })).toBeUndefined();
      const ended = { at: NOW, by: '', reason: 'silence' } as const;
      expect(await store().endSilent(id, { lastAt, at: NOW })).toEqual({
        ...campaign,
        state: 'ended',
        ended,
      });
      expect(await store().endSilent(id, { lastAt, at: NOW + 1 })).toBeUndefined();
      expect(await decide(campaign, 'dismiss', NOW + 9)).toMatchObject({ ended, decision: 'dismissed' });
    });

    it('are decided with an audit entry, or not at all', async () => {
      const campaign = await opened();
      const { accountId, id } = campaign;
      const change = { action: 'dismiss', by: BY, note: NOTE, at: NOW } as const;
      const entry = { at: NOW, by: BY, accountId, action: 'campaign.dismiss', target: id, detail: '' };
      const entries = async () => (await store().auditEntries(accountId, null, 9)).entries;
      expect(await store().decideCampaign('acc_other', id, change, entry)).toBeUndefined();
      expect(await entries()).toEqual([]);
      const refused = { ...entry, at: null as unknown as number };
      await expect(store().decideCampaign(accountId, id, change, refused)).rejects.toThrow();
      expect(await find(campaign)).toEqual(campaign);
      await store().decideCampaign(accountId, id, change, entry);
      expect(await entries()).toEqual([entry]);
    });

    describe('with reports', () => {
      it('count each member once, as reported last', async () => {
        const campaign = await opened();
        const requestId = makeId('req', NOW);
        for (const _ of [1, 2])
          expect(await report(campaign, 'false_positive', requestId)).toMatchObject({ goodReports: 1 });
        const fraud = { goodReports: 0, fraudReports: 1, state: 'open' };
        expect(await report(campaign, 'confirmed_fraud', requestId)).toMatchObject(fraud);
        expect(await report(campaign, 'false_negative')).toMatchObject({ fraudReports: 2 });
        expect(await report({ ...campaign, accountId: 'acc_other' }, 'false_positive')).toBeUndefined();
        expect(await find(campaign)).toMatchObject({ goodReports: 0, fraudReports: 2 });
      });

      it('end by two good customers, and open again when they are reported as fraud', async () => {
        const campaign = await opened();
        const requestId = makeId('req', NOW);
        expect(await report(campaign, 'false_positive')).toMatchObject({ state: 'open' });
        const ended = { state: 'ended', ended: { at: NOW, by: '', reason: 'good_reports' } };
        expect(await report(campaign, 'false_positive', requestId)).toMatchObject(ended);
        expect(await report(campaign, 'confirmed_fraud', requestId)).toMatchObject({
          goodReports: 1,
          state: 'open',
          ended: null,
        });
      });

      it('do not end by two of more than forty members, nor against a person', async () => {
        const large = await opened({ members: 41 });
        const confirmed = await opened();
        await decide(confirmed, 'confirm');
        for (const campaign of [large, confirmed]) {
          await report(campaign, 'false_positive');
          expect(await report(campaign, 'false_positive')).toMatchObject({ goodReports: 2, state: 'open' });
        }
        expect(await report(large, 'false_positive')).toMatchObject({ state: 'ended' });
      });

      it('stay dismissed when reports change', async () => {
        const campaign = await opened();
        const requestIds = [makeId('req', NOW), makeId('req', NOW)];
        for (const requestId of requestIds) await report(campaign, 'false_positive', requestId);
        await decide(campaign, 'dismiss');
        for (const requestId of requestIds) await report(campaign, 'confirmed_fraud', requestId);
        expect(await find(campaign)).toMatchObject({ state: 'ended', goodReports: 0, fraudReports: 2 });
      });

      it('count on under the new id of an erased signup', async () => {
        const campaign = await opened();
        const { accountId } = campaign;
        const stored = anAssessment({ accountId, requestId: makeId('req', NOW), at: NOW });
        await store().record(stored);
        await report(campaign, 'false_positive', stored.requestId);
        const { cap: _, claim: __, ...rest } = stored;
        const replacement = { ...rest, requestId: makeId('req', NOW) };
        await store().anonymizeAssessments([{ erasedId: stored.requestId, replacement }]);
        expect(await report(campaign, 'false_positive', replacement.requestId)).toMatchObject({
          goodReports: 1,
          state: 'open',
        });
      });
    });

    it('are listed by account and state, newest first, page by page', async () => {
      const accountId = await newAccount();
      const all: Campaign[] = [];
      for (const at of [1, 2, 3, 4, 5]) {
        const learned = aLearnedCampaign(accountId, `${at}.example`, { since: NOW + at });
        all.unshift((await store().saveLearned(learned)) as Campaign);
      }
      const [newest, second, third] = all as [Campaign, Campaign, Campaign];
      await decide(second, 'end');
      const ids = ({ campaigns }: { readonly campaigns: readonly Campaign[] }) =>
        campaigns.map(({ id }) => id);
      const first = await store().campaigns(accountId, { state: 'open', limit: 2 });
      expect(ids(first)).toEqual([newest.id, third.id]);
      const rest = await store().campaigns(accountId, { state: 'open', after: first.next, limit: 2 });
      expect(ids(rest)).toEqual(all.slice(3).map(({ id }) => id));
      expect(rest.next).toBeNull();
      expect(ids(await store().campaigns(accountId, { state: 'ended', limit: 2 }))).toEqual([second.id]);
      expect(ids(await store().campaigns(accountId, { limit: 9 }))).toEqual(all.map(({ id }) => id));
      expect(ids(await store().campaigns(await newAccount(), { limit: 9 }))).toEqual([]);
    });

    it('are found after a version, whoever changed them and how', async () => {
      const campaign = await opened();
      for (const change of [
        () => store().saveLearned({ ...campaign, members: 10 }),
        () => report(campaign, 'false_positive'),
        () => decide(campaign, 'confirm'),
        () => store().blankCampaignScopes([campaign.id]),
        () => store().endSilent(campaign.id, { lastAt: campaign.lastAt, at: NOW }),
      ]) {
        const before = await store().campaignsVersion();
        await change();
        expect(await store().campaignsVersion()).toBeGreaterThan(before);
        expect(await changesSince(before)).toEqual([await find(campaign)]);
        expect(await changesSince(await store().campaignsVersion())).toEqual([]);
      }
      expect(await find(campaign)).toMatchObject({ scopeText: '', members: 10, goodReports: 1 });
    });

    it('lose the names of networks after a while, and no others', async () => {
      const accountId = await newAccount();
      const save = (scope: LearnedCampaign['scope'], scopeText: string, lastAt = 2) =>
        store().saveLearned(aLearnedCampaign(accountId, scopeText, { scope, scopeText, lastAt }));
      const [range, address, domain, recent] = (await Promise.all([
        save('range', '203.0.113.0/24'),
        save('address', '203.0.113.7'),
        save('domain', 'postfarm.example'),
        save('range', '198.51.100.0/24', NOW),
      ])) as [Campaign, Campaign, Campaign, Campaign];
      const before = await store().campaignsVersion();
      while ((await store().blankOldCampaigns(3, 1)) > 0);
      for (const campaign of [range, address])
        expect(await find(campaign)).toEqual({ ...campaign, scopeText: '' });
      for (const campaign of [domain, recent]) expect(await find(campaign)).toEqual(campaign);
      expect((await changesSince(before)).map(({ id }) => id).sort()).toEqual([range.id, address.id].sort());
    });

    it('are removed when they ended long ago, except those that people dismissed', async () => {
      const accountId = await newAccount();
      const [ended, dismissed, open, recent] = (await Promise.all(
        ['ended', 'dismissed', 'open', 'recent'].map((word) =>
          store().saveLearned(
            aLearnedCampaign(accountId, `${word}.example`, { lastAt: word === 'recent' ? NOW : 2 }),
          ),
        ),
      )) as [Campaign, Campaign, Campaign, Campaign];
      await report(ended, 'false_positive');
      for (const campaign of [ended, recent]) await decide(campaign, 'end');
      await decide(dismissed, 'dismiss');
      let pruned = 0;
      for (let last = 1; last > 0; pruned += last) last = await store().pruneCampaigns(3, 1);
      expect(pruned).toBe(1);
      expect(await find(ended)).toBeUndefined();
      for (const campaign of [dismissed, open, recent]) expect(await find(campaign)).toBeDefined();
    });
  });
}

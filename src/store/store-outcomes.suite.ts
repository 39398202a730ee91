/** How every store must keep what became of signups. */
import { describe, expect, it } from 'vitest';
import { aLearnedCampaign } from '../../test/support/a-campaign.ts';
import { anAssessment } from '../../test/support/an-assessment.ts';
import { createMakeId, type MakeId } from '../contract/identifiers.ts';
import type { NewOutcome, OutcomeSearch } from './outcome-store.ts';
import type { Store } from './store.ts';
import { savePlainAccount } from './store-people.suite.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const LONG_AGO = NOW - 400 * 86_400_000;
const NONE = { verified: 0, never_verified: 0, bounced: 0, complained: 0, paid: 0, banned: 0 };

export function describeOutcomes(store: () => Store, makeId: MakeId): void {
  async function anOutcome(values: Partial<NewOutcome> = {}): Promise<NewOutcome> {
    const accountId = values.accountId ?? (await savePlainAccount(store(), makeId));
    const at = values.assessedAt ?? NOW;
    // A maker of ids never goes back in time.
    const requestId = createMakeId()('req', at);
    await store().record(anAssessment({ requestId, accountId, at, verdict: 'block' }));
    return {
      requestId,
      accountId,
      mode: 'live',
      outcome: 'verified',
      at: NOW + 1_000,
      keyId: 'key_1',
      assessedAt: NOW,
      domain: 'shop.example',
      campaignId: null,
      label: null,
      ...values,
    };
  }
  const countsOf = ({ accountId }: NewOutcome, to = NOW + 1) =>
    store().countOutcomes(accountId, { from: NOW, to });

  describe('outcomes', () => {
    it('are noted once each, with the time of the first', async () => {
      const outcome = await anOutcome();
      await store().saveOutcomes([outcome]);
      await store().saveOutcomes([{ ...outcome, at: NOW + 9_000, keyId: 'key_2' }]);
      await store().saveOutcomes([{ ...outcome, outcome: 'bounced', at: NOW + 2_000 }]);
      expect(await store().outcomesOf(outcome.requestId)).toEqual([
        { outcome: 'verified', at: NOW + 1_000, by: 'key_1' },
        { outcome: 'bounced', at: NOW + 2_000, by: 'key_1' },
      ]);
      expect(await countsOf(outcome)).toEqual({ ...NONE, verified: 1, bounced: 1 });
      expect(await countsOf(outcome, NOW)).toEqual(NONE);
      const { accountId, requestId } = outcome;
      const found = await store().domainOutcomes(accountId, NOW, 10);
      expect(found).toEqual([
        { requestId, domain: 'shop.example', outcome: 'bounced' },
        { requestId, domain: 'shop.example', outcome: 'verified' },
      ]);
    });

    it('find the newest signups that have one, of a mode and a time', async () => {
      const first = await anOutcome({ outcome: 'bounced' });
      const { accountId } = first;
      const idOf = (at: number) => createMakeId()('req', NOW + at);
      const others = [1, 2, 3].map((at) => ({ ...first, requestId: idOf(at), assessedAt: NOW + at }));
      for (const { requestId, assessedAt: at } of others)
        await store().record(anAssessment({ requestId, accountId, at, verdict: 'block' }));
      const [second, third, fourth] = others as [NewOutcome, NewOutcome, NewOutcome];
      await store().saveOutcomes([
        first,
        { ...second, outcome: 'paid' },
        third,
        { ...third, outcome: 'complained' },
        { ...fourth, mode: 'test' },
      ]);
      const find = (search: Partial<OutcomeSearch>, limit = 10) =>
        store().signupsWithOutcomes(
          accountId,
          { mode: 'live', outcomes: ['bounced', 'complained'], from: 0, to: NOW + 99, ...search },
          limit,
        );
      expect(await find({})).toEqual([third.requestId, first.requestId]);
      expect(await find({ outcomes: ['paid'] })).toEqual([second.requestId]);
      expect(await find({ mode: 'test' })).toEqual([fourth.requestId]);
      expect(await find({ from: NOW + 1 })).toEqual([third.requestId]);
      expect(await find({ to: NOW + 2 })).toEqual([first.requestId]);
      expect(await find({}, 1)).toEqual([third.requestId]);
      expect(
        await store().signupsWithOutcomes(
          'acc_other',
          { mode: 'live', outcomes: ['paid'], from: 0, to: NOW + 99 },
          9,
        ),
      ).toEqual([]);
    });

    it('are not noted about a signup that another account has, or that is gone', async () => {
      const outcome = await anOutcome();
      const stranger = await savePlainAccount(store(), makeId);
      await store().saveOutcomes([{ ...outcome, accountId: stranger }]);
      const gone = { ...outcome, requestId: makeId('req', NOW) };
      await store().saveOutcomes([gone]);
      expect(await store().outcomesOf(outcome.requestId)).toEqual([]);
      expect(await store().outcomesOf(gone.requestId)).toEqual([]);
    });

    it('become feedback where they are labels, unless somebody gave some; a ban is stronger than money', async () => {
      const paid = await anOutcome({ outcome: 'paid', label: 'false_positive' });
      const labelOf = async () => (await store().findFeedback(paid.requestId))?.outcome;
      await store().saveOutcomes([paid]);
      expect(await store().findFeedback(paid.requestId)).toMatchObject({
        outcome: 'false_positive',
        keyId: 'outcome',
      });
      await store().saveOutcomes([{ ...paid, outcome: 'banned', label: 'confirmed_fraud' }]);
      expect(await labelOf()).toBe('confirmed_fraud');
      await store().saveOutcomes([paid]);
      expect(await labelOf()).toBe('confirmed_fraud');
      const { requestId, accountId } = paid;
      await store().saveFeedback({ requestId, outcome: 'false_positive', note: 'Jo', keyId: 'Jo', at: NOW });
      await store().saveOutcomes([{ ...paid, outcome: 'banned', label: 'confirmed_fraud' }]);
      expect(await labelOf()).toBe('false_positive');
      // A label that nobody wrote is no report that somebody has to deal with.
      const banned = await anOutcome({ accountId, outcome: 'banned', label: 'false_negative' });
      await store().saveOutcomes([banned]);
      const filter = { mode: 'live', since: 0 } as const;
      const idsOf = async (byPeople: boolean) =>
        (await store().reportedMistakes(accountId, { ...filter, byPeople }, null, 10)).entries.map(
          ({ row }) => row.requestId,
        );
      expect((await idsOf(false)).sort()).toEqual([requestId, banned.requestId].sort());
      expect(await idsOf(true)).toEqual([requestId]);
    });

    it('are counted for their wave, at a new version', async () => {
      const accountId = await savePlainAccount(store(), makeId);
      const wave = aLearnedCampaign(accountId, 'postfarm.example', { since: NOW });
      await store().saveLearned(wave);
      const before = await store().campaignsVersion();
      const outcome = await anOutcome({ accountId, campaignId: wave.id, outcome: 'bounced' });
      const other = await anOutcome({ accountId, campaignId: wave.id });
      await store().saveOutcomes([outcome, other]);
      await store().saveOutcomes([outcome]);
      expect(await store().findCampaign(accountId, wave.id)).toMatchObject({ verified: 1, bounced: 1 });
      expect(await store().campaignsVersion()).toBeGreaterThan(before);
    });

    it('are stored with the idempotency key of their request', async () => {
      const outcome = await anOutcome();
      const { accountId } = outcome;
      const claim = {
        accountId,
        mode: 'live',
        operation: 'reportOutcome',
        keyHash: 'a key',
        bodyDigest: 'a body',
        requestId: makeId('req', NOW),
        at: NOW,
      } as const;
      await store().claimKey(claim);
      await store().saveOutcomes([outcome], { claim, answer: '{"signups":1}' });
      const again = { ...claim, requestId: makeId('req', NOW) };
      expect(await store().claimKey(again)).toMatchObject({ outcome: 'stored', answer: '{"signups":1}' });
    });

    it('leave with the signups, some at a time', async () => {
      const outcome = await anOutcome({ assessedAt: LONG_AGO });
      await store().saveOutcomes([outcome, { ...outcome, outcome: 'paid' }]);
      expect(await store().pruneOutcomes(LONG_AGO, 10)).toBe(0);
      expect(await store().pruneOutcomes(LONG_AGO + 1, 1)).toBe(1);
      expect(await store().pruneOutcomes(LONG_AGO + 1, 10)).toBe(1);
      expect(await store().outcomesOf(outcome.requestId)).toEqual([]);
    });
  });
}

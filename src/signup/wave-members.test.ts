/** The signups of a wave: those that were judged as its members and as many of those before them as it counts. */
import { expect, it } from 'vitest';
import { aLearnedCampaign, aMatch, asOpened } from '../../test/support/a-campaign.ts';
import { ordinaryEvidence } from '../../test/support/any-evidence.ts';
import { recorded } from '../../test/support/recorded.ts';
import type { HistoryStore, ReplayableAssessment } from '../store/history-store.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';
import { hexOf } from '../waves/group-key.ts';
import { keysOf } from '../waves/learner.ts';
import { scopesOf } from '../waves/scopes.ts';
import type { WaveMember } from '../waves/wave-member.ts';
import { toStoredMember } from './stored-member.ts';
import { findWaveMembers } from './wave-members.ts';

const DOMAIN = 'postfarm.example';
const SINCE = Date.UTC(2026, 4, 10);

function signup(requestId: string, minutes: number, campaignId?: string): StoredAssessment {
  const campaign = campaignId === undefined ? null : aMatch({ id: campaignId });
  const evidence = ordinaryEvidence({
    email: { domain: DOMAIN, age: { days: 30, status: 'known' } },
    campaign,
  });
  const at = SINCE + minutes * 60_000;
  const head = { accountId: 'acc_a', keyId: 'key_a', mode: 'live', network: null } as const;
  const hashes = { addressHash: 'C'.repeat(22), mailboxHash: 'D'.repeat(22) };
  return { ...recorded(evidence, { at }), ...head, ...hashes, requestId } as unknown as StoredAssessment;
}

function storeOf(rows: readonly StoredAssessment[]): Pick<HistoryStore, 'replayableAssessments'> {
  return {
    async *replayableAssessments() {
      yield rows.map((stored) => ({ row: stored, stored }) as unknown as ReplayableAssessment);
    },
  };
}

it('has those that were judged as members, and of those long before it only as many as it counts', async () => {
  const member = toStoredMember(signup('req_any', 0)) as WaveMember;
  const [key] = keysOf(member, scopesOf(member, true, new Set(['domain'])));
  if (key === undefined) throw new Error('The signup could be in no wave.');
  const known = { key: hexOf(key), since: SINCE, openedAt: SINCE + 300_000 };
  const store = storeOf([
    signup('req_after', 60),
    signup('req_judged', 30, aLearnedCampaign('acc_a', DOMAIN, known).id),
    signup('req_early', 2),
    signup('req_days_before', -3 * 1_440),
    signup('req_weeks_before', -20 * 1_440),
  ]);
  const idsOf = async (members: number) => {
    const { rows } = await findWaveMembers(
      store,
      asOpened(aLearnedCampaign('acc_a', DOMAIN, { ...known, members })),
    );
    return rows.map(({ requestId }) => requestId);
  };
  // The count may be a little behind.
  for (const members of [1, 2]) expect(await idsOf(members)).toEqual(['req_judged', 'req_early']);
  expect(await idsOf(3)).toEqual(['req_judged', 'req_early', 'req_days_before']);
  expect(await idsOf(9)).toEqual(['req_judged', 'req_early', 'req_days_before', 'req_weeks_before']);
});

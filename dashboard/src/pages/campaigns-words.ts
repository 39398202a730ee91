/** Words for the states of a wave, and for what a person can do with one. */
import type { CampaignRow } from '../../../src/contract/dashboard-campaigns.ts';
import type { CampaignAction } from '../../../src/model/campaign.ts';

const ENDS = {
  silence: 'Nobody came',
  person: 'Ended',
  good_reports: 'Good customers',
} as const satisfies Record<NonNullable<CampaignRow['ended_reason']>, string>;

export function stateOf({ state, sure, decision, ended_reason }: CampaignRow): string {
  if (decision === 'dismissed') return 'Dismissed';
  if (state === 'ended') return ended_reason === null ? 'Ended' : ENDS[ended_reason];
  if (decision === 'confirmed') return 'Confirmed';
  return sure ? 'Blocks' : 'Challenges';
}

export const ACTION_WORDS: Readonly<Record<CampaignAction, string>> = {
  confirm: 'Confirm',
  dismiss: 'Dismiss',
  end: 'End',
  reopen: 'Undo',
};

/** Actions that are possible now: an open wave without a decision has nothing to undo. */
export function actionsOf({ state, decision }: CampaignRow): readonly CampaignAction[] {
  if (state === 'ended') return decision === 'dismissed' ? ['reopen'] : ['confirm', 'dismiss', 'reopen'];
  return decision === 'confirmed' ? ['end', 'reopen'] : ['confirm', 'dismiss', 'end'];
}

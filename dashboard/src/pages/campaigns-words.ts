/** Words for the states of a wave, and for what a person can do with one. */
import type { CampaignRow } from '../../../src/contract/dashboard-campaigns.ts';
import type { CampaignAction } from '../../../src/model/campaign.ts';

type Ends = Readonly<Record<NonNullable<CampaignRow['ended_reason']>, string>>;

const ENDS: Ends = { silence: 'Over', person: 'Ended', good_reports: 'Reported good' };
const WHY_ENDED: Ends = {
  silence: 'no new members',
  person: 'ended by a person',
  good_reports: 'members were reported as good customers',
};

export function stateOf({ state, sure, decision, ended_reason }: CampaignRow): string {
  if (decision === 'dismissed') return 'Not an attack';
  if (state === 'ended') return ended_reason === null ? 'Ended' : ENDS[ended_reason];
  if (decision === 'confirmed') return 'Confirmed, blocks';
  return sure ? 'Blocks' : 'Challenges';
}

export function whyEnded({ ended_reason, ended_by }: CampaignRow): string {
  if (ended_reason === null) return '';
  return ended_by === null ? WHY_ENDED[ended_reason] : `by ${ended_by}`;
}

/** `A wave at postfarm.example: all 9 names look generated`: a summary without its odds. */
export function headlineOf({ summary }: CampaignRow): string {
  return sentenceOf(summary.split('; ')[0] ?? summary);
}

export function sentenceOf(summary: string): string {
  return summary.charAt(0).toUpperCase() + summary.slice(1);
}

export const ACTION_EFFECTS: Readonly<Record<CampaignAction, string>> = {
  confirm: 'Confirm: it is an attack, and its next members are blocked.',
  dismiss: 'Not an attack: these are your people. No wave with the same mark opens there again.',
  end: 'End: its next members are judged like everybody else.',
  reopen: 'Undo: the wave is open again, and nobody has decided about it.',
};

export const ACTION_WORDS: Readonly<Record<CampaignAction, string>> = {
  confirm: 'Confirm',
  dismiss: 'Not an attack',
  end: 'End',
  reopen: 'Undo',
};

/** Actions that are possible now: an open wave without a decision has nothing to undo. */
export function actionsOf({ state, decision }: CampaignRow): readonly CampaignAction[] {
  if (state === 'ended') return decision === 'dismissed' ? ['reopen'] : ['confirm', 'dismiss', 'reopen'];
  return decision === 'confirmed' ? ['end', 'reopen'] : ['confirm', 'dismiss', 'end'];
}

/** Messages of the dashboard's API about waves of signups. */
import type { CampaignAction } from '../model/campaign.ts';
import type { AssessmentRow } from './dashboard-assessments.ts';
import type { ManageCampaign } from './manage-messages.ts';

export type CampaignRow = ManageCampaign;

/** A wave as a person decides about it. */
export interface VersionedCampaign extends CampaignRow {
  /** Send it with a decision: it is refused if somebody else decided meanwhile. */
  readonly version: string;
}

export interface CampaignPageAnswer {
  /** Newest first. */
  readonly data: readonly CampaignRow[];
  /** Send it as `after` for the next page; `null` at the end. */
  readonly next: string | null;
}

export interface CampaignDetail {
  readonly campaign: VersionedCampaign;
  /** The newest signups that were judged as its members, and those by which it was found; at most 50. */
  readonly members: readonly AssessmentRow[];
  /** Whether there may be more: only so many signups of its time were looked through. */
  readonly partial: boolean;
}

export interface CampaignDecisionBody {
  readonly action: CampaignAction;
  readonly note?: string;
}

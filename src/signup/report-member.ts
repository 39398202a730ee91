/** Decides whether a report about a signup is one about a wave, and counts it there. */
import type { Label } from '../contract/dashboard-assessments.ts';
import { CAMPAIGN_FACT } from '../model/campaign.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';
import { evidenceOf } from './rebuild-answer.ts';

/**
 * Counts a report of a member of a wave: the same one again changes nothing. Called before the report itself is stored, so that
 * somebody who repeats a report that failed counts, too.
 */
export async function reportMember(
  store: Pick<CampaignStore, 'saveCampaignReport'>,
  stored: StoredAssessment,
  { outcome, at }: { readonly outcome: Label; readonly at: number },
): Promise<void> {
  const { requestId, accountId, facts, mode } = stored;
  // Most signups belong to none, and their facts need not be read.
  if (mode !== 'live' || !facts.includes(`"${CAMPAIGN_FACT}"`)) return;
  const campaignId = evidenceOf(stored).campaign?.id ?? '';
  if (campaignId !== '') await store.saveCampaignReport({ campaignId, accountId, requestId, outcome, at });
}

/** Decides what a report about a signup says of others: of the wave that it belongs to, and of its mailbox. */
import type { Label } from '../contract/dashboard-assessments.ts';
import { CAMPAIGN_FACT } from '../model/campaign.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { MailboxStore } from '../store/mailbox-store.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';
import { evidenceOf } from './rebuild-answer.ts';

/** Part of the store that reports of members change. */
export type MemberReports = Pick<CampaignStore, 'saveCampaignReport'> &
  Pick<MailboxStore, 'saveMailboxReport'>;

/**
 * Counts a report of a member of a wave: the same one again changes nothing. Called before the report itself is stored, so that
 * somebody who repeats a report that failed counts, too. A good customer's mailbox may have several addresses from then on.
 */
export async function reportMember(
  store: MemberReports,
  stored: StoredAssessment,
  { outcome, at }: { readonly outcome: Label | null; readonly at: number },
): Promise<void> {
  const { requestId, accountId, facts, mode, addressHash: address, mailboxHash: mailbox } = stored;
  if (mode !== 'live') return;
  const isBlocked = stored.verdict === 'block' && !stored.shadow;
  const use = { accountId, mailbox, address, at: stored.at, isBlocked };
  await store.saveMailboxReport({ ...use, isGood: outcome === 'false_positive' });
  // Most signups belong to none, and their facts need not be read.
  if (!facts.includes(`"${CAMPAIGN_FACT}"`)) return;
  const campaignId = evidenceOf(stored).campaign?.id ?? '';
  if (campaignId !== '') await store.saveCampaignReport({ campaignId, accountId, requestId, outcome, at });
}

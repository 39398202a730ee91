/** Decides about campaigns for a person, each with its audit entry: for pages, the management API and the command line. */
import type { Campaign, CampaignAction } from '../model/campaign.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { CampaignStore } from '../store/campaign-store.ts';

export interface PersonsDecision {
  readonly action: CampaignAction;
  /** Name of the person or token that decides, for people. */
  readonly by: string;
  /** Any string. */
  readonly note: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** `blocked`: another campaign with the same scope and mark is open, so this one cannot be. */
export type DecisionResult =
  | { readonly outcome: 'decided'; readonly campaign: Campaign }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'blocked' };

/** Ending what has ended changes nothing, and is no error: it is safe to repeat. */
export async function decideCampaign(
  store: Pick<CampaignStore, 'findCampaign' | 'decideCampaign'>,
  accountId: string,
  id: string,
  decision: PersonsDecision,
  audit: MakeAuditEntry,
): Promise<DecisionResult> {
  const { action, note } = decision;
  const entry = audit(`campaign.${action}`, id, note);
  const campaign = await store.decideCampaign(accountId, id, decision, entry);
  if (campaign !== undefined) return { outcome: 'decided', campaign };
  const current = await store.findCampaign(accountId, id);
  if (current === undefined) return { outcome: 'unknown' };
  return action === 'end' ? { outcome: 'decided', campaign: current } : { outcome: 'blocked' };
}

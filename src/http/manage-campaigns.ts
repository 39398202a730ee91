/** /v1/manage/accounts/{account}/campaigns: the waves of signups of an account, and what people decide about them. */
import { decideCampaign } from '../accounts/campaign-admin.ts';
import type { ManageCampaign, ManageCampaignDecision } from '../contract/manage-messages.ts';
import { manageProblem } from '../contract/manage-problems.ts';
import { CAMPAIGN_ACTIONS, CAMPAIGN_STATES, type Campaign, isSure } from '../model/campaign.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import { describeCampaign } from '../signup/wave-words.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import { lineOf, oneOf, readLimit } from './dashboard-values.ts';
import type { ManageRoutes } from './manage-route.ts';

export interface ManageCampaignsOptions {
  readonly store: Pick<CampaignStore, 'campaigns' | 'findCampaign' | 'decideCampaign'>;
}

export function manageCampaignRoutes(routes: ManageRoutes, { store }: ManageCampaignsOptions): void {
  routes.forAccount('listCampaigns', ({ account, query }) => readCampaigns(store, account.id, query));

  routes.forAccount('getCampaign', async ({ account, params }) => {
    const campaign = await store.findCampaign(account.id, params.campaign ?? '');
    if (campaign === undefined) throw manageProblem('not_found');
    return toManageCampaign(campaign);
  });

  for (const action of CAMPAIGN_ACTIONS)
    routes.forAccount<ManageCampaignDecision>(`${action}Campaign`, async (call) => {
      const { account, params, body, now, token, auditEntry } = call;
      const note = (body.note ?? '') === '' ? '' : lineOf('note', body.note as string);
      const decision = { action, by: `token ${token.name}`, note, at: now };
      const result = await decideCampaign(store, account.id, params.campaign ?? '', decision, auditEntry);
      if (result.outcome === 'unknown') throw manageProblem('not_found');
      if (result.outcome === 'blocked') throw manageProblem('conflict', 'campaign', OTHER_IS_OPEN);
      return toManageCampaign(result.campaign);
    });
}

export const OTHER_IS_OPEN = {
  message: 'Another wave with the same scope and mark is open.',
  resolution: 'Decide about that one, or end it first.',
};

/** A page, newest first. @throws Problem `invalid_value` */
export async function readCampaigns(
  store: Pick<CampaignStore, 'campaigns'>,
  accountId: string,
  { state, after, limit }: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly data: readonly ManageCampaign[]; readonly next: string | null }> {
  const only = state === undefined || state === '' ? undefined : oneOf(CAMPAIGN_STATES, 'state', state);
  const place = after === undefined || after === '' ? null : after;
  const page = await store.campaigns(accountId, { state: only, after: place, limit: readLimit(limit) });
  return { data: page.campaigns.map(toManageCampaign), next: page.next };
}

export function toManageCampaign(campaign: Campaign): ManageCampaign {
  const { ended, decidedAt } = campaign;
  return {
    id: campaign.id,
    account_id: campaign.accountId,
    state: campaign.state,
    summary: describeCampaign(campaign),
    sure: isSure(campaign),
    scope: campaign.scope,
    place: campaign.scopeText,
    mark: campaign.mark,
    mark_text: campaign.markText,
    members: campaign.members,
    stopped: campaign.stopped,
    let_in: campaign.letIn,
    usual: campaign.usual,
    decades: campaign.decades,
    families: [...campaign.families],
    networks: campaign.networks,
    hosting: campaign.hosting,
    good_reports: campaign.goodReports,
    fraud_reports: campaign.fraudReports,
    verified: campaign.verified,
    bounced: campaign.bounced,
    since: toTimestamp(campaign.since),
    opened_at: toTimestamp(campaign.openedAt),
    last_at: toTimestamp(campaign.lastAt),
    ended_at: ended === null ? null : toTimestamp(ended.at),
    ended_by: ended === null || ended.by === '' ? null : ended.by,
    ended_reason: ended === null ? null : ended.reason,
    decision: campaign.decision === '' ? null : campaign.decision,
    decided_at: decidedAt === null ? null : toTimestamp(decidedAt),
    decided_by: campaign.decidedBy === '' ? null : campaign.decidedBy,
    note: campaign.decidedNote === '' ? null : campaign.decidedNote,
  };
}

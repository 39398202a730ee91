/** GET …/campaigns and of one with its members, POST a decision: the waves of signups of an account. */
import { nameUser } from '../accounts/audit-log.ts';
import { decideCampaign } from '../accounts/campaign-admin.ts';
import type { AssessmentRow } from '../contract/dashboard-assessments.ts';
import type {
  CampaignDecisionBody,
  CampaignDetail,
  CampaignPageAnswer,
  VersionedCampaign,
} from '../contract/dashboard-campaigns.ts';
import { Problem } from '../contract/problem.ts';
import { CAMPAIGN_ACTIONS, type Campaign } from '../model/campaign.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { HistoryStore } from '../store/history-store.ts';
import { requireIndexed, toAssessmentRow } from './dashboard-history.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, lineOf, oneOf, TEXT } from './dashboard-values.ts';
import { OTHER_IS_OPEN, readCampaigns, toManageCampaign } from './manage-campaigns.ts';
import { campaignFacts } from './state-facts.ts';
import { requireVersion, versionOf } from './state-version.ts';

export interface CampaignRoutesOptions {
  readonly store: Pick<CampaignStore, 'campaigns' | 'findCampaign' | 'decideCampaign'> &
    Pick<AuditStore, 'auditEntries'> &
    Pick<HistoryStore, 'indexing' | 'replayableAssessments'>;
}

const PATH = '/accounts/:account/campaigns';
const MAX_MEMBERS = 50;
/** Newest signups of its time that are looked through for members. */
const MAX_SEARCHED = 5_000;
/** Time within which every service knows of an end. */
const FOLLOWS_MS = 2_000;

export function campaignRoutes(routes: DashboardRoutes, { store }: CampaignRoutesOptions): void {
  routes.forAccount({
    method: 'GET',
    path: PATH,
    minRole: 'member',
    handle: ({ account, query }): Promise<CampaignPageAnswer> => readCampaigns(store, account.id, query),
  });

  routes.forAccount({
    method: 'GET',
    path: `${PATH}/:campaign`,
    minRole: 'member',
    async handle({ account, params }): Promise<CampaignDetail> {
      const campaign = await store.findCampaign(account.id, params.campaign ?? '');
      if (campaign === undefined) throw unknownCampaign();
      await requireIndexed(store);
      return {
        campaign: toVersioned(campaign),
        ...(await findMembers(store, campaign)),
      };
    },
  });

  routes.forAccount<CampaignDecisionBody>({
    method: 'POST',
    path: `${PATH}/:campaign/decision`,
    minRole: 'analyst',
    body: bodyOf({ action: { enum: CAMPAIGN_ACTIONS }, note: TEXT }, ['action']),
    async handle({ account, params, body, query, user, now, auditEntry }): Promise<VersionedCampaign> {
      const action = oneOf(CAMPAIGN_ACTIONS, 'action', body.action);
      const note = (body.note ?? '') === '' ? '' : lineOf('note', body.note as string);
      const current = await store.findCampaign(account.id, params.campaign ?? '');
      if (current === undefined) throw unknownCampaign();
      await requireVersion(query.version, campaignFacts(current), { store, accountId: account.id });
      const decision = { action, by: nameUser(user), note, at: now };
      const result = await decideCampaign(store, account.id, current.id, decision, auditEntry);
      if (result.outcome === 'unknown') throw unknownCampaign();
      if (result.outcome === 'blocked') throw new Problem('conflict', undefined, OTHER_IS_OPEN);
      return toVersioned(result.campaign);
    },
  });
}

function toVersioned(campaign: Campaign): VersionedCampaign {
  return { ...toManageCampaign(campaign), version: versionOf(campaignFacts(campaign)) };
}

/** The id is in the facts of each signup that was judged as a member. */
async function findMembers(
  store: CampaignRoutesOptions['store'],
  { accountId, id, openedAt: since, ended }: Campaign,
): Promise<Pick<CampaignDetail, 'members' | 'partial'>> {
  const members: AssessmentRow[] = [];
  let searched = 0;
  const to = ended === null ? Number.MAX_SAFE_INTEGER : ended.at + FOLLOWS_MS;
  const search = { mode: 'live', since, to } as const;
  for await (const chunk of store.replayableAssessments(accountId, search, MAX_SEARCHED)) {
    searched += chunk.length;
    for (const { row, stored } of chunk)
      if (stored.facts.includes(`"${id}"`)) members.push(toAssessmentRow(row));
    if (members.length >= MAX_MEMBERS) break;
  }
  const partial = members.length >= MAX_MEMBERS || searched >= MAX_SEARCHED;
  return { members: members.slice(0, MAX_MEMBERS), partial };
}

function unknownCampaign(): Problem {
  return new Problem('not_found', undefined, {
    message: 'This account has no wave with this id.',
    resolution: 'Look for it in the list of waves.',
  });
}

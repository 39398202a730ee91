/** GET …/campaigns and of one with its members, POST a decision: the waves of signups of an account. */
import { nameUser } from '../accounts/audit-log.ts';
import { decideCampaign } from '../accounts/campaign-admin.ts';
import type {
  CampaignDecisionBody,
  CampaignDetail,
  CampaignPageAnswer,
  VersionedCampaign,
} from '../contract/dashboard-campaigns.ts';
import { Problem } from '../contract/problem.ts';
import { CAMPAIGN_ACTIONS, type Campaign } from '../model/campaign.ts';
import { findWaveMembers } from '../signup/wave-members.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { HistoryStore } from '../store/history-store.ts';
import { createNoteAction, type NoteActionOptions } from './attack-note.ts';
import { requireIndexed, toAssessmentRow } from './dashboard-history.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, lineOf, oneOf, TEXT } from './dashboard-values.ts';
import { OTHER_IS_OPEN, readCampaigns, toManageCampaign } from './manage-campaigns.ts';
import { campaignFacts } from './state-facts.ts';
import { requireVersion, versionOf } from './state-version.ts';

export interface CampaignRoutesOptions extends NoteActionOptions {
  readonly store: Pick<CampaignStore, 'campaigns' | 'findCampaign' | 'decideCampaign'> &
    Pick<AuditStore, 'auditEntries'> &
    Pick<HistoryStore, 'indexing' | 'replayableAssessments'>;
}

const PATH = '/accounts/:account/campaigns';
const MAX_MEMBERS = 50;

export function campaignRoutes(routes: DashboardRoutes, options: CampaignRoutesOptions): void {
  const { store } = options;
  const note = createNoteAction(options);

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
      const { rows, partial } = await findWaveMembers(store, campaign);
      return {
        campaign: toVersioned(campaign),
        members: rows.slice(0, MAX_MEMBERS).map(toAssessmentRow),
        partial: partial || rows.length > MAX_MEMBERS,
      };
    },
  });

  routes.forAccount<CampaignDecisionBody>({
    method: 'POST',
    path: `${PATH}/:campaign/decision`,
    minRole: 'analyst',
    body: bodyOf({ action: { enum: CAMPAIGN_ACTIONS }, note: TEXT }, ['action']),
    async handle(call): Promise<VersionedCampaign> {
      const { account, params, body, query, user, now, auditEntry } = call;
      const action = oneOf(CAMPAIGN_ACTIONS, 'action', body.action);
      const words = (body.note ?? '') === '' ? '' : lineOf('note', body.note as string);
      const current = await store.findCampaign(account.id, params.campaign ?? '');
      if (current === undefined) throw unknownCampaign();
      await requireVersion(query.version, campaignFacts(current), { store, accountId: account.id });
      const decision = { action, by: nameUser(user), note: words, at: now };
      const isUndoable = action === 'confirm' || action === 'dismiss';
      const changes = { decided: [{ before: current, decidedAt: now }] };
      const audit = isUndoable ? note(call, current.id, changes) : auditEntry;
      const result = await decideCampaign(store, account.id, current.id, decision, audit);
      if (result.outcome === 'unknown') throw unknownCampaign();
      if (result.outcome === 'blocked') throw new Problem('conflict', undefined, OTHER_IS_OPEN);
      return toVersioned(result.campaign);
    },
  });
}

function toVersioned(campaign: Campaign): VersionedCampaign {
  return { ...toManageCampaign(campaign), version: versionOf(campaignFacts(campaign)) };
}

function unknownCampaign(): Problem {
  return new Problem('not_found', undefined, {
    message: 'This account has no wave with this id.',
    resolution: 'Look for it in the list of waves.',
  });
}

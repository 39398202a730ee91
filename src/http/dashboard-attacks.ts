/** …/attacks/:attack: the card of a wave or an alert, entries that end it, reports about those who were let in, and the undoing of all of it for a month. */
import { nameUser } from '../accounts/audit-log.ts';
import { decideCampaign } from '../accounts/campaign-admin.ts';
import type { SecretBox } from '../accounts/secret-box.ts';
import type { AttackCard, AttackDone, BlockBody, BlockProposal } from '../contract/dashboard-attacks.ts';
import { type BatchUndone, MAX_LIST_BATCH } from '../contract/dashboard-batches.ts';
import { Problem } from '../contract/problem.ts';
import type { AttackActionStore } from '../store/attack-action-store.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { HistoryEntry, HistoryStore, WholeAssessment } from '../store/history-store.ts';
import type { TakeBackStore } from '../store/take-back-store.ts';
import { isReleasable, type JobAdmin } from '../takeback/job-admin.ts';
import { jobsOf, nameOf, readMoments, toAttackCard, unreportedOf } from './attack-card.ts';
import { createNoteAction } from './attack-note.ts';
import { type ProposalOptions, proposeBlock } from './attack-proposal.ts';
import type { Attack, AttackSignups } from './attack-signups.ts';
import type { FeedbackGivingStore, ReportChange } from './dashboard-give-feedback.ts';
import { requireIndexed } from './dashboard-history.ts';
import type { IntelligenceService } from './dashboard-intelligence-service.ts';
import { createAddValue } from './dashboard-list-batch.ts';
import type { ListsRoutesOptions } from './dashboard-lists.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { createTakeBackStored, type SavedEntry, type UndoRouteOptions } from './dashboard-undo.ts';
import { bodyOf, FLAG, lineOf, SHORT_TEXT, TEXT, unusable } from './dashboard-values.ts';
import { createWorkPlaces } from './dashboard-work-places.ts';
import { createReportMany } from './report-many.ts';

export interface AttackRoutesOptions extends ListsRoutesOptions, UndoRouteOptions {
  readonly store: ListsRoutesOptions['store'] &
    UndoRouteOptions['store'] &
    ProposalOptions['store'] &
    FeedbackGivingStore &
    AttackActionStore &
    Pick<CampaignStore, 'findCampaign' | 'decideCampaign'> &
    Pick<HistoryStore, 'indexing' | 'findAssessment'> &
    Pick<TakeBackStore, 'takeBackJobs'> &
    Pick<AuditStore, 'auditEntries' | 'audit'>;
  readonly jobs: Pick<JobAdmin, 'undo'>;
  readonly attacks: AttackSignups;
  readonly intelligence: Pick<IntelligenceService, 'asName'>;
  readonly box: SecretBox;
}

type Call = Pick<AccountCall<unknown>, 'account' | 'user' | 'now' | 'auditEntry'>;

const PATH = '/accounts/:account/attacks/:attack';
/** Reports that one request makes, and those that are taken back together. */
const MAX_REPORTS = 2_000;
const REPORTS_AT_ONCE = 100;
const PLACES = { what: 'proposals against attacks', perAccount: 2, inAll: 6, retryAfterSeconds: 5 };
const BLOCK = {
  values: { type: 'array', items: SHORT_TEXT },
  reason: TEXT,
  expires_at: { type: ['string', 'null'] },
  report: FLAG,
};

type FindAttack = (call: Pick<AccountCall<unknown>, 'account' | 'params'>) => Promise<Attack>;

export function attackRoutes(routes: DashboardRoutes, options: AttackRoutesOptions): void {
  const { store, attacks } = options;
  const find: FindAttack = async ({ account, params }) => {
    await requireIndexed(store);
    const attack = await attacks.find(account, params.attack ?? '', { isFresh: true });
    if (attack !== undefined) return attack;
    throw new Problem('not_found', undefined, {
      message: 'This account has no wave and no alert about signups with this id.',
      resolution: 'Look for it in the lists of waves and alerts.',
    });
  };
  cardRoutes(routes, options, find);
  actionRoutes(routes, options, find);
}

/** Declares what is read: the card, and the entries that would end the attack. */
function cardRoutes(routes: DashboardRoutes, options: AttackRoutesOptions, find: FindAttack): void {
  const { store, intelligence } = options;
  const places = createWorkPlaces(PLACES);

  routes.forAccount({
    method: 'GET',
    path: PATH,
    minRole: 'member',
    async handle(call): Promise<AttackCard> {
      const attack = await find(call);
      const { account, now } = call;
      const jobs = await jobsOf(store, account.id, attack.id);
      const moments = await readMoments(store, account.id, attack, jobs);
      const actions = await store.attackActions(account.id, attack.id);
      const undoable = actions.length + jobs.filter((job) => isReleasable(job, now)).length;
      return toAttackCard(attack, { intelligence, moments, undoable });
    },
  });

  routes.forAccount({
    method: 'GET',
    path: `${PATH}/block`,
    minRole: 'analyst',
    async handle(call): Promise<BlockProposal> {
      const { account, now } = call;
      const attack = await find(call);
      const leave = places.enter(account.id);
      try {
        return {
          ...(await proposeBlock(options, account.id, attack, now)),
          total: attack.rows.length,
          reason: nameOf(attack),
          confirms: mayConfirm(attack),
          unreported: unreportedOf(attack).length,
        };
      } finally {
        leave();
      }
    },
  });
}

/** Declares what is done: blocking, labelling, and taking both back. */
function actionRoutes(routes: DashboardRoutes, options: AttackRoutesOptions, find: FindAttack): void {
  const { store } = options;
  const act = createActions(options);
  const takeBack = createTakeBackStored(options);

  routes.forAccount<BlockBody>({
    method: 'POST',
    path: `${PATH}/block`,
    minRole: 'analyst',
    body: bodyOf(BLOCK),
    async handle(call): Promise<AttackDone> {
      const { body } = call;
      const reason = lineOf('reason', body.reason);
      if (body.values.length > MAX_LIST_BATCH)
        throw unusable('values', 'These are too many values.', `Send at most ${MAX_LIST_BATCH} values.`);
      const attack = await find(call);
      const { saved, refused } = await act.add(call, attack, { ...body, reason });
      const confirmed = await act.confirm(call, attack);
      const { reported, left } = body.report ? await act.report(call, attack) : { reported: 0, left: 0 };
      return { entries: saved, refused, confirmed, reported, left };
    },
  });

  routes.forAccount({
    method: 'POST',
    path: `${PATH}/report`,
    minRole: 'analyst',
    async handle(call): Promise<AttackDone> {
      const done = await act.report(call, await find(call));
      return { entries: 0, refused: [], confirmed: false, ...done };
    },
  });

  routes.forAccount({
    method: 'POST',
    path: `${PATH}/undo`,
    minRole: 'analyst',
    async handle(call): Promise<BatchUndone> {
      const { account, params, now, auditEntry } = call;
      const actions = await store.attackActions(account.id, params.attack ?? '');
      const jobs = await jobsOf(store, account.id, params.attack ?? '');
      const held = jobs.filter((job) => isReleasable(job, now));
      const steps = actions.length + held.length;
      if (steps === 0) await find(call);
      let [undone, changed] = [0, 0];
      for (const { id, undo } of actions) {
        const result = undo === null ? { taken_back: 0, changed: 1 } : await takeBack(undo, call);
        await store.removeAttackAction(account.id, id);
        undone += result.taken_back;
        changed += result.changed;
      }
      for (const job of held) {
        if (await options.jobs.undo(job, now, auditEntry)) undone += 1;
        else changed += 1;
      }
      const detail = `${undone} taken back${changed === 0 ? '' : `, ${changed} changed since`}`;
      if (steps > 0) await store.audit(auditEntry('campaign.undo', params.attack ?? '', detail));
      return { taken_back: undone, changed };
    },
  });
}

function mayConfirm({ campaign }: Attack): boolean {
  return campaign !== null && campaign.state === 'open' && campaign.decision === '';
}

/** Actions of people against an attack; each part is written with a note of how it is taken back. */
function createActions(options: AttackRoutesOptions) {
  const { store } = options;
  const note = createNoteAction(options);
  const addValue = createAddValue(options);
  const reportMany = createReportMany(store);

  return {
    async add(call: Call, { id }: Attack, { values, reason, expires_at }: BlockBody) {
      const refused: AttackDone['refused'][number][] = [];
      let saved = 0;
      for (const value of values)
        try {
          const auditOf = (entry: SavedEntry) => note(call, id, { saved: [entry] });
          await addValue(call, { value }, { action: 'deny', reason, expires_at }, auditOf);
          saved += 1;
        } catch (error) {
          if (!(error instanceof Problem) || error.param === 'expires_at') throw error;
          refused.push({ value, message: error.message });
        }
      if (saved > 0) {
        const until = expires_at === null ? 'without an end' : `until ${expires_at}`;
        await store.audit(
          call.auditEntry('campaign.block', id, `${saved === 1 ? '1 entry' : `${saved} entries`} ${until}`),
        );
      }
      return { saved, refused };
    },
    /** Confirms an open wave that nobody has decided about. */
    async confirm(call: Call, attack: Attack): Promise<boolean> {
      const { campaign } = attack;
      if (campaign === null || !mayConfirm(attack)) return false;
      const { account, user, now } = call;
      const decision = { action: 'confirm', by: nameUser(user), note: '', at: now } as const;
      const audit = note(call, attack.id, { decided: [{ before: campaign, decidedAt: now }] });
      const { outcome } = await decideCampaign(store, account.id, campaign.id, decision, audit);
      return outcome === 'decided';
    },
    /** Reports those as fraud who were let in, and of whom nothing is reported. */
    async report(call: Call, attack: Attack): Promise<Pick<AttackDone, 'reported' | 'left'>> {
      const { account, auditEntry } = call;
      const all = unreportedOf(attack);
      const chosen = all.slice(0, MAX_REPORTS);
      let reported = 0;
      for (let at = 0; at < chosen.length; at += REPORTS_AT_ONCE) {
        const signups = await findAll(account.id, chosen.slice(at, at + REPORTS_AT_ONCE));
        const auditOf = (planned: readonly ReportChange[]) => note(call, attack.id, { reports: planned });
        const { reports } = await reportMany(call, 'fraud', signups, { auditOf });
        reported += reports.length;
      }
      if (reported > 0)
        await store.audit(auditEntry('campaign.report', attack.id, `${reported} who were let in`));
      return { reported, left: all.length - chosen.length };
    },
  };

  async function findAll(accountId: string, rows: readonly HistoryEntry[]): Promise<WholeAssessment[]> {
    const found: WholeAssessment[] = [];
    for (const { requestId } of rows) {
      const whole = await store.findAssessment(accountId, requestId);
      if (whole !== undefined) found.push(whole);
    }
    return found;
  }
}

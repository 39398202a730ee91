/** GET …/assessments/{request_id}, its related signups, and POST of feedback about it. */
import type { SecretBox } from '../accounts/secret-box.ts';
import {
  type AssessmentDetail,
  type ChallengeMark,
  LABELS,
  type RelatedGroup,
  type WrittenAppeal,
} from '../contract/dashboard-assessments.ts';
import type { GivenMark } from '../contract/dashboard-customer.ts';
import { type Assessment, FeedbackRequest } from '../contract/messages.ts';
import { overlay } from '../signup/account-policy.ts';
import { openAppeal } from '../signup/appeals.ts';
import { counterfactualsOf } from '../signup/counterfactuals.ts';
import { missingSignalsOf } from '../signup/missing-signals.ts';
import { describeNorm } from '../signup/norm-words.ts';
import { officeOfferOf } from '../signup/office-offer.ts';
import { plainAnswerOf } from '../signup/plain-words.ts';
import { DEFAULT_POLICY } from '../signup/policy.ts';
import { answerBodyOf, type DecisionRecord, decisionRecordOf } from '../signup/rebuild-answer.ts';
import { setAsideBy } from '../signup/set-aside.ts';
import { toSignals } from '../signup/signals.ts';
import { tippedBy } from '../signup/tipped-by.ts';
import { waterfallOf } from '../signup/waterfall.ts';
import type { AppealStore, StoredAppeal } from '../store/appeal-store.ts';
import type { DashboardStore } from '../store/dashboard-store.ts';
import type { HistoryStore, WholeAssessment } from '../store/history-store.ts';
import type { OutcomeStore } from '../store/outcome-store.ts';
import { createFindAssessment, unknownAssessment } from './dashboard-find-assessment.ts';
import { type GiveFeedback, requireReport } from './dashboard-give-feedback.ts';
import { requireIndexed, toInstant, toMark, toNamedSignup } from './dashboard-history.ts';
import { type IntelligenceService, staleFrom } from './dashboard-intelligence-service.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import type { UndoTokens } from './dashboard-undo.ts';
import { bodyOf, oneOf, TEXT, unusable } from './dashboard-values.ts';
import { reportFact } from './state-facts.ts';
import { versionOf } from './state-version.ts';

export interface AssessmentRoutesOptions {
  readonly store: Pick<HistoryStore, 'indexing' | 'findAssessment' | 'related'> &
    Pick<DashboardStore, 'policies' | 'auditEntries'> &
    Pick<AppealStore, 'findAppeal'> &
    Pick<OutcomeStore, 'outcomesOf'>;
  readonly intelligence: IntelligenceService;
  readonly giveFeedback: GiveFeedback;
  readonly undo: UndoTokens;
  /** Decrypts appeals. */
  readonly box: SecretBox;
}

interface FeedbackBody {
  readonly outcome: string;
  readonly note?: string | null;
}

const PATH = '/accounts/:account/assessments/:request_id';
const MAX_NOTE_LENGTH = 4_000;

export function assessmentRoutes(routes: DashboardRoutes, options: AssessmentRoutesOptions): void {
  const { store, giveFeedback, undo, intelligence, box } = options;

  const find = createFindAssessment(store);

  routes.forAccount({
    method: 'GET',
    path: PATH,
    minRole: 'member',
    async handle({ account, params, now }): Promise<AssessmentDetail> {
      const whole = await find(account, params.request_id);
      const policies = await store.policies(account.id);
      const body = answerBodyOf(whole.stored);
      const detail = explain(whole, body, policies, options);
      const appeal = await store.findAppeal(account.id, whole.row.requestId, now);
      const outcomes = await store.outcomesOf(whole.row.requestId);
      return {
        ...detail,
        challenge: challengeOf(whole, body, now),
        appeal: toAppeal(box, appeal),
        outcomes: outcomes.map(({ outcome, at, by }) => ({ outcome, at: toInstant(at), by })),
      };
    },
  });

  routes.forAccount({
    method: 'GET',
    path: `${PATH}/neighbours`,
    minRole: 'member',
    async handle({ account, params }): Promise<RelatedGroup[]> {
      await requireIndexed(store);
      const groups = await store.related(account.id, params.request_id ?? '');
      if (groups === undefined) throw unknownAssessment();
      return groups.map(({ rows, ...group }) => ({
        ...group,
        rows: rows.map((row) => toNamedSignup(row, intelligence)),
      }));
    },
  });

  routes.forAccount<FeedbackBody>({
    method: 'POST',
    path: `${PATH}/feedback`,
    minRole: 'member',
    body: bodyOf({ outcome: TEXT, note: FeedbackRequest.properties.note }, ['outcome']),
    async handle(call): Promise<GivenMark> {
      const { account, params, body, query, user, now } = call;
      const whole = await find(account, params.request_id);
      const note = body.note ?? null;
      if ((note?.length ?? 0) > MAX_NOTE_LENGTH) {
        throw unusable('note', 'The note is too long.', `Send at most ${MAX_NOTE_LENGTH} characters.`);
      }
      await requireReport(query.version, whole, { store, accountId: account.id });
      const report = await giveFeedback(call, whole, oneOf(LABELS, 'outcome', body.outcome), note);
      const token = undo.make({ accountId: account.id, userId: user.id, reports: [report], saved: [] }, now);
      return { ...toMark(report.mark), undo: token };
    },
  });
}

function toAppeal(box: SecretBox, appeal: StoredAppeal | undefined): WrittenAppeal | null {
  if (appeal === undefined) return null;
  return { ...openAppeal(box, appeal), at: toInstant(appeal.at), closed_by: appeal.closed?.by ?? null };
}

function explain(
  { row, stored, feedback }: WholeAssessment,
  body: string,
  policies: Awaited<ReturnType<DashboardStore['policies']>>,
  { intelligence }: AssessmentRoutesOptions,
): Omit<AssessmentDetail, 'challenge' | 'appeal' | 'outcomes'> {
  const { policy, thresholds, findings, evidence } = decisionRecordOf(stored);
  const evaluation = { score: row.score, verdict: row.verdict, findings, evidence, thresholds };
  const waterfall = waterfallOf(evaluation);
  const changes = policies.find(({ version }) => version === policy)?.weights ?? {};
  const weights = overlay(DEFAULT_POLICY.weights, changes);
  const { ip_status: ipStatus, signals } = JSON.parse(body) as Assessment;
  const unknown = missingSignalsOf({
    evidence,
    ipStatus,
    at: row.at,
    staleFrom: (source, version) => staleFrom(intelligence, source, version),
  });
  return {
    row: toNamedSignup(row, intelligence),
    thresholds,
    waterfall,
    tipped_by: tippedBy(row.verdict, waterfall),
    list: evidence.list === null ? null : listOf(evidence.list),
    office: officeOf(evidence),
    wave: evidence.campaign?.id ?? null,
    office_offer: officeOfferOf(evidence, findings),
    plain: plainAnswerOf(evidence, findings, row.shadow ? 'allow' : row.verdict),
    unknown,
    flips: counterfactualsOf({ ...evaluation, waterfall, weights }),
    policy,
    snapshot: evidence.snapshot,
    mx: { status: evidence.email.mx.status, hosts: evidence.email.mx.hosts },
    victim: evidence.email.victim,
    norm: describeNorm(evidence.email),
    feedback: feedback === null ? null : toMark(feedback),
    version: versionOf([reportFact(row.requestId, feedback)]),
    signals: row.shadow ? toSignals(evidence, localOf(row.email)) : signals,
    body,
  };
}

function officeOf(evidence: DecisionRecord['evidence']): AssessmentDetail['office'] {
  if (evidence.office === null) return null;
  const { id, kind, value, reason } = evidence.office;
  const aside = setAsideBy(evidence).map(({ detail }) => detail);
  return { id, kind, value, reason: reason ?? '', set_aside: aside };
}

/** Local part as it is shown, which may be masked. */
function localOf(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}

/** A challenge without a result is open until its token expires. */
function challengeOf({ challenge }: WholeAssessment, body: string, now: number): ChallengeMark | null {
  const { challenge: offer } = JSON.parse(body) as Assessment;
  if (offer === undefined) return null;
  if (challenge !== null && challenge.status !== 'pending') {
    const { status, method, at } = challenge;
    return { status, method, at: toInstant(at) };
  }
  const isOver = Date.parse(offer.expires_at) <= now;
  return { status: isOver ? 'expired' : 'open', method: null, at: offer.expires_at };
}

function listOf({ id, action, kind, value, reason }: NonNullable<DecisionRecord['evidence']['list']>) {
  return { id, action, kind, value, reason: reason ?? '' };
}

/** POST …/assessments/feedback and …/assessments/export: reports, and exports as CSV, up to 100 signups that a person chose, with one line in the audit log. */
import type { Label } from '../contract/dashboard-assessments.ts';
import {
  type BatchExported,
  type BatchOutcome,
  type BatchReported,
  MAX_BATCH,
} from '../contract/dashboard-batches.ts';
import type { Verdict } from '../contract/messages.ts';
import { reportMember } from '../signup/report-member.ts';
import type { HistoryStore, WholeAssessment } from '../store/history-store.ts';
import { CSV_HEADER, toCsvLine } from './dashboard-assessments.ts';
import { type FeedbackGivingStore, type GivenFeedback, reporterOf } from './dashboard-give-feedback.ts';
import { toAssessmentRow } from './dashboard-history.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import type { UndoTokens } from './dashboard-undo.ts';
import { bodyOf, oneOf, SHORT_TEXT, TEXT, unusable } from './dashboard-values.ts';

export interface BatchRoutesOptions {
  readonly store: Pick<HistoryStore, 'findAssessment'> & FeedbackGivingStore;
  readonly undo: UndoTokens;
}

interface Chosen {
  readonly request_ids: readonly string[];
}

type ReportCall = AccountCall<Chosen & { readonly outcome: string }>;

const PATH = '/accounts/:account/assessments';
const IDS = { type: 'array', items: SHORT_TEXT };

export function batchRoutes(routes: DashboardRoutes, { store, undo }: BatchRoutesOptions): void {
  /** The signups of the account that were chosen, in their order. */
  async function findAll({ account, body }: AccountCall<Chosen>) {
    const ids = idsOf(body);
    const found: WholeAssessment[] = [];
    for (const id of ids) {
      const whole = await store.findAssessment(account.id, id);
      if (whole !== undefined) found.push(whole);
    }
    return { found, missing: ids.length - found.length };
  }

  /** Stores the reports one by one, the first with the line of the audit log. */
  async function report(call: ReportCall, outcome: BatchOutcome, signups: readonly WholeAssessment[]) {
    const { user, now, auditEntry } = call;
    const by = reporterOf(user);
    const given: GivenFeedback[] = [];
    for (const { row, stored } of signups) {
      const { requestId } = row;
      const feedback = { requestId, outcome: labelOf(outcome, row.verdict), note: null, keyId: by, at: now };
      const entries = given.length > 0 ? [] : [auditEntry('feedback.give', wordsOf(signups.length), outcome)];
      await reportMember(store, stored, feedback);
      await store.saveFeedback(feedback, ...entries);
      given.push({ requestId, mark: { ...feedback, by }, before: null });
    }
    return given;
  }

  routes.forAccount<Chosen & { readonly outcome: string }>({
    method: 'POST',
    path: `${PATH}/feedback`,
    minRole: 'member',
    body: bodyOf({ outcome: TEXT, request_ids: IDS }),
    async handle(call): Promise<BatchReported> {
      const { account, body, user, now } = call;
      const outcome = oneOf(['fraud', 'good'], 'outcome', body.outcome);
      const { found, missing } = await findAll(call);
      const of = (fate: Fate) => found.filter((whole) => fateOf(whole, outcome) === fate);
      const given = await report(call, outcome, of('reported'));
      const done = { accountId: account.id, userId: user.id, given, saved: [], isBatch: true };
      return {
        reported: given.length,
        same: of('same').length,
        other: of('other').length,
        allowed: of('allowed').length,
        missing,
        undo: given.length === 0 ? null : undo.make(done, now),
      };
    },
  });

  routes.forAccount<Chosen>({
    method: 'POST',
    path: `${PATH}/export`,
    minRole: 'member',
    body: bodyOf({ request_ids: IDS }),
    async handle(call): Promise<BatchExported> {
      const { found, missing } = await findAll(call);
      // Personal data is exported: the audit log names who did it.
      await call.audit('signups.export', 'signups', `${wordsOf(found.length)} that were chosen one by one`);
      const lines = found.map(({ row }) => toCsvLine(toAssessmentRow(row))).join('');
      return { header: CSV_HEADER, lines, exported: found.length, missing };
    },
  });
}

/** @throws Problem `invalid_value` */
function idsOf({ request_ids: ids }: Chosen): readonly string[] {
  const different = [...new Set(ids)];
  if (different.length >= 1 && different.length <= MAX_BATCH) return different;
  throw unusable(
    'request_ids',
    `\`request_ids\` has ${different.length} ids.`,
    `Send 1 to ${MAX_BATCH} ids of signups.`,
  );
}

type Fate = 'reported' | 'same' | 'other' | 'allowed';

/** A report that a signup has already stays. */
function fateOf({ row, feedback }: WholeAssessment, outcome: BatchOutcome): Fate {
  if (feedback !== null) return feedback.outcome === labelOf(outcome, row.verdict) ? 'same' : 'other';
  return outcome === 'good' && row.verdict === 'allow' ? 'allowed' : 'reported';
}

function labelOf(outcome: BatchOutcome, verdict: Verdict): Label {
  if (outcome === 'good') return 'false_positive';
  return verdict === 'allow' ? 'false_negative' : 'confirmed_fraud';
}

function wordsOf(count: number): string {
  return count === 1 ? '1 signup' : `${count} signups`;
}

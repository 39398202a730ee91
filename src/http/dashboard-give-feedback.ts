/** Stores what a person reports about a signup, so that it can be taken back. */
import type { Label } from '../contract/dashboard-assessments.ts';
import { type MemberReports, reportMember } from '../signup/report-member.ts';
import type { StoredUser } from '../store/dashboard-store.ts';
import type { StoredFeedback, WholeAssessment } from '../store/history-store.ts';
import type { AssessmentStore } from '../store/store.ts';
import type { AccountCall } from './dashboard-route.ts';
import { unusable } from './dashboard-values.ts';
import { labelFact, reportFact } from './state-facts.ts';
import { requireVersion, type StateVersionOptions } from './state-version.ts';

/** A report that was given, and the one that it replaced. */
export interface ReportChange {
  readonly requestId: string;
  readonly mark: StoredFeedback;
  /** `null`: there was none. */
  readonly before: StoredFeedback | null;
}

export type GiveFeedback = (
  call: Pick<AccountCall<unknown>, 'user' | 'now' | 'auditEntry'>,
  whole: WholeAssessment,
  outcome: Label,
  note: string | null,
) => Promise<ReportChange>;

export type FeedbackGivingStore = Pick<
  AssessmentStore,
  'saveFeedback' | 'saveFirstFeedback' | 'findFeedback'
> &
  MemberReports;

/** @returns a function that throws Problem `invalid_value` for a label that such a signup cannot have */
export function createGiveFeedback(store: FeedbackGivingStore): GiveFeedback {
  return async ({ user, now, auditEntry }, { row, stored, feedback: before }, outcome, note) => {
    if (outcome === 'confirmed_fraud' && row.verdict === 'allow') {
      const advice = 'Send false_negative for fraud that was allowed.';
      throw unusable('outcome', 'A signup that was allowed cannot be confirmed as stopped fraud.', advice);
    }
    const by = reporterOf(user);
    const feedback = { requestId: row.requestId, outcome, note, keyId: by, at: now };
    await reportMember(store, stored, feedback);
    await store.saveFeedback(feedback, auditEntry('feedback.give', row.requestId, outcome));
    return { requestId: row.requestId, mark: { outcome, note, at: now, by }, before };
  };
}

/** @throws Problem `changed_meanwhile` if somebody else reported something about the signup since the caller has read it */
export function requireReport(
  version: string | undefined,
  { row, feedback }: WholeAssessment,
  options: StateVersionOptions,
): Promise<void> {
  const { requestId } = row;
  const facts = [reportFact(requestId, feedback), labelFact(requestId, feedback?.outcome ?? null)];
  return requireVersion(version, facts, options);
}

/** Name beside a report. */
export function reporterOf({ name, email }: Pick<StoredUser, 'name' | 'email'>): string {
  return name === '' ? email : name;
}

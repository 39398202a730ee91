/** Stores one report about many signups: a report that a signup has already stays. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { BatchOutcome, FileLabelCounts } from '../contract/dashboard-batches.ts';
import type { Verdict } from '../contract/messages.ts';
import { reportMember } from '../signup/report-member.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { StoredFeedback, WholeAssessment } from '../store/history-store.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';
import { type FeedbackGivingStore, type ReportChange, reporterOf } from './dashboard-give-feedback.ts';
import type { AccountCall } from './dashboard-route.ts';

export interface ReportedMany {
  readonly reports: readonly ReportChange[];
  /** Signups that had the same report, or another one. */
  readonly same: number;
  readonly other: number;
  /** Signups that were allowed, so that no good customer was stopped. */
  readonly allowed: number;
}

export type ReportMany = (
  call: Pick<AccountCall<unknown>, 'user' | 'now' | 'auditEntry'>,
  outcome: BatchOutcome,
  signups: readonly WholeAssessment[],
  options?: ReportManyOptions,
) => Promise<ReportedMany>;

export interface ReportManyOptions {
  /** Time since the same reports were sent before, and no answer came: those that were stored then count as made now. */
  readonly triedMsAgo?: number | undefined;
  /** Makes the entry of the audit log, which is written with the first of these reports. Default: that of the call. */
  readonly auditOf?: (planned: readonly ReportChange[]) => MakeAuditEntry;
}

/** Max. difference in the time that two requests take to arrive. */
export const ARRIVAL_MS = 2_000;

/** Stores them one by one, the first with the line of the audit log. */
export function createReportMany(store: FeedbackGivingStore): ReportMany {
  return async ({ user, now, auditEntry }, outcome, signups, { triedMsAgo, auditOf } = {}) => {
    const by = reporterOf(user);
    const since = triedMsAgo === undefined ? Number.POSITIVE_INFINITY : now - triedMsAgo - ARRIVAL_MS;
    const of = (fate: Fate) => signups.filter((whole) => fateOf(whole, outcome, { by, since }) === fate);
    const chosen = of('reported').map(({ row: { requestId, verdict }, stored }) => {
      const feedback = { requestId, outcome: labelOf(outcome, verdict), note: null, keyId: by, at: now };
      return { stored, feedback, change: { requestId, mark: { ...feedback, by }, before: null } };
    });
    const audit = auditOf?.(chosen.map(({ change }) => change)) ?? auditEntry;
    const made: ReportChange[] = [];
    for (const { stored, feedback, change } of chosen) {
      const entries = made.length > 0 ? [] : [audit('feedback.give', signupsInWords(chosen.length), outcome)];
      await reportMember(store, stored, feedback);
      if (await store.saveFirstFeedback(feedback, ...entries)) made.push(change);
      else await countTheirs(store, stored, feedback.at);
    }
    const reports = [...made, ...of('stored').map(toReportChange)];
    const other = of('other').length + chosen.length - made.length;
    return { reports, same: of('same').length, other, allowed: of('allowed').length };
  };
}

/** Counts the report that somebody made since the signup was read: it stays. */
async function countTheirs(store: FeedbackGivingStore, stored: StoredAssessment, now: number): Promise<void> {
  const theirs = await store.findFeedback(stored.requestId);
  await reportMember(store, stored, { outcome: theirs?.outcome ?? null, at: theirs?.at ?? now });
}

/** Effect that a report about these signups would have now. */
export function foreseeReports(outcome: BatchOutcome, signups: readonly WholeAssessment[]): FileLabelCounts {
  const fates = signups.map((whole) => fateOf(whole, outcome));
  const of = (fate: Fate) => fates.filter((each) => each === fate).length;
  return { reported: of('reported'), same: of('same'), other: of('other'), allowed: of('allowed') };
}

/** `stored`: an earlier try stored the report, and its answer was lost. */
type Fate = 'reported' | 'stored' | 'same' | 'other' | 'allowed';

interface Reporter {
  readonly by: string;
  /** Time from which on their reports are those of an earlier try. */
  readonly since: number;
}

function fateOf({ row, feedback }: WholeAssessment, outcome: BatchOutcome, reporter?: Reporter): Fate {
  if (feedback !== null) {
    if (feedback.outcome !== labelOf(outcome, row.verdict)) return 'other';
    const isMine = reporter !== undefined && feedback.by === reporter.by && feedback.at >= reporter.since;
    return isMine ? 'stored' : 'same';
  }
  return outcome === 'good' && row.verdict === 'allow' ? 'allowed' : 'reported';
}

function toReportChange({ row, feedback }: WholeAssessment): ReportChange {
  return { requestId: row.requestId, mark: feedback as StoredFeedback, before: null };
}

function labelOf(outcome: BatchOutcome, verdict: Verdict): Label {
  if (outcome === 'good') return 'false_positive';
  return verdict === 'allow' ? 'false_negative' : 'confirmed_fraud';
}

export function signupsInWords(count: number): string {
  return count === 1 ? '1 signup' : `${count} signups`;
}

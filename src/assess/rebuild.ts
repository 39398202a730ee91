/** Rebuilds the answer and the explanation of a stored assessment of any version. */
import type { Evidence } from '../model/evidence.ts';
import { type AnsweredHead, writeBody } from './answer-body.ts';
import { parseDecisionRecord, type StoredDecisionRecord } from './decision-record.ts';
import { describeFindings } from './describe-finding.ts';
import { readFacts } from './read-facts.ts';

/** Older versions stored the texts of answer and evidence. */
export type RecordedAssessment = AnsweredHead &
  ({ readonly facts: string } | { readonly body: string; readonly evidence: string });

/** The exact body that was answered. */
export function answerBodyOf(stored: RecordedAssessment): string {
  return 'facts' in stored ? writeBody(stored, readFacts(stored.facts, stored)) : stored.body;
}

export function evidenceOf(stored: RecordedAssessment): Evidence {
  return 'facts' in stored
    ? readFacts(stored.facts, stored).evidence
    : parseDecisionRecord(stored.evidence).evidence;
}

export function decisionRecordOf(stored: RecordedAssessment): StoredDecisionRecord {
  if (!('facts' in stored)) return parseDecisionRecord(stored.evidence);
  const { policy, thresholds, findings, evidence } = readFacts(stored.facts, stored);
  return { policy, thresholds, findings: describeFindings(findings, evidence), evidence };
}

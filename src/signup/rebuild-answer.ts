/** Rebuilds the answer and the explanation of a stored assessment. */
import type { ReasonCode } from '../contract/reasons.ts';
import type { Evidence } from '../model/evidence.ts';
import type { DescribedFinding } from '../model/finding.ts';
import type { Thresholds } from '../model/policy.ts';
import { type AnsweredHead, writeBody } from './answer-body.ts';
import { describeFindings } from './describe-finding.ts';
import { readFacts } from './read-facts.ts';

export interface RecordedAssessment extends AnsweredHead {
  /** Facts as `writeFacts` wrote them. */
  readonly facts: string;
}

/** Record that a stored assessment can be explained by, and judged again from. */
export interface DecisionRecord {
  /** Version of the policy that decided. */
  readonly policy: string;
  /** Thresholds that the score was measured against. */
  readonly thresholds: Thresholds;
  readonly findings: readonly DescribedFinding<ReasonCode>[];
  readonly evidence: Evidence;
}

/** The exact body that was answered. */
export function answerBodyOf(stored: RecordedAssessment): string {
  return writeBody(stored, readFacts(stored.facts, stored));
}

export function evidenceOf(stored: RecordedAssessment): Evidence {
  return readFacts(stored.facts, stored).evidence;
}

export function decisionRecordOf(stored: RecordedAssessment): DecisionRecord {
  const { policy, thresholds, findings, evidence } = readFacts(stored.facts, stored);
  return { policy, thresholds, findings: describeFindings(findings, evidence), evidence };
}

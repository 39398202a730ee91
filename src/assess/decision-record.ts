/** Reads the record of a decision as older versions stored it, as JSON: policy, thresholds, findings and evidence. */
import type { ReasonCode } from '../contract/reasons.ts';
import type { Evidence } from '../model/evidence.ts';
import type { DescribedFinding } from '../model/finding.ts';
import type { Thresholds } from '../model/policy.ts';
import { fillDefaults, type StoredEvidence } from './stored-evidence.ts';

/** What a stored assessment can be explained by, and judged again from. */
export interface DecisionRecord {
  /** Version of the policy that decided. */
  readonly policy: string;
  /** What the score was measured against. */
  readonly thresholds: Thresholds;
  readonly findings: readonly DescribedFinding<ReasonCode>[];
  readonly evidence: Evidence;
}

export interface StoredDecisionRecord extends Omit<DecisionRecord, 'thresholds'> {
  /** `null` in old records, which were stored without thresholds. */
  readonly thresholds: Thresholds | null;
}

/** @throws when it is no JSON */
export function parseDecisionRecord(text: string): StoredDecisionRecord {
  const stored = JSON.parse(text) as Partial<Omit<StoredDecisionRecord, 'evidence'>> & {
    readonly evidence?: StoredEvidence;
  };
  const { policy = '', thresholds = null, findings = [], evidence = {} } = stored;
  return { policy, thresholds, findings, evidence: fillDefaults(evidence) };
}

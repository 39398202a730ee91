/** Reads a stored decision record: fills in the empty values that are not stored, and what older records lack. */
import type { Thresholds } from '../../model/policy.ts';
import type { DecisionRecord } from '../decision-record.ts';
import { fillDefaults, type StoredEvidence } from '../stored-evidence.ts';

export interface StoredDecisionRecord extends Omit<DecisionRecord, 'thresholds'> {
  /** `null` in old records, which were stored without thresholds. */
  readonly thresholds: Thresholds | null;
}

/** `text` as `serializeDecisionRecord` wrote it, in this version or an older one. @throws when it is no JSON */
export function parseDecisionRecord(text: string): StoredDecisionRecord {
  const stored = JSON.parse(text) as Partial<Omit<StoredDecisionRecord, 'evidence'>> & {
    readonly evidence?: StoredEvidence;
  };
  const { policy = '', thresholds = null, findings = [], evidence = {} } = stored;
  return { policy, thresholds, findings, evidence: fillDefaults(evidence) };
}

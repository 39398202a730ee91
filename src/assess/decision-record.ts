/** Writes and reads the stored record of a decision: policy, thresholds, findings and evidence. */
import buildSerializer from 'fast-json-stringify';
import type { ReasonCode } from '../contract/reasons.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Finding } from '../model/finding.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../model/policy.ts';
import { EVIDENCE_SAMPLE, fillDefaults, type StoredEvidence, stripDefaults } from './stored-evidence.ts';

/** What a stored assessment can be explained by, and judged again from. */
export interface DecisionRecord {
  /** Version of the policy that decided. */
  readonly policy: string;
  /** What the score was measured against. */
  readonly thresholds: Thresholds;
  readonly findings: readonly Finding<ReasonCode>[];
  readonly evidence: Evidence;
}

const FINDING: Finding = { detector: '', code: '', weight: 0, detail: '' };

const serialize = buildSerializer(
  shapeOf({
    policy: '',
    thresholds: DEFAULT_THRESHOLDS,
    findings: [FINDING],
    evidence: EVIDENCE_SAMPLE,
  } satisfies Record<keyof DecisionRecord, unknown>) as object,
);

/** JSON, without empty values: `parseDecisionRecord` fills them in. */
export function serializeDecisionRecord({ policy, thresholds, findings, evidence }: DecisionRecord): string {
  return serialize({ policy, thresholds, findings, evidence: stripDefaults(evidence) });
}

/** The JSON Schema of values like this one; each member may be absent. An empty list is one of texts. */
function shapeOf(sample: unknown): object {
  if (Array.isArray(sample)) return { type: 'array', items: shapeOf(sample[0] ?? '') };
  if (sample === null) return { type: 'string', nullable: true };
  if (typeof sample !== 'object') return { type: typeof sample };
  const properties = Object.entries(sample).map(([name, value]) => [name, shapeOf(value)]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

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

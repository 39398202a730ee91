/** The stored assessment for some evidence. */
import type { Evidence } from '../../src/model/evidence.ts';
import { DEFAULT_THRESHOLDS } from '../../src/model/policy.ts';
import { type Facts, writeFacts } from '../../src/signup/facts.ts';
import { type Judgement, judge } from '../../src/signup/judge.ts';
import { DEFAULT_POLICY } from '../../src/signup/policy.ts';
import type { RecordedAssessment } from '../../src/signup/rebuild-answer.ts';

export interface RecordedOptions extends Partial<Omit<Facts, 'evidence' | 'findings'>> {
  readonly judgement?: Judgement;
  readonly shadow?: boolean;
  readonly sessionId?: string | null;
  readonly at?: number;
  readonly processedMs?: number;
}

export function factsOf(evidence: Evidence, options: RecordedOptions = {}): Facts {
  const { policy = DEFAULT_POLICY.version, thresholds = DEFAULT_THRESHOLDS } = options;
  const { judgement = judge(evidence, { ...DEFAULT_POLICY, thresholds }) } = options;
  const { ipStatus = evidence.ip === null ? 'missing' : 'ok', local = '', challenge } = options;
  return { policy, thresholds, findings: judgement.findings, evidence, ipStatus, local, challenge };
}

export function recorded(evidence: Evidence, options: RecordedOptions = {}): RecordedAssessment {
  const facts = factsOf(evidence, options);
  const { judgement = judge(evidence, { ...DEFAULT_POLICY, thresholds: facts.thresholds }) } = options;
  const { shadow = false, sessionId = null, processedMs = 4 } = options;
  const { at = Date.UTC(2026, 4, 10, 10, 14, 33, 250) } = options;
  const { reasons } = judgement;
  return {
    requestId: 'req_01k0q8y5m9x3w7v2n4b6c8d0zz',
    shadow,
    at,
    verdict: judgement.verdict,
    score: judgement.score,
    reasons,
    emailDomain: evidence.email.domain,
    ip: evidence.ip === null ? null : evidence.ip.address,
    countryCode: evidence.ip === null ? '' : evidence.ip.countryCode,
    asn: evidence.ip === null ? 0 : evidence.ip.asn,
    sessionId,
    processedMs,
    facts: writeFacts(facts, reasons),
  };
}

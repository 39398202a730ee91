/** One assessment for the terminal: real evidence, the default policy, nothing stored and nothing charged. */
import { createAddressHashes } from '../address/fingerprint.ts';
import type { Signals } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { Gather } from '../evidence/gather.ts';
import type { Evidence } from '../model/evidence.ts';
import type { DescribedFinding } from '../model/finding.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import type { SignupAttempt } from '../model/signup-attempt.ts';
import { describeFindings } from './describe-finding.ts';
import { type Judgement, judge } from './judge.ts';
import { velocityAlone } from './past-signup.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { readSignupAttempt, toSubject } from './prepare-signup.ts';
import { toSignals } from './signals.ts';

export interface TerminalAssessment {
  readonly ipStatus: SignupAttempt['ipStatus'];
  readonly evidence: Evidence;
  readonly judgement: Pick<Judgement, 'verdict' | 'score' | 'reasons'>;
  readonly findings: readonly DescribedFinding<ReasonCode>[];
  readonly signals: Signals;
}

/** Nothing is stored, so any key will do. */
const HASHES = createAddressHashes([Buffer.alloc(32)]);

/** @throws Problem when the address or the IP is malformed */
export async function assessAtTerminal(
  request: { email: string; ip: string | null },
  gather: Gather,
  now: number,
): Promise<TerminalAssessment> {
  const attempt = readSignupAttempt(request);
  const subject = toSubject(attempt, { id: 'terminal', account: 'terminal', at: now }, HASHES);
  const evidence = await gather(subject, velocityAlone(subject));
  const judgement = judge(evidence, { ...DEFAULT_POLICY, thresholds: DEFAULT_THRESHOLDS });
  const { email, ipStatus } = attempt;
  const findings = describeFindings(judgement.findings, evidence);
  return { ipStatus, evidence, judgement, findings, signals: toSignals(evidence, email.local) };
}

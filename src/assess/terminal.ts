/** One assessment for the terminal: real evidence, the default policy, nothing stored and nothing charged. */
import { mailboxOf } from '../address/mailbox.ts';
import type { Signals } from '../contract/messages.ts';
import { DEFAULT_THRESHOLDS } from '../contract/thresholds.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Gather } from '../evidence/gather.ts';
import { type Attempt, readAttempt } from './attempt.ts';
import { type Judgement, judge } from './judge.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { toSignals } from './signals.ts';

export interface TerminalAssessment {
  readonly ipStatus: Attempt['ipStatus'];
  readonly evidence: Evidence;
  readonly judgement: Judgement;
  readonly signals: Signals;
}

/** @throws Problem when the address or the IP is malformed */
export async function assessAtTerminal(
  request: { email: string; ip: string | null },
  gather: Gather,
  now: number,
): Promise<TerminalAssessment> {
  const { email, ip, ipStatus } = readAttempt(request);
  const hashes = { addressHash: email.address, mailboxHash: mailboxOf(email) };
  const { evidence } = await gather({ account: 'terminal', at: now, email, ip, ...hashes });
  const judgement = judge(evidence, { ...DEFAULT_POLICY, thresholds: DEFAULT_THRESHOLDS });
  return { ipStatus, evidence, judgement, signals: toSignals(evidence) };
}

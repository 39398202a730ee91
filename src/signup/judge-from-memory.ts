/** Judges a signup by what is in memory alone: lists, own entries and the form of the address. No look-up, no count, no credit, nothing stored. */
import type { AddressHashes } from '../address/fingerprint.ts';
import type { Gather } from '../evidence/gather.ts';
import type { Evidence } from '../model/evidence.ts';
import type { SignupAttempt } from '../model/signup-attempt.ts';
import { plainVoices, type VelocityCounts } from '../model/velocity-event.ts';
import { effectiveWeights } from './account-policy.ts';
import { type Judgement, judge } from './judge.ts';
import { isMailUnwanted } from './mail-unwanted.ts';
import { toSubject } from './prepare-signup.ts';
import { judgeSandbox } from './sandbox.ts';
import type { SignupCaller } from './signup-caller.ts';

/** A judgement, and whether an entry of the account's own lists made it. */
export interface MemoryJudgement {
  readonly verdict: Judgement['verdict'];
  readonly list: Evidence['list'];
  readonly isMailUnwanted: boolean;
}

export interface JudgeFromMemoryOptions {
  /** Asks no source that waits, stores or costs. */
  readonly gather: Gather;
  readonly hashes: AddressHashes;
}

/** `at`: milliseconds since the epoch. */
export type JudgeFromMemory = (
  caller: SignupCaller,
  attempt: SignupAttempt,
  at: number,
) => Promise<MemoryJudgement>;

const NO_COUNTS: VelocityCounts = {
  network1h: 0,
  network24h: 0,
  domain1h: 0,
  domain24h: 0,
  mailbox24h: 0,
  partial: true,
};

export function createJudgeFromMemory({ gather, hashes }: JudgeFromMemoryOptions): JudgeFromMemory {
  return async (caller, attempt, at) => {
    if (caller.key.mode === 'test')
      return { verdict: judgeSandbox(attempt).judgement.verdict, list: null, isMailUnwanted: false };
    const subject = toSubject(attempt, { id: '', account: caller.account.id, at }, hashes);
    const evidence = await gather(subject, { counts: NO_COUNTS, voices: plainVoices(NO_COUNTS) });
    const policy = { ...effectiveWeights(caller.policy), thresholds: caller.thresholds };
    const { verdict } = judge(evidence, policy);
    return { verdict, list: evidence.list, isMailUnwanted: isMailUnwanted(evidence) };
  };
}

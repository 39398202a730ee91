/** Judges a past signup as it would have been judged at its time: today's lists, the counts of its time, nothing stored. */
import { type AddressHashes, maskEmail } from '../address/fingerprint.ts';
import type { CountedVelocity, Gather, Subject } from '../evidence/gather.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Policy } from '../model/policy.ts';
import type { SignupAttempt } from '../model/signup-attempt.ts';
import { countsAlone, plainVoices, type VelocityEvent } from '../model/velocity-event.ts';
import { counterfactualsOf } from './counterfactuals.ts';
import { describeFindings } from './describe-finding.ts';
import { type Judgement, judge } from './judge.ts';
import { readSignupAttempt, toSubject } from './prepare-signup.ts';
import { waterfallOf } from './waterfall.ts';

export interface PastSignup {
  readonly email: string;
  readonly ip: string | null;
  /** Milliseconds since the epoch; `null` where its time is not known. */
  readonly at: number | null;
}

export interface PastJudgement extends Pick<Judgement, 'verdict' | 'score' | 'reasons' | 'findings'> {
  /** `j***@example.com`. */
  readonly masked: string;
  /** `showIp`: without it, the IP is not named. */
  why(showIp: boolean): WhyVerdict;
}

/** The sentences that the dashboard would show. */
export interface WhyVerdict {
  /** The findings, heaviest first. */
  readonly findings: readonly string[];
  /** Changes that would have given another verdict. */
  readonly changes: readonly string[];
}

export interface PastSignupOptions {
  readonly gather: Gather;
  /** Counts the signup at its time. */
  readonly count: (event: VelocityEvent) => CountedPast;
  readonly hashes: AddressHashes;
  /** Account whose own lists apply. */
  readonly account: string;
  readonly policy: Policy;
  /** Called with each signup once it is judged: whoever learns from signups learns from it. */
  readonly onJudged?: (subject: Subject, evidence: Evidence, verdict: Judgement['verdict']) => void;
  /** Milliseconds since the epoch, for signups without a time. */
  readonly clock: () => number;
}

export interface CountedPast extends CountedVelocity {
  /** Says that it would have been answered with `block`, as the service would. */
  markBlocked(): Promise<void>;
}

/**
 * Reads and counts at once, in the order of the calls; only the sources may take time.
 * @throws Problem when the address or the IP is malformed: the API would have refused it
 */
export type JudgePastSignup = (signup: PastSignup) => Promise<PastJudgement>;

export function createJudgePastSignup(options: PastSignupOptions): JudgePastSignup {
  const { gather, count, policy, clock, account, hashes, onJudged = () => {} } = options;
  let signups = 0;
  return (signup) => {
    const attempt = readSignupAttempt({ email: signup.email, ...(signup.ip !== null && { ip: signup.ip }) });
    signups += 1;
    const event = { id: String(signups), account, at: signup.at ?? clock() };
    const subject = toSubject(attempt, event, hashes);
    // Without a time, a signup is alone: any time would claim a burst, or deny one.
    const counted = signup.at === null ? undefined : count(subject);
    return Promise.resolve(gather(subject, counted ?? velocityAlone(subject))).then((evidence) => {
      const judgement = toPastJudgement(attempt, evidence, policy);
      if (judgement.verdict === 'block') void counted?.markBlocked();
      onJudged(subject, evidence, judgement.verdict);
      return judgement;
    });
  };
}

/** Counts of a signup before which there was none. */
export function velocityAlone(event: Pick<VelocityEvent, 'network'>): CountedVelocity {
  const counts = countsAlone(event);
  return { counts, voices: plainVoices(counts) };
}

function toPastJudgement({ email }: SignupAttempt, evidence: Evidence, policy: Policy): PastJudgement {
  const judgement = judge(evidence, policy);
  const { verdict, score, reasons, findings } = judgement;
  const why = (showIp: boolean) => {
    const { findings: found, changes } = explain(judgement, evidence, policy);
    const address = evidence.ip?.address;
    if (showIp || address === undefined) return { findings: found, changes };
    const hide = (sentence: string) => sentence.replaceAll(address, 'the IP');
    return { findings: found.map(hide), changes: changes.map(hide) };
  };
  return { verdict, score, reasons, findings, masked: maskEmail(email), why };
}

function explain(
  { verdict, score, findings }: Judgement,
  evidence: Evidence,
  { thresholds, weights }: Policy,
): WhyVerdict {
  const described = describeFindings(findings, evidence);
  const waterfall = waterfallOf({ score, verdict, findings: described, evidence, thresholds });
  const found = waterfall.map(({ detail, contribution }) => `${detail} (${contribution.toFixed(1)} points)`);
  return {
    findings: found.length === 0 ? ['nothing was found against it'] : found,
    changes: counterfactualsOf({ score, verdict, thresholds, waterfall, evidence, weights }),
  };
}

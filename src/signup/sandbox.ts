/** The sandbox: the judgement of a test address, chosen by the address alone, without any look-up. */
import { readFileSync } from 'node:fs';
import type { Verdict } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import { EMPTY_EMAIL, EMPTY_EVIDENCE, EMPTY_IP, EMPTY_VELOCITY, type Evidence } from '../model/evidence.ts';
import type { SignupAttempt } from '../model/signup-attempt.ts';
import type { Judgement } from './judge.ts';

const DISPOSABLE = new Set(
  JSON.parse(readFileSync(new URL('./sandbox-domains.json', import.meta.url), 'utf8')) as string[],
);

/** A word of the fixtures, alone or followed by something that is not a letter. */
const FIXTURE_LOCAL = /^(block|challenge)(?![\p{L}\p{M}])/u;
/** Count that a challenge fixture's counters show. */
const BURST = 8;

interface Fixture {
  readonly verdict: Verdict;
  readonly score: number;
  readonly reason?: ReasonCode;
}

/** Judges a test address: the same attempt gives the same evidence and judgement, always. */
export function judgeSandbox(attempt: SignupAttempt): { evidence: Evidence; judgement: Judgement } {
  const fixture = fixtureOf(attempt);
  const { verdict, score, reason } = fixture;
  return {
    evidence: evidenceOf(attempt, reason),
    judgement: {
      verdict,
      score,
      reasons: reason === undefined ? [] : [reason],
      findings: reason === undefined ? [] : [{ detector: 'sandbox', code: reason, weight: score }],
    },
  };
}

function fixtureOf({ email, ip }: SignupAttempt): Fixture {
  const word = FIXTURE_LOCAL.exec(email.local)?.[1];
  if (DISPOSABLE.has(email.domain) || word === 'block') {
    return { verdict: 'block', score: 92, reason: 'email_disposable' };
  }
  if (word !== 'challenge') return { verdict: 'allow', score: 5 };
  return { verdict: 'challenge', score: 45, reason: ip === null ? 'velocity_domain' : 'velocity_ip' };
}

function evidenceOf({ email, ip }: SignupAttempt, reason: ReasonCode | undefined): Evidence {
  const ipCount = ip === null ? 0 : reason === 'velocity_ip' ? BURST : 1;
  const domainCount = reason === 'velocity_domain' ? BURST : 1;
  return {
    ...EMPTY_EVIDENCE,
    snapshot: 'sandbox',
    email: {
      ...EMPTY_EMAIL,
      domain: email.domain,
      disposable: reason === 'email_disposable',
      mx: { status: 'valid', hosts: [] },
      age: { days: -1, status: 'unlisted' },
    },
    ip: ip === null ? null : { ...EMPTY_IP, address: ip.text },
    velocity: {
      ...EMPTY_VELOCITY,
      ip1h: ipCount,
      ip24h: ipCount,
      domain1h: domainCount,
      domain24h: domainCount,
      mailbox24h: 1,
    },
  };
}

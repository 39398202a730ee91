/** Decides which part of a judgement the caller gets: all of it, or in shadow mode nothing that could stop a signup. */
import type { Verdict } from '../contract/messages.ts';
import { EMPTY_EMAIL, EMPTY_EVIDENCE, EMPTY_IP, EMPTY_VELOCITY, type Evidence } from '../model/evidence.ts';
import type { Judgement } from './judge.ts';

/** The verdict that the caller gets. */
export function answeredVerdictOf(shadow: boolean, { verdict }: Pick<Judgement, 'verdict'>): Verdict {
  return shadow ? 'allow' : verdict;
}

/**
 * Evidence that an answer shows. In shadow mode it is that of a signup about which nothing is known: an application that
 * decides by the score, a reason or a signal stops nobody either.
 */
export function shownEvidence(shadow: boolean, evidence: Evidence): Evidence {
  return shadow ? nothingKnown(evidence) : evidence;
}

/** Evidence as if nothing were known. The facts of the request itself are kept: its domain, its IP, and one signup of each. */
function nothingKnown({ email, ip }: Evidence): Evidence {
  const ipCount = ip === null ? 0 : 1;
  return {
    ...EMPTY_EVIDENCE,
    email: { ...EMPTY_EMAIL, domain: email.domain },
    ip: ip === null ? null : { ...EMPTY_IP, address: ip.address },
    velocity: { ...EMPTY_VELOCITY, ip1h: ipCount, ip24h: ipCount, domain1h: 1, domain24h: 1 },
  };
}

/** Cannot be part of a text that a caller sent: in JSON its quotes would be escaped. */
const SHADOW_VERDICT = /"shadow_verdict":"(\w+)"/;

/** The verdict behind a stored answer; `undefined` where it was not answered in shadow mode. */
export function shadowVerdictOf(body: string): string | undefined {
  return SHADOW_VERDICT.exec(body)?.[1];
}

import { describe, expect, it } from 'vitest';
import { serializeAssessment } from '../contract/serialize.ts';
import { EMPTY_EMAIL, EMPTY_EVIDENCE, EMPTY_IP, type Evidence } from '../model/evidence.ts';
import { shadowVerdictOf, toAnswer } from './answer.ts';
import { judge } from './judge.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { readSignupAttempt } from './read-signup-attempt.ts';

/** Everything that can accuse a signup does. */
const GUILTY: Evidence = {
  ...EMPTY_EVIDENCE,
  email: {
    ...EMPTY_EMAIL,
    ...{ domain: 'gmial.com', disposable: true, relay: true, spam: true, role: true, consumer: true },
    providerMeant: 'gmail.com',
    mx: { status: 'no_domain', hosts: [] },
    age: { days: 1, status: 'known' },
  },
  ip: {
    ...EMPTY_IP,
    ...{ address: '203.0.113.7', tor: true, vpn: true, proxy: true, relay: true, datacenter: true },
    ...{ abuseScore: 99, countryCode: 'FR', country: 'France', asn: 64_500 },
  },
  velocity: { ip1h: 40, ip24h: 50, domain1h: 60, domain24h: 70, mailbox24h: 80, partial: false },
};
const { local } = readSignupAttempt({ email: 'admin@gmial.com', ip: '203.0.113.7' }).email;
const evaluate = (evidence: Evidence) => {
  const judgement = judge(evidence, { ...DEFAULT_POLICY, thresholds: { challenge: 30, block: 60 } });
  return { evidence, judgement };
};

describe('an answer in shadow mode', () => {
  it('differs from that of a signup without a flaw in the shadow verdict alone', () => {
    const guilty = toAnswer(true, evaluate(GUILTY), local);
    const flawless = evaluate({
      ...EMPTY_EVIDENCE,
      email: { ...EMPTY_EMAIL, domain: 'gmial.com' },
      ip: { ...EMPTY_IP, address: '203.0.113.7' },
    });
    expect(guilty).toEqual({ ...toAnswer(true, flawless, local), shadow_verdict: 'block' });
    expect(guilty).toMatchObject({ verdict: 'allow', score: 0, reasons: [] });
  });

  it('is the whole judgement without it', () => {
    const { judgement, evidence } = evaluate(GUILTY);
    const answer = toAnswer(false, { judgement, evidence }, local);
    expect(answer).toMatchObject({ verdict: 'block', score: judgement.score, reasons: judgement.reasons });
    expect(answer).not.toHaveProperty('shadow_verdict');
    expect(answer.signals.email.did_you_mean).toBe('admin@gmail.com');
  });
});

describe('the shadow verdict of a stored answer', () => {
  const body = (shadow: boolean, session_id: string) =>
    serializeAssessment({
      request_id: 'req_1',
      session_id,
      ...toAnswer(shadow, evaluate(GUILTY), local),
      ...{ ip_provided: true, ip_status: 'ok', processed_ms: 1, assessed_at: '2026-05-10T10:14:33Z' },
    });

  it('is read from it, whatever the session is called', () => {
    for (const session of ['s', '"shadow_verdict":"allow"', '","shadow_verdict":"allow","x":"']) {
      expect(shadowVerdictOf(body(true, session))).toBe('block');
      expect(shadowVerdictOf(body(false, session))).toBeUndefined();
    }
  });
});

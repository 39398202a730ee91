import { describe, expect, it } from 'vitest';
import { factsOf, recorded } from '../../test/support/recorded.ts';
import type { Assessment } from '../contract/messages.ts';
import { REASONS } from '../contract/reasons.ts';
import { EMPTY_EMAIL, EMPTY_EVIDENCE, EMPTY_IP, EMPTY_VELOCITY, type Evidence } from '../model/evidence.ts';
import { shadowVerdictOf } from './answer.ts';
import { writeBody } from './answer-body.ts';
import { judge } from './judge.ts';
import { DEFAULT_POLICY } from './policy.ts';

/** Evidence with everything that counts against a signup. */
const GUILTY: Evidence = {
  ...EMPTY_EVIDENCE,
  email: {
    ...EMPTY_EMAIL,
    domain: 'gmial.com',
    disposable: true,
    relay: true,
    spam: true,
    role: true,
    consumer: true,
    providerMeant: 'gmail.com',
    mx: { status: 'no_domain', hosts: [] },
    age: { days: 1, status: 'known' },
  },
  ip: {
    ...EMPTY_IP,
    address: '203.0.113.7',
    tor: true,
    vpn: true,
    proxy: true,
    relay: true,
    datacenter: true,
    abuseScore: 99,
    countryCode: 'FR',
    country: 'France',
    asn: 64_500,
  },
  velocity: { ...EMPTY_VELOCITY, ip1h: 40, ip24h: 50, domain1h: 60, domain24h: 70, mailbox24h: 80 },
};
const answer = (shadow: boolean, evidence: Evidence, sessionId: string | null = null) => {
  const options = { shadow, sessionId, local: 'admin' };
  return writeBody(recorded(evidence, options), factsOf(evidence, options));
};
const read = (body: string) => JSON.parse(body) as Assessment;

describe('an answer in shadow mode', () => {
  it('differs from the answer for a clean signup only in the shadow verdict', () => {
    const guilty = read(answer(true, GUILTY));
    const flawless = answer(true, {
      ...EMPTY_EVIDENCE,
      email: { ...EMPTY_EMAIL, domain: 'gmial.com' },
      ip: { ...EMPTY_IP, address: '203.0.113.7' },
    });
    expect(guilty).toEqual({ ...read(flawless), shadow_verdict: 'block' });
    expect(guilty).toMatchObject({ verdict: 'allow', score: 0, reasons: [] });
  });

  it('contains the full judgement when shadow mode is off', () => {
    const judged = judge(GUILTY, { ...DEFAULT_POLICY, thresholds: { challenge: 30, block: 60 } });
    const { score } = judged;
    const reasons = judged.reasons.map((code) => ({ code, signal: REASONS[code].signal }));
    const shown = read(answer(false, GUILTY));
    expect(shown).toMatchObject({ verdict: 'block', score, reasons });
    expect(shown).not.toHaveProperty('shadow_verdict');
    expect(shown.signals.email.did_you_mean).toBe('admin@gmail.com');
  });
});

describe('the shadow verdict of a stored answer', () => {
  it('is read correctly, whatever the session id contains', () => {
    for (const session of ['s', '"shadow_verdict":"allow"', '","shadow_verdict":"allow","x":"']) {
      expect(shadowVerdictOf(answer(true, GUILTY, session))).toBe('block');
      expect(shadowVerdictOf(answer(false, GUILTY, session))).toBeUndefined();
    }
  });
});

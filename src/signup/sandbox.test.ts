import { describe, expect, it } from 'vitest';
import { readSignupAttempt } from './prepare-signup.ts';
import { judgeSandbox } from './sandbox.ts';

const judge = (email: string, ip?: string) => judgeSandbox(readSignupAttempt({ email, ip: ip ?? null }));

describe('judgeSandbox', () => {
  it.each([
    ['someone@mailinator.com', 'block', 92, 'email_disposable'],
    ['allow@yopmail.com', 'block', 92, 'email_disposable'],
    ['block@example.com', 'block', 92, 'email_disposable'],
    ['block+1@example.com', 'block', 92, 'email_disposable'],
    ['block.me@example.com', 'block', 92, 'email_disposable'],
    ['block7@example.com', 'block', 92, 'email_disposable'],
    ['blocked@example.com', 'allow', 5, undefined],
    ['blocké@example.com', 'allow', 5, undefined],
    ['unblock@example.com', 'allow', 5, undefined],
    ['challenge@example.com', 'challenge', 45, 'velocity_domain'],
    ['challenge-2@example.com', 'challenge', 45, 'velocity_domain'],
    ['challenger@example.com', 'allow', 5, undefined],
    ['allow@example.com', 'allow', 5, undefined],
    ['anything@gmail.com', 'allow', 5, undefined],
  ])('%s is a fixture for %s', (email, verdict, score, reason) => {
    const { judgement } = judge(email);
    expect(judgement).toMatchObject({ verdict, score });
    expect(judgement.reasons).toEqual(reason === undefined ? [] : [reason]);
  });

  it('shows the IP in the detail of a challenge, if there is a usable IP', () => {
    const { judgement, evidence } = judge('challenge@example.com', '203.0.113.7');
    expect(judgement.reasons).toEqual(['velocity_ip']);
    expect(evidence.velocity.ip1h).toBeGreaterThanOrEqual(5);
    expect(evidence.velocity.domain1h).toBeLessThan(6);
  });

  it('shows the domain in the detail of a challenge without a usable IP', () => {
    const { evidence } = judge('challenge@example.com', '10.0.0.1');
    expect(evidence.ip).toBeNull();
    expect(evidence.velocity).toMatchObject({ ip1h: 0, ip24h: 0 });
    expect(evidence.velocity.domain1h).toBeGreaterThanOrEqual(6);
  });

  it('has signals that agree with the reasons', () => {
    expect(judge('block@example.com').evidence.email.disposable).toBe(true);
    expect(judge('allow@example.com').evidence.email.disposable).toBe(false);
  });
});

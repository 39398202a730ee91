import { expect, it } from 'vitest';
import type { Assess } from '../assess/assess.ts';
import { type AnswerSignupOptions, createAnswerSignup, type SignupRequest } from './answer-signup.ts';

it('throws an internal error at once: only a signup that cannot be read counts for the rate limit', async () => {
  const fault = new TypeError('a fault of ours');
  let admitted = 0;
  const prepare: Assess['prepare'] = () => {
    throw fault;
  };
  const answerSignup = createAnswerSignup({
    assess: { prepare },
    rateLimiter: {
      async admit() {
        admitted += 1;
      },
    },
  } as unknown as AnswerSignupOptions);
  const caller = { account: { id: 'acc_a' }, key: { id: 'key_a', mode: 'live' }, limits: { cap: null } };
  const signup = { id: 'req_1', at: 0, started: 0, verdict: '', caller: { ...caller, policy: null } };
  const ask = (email: string) =>
    answerSignup(signup as unknown as SignupRequest, { email, ip: '203.0.113.7' });
  await expect(ask('ann@example.com')).rejects.toBe(fault);
  expect(admitted).toBe(0);
  await expect(ask('no address')).rejects.toMatchObject({ code: 'invalid_email' });
  expect(admitted).toBe(1);
});

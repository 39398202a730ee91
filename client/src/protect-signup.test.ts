import { describe, expect, it, vi } from 'vitest';
import type { Answer } from './answer-meta.ts';
import {
  AbortedError,
  type GatehouseError,
  InvalidRequestError,
  QuotaExceededError,
  TimeoutError,
} from './errors.ts';
import type { Assessment, Verdict } from './messages.ts';
import { type Assess, protectSignup, type SignupInput } from './protect-signup.ts';

const REQUEST = { headers: {}, socket: { remoteAddress: '203.0.113.7' } };
const TIMEOUT = new TimeoutError('timeout', 'No answer within 3000 ms.');
const answers =
  (verdict: Verdict): Assess =>
  async () =>
    ({ verdict }) as Answer<Assessment>;
const fails =
  (error: Error): Assess =>
  async () =>
    Promise.reject(error);

function protect(assess: Assess, input: Partial<SignupInput> = {}, warn = vi.fn<(text: string) => void>()) {
  return protectSignup(assess, REQUEST, { email: 'jo@example.com', onError: () => {}, ...input }, warn);
}

describe('a protected signup', () => {
  it.each(['allow', 'challenge', 'block'] as const)('with the verdict %s is that', async (verdict) => {
    const expected = { assessment: { verdict }, ip: '203.0.113.7', failedOpen: false, error: null };
    expect(await protect(answers(verdict))).toEqual({ decision: verdict, ...expected });
    expect(await protect(answers(verdict), { mode: 'observe' })).toEqual({ decision: 'allow', ...expected });
  });

  it('sends what is known, and nothing that is not', async () => {
    const assess = vi.fn(answers('allow'));
    await protect(assess, { sessionId: 's1', idempotencyKey: 'k1' });
    expect(assess.mock.lastCall?.[0]).toEqual({
      email: 'jo@example.com',
      ip: '203.0.113.7',
      session_id: 's1',
    });
    expect(assess.mock.lastCall?.[1]).toMatchObject({ idempotencyKey: 'k1' });
    for (const ip of [null, 'nonsense']) {
      expect((await protect(assess, { ip, sessionId: null })).ip).toBeNull();
      expect(assess.mock.lastCall?.[0]).toEqual({ email: 'jo@example.com' });
    }
    expect((await protect(assess, { ip: '::ffff:198.51.100.1' })).ip).toBe('198.51.100.1');
  });

  it('without a verdict does what was chosen, and says so', async () => {
    const onError = vi.fn<(error: GatehouseError) => void>();
    const without = { assessment: null, ip: '203.0.113.7', error: TIMEOUT };
    const open = { decision: 'allow', failedOpen: true, ...without };
    expect(await protect(fails(TIMEOUT), { onError })).toEqual(open);
    expect(await protect(fails(TIMEOUT), { onError, onFailure: 'challenge' })).toEqual({
      decision: 'challenge',
      failedOpen: false,
      ...without,
    });
    await expect(protect(fails(TIMEOUT), { onError, onFailure: 'throw' })).rejects.toBe(TIMEOUT);
    for (const onFailure of ['challenge', 'throw'] as const)
      expect(await protect(fails(TIMEOUT), { onError, onFailure, mode: 'observe' })).toEqual(open);
    expect(onError.mock.calls).toEqual(Array(5).fill([TIMEOUT]));
  });

  it('is not stopped by a callback that throws', async () => {
    const onError = () => {
      throw new Error('no disk');
    };
    expect(await protect(fails(TIMEOUT), { onError })).toMatchObject({ decision: 'allow', failedOpen: true });
  });

  it('goes on when the quota is spent', async () => {
    const spent = new QuotaExceededError('quota_exceeded', 'The monthly quota is used up.', { status: 429 });
    expect(await protect(fails(spent))).toMatchObject({ decision: 'allow', failedOpen: true, error: spent });
  });

  it.each([
    ['invalid_email', 'email'],
    ['missing_field', 'email'],
    ['payload_too_large', undefined],
    ['missing_field', 'Idempotency-Key'],
    ['invalid_ip', 'ip'],
  ] as const)('is not allowed because its own data ends in %s of %s', async (code, param) => {
    const onError = vi.fn();
    const error = new InvalidRequestError(code, 'no', { param });
    const expected = { assessment: null, failedOpen: false, error };
    expect(await protect(fails(error), { onError })).toMatchObject({ decision: 'block', ...expected });
    expect(await protect(fails(error), { mode: 'observe' })).toMatchObject({
      decision: 'allow',
      ...expected,
    });
    const isOfProgram = code === 'invalid_ip' || param === 'Idempotency-Key';
    expect(onError).toHaveBeenCalledTimes(isOfProgram ? 1 : 0);
  });

  it.each([{ toString: () => 'jo@example.com' }, undefined, 'a'.repeat(1001)])(
    'sends no %j as email',
    async (email) => {
      const assess = vi.fn(answers('allow'));
      expect(await protect(assess, { email: email as string })).toMatchObject({
        decision: 'block',
        assessment: null,
      });
      expect(assess).not.toHaveBeenCalled();
    },
  );

  it.each([{ onFailure: 'block' }, { mode: 'dry-run' }])('is refused with %j', async (options) => {
    await expect(protect(answers('block'), options as object)).rejects.toMatchObject({
      code: 'invalid_options',
    });
  });

  it('is over when the caller ends it, and when the program is wrong', async () => {
    const aborted = new AbortedError('aborted', 'The caller ended the call.');
    await expect(protect(fails(aborted))).rejects.toBe(aborted);
    const mistake = new TypeError('x is not a function');
    await expect(protect(fails(mistake))).rejects.toBe(mistake);
  });

  it('hints at a proxy that nobody named', async () => {
    const warn = vi.fn<(text: string) => void>();
    const request = { headers: { 'x-forwarded-for': '192.0.2.1' }, socket: REQUEST.socket };
    await protectSignup(answers('allow'), request, { email: 'jo@example.com' }, warn);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('set trustedProxies')]]);
    await protectSignup(answers('allow'), request, { email: 'jo@example.com', trustedProxies: 1 }, warn);
    await protect(answers('allow'), {}, warn);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

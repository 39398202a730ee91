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

/** The address of the connection, unless the input says something about it. */
const withIp = (input: object) => ('ip' in input || 'peer' in input ? {} : { ip: '203.0.113.7' });

describe('a protected signup', () => {
  it.each(['allow', 'challenge', 'block'] as const)('with the verdict %s is that', async (verdict) => {
    const expected = {
      assessment: { verdict },
      ip: '203.0.113.7',
      mailUnwanted: false,
      failedOpen: false,
      error: null,
    };
    expect(await protect(answers(verdict))).toEqual({ decision: verdict, ...expected });
    expect(await protect(answers(verdict), { mode: 'observe' })).toEqual({ decision: 'allow', ...expected });
  });

  it.each(['allow', 'challenge', 'block'] as const)(
    'with the verdict %s says that a mail is not wanted, except to an application that observes',
    async (verdict) => {
      const signals = { email: { mail_unwanted: true } };
      const assess: Assess = async () => ({ verdict, signals }) as Answer<Assessment>;
      expect(await protect(assess)).toMatchObject({ decision: verdict, mailUnwanted: true });
      expect(await protect(assess, { mode: 'observe' })).toMatchObject({
        decision: 'allow',
        mailUnwanted: false,
        assessment: { signals },
      });
    },
  );

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
    const without = { assessment: null, ip: '203.0.113.7', mailUnwanted: false, error: TIMEOUT };
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

  it('does not end the process by a callback that rejects', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const onError = async () => Promise.reject(new Error('no network'));
    expect(await protect(fails(TIMEOUT), { onError })).toMatchObject({ decision: 'allow', failedOpen: true });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('goes on when the quota is spent', async () => {
    const spent = new QuotaExceededError('quota_exceeded', 'The monthly quota is used up.', { status: 429 });
    expect(await protect(fails(spent))).toMatchObject({ decision: 'allow', failedOpen: true, error: spent });
  });

  it.each([
    ['invalid_email', 'email'],
    ['missing_field', 'email'],
    ['payload_too_large', undefined],
  ] as const)('is invalid, not blocked, where the text ends in %s of %s', async (code, param) => {
    const onError = vi.fn();
    const error = new InvalidRequestError(code, 'no', { param });
    const expected = { assessment: null, failedOpen: false, error };
    expect(await protect(fails(error), { onError })).toMatchObject({ decision: 'invalid', ...expected });
    const observed = await protect(fails(error), { onError, mode: 'observe' });
    expect(observed).toMatchObject({ decision: 'allow', ...expected });
    expect(onError).not.toHaveBeenCalled();
  });

  it.each([
    ['missing_field', 'Idempotency-Key', { idempotencyKey: 'k 1' }],
    ['invalid_ip', 'ip', { ip: '203.0.113.9' }],
    ['missing_field', 'session_id', { sessionId: 's' }],
    ['missing_field', 'brought_by', { broughtBy: 'admin' }],
  ] as const)('is assessed without what ends in %s of %s, and that is said', async (code, param, input) => {
    const onError = vi.fn();
    const error = new InvalidRequestError(code, 'no', { param });
    const assess = vi.fn<Assess>(answers('block')).mockRejectedValueOnce(error);
    expect(await protect(assess, { onError, ...input })).toMatchObject({ decision: 'block', error: null });
    expect(onError.mock.calls).toEqual([[error]]);
    const [request, options] = assess.mock.lastCall ?? [];
    expect(request).not.toHaveProperty(param);
    if (param === 'Idempotency-Key') expect(options?.idempotencyKey).toBeUndefined();
    // Where that does not help either, nobody gets past by it.
    const twice = vi.fn();
    expect(await protect(fails(error), { onError: twice, ...input })).toMatchObject({ decision: 'block' });
    expect(twice).toHaveBeenCalledOnce();
  });

  it('is not refused where the service blames no member: the program is at fault', async () => {
    const onError = vi.fn();
    const error = new InvalidRequestError('missing_field', 'The body is not JSON.');
    expect(await protect(fails(error), { onError })).toMatchObject({ decision: 'allow', failedOpen: true });
    expect(onError).toHaveBeenCalledOnce();
  });

  it.each([
    [{ sessionId: 42 }, { session_id: '42' }, 0],
    [{ sessionId: 42n }, { session_id: '42' }, 0],
    [{ sessionId: '' }, { session_id: '' }, 0],
    [{ sessionId: { id: 1n } }, {}, 1],
    [{ sessionId: Symbol('s') }, {}, 1],
    [{ sessionId: Promise.resolve('s1') }, {}, 1],
    [{ broughtBy: ['admin'] }, {}, 1],
    [{ idempotencyKey: {} }, {}, 1],
    [{ ip: ['203.0.113.7'] }, {}, 0],
    [{ ip: 7 }, {}, 0],
    [{ peer: { remoteAddress: '203.0.113.7' } }, {}, 0],
  ])('is assessed without what has a wrong type: %o', async (input, sent, reports) => {
    const [assess, onError] = [vi.fn(answers('block')), vi.fn()];
    expect(await protect(assess, { onError, ...input } as never)).toMatchObject({ decision: 'block' });
    expect(assess.mock.lastCall?.[0]).toEqual({ email: 'jo@example.com', ...withIp(input), ...sent });
    expect(onError).toHaveBeenCalledTimes(reports);
  });

  it.each([
    ['nothing', '', ''],
    ['spaces', ' \t ', ' \t '],
  ])('asks about %s what a program would write', async (_name, email, asked) => {
    const assess = vi.fn(answers('block'));
    expect(await protect(assess, { email: email as string })).toMatchObject({ decision: 'block' });
    expect(assess.mock.lastCall?.[0].email).toBe(asked);
  });

  it.each([
    ['a field of a multipart parser', { value: 'jo@example.com', fieldname: 'email' }, 'of the type object'],
    ['a list of them', [{ value: 'jo@example.com' }], 'a list of something else than texts'],
    ['a list of numbers', [7], 'a list of something else than texts'],
    ['an empty list in a list', [[]], 'a list of something else than texts'],
    ['a list that no text can be made of', [{ toString: 1 }], 'a list of something else than texts'],
    ['a buffer', Buffer.from('jo@example.com'), 'of the type object'],
    ['a file', new File([], 'jo@example.com'), 'of the type object'],
    ['a promise', Promise.resolve('jo@example.com'), 'a promise that nobody awaited'],
    ['a function', () => 'jo@example.com', 'of the type function'],
    ['the whole form', new URLSearchParams('email=jo@example.com'), 'of the type object'],
  ])('is never blocked for %s instead of the email', async (_name, email, says) => {
    const [assess, onError] = [vi.fn(answers('block')), vi.fn<(error: GatehouseError) => void>()];
    const signup = await protect(assess, { email: email as never, onError });
    expect(signup).toMatchObject({ decision: 'allow', failedOpen: true });
    expect(onError.mock.lastCall?.[0].message).toContain(says);
    expect(assess).not.toHaveBeenCalled();
  });

  it.each([undefined, null, {}, { toString: () => 'jo@example.com' }, 7, true, []])(
    'is never blocked for the email %j, which is no text: one line says what is wrong, and onFailure decides',
    async (value) => {
      const assess = vi.fn(answers('block'));
      const email = value as string;
      for (const [onFailure, decision] of [
        [undefined, 'allow'],
        ['challenge', 'challenge'],
      ] as const) {
        const onError = vi.fn<(error: GatehouseError) => void>();
        const found = await protect(assess, { email, onError, onFailure });
        expect(found).toMatchObject({ decision, assessment: null, failedOpen: decision === 'allow' });
        const [[error] = []] = onError.mock.calls;
        expect(error?.message).toMatch(/is the body of the request parsed .*express\.json\(\)/);
        expect(error?.message).not.toContain('\n');
      }
      await expect(protect(assess, { email, onFailure: 'throw' })).rejects.toThrow('parsed');
      expect(await protect(assess, { email, mode: 'observe' })).toMatchObject({ decision: 'allow' });
      expect(assess).not.toHaveBeenCalled();
    },
  );

  it.each([
    [['x@example.com'], 'x@example.com'],
    [[['x@example.com']], 'x@example.com'],
    [['a@example.com', 'b@example.com'], 'a@example.com,b@example.com'],
  ])('takes the list %j of a form as the program would write it', async (email, text) => {
    const assess = vi.fn(answers('allow'));
    await protect(assess, { email: email as never });
    expect(assess.mock.lastCall?.[0].email).toBe(text);
  });

  it('sends no text that is longer than an address', async () => {
    const assess = vi.fn(answers('allow'));
    expect(await protect(assess, { email: 'a'.repeat(1001) })).toMatchObject({ decision: 'invalid' });
    expect(assess).not.toHaveBeenCalled();
  });

  it('says who brings a person', async () => {
    const assess = vi.fn(answers('allow'));
    await protect(assess, { broughtBy: 'directory' });
    expect(assess.mock.lastCall?.[0]).toMatchObject({ brought_by: 'directory' });
    await protect(assess, { broughtBy: null });
    expect(assess.mock.lastCall?.[0]).not.toHaveProperty('brought_by');
  });

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

import { describe, expect, it, vi } from 'vitest';
import type { SignupProtector } from './adapter.ts';
import { InvalidRequestError, TimeoutError } from './errors.ts';
import {
  clientIp,
  type ExpressOptions,
  type ExpressRequest,
  type ExpressResponse,
  protectSignup,
} from './express.ts';
import type { SignupDecision, SignupInput } from './protect-signup.ts';

type Options = ExpressOptions<ExpressRequest, ExpressResponse>;

const EMAIL = (request: ExpressRequest) => request.body.email;
const decided = (
  decision: SignupDecision['decision'],
  error: SignupDecision['error'] = null,
): SignupDecision => ({
  decision,
  assessment: null,
  ip: '203.0.113.7',
  mailUnwanted: false,
  failedOpen: false,
  error,
});

/** Runs the middleware once, as Express does. */
async function pass(decision: SignupDecision | Error, options: Partial<Options> = {}) {
  const protect = vi.fn<SignupProtector['protectSignup']>(async () => {
    if (decision instanceof Error) throw decision;
    return decision;
  });
  const request: ExpressRequest = {
    body: { email: 'jo@example.com' },
    headers: { 'x-session': 's1' },
    socket: { remoteAddress: '203.0.113.7' },
  };
  const sent: unknown[] = [];
  const response = {
    status: (code: number) => {
      sent.push(code);
      return response;
    },
    json: (body: unknown) => {
      sent.push(body);
      return response;
    },
  } as ExpressResponse;
  const next = vi.fn<(error?: unknown) => void>();
  const middleware = protectSignup({ protectSignup: protect }, { email: EMAIL, ...options });
  await middleware(request, response, next);
  return { request, sent, next: next.mock.calls, call: protect.mock.lastCall };
}

describe('the middleware for Express', () => {
  it.each(['allow', 'challenge'] as const)(
    'lets the handler run and see the decision %s',
    async (verdict) => {
      const { request, sent, next } = await pass(decided(verdict));
      expect(request.gatehouse).toEqual(decided(verdict));
      expect({ sent, next }).toEqual({ sent: [], next: [[]] });
    },
  );

  it('answers a blocked signup without saying why', async () => {
    const { sent, next } = await pass(decided('block'));
    const body = { error: { code: 'signup_blocked', message: 'This account cannot be created.' } };
    expect({ sent, next }).toEqual({ sent: [403, body], next: [] });
  });

  it.each([
    [new InvalidRequestError('invalid_email', 'no', { param: 'email' }), [400, 'invalid_email']],
    [new InvalidRequestError('missing_field', 'no', { param: 'Idempotency-Key' }), [403, 'signup_blocked']],
  ])('says that an email cannot be read, and of no other fault', async (error, [status, code]) => {
    const { sent } = await pass(decided('block', error));
    expect(sent).toMatchObject([status, { error: { code } }]);
  });

  it('answers a text that is no address with 400, also where a blocked signup has a page of its own', async () => {
    const onBlock = vi.fn();
    const { sent, next } = await pass(decided('invalid'), { onBlock });
    expect(sent).toMatchObject([400, { error: { code: 'invalid_email' } }]);
    expect({ next, calls: onBlock.mock.calls }).toEqual({ next: [], calls: [] });
  });

  it('leaves the answer to the callbacks of the application', async () => {
    for (const [verdict, name] of [
      ['invalid', 'onInvalid'],
      ['block', 'onBlock'],
      ['challenge', 'onChallenge'],
    ] as const) {
      const callback = vi.fn((request: ExpressRequest) => request.gatehouse);
      const { sent, next } = await pass(decided(verdict), { [name]: callback });
      expect(callback.mock.results).toMatchObject([{ value: { decision: verdict } }]);
      expect({ sent, next }).toEqual({ sent: [], next: [] });
    }
  });

  it.each<[string, SignupDecision | Error, Partial<Options>]>([
    ['no verdict, with onFailure: throw', new TimeoutError('timeout', 'late'), {}],
    ['a fault in email', decided('allow'), { email: (request) => request.body.no.email }],
    ['a fault in a callback', decided('block'), { onBlock: () => Promise.reject(new Error('no view')) }],
  ])('gives the error handler %s, and never rejects', async (_, decision, options) => {
    const { sent, next } = await pass(decision, options);
    expect({ sent, next }).toEqual({ sent: [], next: [[expect.any(Error)]] });
  });

  it('asks about what the options read, with the options for this form', async () => {
    const plain = await pass(decided('allow'));
    expect(plain.call?.[0]).toBe(plain.request);
    expect(plain.call?.[1]).toEqual({ email: 'jo@example.com' });
    const { call } = await pass(decided('allow'), {
      email: async () => 'later@example.com',
      ip: () => '198.51.100.7',
      peer: () => '10.0.0.1',
      sessionId: (request) => request.headers['x-session'] as string,
      idempotencyKey: () => 'k1',
      timeoutMs: 500,
      broughtBy: async () => 'member' as const,
      mode: 'observe',
      onFailure: 'challenge',
      trustedProxies: 1,
    });
    expect(call?.[1]).toEqual({
      email: 'later@example.com',
      ip: '198.51.100.7',
      peer: '10.0.0.1',
      sessionId: 's1',
      idempotencyKey: 'k1',
      timeoutMs: 500,
      broughtBy: 'member',
      mode: 'observe',
      onFailure: 'challenge',
      trustedProxies: 1,
    } satisfies SignupInput);
  });

  it('is refused while the program starts if it cannot work', () => {
    const working: SignupProtector = { protectSignup: async () => decided('allow') };
    expect(() => protectSignup({} as SignupProtector, { email: EMAIL })).toThrow('gatehouse: an instance');
    expect(() => protectSignup(working, {} as Options)).toThrow('email: a function');
  });

  it('finds the visitor behind the proxies of a request', () => {
    const request = {
      headers: { 'x-forwarded-for': '192.0.2.1, 203.0.113.9' },
      socket: { remoteAddress: '10.0.0.1' },
    };
    expect(clientIp(request, { trustedProxies: ['private'] })).toBe('203.0.113.9');
  });
});

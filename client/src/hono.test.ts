import { describe, expect, it, vi } from 'vitest';
import type { SignupProtector } from './adapter.ts';
import { clientIp, type HonoContext, type HonoOptions, protectSignup } from './hono.ts';
import type { SignupDecision } from './protect-signup.ts';

const READING = { email: async (c: HonoContext) => (await c.req.json()).email };
const NODE = { incoming: { socket: { remoteAddress: '203.0.113.7' } } };
const decided = (decision: SignupDecision['decision']): SignupDecision => ({
  decision,
  assessment: null,
  ip: '203.0.113.7',
  mailUnwanted: false,
  failedOpen: false,
  error: null,
});
const answering = (verdict: SignupDecision['decision']) => ({
  protectSignup: vi.fn<SignupProtector['protectSignup']>(async () => decided(verdict)),
});

function contextOf(env: unknown): HonoContext {
  const raw = new Request('https://app.example/signup', {
    method: 'POST',
    body: '{"email":"jo@example.com"}',
    headers: { 'x-forwarded-for': '192.0.2.1, 198.51.100.7' },
  });
  const variables = new Map<string, SignupDecision>();
  return {
    req: {
      url: raw.url,
      raw,
      json: () => raw.json(),
      parseBody: async () => ({}),
      header: (name) => raw.headers.get(name) ?? undefined,
    },
    env,
    get: (key) => variables.get(key) as SignupDecision,
    set: (key, value) => variables.set(key, value),
    html: (text, status = 200) => new Response(text, { status }),
    text: (text, status = 200) => new Response(text, { status }),
    json: (content, status = 200) => Response.json(content, { status }),
    redirect: (url) => new Response(null, { status: 302, headers: { location: url } }),
  };
}

/** Runs the middleware once, as Hono does. */
async function pass(
  protector: SignupProtector,
  more: Partial<HonoOptions<HonoContext>> = {},
  env: unknown = NODE,
) {
  const context = contextOf(env);
  const next = vi.fn(async () => {});
  const response = await protectSignup(protector, { ...READING, ...more })(context, next);
  return { context, response, goesOn: next.mock.calls.length === 1 };
}

describe('the middleware for Hono', () => {
  it('lets the handler run, which finds the decision', async () => {
    for (const verdict of ['allow', 'challenge'] as const) {
      const { context, response, goesOn } = await pass(answering(verdict));
      expect({ response, goesOn, found: context.get('gatehouse') }).toEqual({
        response: undefined,
        goesOn: true,
        found: decided(verdict),
      });
    }
  });

  it('answers a blocked signup and does not go on', async () => {
    const { response, goesOn } = await pass(answering('block'));
    expect({ status: response?.status, goesOn }).toEqual({ status: 403, goesOn: false });
    expect(await response?.json()).toMatchObject({ error: { code: 'signup_blocked' } });
  });

  it('answers a text that is no address with 400, also where a blocked signup has a page of its own', async () => {
    const { response, goesOn } = await pass(answering('invalid'), { onBlock: (c) => c.text('no', 403) });
    expect({ status: response?.status, goesOn }).toEqual({ status: 400, goesOn: false });
  });

  it('answers with what a callback returns', async () => {
    const own = (c: HonoContext) => c.text(c.get('gatehouse').decision, 418);
    for (const [verdict, name] of [
      ['invalid', 'onInvalid'],
      ['block', 'onBlock'],
      ['challenge', 'onChallenge'],
    ] as const) {
      const { response, goesOn } = await pass(answering(verdict), { [name]: own });
      expect({ status: response?.status, goesOn }).toEqual({ status: 418, goesOn: false });
      expect(await response?.text()).toBe(verdict);
    }
  });

  it('rejects with an error, which Hono hands to onError', async () => {
    const fault = new Error('no');
    await expect(pass({ protectSignup: () => Promise.reject(fault) })).rejects.toBe(fault);
  });

  it.each([
    ['directly', NODE, '203.0.113.7'],
    ['beside other bindings', { server: NODE, KEY: 'x' }, '203.0.113.7'],
    ['nowhere: on an edge runtime', { KEY: 'x' }, undefined],
    ['nowhere: without bindings', null, undefined],
  ])('finds the peer %s', async (_, env, peer) => {
    const protector = answering('allow');
    const { context } = await pass(protector, {}, env);
    expect(protector.protectSignup.mock.lastCall).toEqual([
      context.req.raw,
      { email: 'jo@example.com', peer },
    ]);
    expect(clientIp(context)).toBe(peer ?? null);
    expect(clientIp(context, { trustedProxies: 1 })).toBe('198.51.100.7');
  });

  it('takes the peer from the application where the runtime has another way', async () => {
    const protector = answering('allow');
    await pass(protector, { peer: () => '198.51.100.1' });
    expect(protector.protectSignup.mock.lastCall?.[1]).toMatchObject({ peer: '198.51.100.1' });
  });
});

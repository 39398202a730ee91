import { describe, expect, it, vi } from 'vitest';
import type { SignupProtector } from './adapter.ts';
import { InvalidRequestError } from './errors.ts';
import { createGatehouse, protectAction, protectRoute } from './next.ts';
import type { SignupDecision } from './protect-signup.ts';

const UNREADABLE = new InvalidRequestError('invalid_email', 'The email address is not valid.', {
  param: 'email',
});
const email = async (request: Request) => ((await request.json()) as { email: string }).email;

function decides(decision: SignupDecision['decision'], error: SignupDecision['error'] = null) {
  const signup: SignupDecision = {
    decision,
    assessment: null,
    ip: null,
    mailUnwanted: false,
    failedOpen: false,
    error,
  };
  return { protectSignup: vi.fn<SignupProtector['protectSignup']>(async () => signup) };
}

function post(): Request {
  const headers = { 'x-real-ip': '203.0.113.7' };
  return new Request('https://app.example/api/signup', {
    method: 'POST',
    headers,
    body: '{"email":"jo@example.com"}',
  });
}

describe('a protected route', () => {
  it('reads the email from a copy: the handler reads the body again', async () => {
    const gatehouse = decides('allow');
    const context = { params: Promise.resolve({}) };
    const handler = vi.fn(async (request: Request) => Response.json(await request.json(), { status: 201 }));
    const request = post();
    const answer = await protectRoute(
      gatehouse,
      { email, sessionId: () => 's1', mode: 'observe' },
      handler,
    )(request, context);
    expect([answer.status, await answer.json()]).toEqual([201, { email: 'jo@example.com' }]);
    expect(handler).toHaveBeenCalledWith(request, expect.objectContaining({ decision: 'allow' }), context);
    expect(gatehouse.protectSignup).toHaveBeenCalledWith(
      request,
      expect.objectContaining({ email: 'jo@example.com', sessionId: 's1', mode: 'observe' }),
    );
  });

  it('answers a block itself, without the reason', async () => {
    const handler = vi.fn(() => new Response());
    const blocked = await protectRoute(decides('block'), { email }, handler)(post(), {});
    expect([blocked.status, await blocked.json()]).toEqual([
      403,
      { error: { code: 'signup_blocked', message: 'This account cannot be created.' } },
    ]);
    const unreadable = await protectRoute(decides('block', UNREADABLE), { email }, handler)(post(), {});
    expect(unreadable.status).toBe(400);
    expect(handler).not.toHaveBeenCalled();
  });

  it('asks nothing about a form that the application refuses, and answers a wrong address by itself', async () => {
    const gatehouse = decides('allow');
    const validate = async (request: Request) =>
      (await email(request)).startsWith('jo')
        ? Response.json({ password: 'too short' }, { status: 422 })
        : undefined;
    const handler = vi.fn(() => new Response());
    const refused = await protectRoute(gatehouse, { email, validate }, handler)(post(), {});
    expect([refused.status, await refused.json()]).toEqual([422, { password: 'too short' }]);
    expect(gatehouse.protectSignup).not.toHaveBeenCalled();
    const right = { email, validate: () => undefined, onBlock: () => new Response('no') };
    await protectRoute(gatehouse, right, handler)(post(), {});
    expect(handler).toHaveBeenCalledOnce();
    expect((await protectRoute(decides('invalid'), right, handler)(post(), {})).status).toBe(400);
    const onInvalid = () => new Response('which address?');
    const own = await protectRoute(decides('invalid'), { ...right, onInvalid }, handler)(post(), {});
    expect(await own.text()).toBe('which address?');
  });

  it('gives a challenge to the handler, and each decision to what is set for it', async () => {
    const handler = (_request: Request, { decision }: SignupDecision) => new Response(decision);
    const plain = protectRoute(decides('challenge'), { email }, handler);
    expect(await (await plain(post(), {})).text()).toBe('challenge');
    const options = {
      email,
      onBlock: () => new Response('no'),
      onChallenge: () => new Response('prove it'),
    };
    expect(await (await protectRoute(decides('challenge'), options, handler)(post(), {})).text()).toBe(
      'prove it',
    );
    expect(await (await protectRoute(decides('block'), options, handler)(post(), {})).text()).toBe('no');
  });

  it('is refused while the program starts, where it cannot work', () => {
    expect(() => protectRoute({} as never, { email }, () => new Response())).toThrow('gatehouse:');
    expect(() => protectRoute(decides('allow'), {} as never, () => new Response())).toThrow('email:');
  });
});

describe('a protected action', () => {
  const form = new FormData();

  it('asks nothing about a form that the application refuses, and tells a wrong address apart', async () => {
    const gatehouse = decides('allow');
    const options = { headers: () => new Headers(), email: () => 'jo@example.com', onBlock: () => 'no' };
    const validate = (_form: FormData, previous: string | undefined) => `too short, ${previous}`;
    const refusing = protectAction<string>(gatehouse, { ...options, validate }, () => 'in');
    expect(await refusing('before', form)).toBe('too short, before');
    expect(gatehouse.protectSignup).not.toHaveBeenCalled();
    const right = protectAction<string>(gatehouse, { ...options, validate: () => undefined }, () => 'in');
    expect(await right(form)).toBe('in');
    const invalid = (more: object) =>
      protectAction<string>(decides('invalid'), { ...options, ...more }, () => 'in');
    expect(await invalid({ onInvalid: () => 'which address?' })(form)).toBe('which address?');
    expect(await invalid({})(form)).toBe('no');
  });

  form.set('email', 'jo@example.com');
  const options = {
    headers: async () => new Headers({ 'x-real-ip': '203.0.113.7' }),
    email: (sent: FormData) => sent.get('email'),
    onBlock: () => 'blocked',
  };

  it('takes the form of both kinds of action, and the headers', async () => {
    const gatehouse = decides('allow');
    const action = vi.fn((_form: FormData, _signup: SignupDecision, previous: string | undefined) =>
      String(previous),
    );
    const signUp = protectAction(gatehouse, options, action);
    expect(await signUp(form)).toBe('undefined');
    expect(await signUp('before', form)).toBe('before');
    const [headers, input] = gatehouse.protectSignup.mock.lastCall ?? [];
    expect((headers as Headers).get('x-real-ip')).toBe('203.0.113.7');
    expect(input).toMatchObject({ email: 'jo@example.com' });
  });

  it('returns what is set for a decision', async () => {
    const action = (_form: FormData, { decision }: SignupDecision) => decision;
    expect(await protectAction<string>(decides('block'), options, action)(form)).toBe('blocked');
    expect(await protectAction<string>(decides('challenge'), options, action)(form)).toBe('challenge');
    const withChallenge = { ...options, onChallenge: () => 'prove it' };
    expect(await protectAction<string>(decides('challenge'), withChallenge, action)(form)).toBe('prove it');
  });

  it('is refused without the headers or an answer to a block', () => {
    expect(() =>
      protectAction(decides('allow'), { ...options, headers: undefined as never }, vi.fn()),
    ).toThrow('headers');
    expect(() =>
      protectAction(decides('allow'), { ...options, onBlock: undefined as never }, vi.fn()),
    ).toThrow('onBlock');
  });
});

describe('the client for Next.js', () => {
  it('is made at the first call, so that a build needs no key', async () => {
    const gatehouse = createGatehouse({ url: undefined, key: undefined });
    await expect(gatehouse.protectSignup(post(), { email: 'jo@example.com' })).rejects.toThrow('key:');
    expect(() => gatehouse.client()).toThrow('key:');
  });

  it.each(['its own', 'the global'])('asks for no cached answer with %s fetch', async (kind) => {
    const fetch = vi.fn(async () => Response.json({ plan: 'free' }));
    vi.stubGlobal('fetch', kind === 'its own' ? undefined : fetch);
    const client = createGatehouse({
      url: 'http://127.0.0.1:1',
      key: 'sk_test_x',
      ...(kind === 'its own' ? { fetch } : {}),
    }).client();
    await client.usage();
    vi.unstubAllGlobals();
    expect(fetch).toHaveBeenCalledWith(
      'http://127.0.0.1:1/v1/usage',
      expect.objectContaining({ cache: 'no-store' }),
    );
  });
});

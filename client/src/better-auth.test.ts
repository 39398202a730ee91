import { describe, expect, it, vi } from 'vitest';
import type { SignupProtector } from './adapter.ts';
import { type BetterAuthOptions, type EndpointContext, gatehouse } from './better-auth.ts';
import type { AuthContext } from './better-auth-ban.ts';
import type { SignupDecision } from './protect-signup.ts';

const AUTH = { options: {} } as AuthContext;

function setUp(decision: SignupDecision['decision'], options: BetterAuthOptions = {}, mailUnwanted = false) {
  const assessment = { request_id: 'req_1' } as SignupDecision['assessment'];
  const signup: SignupDecision = {
    decision,
    assessment,
    ip: null,
    mailUnwanted,
    failedOpen: false,
    error: null,
  };
  const protectSignup = vi.fn<SignupProtector['protectSignup']>(async () => signup);
  const { databaseHooks } = gatehouse({ protectSignup }, options).init(AUTH).options;
  return { protectSignup, before: databaseHooks.user.create.before };
}

function contextOf(path = '/sign-up/email'): EndpointContext {
  const headers = new Headers({ 'x-real-ip': '203.0.113.7' });
  return {
    path,
    headers,
    error: (status, body, headers) => Object.assign(new Error(), { status, body, headers }),
  };
}

const JO = { email: 'jo@example.com', emailVerified: false };

describe('the plugin', () => {
  it('assesses a signup, and creates the user', async () => {
    const { protectSignup, before } = setUp('allow', { sessionId: () => 's1', mode: 'observe' });
    const context = contextOf();
    expect(await before(JO, context)).toBeUndefined();
    const [headers, input] = protectSignup.mock.lastCall ?? [];
    expect(headers).toBe(context.headers);
    expect(input).toMatchObject({ email: 'jo@example.com', sessionId: 's1', mode: 'observe' });
  });

  it('blocks with the code of better-auth’s own form', async () => {
    await expect(setUp('block').before(JO, contextOf())).rejects.toMatchObject({
      status: 'FORBIDDEN',
      body: { code: 'SIGNUP_BLOCKED', message: 'This account cannot be created.' },
    });
    const own = setUp('block', { onBlock: ({ email }) => ({ code: 'NO', message: String(email) }) });
    await expect(own.before(JO, contextOf())).rejects.toMatchObject({
      body: { code: 'NO', message: 'jo@example.com' },
    });
  });

  it('answers a challenge with 423', async () => {
    await expect(setUp('challenge').before(JO, contextOf())).rejects.toMatchObject({
      status: 'LOCKED',
      body: { code: 'CHALLENGE_REQUIRED' },
      headers: { 'X-Gatehouse-Challenge': 'req_1' },
    });
  });

  it('leaves better-auth’s own validation of users to the application', () => {
    const { protectSignup } = setUp('allow');
    expect(gatehouse({ protectSignup }).init(AUTH).options).not.toHaveProperty('user');
  });

  it('stops the creation where no request is there to be answered', async () => {
    const { protectSignup, before } = setUp('block');
    expect(await before(JO)).toBe(false);
    expect(await before(JO, null)).toBe(false);
    expect(protectSignup).toHaveBeenCalledTimes(2);
  });
});

describe('a challenged signup', () => {
  it('passes where the email is verified already', async () => {
    const { before } = setUp('challenge');
    expect(await before({ ...JO, emailVerified: true }, contextOf())).toBeUndefined();
  });

  it('passes with the proof that the application asks for, and may store fields', async () => {
    const onChallenge = vi.fn(() => true);
    expect(await setUp('challenge', { onChallenge }).before(JO, contextOf())).toBeUndefined();
    expect(onChallenge).toHaveBeenCalledWith(
      expect.objectContaining({ email: 'jo@example.com' }),
      expect.objectContaining({ decision: 'challenge' }),
    );
    const stores = setUp('challenge', { onChallenge: async () => ({ data: { isReviewed: false } }) });
    expect(await stores.before(JO, contextOf())).toEqual({ data: { isReviewed: false } });
    await expect(setUp('challenge', { onChallenge: () => false }).before(JO, contextOf())).rejects.toThrow();
  });
});

describe('a signup whose address should get no mail', () => {
  it.each(['allow', 'challenge'] as const)(
    'with the decision %s needs a proof before it',
    async (decision) => {
      await expect(setUp(decision, {}, true).before(JO, contextOf())).rejects.toMatchObject({
        status: 'LOCKED',
        body: { code: 'CHALLENGE_REQUIRED' },
      });
      const onChallenge = vi.fn(() => true);
      expect(await setUp(decision, { onChallenge }, true).before(JO, contextOf())).toBeUndefined();
      expect(onChallenge).toHaveBeenCalledWith(
        expect.anything(),
        expect.objectContaining({ mailUnwanted: true }),
      );
      const verified = { ...JO, emailVerified: true };
      expect(await setUp(decision, {}, true).before(verified, contextOf())).toBeUndefined();
    },
  );

  it('stays blocked where it is blocked', async () => {
    await expect(setUp('block', {}, true).before(JO, contextOf())).rejects.toMatchObject({
      status: 'FORBIDDEN',
    });
  });
});

describe('users who are not assessed', () => {
  it.each(['/siwe/verify', '/sign-in/anonymous', '/phone-number/verify'])('%s', async (path) => {
    const { protectSignup, before } = setUp('block');
    expect(await before(JO, contextOf(path))).toBeUndefined();
    expect(protectSignup).not.toHaveBeenCalled();
  });

  it('are those that the application skips', async () => {
    const { before } = setUp('block', { skip: ({ context }) => context === null });
    expect(await before(JO)).toBeUndefined();
    await expect(before(JO, contextOf('/admin/create-user'))).rejects.toThrow();
  });
});

describe('who brings a user', () => {
  const organization = (rows: object[] | Error): EndpointContext['context'] => ({
    options: { plugins: [{ id: 'organization' }] },
    adapter: { findMany: vi.fn(async () => (rows instanceof Error ? Promise.reject(rows) : rows)) },
  });
  const later = new Date(Date.now() + 60_000);

  it.each([
    ['/admin/create-user', 'admin'],
    ['/scim/v2/Users', 'directory'],
    ['/sso/callback/:providerId', 'directory'],
    ['/sso/saml2/sp/acs/:providerId', 'directory'],
    ['/sign-up/email', undefined],
    ['/scimitar', undefined],
  ])('is seen by the endpoint %s: %s', async (path, broughtBy) => {
    const { protectSignup, before } = setUp('allow');
    await before(JO, contextOf(path));
    expect(protectSignup.mock.lastCall?.[1].broughtBy).toBe(broughtBy);
  });

  it.each([
    ['a pending invitation', [{ expiresAt: later }], 'member'],
    ['one that expires never', [{}], 'member'],
    ['one that has expired', [{ expiresAt: new Date(0) }], undefined],
    ['none', [], undefined],
    ['a database that fails', new Error('down'), undefined],
  ] as const)('is a member, with %s', async (_name, rows, broughtBy) => {
    const { protectSignup, before } = setUp('allow');
    await before(JO, { ...contextOf(), context: organization(rows as never) });
    expect(protectSignup.mock.lastCall?.[1].broughtBy).toBe(broughtBy);
  });

  it.each([
    ['/admin/create-user', null],
    ['/scim/v2/Users', null],
    ['/sso/callback', undefined],
    ['/sign-up/email', undefined],
  ])('decides whether the address of the request is theirs: %s', async (path, ip) => {
    const { protectSignup, before } = setUp('allow');
    await before(JO, contextOf(path));
    expect(protectSignup.mock.lastCall?.[1].ip).toBe(ip);
    const own = setUp('allow', { ip: () => '203.0.113.9' });
    await own.before(JO, contextOf(path));
    expect(own.protectSignup.mock.lastCall?.[1].ip).toBe('203.0.113.9');
  });

  it('is nobody, and nobody is asked for a proof, where there is no request', async () => {
    const { protectSignup, before } = setUp('challenge');
    expect(await before(JO)).toBeUndefined();
    const [, input] = protectSignup.mock.lastCall ?? [];
    expect(input).toMatchObject({ ip: null });
    expect(input).not.toHaveProperty('broughtBy');
    expect(await setUp('challenge', { onChallenge: () => false }).before(JO)).toBe(false);
  });

  it('is nobody, where the database does not answer', async () => {
    vi.useFakeTimers();
    const { protectSignup, before } = setUp('allow');
    const adapter = { findMany: () => new Promise<never>(() => {}) };
    const context = { ...organization([]), adapter };
    const waiting = before(JO, { ...contextOf(), context });
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    expect(await waiting).toBeUndefined();
    expect(protectSignup.mock.lastCall?.[1]).not.toHaveProperty('broughtBy');
  });

  it('needs no proof of somebody who is not there, but of somebody who was invited', async () => {
    for (const path of ['/admin/create-user', '/scim/v2/Users'])
      expect(await setUp('challenge').before(JO, contextOf(path))).toBeUndefined();
    const invited = { ...contextOf(), context: organization([{ expiresAt: later }]) };
    await expect(setUp('challenge').before(JO, invited)).rejects.toMatchObject({ status: 'LOCKED' });
    await expect(setUp('block').before(JO, contextOf('/admin/create-user'))).rejects.toMatchObject({
      status: 'FORBIDDEN',
    });
  });

  it('may be decided by the application', async () => {
    const { protectSignup, before } = setUp('allow', {
      broughtBy: ({ user }) => (user.team ? 'member' : null),
    });
    await before({ ...JO, team: 'a' }, contextOf());
    expect(protectSignup.mock.lastCall?.[1].broughtBy).toBe('member');
    const never = setUp('allow', { broughtBy: null });
    await never.before(JO, contextOf('/scim/v2/Users'));
    expect(never.protectSignup.mock.lastCall?.[1]).not.toHaveProperty('broughtBy');
  });
});

it('answers a text that is no address with 400, and not as a blocked one', async () => {
  const onBlock = vi.fn();
  const { before } = setUp('invalid', { onBlock });
  await expect(before(JO, contextOf())).rejects.toMatchObject({
    status: 'BAD_REQUEST',
    body: { code: 'INVALID_EMAIL' },
  });
  expect(onBlock).not.toHaveBeenCalled();
});

it('is refused without a client', () => {
  expect(() => gatehouse({} as never)).toThrow('gatehouse:');
});

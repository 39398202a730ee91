import { describe, expect, it, vi } from 'vitest';
import type { SignupProtector } from './adapter.ts';
import { type AuthJsOptions, protectSignIn, type SignInParams } from './auth-js.ts';
import type { SignupDecision } from './protect-signup.ts';

const HEADERS = new Headers({ 'x-real-ip': '203.0.113.7' });
const JO = { email: 'jo@example.com' };
const ACCOUNT = { provider: 'github', providerAccountId: '7' };
const BY_EMAIL: SignInParams = {
  user: JO,
  account: { type: 'email', provider: 'email', providerAccountId: 'jo@example.com' },
  email: { verificationRequest: true },
};
const BY_OAUTH: SignInParams = { user: JO, account: { type: 'oidc', ...ACCOUNT }, profile: {} };

function setUp(
  decision: SignupDecision['decision'],
  options: Partial<AuthJsOptions<SignInParams>> = {},
  mailUnwanted = false,
) {
  const signup = { decision, assessment: null, ip: null, mailUnwanted, failedOpen: false, error: null };
  const protectSignup = vi.fn<SignupProtector['protectSignup']>(async () => signup);
  const adapter = { getUserByEmail: vi.fn(async () => null), getUserByAccount: vi.fn(async () => null) };
  const signIn = protectSignIn({ protectSignup }, { headers: () => HEADERS, adapter, ...options });
  return { protectSignup, adapter, signIn };
}

describe('who is new', () => {
  it('is assessed with the email and the headers of the request', async () => {
    for (const params of [BY_EMAIL, BY_OAUTH]) {
      const { protectSignup, signIn } = setUp('allow', { sessionId: () => 's1' });
      expect(await signIn(params)).toBe(true);
      expect(protectSignup).toHaveBeenCalledExactlyOnceWith(
        HEADERS,
        expect.objectContaining({ email: 'jo@example.com', sessionId: 's1' }),
      );
    }
  });

  it('is found out by the adapter: first by the account, then by the email', async () => {
    const account = setUp('block');
    account.adapter.getUserByAccount.mockResolvedValue({} as never);
    expect(await account.signIn(BY_OAUTH)).toBe(true);
    expect(account.adapter.getUserByAccount).toHaveBeenCalledWith(ACCOUNT);
    for (const params of [BY_EMAIL, BY_OAUTH]) {
      const email = setUp('block');
      email.adapter.getUserByEmail.mockResolvedValue({} as never);
      expect(await email.signIn(params)).toBe(true);
      expect(email.protectSignup).not.toHaveBeenCalled();
    }
  });

  it('is whom the application calls new', async () => {
    const { protectSignup, adapter, signIn } = setUp('allow', { isNew: ({ user }) => user !== JO });
    expect(await signIn(BY_OAUTH)).toBe(true);
    expect(protectSignup).not.toHaveBeenCalled();
    await signIn({ ...BY_OAUTH, user: { email: 'mo@example.com' } });
    expect(protectSignup).toHaveBeenCalledOnce();
    expect(adapter.getUserByEmail).not.toHaveBeenCalled();
  });

  it('is nobody with credentials, or with a link that was sent', async () => {
    const { protectSignup, signIn } = setUp('block');
    expect(await signIn({ ...BY_EMAIL, email: undefined })).toBe(true);
    expect(await signIn({ user: JO, account: { type: 'credentials', ...ACCOUNT } })).toBe(true);
    expect(protectSignup).not.toHaveBeenCalled();
  });
});

describe('what happens', () => {
  it('to a blocked signup: no entry, or a page', async () => {
    expect(await setUp('block').signIn(BY_EMAIL)).toBe(false);
    expect(await setUp('block', { onBlock: '/sorry' }).signIn(BY_EMAIL)).toBe('/sorry');
    const onBlock = vi.fn(() => '/why');
    expect(await setUp('block', { onBlock }).signIn(BY_EMAIL)).toBe('/why');
    expect(onBlock).toHaveBeenCalledWith(BY_EMAIL, expect.objectContaining({ decision: 'block' }));
  });

  it.each(['allow', 'challenge'] as const)(
    'to an email that should get no mail, with the decision %s: no link, unless the application has another proof',
    async (decision) => {
      expect(await setUp(decision, {}, true).signIn(BY_EMAIL)).toBe(false);
      expect(await setUp(decision, { onChallenge: true }, true).signIn(BY_EMAIL)).toBe(false);
      expect(await setUp(decision, { onChallenge: '/prove' }, true).signIn(BY_EMAIL)).toBe('/prove');
      expect(await setUp(decision, { onChallenge: () => true }, true).signIn(BY_EMAIL)).toBe(true);
      const verified = { ...BY_OAUTH, profile: { email_verified: true } };
      expect(await setUp(decision, {}, true).signIn(verified)).toBe(true);
    },
  );

  it('to a text that is no address: no entry, or a page of its own', async () => {
    expect(await setUp('invalid', { onBlock: '/sorry' }).signIn(BY_EMAIL)).toBe(false);
    expect(await setUp('invalid', { onInvalid: '/which' }).signIn(BY_EMAIL)).toBe('/which');
  });

  it('to a challenged one: the link in the email and a verified email are the proof', async () => {
    const { signIn } = setUp('challenge');
    expect(await signIn(BY_EMAIL)).toBe(true);
    expect(await signIn({ ...BY_OAUTH, profile: { email_verified: true } })).toBe(true);
    expect(await signIn(BY_OAUTH)).toBe(false);
    expect(await setUp('challenge', { onChallenge: '/prove' }).signIn(BY_EMAIL)).toBe('/prove');
    expect(await setUp('challenge', { onChallenge: async () => true }).signIn(BY_OAUTH)).toBe(true);
  });

  it('to a passkey: Auth.js would take a page for an entry', async () => {
    const passkey = { user: JO, account: { ...ACCOUNT, type: 'webauthn' } };
    expect(await setUp('block', { onBlock: '/sorry' }).signIn(passkey)).toBe(false);
    expect(await setUp('challenge', { onChallenge: () => true }).signIn(passkey)).toBe(true);
  });
});

it('is refused while the program starts, where it cannot know who is new, or whence', () => {
  const { protectSignup } = setUp('allow');
  expect(() => protectSignIn({ protectSignup }, { headers: () => HEADERS })).toThrow('adapter:');
  expect(() => protectSignIn({ protectSignup }, { headers: undefined as never, isNew: () => true })).toThrow(
    'headers:',
  );
});

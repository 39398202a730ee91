/** Signs people in and knows their sessions, by better-auth, which is loaded when the first person comes. */
import { hkdfSync } from 'node:crypto';
import type { AuthStore } from '../../store/dashboard-store.ts';
import { hashPassword, PASSWORD_LENGTH, verifyPassword } from './password.ts';

/** What of the library is reachable at all, below `/dashboard/auth/`. */
export const SIGN_IN_CALLS = [
  'sign-in/email',
  'sign-out',
  'change-password',
  'two-factor/enable',
  'two-factor/disable',
  'two-factor/verify-totp',
  'two-factor/verify-backup-code',
  'two-factor/generate-backup-codes',
] as const;

export type SignInCall = (typeof SIGN_IN_CALLS)[number];

export interface SignInAnswer {
  readonly ok: boolean;
  /** The library's word for what went wrong; empty when nothing did. */
  readonly code: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** `Set-Cookie` headers. */
  readonly cookies: readonly string[];
}

export interface OpenSession {
  readonly userId: string;
  readonly sessionId: string;
  /** `Set-Cookie` headers that prolong it. */
  readonly cookies: readonly string[];
}

export interface SignIn {
  /** Whose session a `Cookie` header holds; `undefined` when it holds none that is valid. */
  session(cookie: string | undefined): Promise<OpenSession | undefined>;
  call(call: SignInCall, body: object, cookie: string | undefined): Promise<SignInAnswer>;
  passwordHashOf(email: string): Promise<string | undefined>;
}

export interface SignInOptions {
  readonly store: AuthStore;
  /** The installation's secret; cookies are signed with one derived of it. */
  readonly secret: Buffer;
}

const COOKIE_PREFIX = 'gatehouse';
const SESSION_S = 7 * 86_400;
const RENEW_AFTER_S = 86_400;
/** Never reached: requests are handed over in this process. The origin was checked before. */
const BASE_URL = 'http://gatehouse.invalid';
const BASE_PATH = '/dashboard/auth';

export function createSignIn(options: SignInOptions): SignIn {
  let loading: ReturnType<typeof loadAuth> | undefined;
  const auth = () => {
    loading ??= loadAuth(options).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  return {
    async session(cookie) {
      if (cookie?.includes(`${COOKIE_PREFIX}.session_token=`) !== true) return undefined;
      const { api } = await auth();
      const { headers, response } = await api.getSession({
        headers: new Headers({ cookie }),
        returnHeaders: true,
      });
      if (response === null) return undefined;
      const { user, session } = response;
      return { userId: user.id, sessionId: session.id, cookies: headers.getSetCookie() };
    },
    async call(call, body, cookie) {
      const { handler } = await auth();
      const answer = await handler(
        new Request(`${BASE_URL}${BASE_PATH}/${call}`, {
          method: 'POST',
          headers: {
            origin: BASE_URL,
            'content-type': 'application/json',
            ...(cookie === undefined ? {} : { cookie }),
          },
          body: JSON.stringify(body),
        }),
      );
      return readAnswer(answer);
    },
    async passwordHashOf(email) {
      const { internalAdapter } = await (await auth()).$context;
      const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true });
      const credential = found?.accounts.find(({ providerId }) => providerId === 'credential');
      return credential?.password ?? undefined;
    },
  };
}

async function loadAuth({ store, secret }: SignInOptions) {
  const [{ betterAuth }, { twoFactor }, { codeOnce }, database] = await Promise.all([
    import('better-auth'),
    import('better-auth/plugins/two-factor'),
    import('./code-once.ts'),
    store.authDatabase(),
  ]);
  return betterAuth({
    appName: 'Gatehouse',
    baseURL: BASE_URL,
    basePath: BASE_PATH,
    secret: Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse sign-in', 32)).toString('base64url'),
    database,
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    user: { modelName: 'auth_users' },
    session: { modelName: 'auth_sessions', expiresIn: SESSION_S, updateAge: RENEW_AFTER_S },
    account: { modelName: 'auth_credentials' },
    verification: { modelName: 'auth_verifications' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.least,
      maxPasswordLength: PASSWORD_LENGTH.most,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    hooks: { before: codeOnce },
    plugins: [twoFactor({ schema: { twoFactor: { modelName: 'auth_two_factors' } } })],
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      // `Secure` is added where the request came by https.
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/dashboard' },
      ipAddress: { disableIpTracking: true },
    },
  });
}

async function readAnswer(answer: Response): Promise<SignInAnswer> {
  if (answer.status >= SERVER_FAULT) throw new Error(`sign-in failed: ${await answer.text()}`);
  const body = ((await answer.json().catch(() => null)) ?? {}) as Record<string, unknown>;
  const { code, token: _token, ...rest } = body;
  return {
    ok: answer.ok,
    code: answer.ok ? '' : String(code ?? 'UNAUTHORIZED'),
    // The token of a session is for the cookie alone: pages may not read it.
    body: rest,
    cookies: answer.headers.getSetCookie(),
  };
}

const SERVER_FAULT = 500;

/** Signs people in and finds their sessions, by better-auth, which is loaded at the first request. */
import { hkdfSync } from 'node:crypto';
import type { AuthStore } from '../store/dashboard-store.ts';
import type { SessionStore } from '../store/sign-in-store.ts';
import { PASSWORD_LENGTH, verifyPassword } from './password.ts';
import { createPasswordProofs, type PasswordProof, type PasswordProofs } from './password-proof.ts';
import {
  hasEnded,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
  type SessionClock,
  timesAfterUse,
} from './session-clock.ts';

/** The calls of the library that can be reached, below `/dashboard/auth/`. */
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

export const CODE_CALLS: readonly SignInCall[] = ['two-factor/verify-totp', 'two-factor/verify-backup-code'];

export interface SignInAnswer {
  readonly ok: boolean;
  /** The library's error code; empty on success. */
  readonly code: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** `Set-Cookie` headers. */
  readonly cookies: readonly string[];
}

export interface OpenSession {
  readonly userId: string;
  readonly sessionId: string;
}

/** The one who makes a request. */
export interface Visitor {
  /** Our cookies of the request. */
  readonly cookie: string | undefined;
  /** The address, of version 6 its network. */
  readonly network: string;
  readonly userAgent: string;
}

export interface SignIn {
  /** The user of the session in the visitor's cookies; `undefined` without an open session. */
  session(visitor: Visitor): Promise<OpenSession | undefined>;
  call(call: SignInCall, body: object, visitor: Visitor): Promise<SignInAnswer>;
  /**
   * Cookies of a new session of somebody who proved elsewhere who they are; `undefined` for a user who was removed.
   * @param isProven whether the proof still counts, asked when the session is there: what ends the proof ends sessions, too, and
   * one that began afterwards must end, too
   */
  begin(
    userId: string,
    visitor: Visitor,
    isProven: () => Promise<boolean>,
  ): Promise<readonly string[] | undefined>;
  passwordHashOf(email: string): Promise<string | undefined>;
  /** Whether this is the password of the user who signs in with this email; `undefined` for a user without one. */
  isPassword(email: string, password: string): Promise<boolean | undefined>;
}

export interface SignInOptions {
  readonly store: AuthStore & Pick<SessionStore, 'touchSession' | 'tidySignIn' | 'replacePassword'>;
  readonly clock: SessionClock;
  /** Errors of background writes: they refuse nobody. */
  readonly onFault: (error: unknown) => void;
  /** The installation's secret; cookies are signed with one derived of it. */
  readonly secret: Buffer;
}

const COOKIE_PREFIX = 'gatehouse';
const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token=`;
/** The library deletes sessions at once when the wall clock says that they have expired, so the limits are checked here. */
const NEVER = new Date('9999-12-31');
const NETWORK_HEADER = 'x-gatehouse-network';
const MAX_USER_AGENT = 300;
const TIDY_EVERY_MS = 3_600_000;
/** Never reached: requests are handed over in this process. The origin was checked before. */
const BASE_URL = 'http://gatehouse.invalid';
const BASE_PATH = '/dashboard/auth';

export function createSignIn(options: SignInOptions): SignIn {
  const { store, clock } = options;
  const proofs = createPasswordProofs((from, to) => store.replacePassword(from, to, clock.now()));
  let loading: ReturnType<typeof loadAuth> | undefined;
  const auth = () => {
    loading ??= loadAuth(options, proofs).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const { session, withoutEnded } = createSessions(options, auth);
  const isOutdated = createOutdatedCheck(auth);
  const tidy = createTidy(options);

  /** The library's answer; `undefined` for somebody who was removed meanwhile. */
  async function ask(request: Request, proof: PasswordProof): Promise<Response | undefined> {
    const { handler } = await auth();
    const { isUserGone } = await store.authDatabase();
    return proofs
      .during(proof, () => handler(request))
      .catch((error: unknown) => {
        if (isUserGone(error)) return undefined;
        throw error;
      });
  }

  return {
    session,
    async call(call, body, visitor) {
      const cookie = await withoutEnded(visitor.cookie);
      const proof: PasswordProof = {};
      const answer = await ask(toRequest(call, body, { ...visitor, cookie }), proof);
      if (answer === undefined) return refusalOf(call);
      const { token, ...read } = await readAnswer(answer);
      if (read.ok && (await isOutdated(call, proof, read.body))) {
        const { internalAdapter } = await (await auth()).$context;
        if (typeof token === 'string') await internalAdapter.deleteSession(token);
        return refusalOf(call);
      }
      if (call === 'sign-in/email' && read.ok) await tidy();
      return read;
    },
    async begin(userId, visitor, isProven) {
      const { api, $context } = await auth();
      const { isUserGone } = await store.authDatabase();
      const headers = headersOf({ ...visitor, cookie: undefined });
      // No body schema: the library passes it on as it is.
      const answer = await api
        .beginSession({ body: { userId }, headers, asResponse: true } as never)
        .catch((error: unknown) => {
          if (isUserGone(error)) return undefined;
          throw error;
        });
      if (answer === undefined) return undefined;
      const { ok, cookies, token } = await readAnswer(answer as unknown as Response);
      if (!ok) return undefined;
      await tidy();
      if (await isProven()) return cookies;
      await (await $context).internalAdapter.deleteSession(token as string);
      return undefined;
    },
    passwordHashOf: (email) => passwordHashOf(auth, email),
    async isPassword(email, password) {
      const hash = await passwordHashOf(auth, email);
      return hash === undefined ? undefined : verifyPassword({ hash, password });
    },
  };
}

/** The library, loaded when it is first used. */
type Auth = () => ReturnType<typeof loadAuth>;

/** Sessions by their cookies. */
function createSessions({ store, clock, onFault }: SignInOptions, auth: Auth) {
  async function stored(cookie: string | undefined) {
    if (cookie?.includes(SESSION_COOKIE) !== true) return undefined;
    const { api } = await auth();
    const found = await api.getSession({ headers: new Headers({ cookie }) });
    if (found === null) return undefined;
    const { id, userId, createdAt, updatedAt } = found.session;
    const times = { createdAt: createdAt.getTime(), seenAt: updatedAt.getTime() };
    return { id, userId, times, ended: hasEnded(times, clock.now()) };
  }

  return {
    async session({ cookie, network, userAgent }: Visitor): Promise<OpenSession | undefined> {
      const found = await stored(cookie);
      if (found === undefined || found.ended) return undefined;
      const { id, userId } = found;
      const times = timesAfterUse(found.times, clock);
      const used = { id, network, userAgent: userAgent.slice(0, MAX_USER_AGENT) };
      if (times !== undefined) await store.touchSession({ ...used, ...times }).catch(onFault);
      return { userId, sessionId: id };
    },
    /** The library itself takes a session for open as long as it is there. */
    async withoutEnded(cookie: string | undefined): Promise<string | undefined> {
      if ((await stored(cookie))?.ended !== true) return cookie;
      const others = (cookie as string).split('; ').filter((pair) => !pair.startsWith(SESSION_COOKIE));
      return others.join('; ');
    },
  };
}

/** Removes what has expired, at most once an hour, and only while the clock is trusted. */
function createTidy({ store, clock, onFault }: SignInOptions) {
  let next = 0;
  return async () => {
    const now = clock.now();
    if (!clock.isConfirmed() || now < next) return;
    next = now + TIDY_EVERY_MS;
    const before = { createdAt: now - SESSION_MAX_MS, seenAt: now - SESSION_IDLE_MS, now };
    await store.tidySignIn(before).catch(onFault);
  };
}

async function passwordHashOf(auth: Auth, email: string): Promise<string | undefined> {
  const { internalAdapter } = await (await auth()).$context;
  const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true });
  const credential = found?.accounts.find(({ providerId }) => providerId === 'credential');
  return credential?.password ?? undefined;
}

function createOutdatedCheck(auth: Auth) {
  /** Whether a link set another password while the call was under way, and ended all sessions of the user. */
  return async (call: SignInCall, { hash }: PasswordProof, body: SignInAnswer['body']): Promise<boolean> => {
    const { adapter, internalAdapter } = await (await auth()).$context;
    if (hash !== undefined) {
      const where = [{ field: 'password', value: hash }];
      return (await adapter.findOne({ model: 'account', where })) === null;
    }
    if (!CODE_CALLS.includes(call)) return false;
    // A code proves no password, but the link turns the second factor off.
    const user = await internalAdapter.findUserById((body.user as { id: string }).id);
    return (user as { twoFactorEnabled?: boolean } | null)?.twoFactorEnabled !== true;
  };
}

function toRequest(call: SignInCall, body: object, visitor: Visitor): Request {
  return new Request(`${BASE_URL}${BASE_PATH}/${call}`, {
    method: 'POST',
    headers: headersOf(visitor),
    body: JSON.stringify(body),
  });
}

function headersOf({ cookie, network, userAgent }: Visitor): Headers {
  return new Headers({
    origin: BASE_URL,
    'content-type': 'application/json',
    'user-agent': userAgent.slice(0, MAX_USER_AGENT),
    [NETWORK_HEADER]: network,
    ...(cookie === undefined ? {} : { cookie }),
  });
}

async function loadAuth({ store, secret, clock }: SignInOptions, proofs: PasswordProofs) {
  const [{ betterAuth }, { APIError }, { twoFactor }, { refuseReusedCode }, { sessionBeginning }, database] =
    await Promise.all([
      import('better-auth'),
      import('better-auth/api'),
      import('better-auth/plugins/two-factor'),
      import('./code-once.ts'),
      import('./begin-session.ts'),
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
    // An error of the database is ours to answer, with its cause in our log.
    onAPIError: { throw: true },
    rateLimit: { enabled: false },
    user: { modelName: 'auth_users' },
    session: { modelName: 'auth_sessions', expiresIn: SESSION_MAX_MS / 1000, disableSessionRefresh: true },
    account: { modelName: 'auth_credentials' },
    // Expired ones are removed with the sessions.
    verification: { modelName: 'auth_verifications', disableCleanup: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      password: { hash: proofs.hash, verify: proofs.verify },
    },
    hooks: { before: refuseReusedCode },
    databaseHooks: {
      account: {
        update: {
          async before({ password }) {
            if (typeof password !== 'string') return;
            if (await proofs.replace(password)) return false;
            throw new APIError('BAD_REQUEST', { code: 'INVALID_PASSWORD' });
          },
        },
      },
      session: {
        create: {
          async before(_session, context) {
            const now = new Date(clock.now());
            const ipAddress = context?.headers?.get(NETWORK_HEADER) ?? '';
            return { data: { expiresAt: NEVER, createdAt: now, updatedAt: now, ipAddress } };
          },
        },
      },
    },
    plugins: [twoFactor({ schema: { twoFactor: { modelName: 'auth_two_factors' } } }), sessionBeginning],
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      // `Secure` is added where the request came by https.
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/dashboard' },
      ipAddress: { disableIpTracking: true },
    },
  });
}

/** Answer to such a call by somebody who does not exist, or whose sign-in was ended. */
function refusalOf(call: SignInCall): SignInAnswer {
  const code = CODE_CALLS.includes(call) ? 'INVALID_TWO_FACTOR_COOKIE' : 'UNAUTHORIZED';
  return {
    ok: false,
    code: call === 'sign-in/email' ? 'INVALID_EMAIL_OR_PASSWORD' : code,
    body: {},
    cookies: [],
  };
}

async function readAnswer(answer: Response): Promise<SignInAnswer & { readonly token: unknown }> {
  if (answer.status >= SERVER_FAULT) throw new Error(`sign-in failed: ${await answer.text()}`);
  const body = ((await answer.json().catch(() => null)) ?? {}) as Record<string, unknown>;
  const { code, token, ...rest } = body;
  return {
    ok: answer.ok,
    code: answer.ok ? '' : String(code ?? 'UNAUTHORIZED'),
    // The token of a session is for the cookie alone: pages may not read it.
    body: rest,
    token,
    cookies: answer.headers.getSetCookie(),
  };
}

const SERVER_FAULT = 500;

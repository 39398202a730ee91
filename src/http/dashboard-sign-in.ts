/** POST /dashboard/auth/…: passes the allowed calls on to the sign-in library, limits failures and writes to the audit log. */
import type { KnownDevices } from '../accounts/known-device.ts';
import {
  CODE_CALLS,
  SIGN_IN_CALLS,
  type SignIn,
  type SignInAnswer,
  type SignInCall,
} from '../accounts/sign-in.ts';
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import type { IdentityStore } from '../store/identity-store.ts';
import { createReadLazily } from './core/body.ts';
import type { RequestContext } from './core/request-context.ts';
import type { Routes } from './core/request-handler.ts';
import type { CsrfOrigins, VisitorOf } from './dashboard-csrf.ts';
import type { CurrentUser, FindCurrentUser } from './dashboard-guarded-routes.ts';
import { requirePasswords, type SignInMethods } from './dashboard-oidc.ts';
import { loginsOf, signInAsOneOf } from './dashboard-session.ts';
import type { Attempts, PasswordOutcome } from './dashboard-sign-in-attempts.ts';
import { isWrongSecret, toSignInFailure, toSignInProblem } from './dashboard-sign-in-problems.ts';
import { bodyOf, SHORT_TEXT } from './dashboard-values.ts';

export interface SignInRoutesOptions {
  readonly store: Pick<PeopleStore, 'findUser' | 'usersOf'> & Pick<IdentityStore, 'identitiesOf'>;
  readonly signIn: Pick<SignIn, 'call'>;
  readonly attempts: Pick<Attempts, 'provePassword' | 'proveCode'>;
  readonly devices: Pick<KnownDevices, 'remember'>;
  readonly origins: CsrfOrigins;
  readonly findCurrentUser: FindCurrentUser;
  readonly visitorOf: VisitorOf;
  /** Writes an event to the audit logs of the user's accounts; never fails. */
  readonly note: (user: StoredUser, action: string) => void;
  readonly signInMethods: SignInMethods;
}

/** One call of the library, as it was sent. */
interface SentCall {
  readonly call: SignInCall;
  readonly context: RequestContext;
  readonly body: Readonly<Record<string, string>>;
  /** The signed-in user; `undefined` during sign-in. */
  readonly current: CurrentUser | undefined;
  /** The address of that user, or the one that was typed. */
  readonly email: string | undefined;
}

/** The fields of each call; anything else that is sent is left out. */
const FIELDS: Record<SignInCall, readonly string[]> = {
  'sign-in/email': ['email', 'password'],
  'sign-out': [],
  'change-password': ['currentPassword', 'newPassword'],
  'two-factor/enable': ['password'],
  'two-factor/disable': ['password'],
  'two-factor/verify-totp': ['code'],
  'two-factor/verify-backup-code': ['code'],
  'two-factor/generate-backup-codes': ['password'],
};

/** Further fields that the library gets. */
const FIXED: Partial<Record<SignInCall, object>> = { 'change-password': { revokeOtherSessions: true } };

const EVENTS: Partial<Record<SignInCall, string>> = {
  'sign-out': 'sign_out',
  'change-password': 'password_changed',
  'two-factor/disable': 'two_factor_disabled',
  'two-factor/generate-backup-codes': 'backup_codes_renewed',
};

const OK = 200;

export function signInRoutes(routes: Routes, options: SignInRoutesOptions): void {
  const { origins, findCurrentUser } = options;
  const prove = createProve(options);
  const noteEvent = createNoteEvent(options);

  for (const call of SIGN_IN_CALLS) {
    const schema = bodyOf(Object.fromEntries(FIELDS[call].map((name) => [name, SHORT_TEXT])));
    const read = createReadFields(FIELDS[call], schema);
    const handle = async (context: RequestContext) => {
      origins.check(context);
      if (call !== 'sign-out') requirePasswords(options.signInMethods);
      const body = read(context.rawBody);
      const current = call === 'sign-in/email' ? undefined : await findCurrentUser(context);
      const email = call === 'sign-in/email' ? body.email?.trim().toLowerCase() : current?.user.email;
      const sent = { call, context, body, current, email };
      const answer = await prove(sent).catch((error: unknown) => {
        throw isSignIn(sent) ? toSignInFailure(error) : error;
      });
      // Not awaited: the time of the answer must not reveal whether there is such a user.
      void noteEvent(sent, answer).catch(() => {});
      origins.addCookies(context, answer.cookies);
      if (!answer.ok) throw toSignInProblem(answer.code);
      const elsewhere = call === 'sign-out' ? await signOutElsewhere(options, current) : {};
      context.json(OK, JSON.stringify({ ...answer.body, ...elsewhere }));
    };
    routes.add('POST', `/dashboard/auth/${call}`, handle, schema);
  }
}

/** Address at which a person signs out of the OpenID provider, too; nothing where it cannot be known now. */
async function signOutElsewhere(
  { signInMethods: { oidc }, store }: SignInRoutesOptions,
  current: CurrentUser | undefined,
): Promise<{ readonly provider_sign_out?: string }> {
  if (oidc === null || current === undefined) return {};
  const identities = await store.identitiesOf(current.user.id);
  const url = identities.length > 0 && (await oidc.provider.signOutUrl().catch(() => undefined));
  return url ? { provider_sign_out: url } : {};
}

/** Whether somebody who is not signed in wants a session. */
function isSignIn({ call, current }: SentCall): boolean {
  return current === undefined && call !== 'sign-out';
}

function createReadFields(
  fields: readonly string[],
  schema: object,
): (bytes: Buffer) => Record<string, string> {
  if (fields.length === 0) return () => ({});
  const read = createReadLazily(schema);
  return (bytes) => {
    const message = read(bytes) as Record<string, string>;
    return Object.fromEntries(fields.map((name) => [name, message[name] as string]));
  };
}

/** Runs a call and counts wrong secrets; a device is remembered with every session that begins. */
function createProve(options: SignInRoutesOptions) {
  const { store, signIn, attempts, devices, visitorOf } = options;

  async function run({ call, context, body, email }: SentCall): Promise<SignInAnswer> {
    const visitor = visitorOf(context);
    if (call !== 'sign-in/email') return signIn.call(call, { ...body, ...FIXED[call] }, visitor);
    const address = email as string;
    return signInAsOneOf(signIn, await loginsOf(store, address), body.password as string, visitor);
  }

  return async (sent: SentCall): Promise<SignInAnswer> => {
    const { call, context, current, email } = sent;
    if (call === 'sign-out') return run(sent);
    const proving = CODE_CALLS.includes(call) ? attempts.proveCode : attempts.provePassword;
    const answer = await proving(context, current ?? { email }, () => run(sent), outcomeOf);
    const login = loginSignedIn(answer);
    if (login === undefined) return answer;
    const device = await devices.remember(visitorOf(context).cookie, login);
    return { ...answer, cookies: [...answer.cookies, device] };
  };
}

function createNoteEvent({ store, note }: Pick<SignInRoutesOptions, 'store' | 'note'>) {
  /** Users that an event is about: the one who signed in; if nobody did, everybody who claims the address. */
  async function usersMeant(answer: SignInAnswer, email = ''): Promise<readonly StoredUser[]> {
    const id = userIdOf(answer);
    if (id === undefined) return store.usersOf(email);
    const user = await store.findUser(id);
    return user === undefined ? [] : [user];
  }

  return async ({ call, current, email }: SentCall, answer: SignInAnswer): Promise<void> => {
    const action = eventOf(call, answer, current?.user);
    if (action === undefined) return;
    for (const user of current ? [current.user] : await usersMeant(answer, email)) note(user, action);
  };
}

function eventOf(call: SignInCall, answer: SignInAnswer, before: StoredUser | undefined): string | undefined {
  if (call === 'sign-in/email') {
    if (!answer.ok) return isWrongSecret(answer.code) ? 'sign_in_failed' : undefined;
    return answer.body.twoFactorRedirect === true ? undefined : 'sign_in';
  }
  const confirming = CODE_CALLS.includes(call);
  if (confirming && answer.ok)
    return before === undefined ? 'sign_in' : before.twoFactor ? undefined : 'two_factor_enabled';
  return answer.ok ? EVENTS[call] : undefined;
}

function outcomeOf({ ok, code }: SignInAnswer): PasswordOutcome {
  if (ok) return 'right';
  return isWrongSecret(code) ? 'wrong' : 'not_looked_at';
}

/** The login of a complete sign-in; also after a change of password, which forgets known devices. */
function loginSignedIn({ ok, body }: SignInAnswer): string | undefined {
  if (!ok || body.twoFactorRedirect === true) return undefined;
  return (body.user as { email?: string } | undefined)?.email;
}

function userIdOf({ body }: SignInAnswer): string | undefined {
  return (body.user as { id?: string } | undefined)?.id;
}

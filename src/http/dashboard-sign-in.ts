/** POST /dashboard/auth/…: hands the few calls of the sign-in library on, with a limit on failures and a note in the audit log. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KnownDevices } from '../accounts/known-device.ts';
import {
  SIGN_IN_CALLS,
  type SignIn,
  type SignInAnswer,
  type SignInCall,
  type Visitor,
} from '../accounts/sign-in.ts';
import { Problem } from '../contract/problem.ts';
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import { createReadMessage } from './body.ts';
import { addCookies } from './dashboard-cookies.ts';
import type { CsrfOrigins, VisitorOf } from './dashboard-csrf.ts';
import type { Attempts, Exchange, PasswordOutcome, Prover } from './dashboard-sign-in-attempts.ts';
import { loginsOf, signInAsOneOf } from './dashboard-sign-in-by-address.ts';
import { isWrongSecret, toSignInProblem } from './dashboard-sign-in-problems.ts';

export interface SignInRoutesOptions {
  readonly store: Pick<PeopleStore, 'findUser' | 'usersOf'>;
  readonly signIn: SignIn;
  readonly attempts: Pick<Attempts, 'provePassword' | 'proveCode'>;
  readonly devices: Pick<KnownDevices, 'remember'>;
  readonly origins: CsrfOrigins;
  readonly visitorOf: VisitorOf;
  readonly ready: () => Promise<boolean>;
  /** Keeps an event in the audit logs of whatever the user belongs to; never fails. */
  readonly note: (user: StoredUser, action: string) => void;
}

interface SignedIn {
  readonly user: StoredUser;
  readonly sessionId: string;
}

const WORDS = (...names: string[]) => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string', maxLength: 300 }])),
});

/** What each call takes; anything else that is sent is left out. */
const BODIES: Record<SignInCall, ReturnType<typeof WORDS>> = {
  'sign-in/email': WORDS('email', 'password'),
  'sign-out': WORDS(),
  'change-password': WORDS('currentPassword', 'newPassword'),
  'two-factor/enable': WORDS('password'),
  'two-factor/disable': WORDS('password'),
  'two-factor/verify-totp': WORDS('code'),
  'two-factor/verify-backup-code': WORDS('code'),
  'two-factor/generate-backup-codes': WORDS('password'),
};

const CODE_CALLS: readonly SignInCall[] = ['two-factor/verify-totp', 'two-factor/verify-backup-code'];

/** What the library is told besides. */
const FIXED: Partial<Record<SignInCall, object>> = { 'change-password': { revokeOtherSessions: true } };

const EVENTS: Partial<Record<SignInCall, string>> = {
  'sign-out': 'sign_out',
  'change-password': 'password_changed',
  'two-factor/disable': 'two_factor_disabled',
  'two-factor/generate-backup-codes': 'backup_codes_renewed',
};

export function signInRoutes(app: FastifyInstance, options: SignInRoutesOptions): void {
  const { signIn, origins } = options;

  async function whoAsks(request: FastifyRequest): Promise<SignedIn | undefined> {
    const session = await signIn.session(options.visitorOf(request));
    const user = session && (await options.store.findUser(session.userId));
    return session && user && { user, sessionId: session.sessionId };
  }

  async function signInByAddress(body: Record<string, string>, visitor: Visitor): Promise<SignInAnswer> {
    const { email, password } = body as { email: string; password: string };
    return signInAsOneOf(signIn, await loginsOf(options.store, email), password, visitor);
  }

  /** Counts what proves a secret; a device is remembered with every session that begins. */
  async function prove(
    call: SignInCall,
    who: Prover,
    exchange: Exchange,
    body: Record<string, string>,
  ): Promise<SignInAnswer> {
    const visitor = options.visitorOf(exchange.request);
    const work = () =>
      call === 'sign-in/email' ? signInByAddress(body, visitor) : signIn.call(call, body, visitor);
    if (call === 'sign-out') return work();
    const proving = CODE_CALLS.includes(call) ? options.attempts.proveCode : options.attempts.provePassword;
    const answer = await proving(exchange, who, work, outcomeOf);
    const email = emailSignedIn(answer);
    if (email === undefined) return answer;
    return { ...answer, cookies: [...answer.cookies, await options.devices.remember(visitor.cookie, email)] };
  }

  async function run(
    call: SignInCall,
    body: Record<string, string>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const before = call === 'sign-in/email' ? undefined : await whoAsks(request);
    const email = call === 'sign-in/email' ? body.email?.trim().toLowerCase() : before?.user.email;
    const sent = call === 'sign-in/email' ? { ...body, email } : body;
    const answer = await prove(call, before ?? { email }, { request, reply }, {
      ...sent,
      ...FIXED[call],
    } as Record<string, string>);
    void noteEvent(call, answer, before?.user, email).catch(() => {});
    return answer;
  }

  /** Who signed in; everybody who claims the address where nobody did. */
  async function whoIsMeant(answer: SignInAnswer, email = ''): Promise<readonly StoredUser[]> {
    const id = userIdOf(answer);
    if (id === undefined) return options.store.usersOf(email);
    const user = await options.store.findUser(id);
    return user === undefined ? [] : [user];
  }

  /** Apart from the answer, so that its time tells nothing of whether there is such a user. */
  async function noteEvent(
    call: SignInCall,
    answer: SignInAnswer,
    before: StoredUser | undefined,
    email?: string,
  ) {
    const action = eventOf(call, answer, before);
    if (action === undefined) return;
    for (const user of before ? [before] : await whoIsMeant(answer, email)) options.note(user, action);
  }

  for (const call of SIGN_IN_CALLS) {
    const schema = BODIES[call];
    const read = createReadMessage(schema);
    app.post(`/dashboard/auth/${call}`, async (request, reply) => {
      reply.header('Cache-Control', 'no-store');
      if (!(await options.ready())) throw new Problem('unavailable');
      origins.check(request);
      const message = schema.required.length === 0 ? {} : (read(bytesOf(request)) as Record<string, string>);
      const body = Object.fromEntries(schema.required.map((name) => [name, message[name] as string]));
      const answer = await run(call, body, request, reply);
      addCookies(reply, answer.cookies, origins.isSecure(request));
      if (!answer.ok) throw toSignInProblem(answer.code);
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer.body));
    });
  }
}

function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
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

/** Who is signed in with all that is asked for; also after another password, which ends what is known of devices. */
function emailSignedIn({ ok, body }: SignInAnswer): string | undefined {
  if (!ok || body.twoFactorRedirect === true) return undefined;
  return (body.user as { email?: string } | undefined)?.email;
}

function userIdOf({ body }: SignInAnswer): string | undefined {
  return (body.user as { id?: string } | undefined)?.id;
}

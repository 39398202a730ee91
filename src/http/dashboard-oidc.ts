/** /dashboard/api/oidc and /dashboard/oidc/callback: a sign-in at the OpenID provider begins, and the person comes back. */
import type { Logger } from 'pino';
import type { Directory } from '../accounts/directory.ts';
import { OidcFailure } from '../accounts/oidc-failure.ts';
import {
  OIDC_CALLBACK,
  type OidcConfig,
  type OidcProvider,
  oidcProviderOf,
} from '../accounts/oidc-provider.ts';
import { createOidcSignIn, type OidcSignIn } from '../accounts/oidc-sign-in.ts';
import {
  END_TRANSACTION,
  OIDC_LIFETIME_MS,
  type OidcIntent,
  type OidcTransaction,
  readTransaction,
  writeTransaction,
} from '../accounts/oidc-transaction.ts';
import type { SecretBox } from '../accounts/secret-box.ts';
import { hashLinkSecret } from '../accounts/secret-link.ts';
import type { SessionClock } from '../accounts/session-clock.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import type { OidcConnection, OidcStart, OidcStartBody } from '../contract/dashboard-people.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { OidcRefusal } from '../contract/oidc-refusal.ts';
import { Problem } from '../contract/problem.ts';
import type { GroupRole } from '../model/group-role.ts';
import type { WebClient } from '../outbound/web-client.ts';
import type { PeopleStore, StoredUser } from '../store/dashboard-store.ts';
import type { IdentityStore } from '../store/identity-store.ts';
import type { SessionStore } from '../store/sign-in-store.ts';
import type { RequestContext } from './core/request-context.ts';
import type { Routes } from './core/request-handler.ts';
import type { CsrfOrigins, VisitorOf } from './dashboard-csrf.ts';
import type { CurrentUser, FindCurrentUser } from './dashboard-guarded-routes.ts';
import type { DashboardRoutes, OpenCall } from './dashboard-route.ts';
import type { Attempts } from './dashboard-sign-in-attempts.ts';
import { toSignInProblem } from './dashboard-sign-in-problems.ts';
import { bodyOf, SHORT_TEXT } from './dashboard-values.ts';
import { createPlaces, type Places, tryAgainAfter } from './dashboard-work-places.ts';

/** How people may sign in. */
export interface SignInMethods {
  readonly hasPasswords: boolean;
  /** `null`: at no provider. */
  readonly oidc: {
    readonly provider: OidcProvider;
    readonly label: string;
    readonly mapping: readonly GroupRole[];
    readonly log: Pick<Logger, 'warn'>;
  } | null;
}

/** @throws Problem `passwords_off` */
export function requirePasswords({ hasPasswords }: SignInMethods): void {
  if (!hasPasswords) throw new Problem('passwords_off');
}

/** Settings of an installation, as `Config` has them. */
interface SignInConfig extends OidcConfig {
  readonly hasPasswords: boolean;
  readonly oidcLabel: string;
  readonly oidcRoles: readonly GroupRole[];
}

export function signInMethodsOf(
  config: SignInConfig,
  web: Pick<WebClient, 'request'>,
  log: Pick<Logger, 'warn'>,
): SignInMethods {
  const { hasPasswords, oidcLabel: label, oidcRoles: mapping } = config;
  const provider = oidcProviderOf(config, web);
  return { hasPasswords, oidc: provider === undefined ? null : { provider, label, mapping, log } };
}

export interface OidcRoutesOptions {
  readonly store: PeopleStore & IdentityStore & Pick<SessionStore, 'sessions'>;
  readonly directory: Pick<Directory, 'accounts'>;
  readonly makeId: MakeId;
  readonly signInMethods: SignInMethods;
  readonly box: SecretBox;
  readonly signIn: Pick<SignIn, 'begin' | 'isPassword'>;
  readonly attempts: Pick<Attempts, 'provePassword'>;
  readonly origins: Pick<CsrfOrigins, 'cookiesOf' | 'addCookies'>;
  readonly visitorOf: VisitorOf;
  readonly findCurrentUser: FindCurrentUser;
  readonly sessionClock: Pick<SessionClock, 'now'>;
  readonly note: (user: StoredUser, action: string) => void;
  readonly onFault: (error: unknown) => void;
}

type OidcMethod = NonNullable<SignInMethods['oidc']>;

/** Sign-ins that wait for the provider at once. */
const MAX_WAITING = 50;
/** Max. of them from one network: a stranger must not take every place. */
const MAX_OF_NETWORK = 10;
const RETRY_S = 2;
const NO_PASSWORD = {
  message: 'You have no password here, so you cannot prove who you are.',
  resolution: 'Ask the operator for a link that sets one (gatehouse user link), then connect.',
};
const START_FIELDS = { next: SHORT_TEXT, invitation: SHORT_TEXT, password: SHORT_TEXT };
const SEE_OTHER = 303;

export function oidcRoutes(routes: Routes, guarded: DashboardRoutes, options: OidcRoutesOptions): void {
  const { oidc } = options.signInMethods;
  if (oidc === null) return;
  const places = createPlaces();
  startRoute(guarded, options, oidc, places);
  connectionRoute(guarded, options);

  const finish = createFinish(options, oidc);
  routes.add('GET', OIDC_CALLBACK, async (context) => {
    const { origins, box, sessionClock } = options;
    const transaction = readTransaction(box, origins.cookiesOf(context), sessionClock.now());
    origins.addCookies(context, [END_TRANSACTION]);
    const leave = takePlace(places, options.visitorOf(context).network);
    try {
      if (leave === undefined) throw new OidcFailure('unavailable', 'too many people sign in at once');
      redirect(context, await finish(context, transaction));
    } catch (error) {
      redirect(context, refusedPath(transaction, refusalOf(error, options, oidc)));
    } finally {
      leave?.();
    }
  });
}

/** @returns the function that frees the place; `undefined` where all are taken, or all of the network */
function takePlace(places: Places, network: string): (() => void) | undefined {
  const leaveNetwork = places.take(`network ${network}`, MAX_OF_NETWORK);
  if (leaveNetwork === undefined) return undefined;
  const leaveAll = places.take('all', MAX_WAITING);
  if (leaveAll === undefined) {
    leaveNetwork();
    return undefined;
  }
  return () => {
    leaveAll();
    leaveNetwork();
  };
}

function startRoute(
  guarded: DashboardRoutes,
  options: OidcRoutesOptions,
  { provider, log }: OidcMethod,
  places: Places,
): void {
  const { origins, box, sessionClock } = options;
  guarded.forAnybody<OidcStartBody>({
    method: 'POST',
    path: '/oidc',
    body: bodyOf({ ...START_FIELDS, connect: { type: 'boolean' } }, []),
    async handle(call): Promise<OidcStart> {
      const intent = await intentOf(options, call);
      const leave = takePlace(places, options.visitorOf(call.context).network);
      if (leave === undefined) throw new Problem('unavailable', undefined, tryAgainAfter(RETRY_S));
      try {
        const { url, checks } = await provider.begin();
        const expiresAt = sessionClock.now() + OIDC_LIFETIME_MS;
        origins.addCookies(call.context, [writeTransaction(box, { ...intent, checks, expiresAt })]);
        return { url };
      } catch (error) {
        if (!(error instanceof OidcFailure)) throw error;
        noteFailure(log, error);
        throw unreachable(error);
      } finally {
        leave();
      }
    },
  });
}

function connectionRoute(guarded: DashboardRoutes, { store }: OidcRoutesOptions): void {
  guarded.forUser({
    method: 'GET',
    path: '/oidc',
    async handle({ user }): Promise<OidcConnection> {
      return { connected: (await store.identitiesOf(user.id)).length > 0 };
    },
  });
}

async function intentOf(
  options: OidcRoutesOptions,
  { context, body }: OpenCall<OidcStartBody>,
): Promise<OidcIntent> {
  const next = safePath(body.next);
  if (body.invitation !== undefined) return { next, invitation: hashLinkSecret(body.invitation) };
  if (body.connect !== true) return { next };
  const current = await options.findCurrentUser(context);
  if (current === undefined) throw new Problem('signed_out');
  await requireOwnPassword(options, context, current, body.password);
  return { next, userId: current.user.id };
}

/** A connected person signs in without password and second factor: as for turning off 2FA, a session is no proof. @throws Problem */
async function requireOwnPassword(
  { signInMethods, signIn, attempts }: OidcRoutesOptions,
  context: RequestContext,
  current: CurrentUser,
  password: string | undefined,
): Promise<void> {
  requirePasswords(signInMethods);
  if (password === undefined) throw new Problem('missing_field', 'password');
  const isRight = await attempts.provePassword(
    context,
    current,
    () => signIn.isPassword(current.user.login, password),
    (is) => (is === undefined ? 'not_looked_at' : is ? 'right' : 'wrong'),
  );
  if (isRight === undefined) throw new Problem('conflict', undefined, NO_PASSWORD);
  if (!isRight) throw toSignInProblem('INVALID_PASSWORD');
}

/** Signs in the person who came back; returns the path to open. */
function createFinish(options: OidcRoutesOptions, { provider, mapping, log }: OidcMethod) {
  const { signIn, visitorOf, findCurrentUser, sessionClock, note } = options;
  const signInPerson: OidcSignIn = createOidcSignIn({
    ...options,
    mapping,
    onOwnerKept: (account, user) =>
      log.warn({ account, user }, 'the only owner of an account stays one although no group says so'),
  });

  return async (context: RequestContext, transaction: OidcTransaction | undefined): Promise<string> => {
    if (transaction === undefined) throw new OidcFailure('expired', 'there is no cookie of this sign-in');
    const { next, invitation, userId, checks } = transaction;
    const current = userId === undefined ? undefined : await findCurrentUser(context);
    if (current?.user.id !== userId) throw new OidcFailure('expired', 'another user is signed in by now');
    const person = await provider.finish(context.search, checks);
    const intent = {
      ...(invitation !== undefined && { invitation }),
      ...(current !== undefined && { user: current.user, sessionId: current.sessionId }),
    };
    const user = await signInPerson(person, intent, sessionClock.now());
    // A person who was connected stays signed in, unless a role was lost.
    if (current !== undefined && (await findCurrentUser(context)) !== undefined) return next;
    const isProven = () => options.store.hasIdentity(user.id, person);
    const cookies = await signIn.begin(user.id, visitorOf(context), isProven);
    if (cookies === undefined)
      throw new OidcFailure('expired', 'the user was removed or disconnected meanwhile');
    options.origins.addCookies(context, cookies);
    note(user, 'sign_in');
    return next;
  };
}

/** The reason that the person is shown; the cause goes to the log. */
function refusalOf(error: unknown, { onFault }: OidcRoutesOptions, { log }: OidcMethod): OidcRefusal {
  if (error instanceof OidcFailure) {
    noteFailure(log, error);
    return error.reason;
  }
  onFault(error);
  return 'unavailable';
}

function noteFailure(log: OidcMethod['log'], error: OidcFailure): void {
  log.warn({ reason: error.reason, err: error }, 'a sign-in at the OpenID provider failed');
}

function unreachable(cause: OidcFailure): Problem {
  return new Problem('unavailable', undefined, {
    message: 'The provider that you sign in at cannot be reached.',
    resolution: 'Try again in a minute. If it still fails, the log of the service says why.',
    cause,
  });
}

/** Page that says what came of it. */
function refusedPath(transaction: OidcTransaction | undefined, reason: OidcRefusal): string {
  if (transaction?.userId !== undefined) return `/profile?oidc=${reason}`;
  const next = transaction === undefined ? '' : `&${new URLSearchParams({ next: transaction.next })}`;
  if (transaction?.invitation !== undefined) return `/invitations?oidc=${reason}`;
  return `/sign-in?oidc=${reason}${next}`;
}

function redirect(context: RequestContext, path: string): void {
  context.header('Location', path);
  context.header('Referrer-Policy', 'no-referrer');
  context.empty(SEE_OTHER);
}

/** A path of this dashboard, never another site: it begins with one slash, and is read as a browser reads it. */
export function safePath(text: string | undefined): string {
  const base = 'http://gatehouse.invalid';
  if (text === undefined || !text.startsWith('/') || !URL.canParse(text, base)) return '/';
  const { origin, pathname, search } = new URL(text, base);
  return origin === base && !pathname.startsWith('//') ? pathname + search : '/';
}

/** `gatehouse-client/better-auth`: a plugin that decides about a signup before better-auth creates the user. */
import {
  type AdapterOptions,
  blockedAnswer,
  checkAdapterOptions,
  decideSignup,
  readBroughtBy,
  type SignupProtector,
} from './adapter.ts';
import { type AccountsOptions, type AccountsPlugin, createAccountsPlugin } from './better-auth-accounts.ts';
import { type AuthContext, hasAdminPlugin, isMarked } from './better-auth-ban.ts';
import type { FetchHeaders } from './client-ip.ts';
import type { BroughtBy } from './messages.ts';
import type { SignupDecision } from './protect-signup.ts';

export type { AccountsOptions } from './better-auth-accounts.ts';
export { clientIp } from './client-ip.ts';

/** The used part of the context of a better-auth endpoint. */
export interface EndpointContext {
  readonly path?: string | undefined;
  readonly headers?: FetchHeaders | undefined;
  readonly request?: { readonly headers: FetchHeaders } | undefined;
  /** Context of better-auth itself; read for pending invitations of its plugin `organization`. */
  readonly context?:
    | {
        readonly options?:
          | { readonly plugins?: readonly { readonly id?: unknown }[] | undefined }
          | undefined;
        readonly adapter?: DatabaseAdapter | undefined;
      }
    | undefined;
  error(status: RefusalStatus, body: ErrorBody, headers?: Record<string, string>): Error;
}

/** The used part of better-auth's adapter of the database. */
export interface DatabaseAdapter {
  findMany?(query: { model: string; where: { field: string; value: string }[] }): Promise<readonly unknown[]>;
}

type RefusalStatus = 'BAD_REQUEST' | 'FORBIDDEN' | 'LOCKED';

/** The `error` that a client of better-auth gets. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly [member: string]: unknown;
}

/** The user that better-auth is about to create. */
export interface NewUser {
  readonly email: unknown;
  /** The known fields of the user: `emailVerified`, `name`, your additional fields. */
  readonly user: Readonly<Record<string, unknown>>;
  /** `null` where your own code creates the user without a request. */
  readonly context: EndpointContext | null;
}

export interface BetterAuthOptions extends Partial<AdapterOptions<NewUser>> {
  /** Users who are created without an assessment. Default: those without an address of their own. */
  readonly skip?: ((user: NewUser) => boolean) | undefined;
  /** The body of the 400 for a text that cannot be an email address. Default: the code `INVALID_EMAIL`. */
  readonly onInvalid?: ((user: NewUser, signup: SignupDecision) => ErrorBody) | undefined;
  /** The body of the 403 for a blocked signup. Default: the code `SIGNUP_BLOCKED`. */
  readonly onBlock?: ((user: NewUser, signup: SignupDecision) => ErrorBody) | undefined;
  /**
   * Whether a challenged signup, or one whose address should get no mail (`signup.mailUnwanted`), has given its proof: `true`, or `{ data }` with fields to store in the user. Otherwise
   * the answer is 423 with the code `CHALLENGE_REQUIRED`, and the client repeats the request with the proof. `{ answer }` adds
   * members to the body of this answer, such as a challenge for the page.
   * Default: `user.emailVerified`, as by a magic link, a code in an email, or most social providers; and users whom
   * an administrator or a directory brings, or your own code without a request, because they are not there to give a proof.
   */
  readonly onChallenge?:
    | ((user: NewUser, signup: SignupDecision) => ProofResult | Promise<ProofResult>)
    | undefined;
  /** Lets Gatehouse hold and release users: by the ban of the plugin `admin`, or without it by a mark that refuses sign-ins. Default: it may not. */
  readonly accounts?: AccountsOptions | undefined;
}

export type ProofResult =
  | boolean
  | { readonly data: Record<string, unknown> }
  | { readonly answer: Readonly<Record<string, unknown>> };

/** The part of better-auth's options that the plugin sets. */
export interface GatehousePlugin extends Partial<AccountsPlugin> {
  readonly id: 'gatehouse';
  readonly init: (auth: AuthContext) => {
    readonly options: {
      readonly databaseHooks: {
        readonly user: { readonly create: { readonly before: BeforeCreate } };
        readonly session?: { readonly create: { readonly before: BeforeSession } };
      };
    };
  };
}

type BeforeCreate = (
  user: Record<string, unknown>,
  context?: EndpointContext | null,
) => Promise<false | { data: Record<string, unknown> } | undefined>;

type BeforeSession = (
  session: Record<string, unknown>,
  context?: EndpointContext | null,
) => Promise<false | undefined>;

/** The decision about a new user. */
type Outcome =
  | { readonly isAdmitted: true; readonly data?: Record<string, unknown> }
  | {
      readonly isAdmitted: false;
      readonly status: RefusalStatus;
      readonly body: ErrorBody;
      readonly headers: Record<string, string>;
    };

const ADMIN_PATHS = ['/admin/create-user'];
const SCIM_PATH = /^\/scim\//;
/** Sign-in by the directory of an organization: the visitor's own browser. */
const SSO_PATH = /^\/sso\//;
/** Addresses that better-auth makes up. */
const UNASSESSED_PATHS = ['/sign-in/anonymous', '/phone-number/verify', '/siwe/verify', '/sign-in/siwe'];
/** The code of better-auth's own ban. */
const ON_HOLD: ErrorBody = {
  code: 'BANNED_USER',
  message: 'This account is on hold. Please contact our support.',
};
const CHALLENGE_REQUIRED: ErrorBody = {
  code: 'CHALLENGE_REQUIRED',
  message: 'Please confirm that you are you.',
};

/**
 * The hook of the database decides, in every version. `user.validateUserInfo`, which better-auth has from 1.7 on, is left to
 * the application: where it is set, better-auth refuses whom other plugins create without a source, or code without a request.
 * @throws OptionsError
 */
export function gatehouse(client: SignupProtector, options: BetterAuthOptions = {}): GatehousePlugin {
  const { accounts, ...signups } = options;
  const decide = createDecide(client, signups);

  const before: BeforeCreate = async (user, context = null) => {
    const outcome = await decide({ email: user.email, user, context });
    if (outcome.isAdmitted) return outcome.data && { data: outcome.data };
    // better-auth ends the creation; there is no request to answer.
    if (context === null) return false;
    throw context.error(outcome.status, outcome.body, outcome.headers);
  };

  const user = { create: { before } };
  if (accounts === undefined)
    return { id: 'gatehouse', init: () => ({ options: { databaseHooks: { user } } }) };
  return {
    id: 'gatehouse',
    ...createAccountsPlugin(accounts),
    init: (auth) => ({
      options: {
        // The plugin `admin` refuses banned users itself.
        databaseHooks: hasAdminPlugin(auth)
          ? { user }
          : { user, session: { create: { before: createRefuseHeld(auth) } } },
      },
    }),
  };
}

function createRefuseHeld({ internalAdapter }: AuthContext): BeforeSession {
  return async ({ userId }, context = null) => {
    if (typeof userId !== 'string' || !(await isMarked(internalAdapter, userId))) return undefined;
    if (context === null) return false;
    throw context.error('FORBIDDEN', ON_HOLD);
  };
}

function createDecide(
  client: SignupProtector,
  options: BetterAuthOptions,
): (user: NewUser) => Promise<Outcome> {
  const { skip = isUnassessed, onInvalid = describeBlock, onBlock = describeBlock, ...others } = options;
  const { onChallenge, ...rest } = others;
  const reading = {
    email: ({ email }: NewUser) => email,
    broughtBy: findBroughtBy,
    ip: (user: NewUser) => (isElsewhere(user) ? null : undefined),
    ...rest,
  };
  checkAdapterOptions(client, reading);
  return async (user) => {
    if (skip(user)) return { isAdmitted: true };
    const headers = user.context?.headers ?? user.context?.request?.headers ?? { headers: {} };
    const by = await readBroughtBy(reading, user);
    const signup = await decideSignup(client, { ...reading, broughtBy: by }, user, headers);
    if (signup.decision === 'allow' && !signup.mailUnwanted) return { isAdmitted: true };
    if (signup.decision === 'invalid')
      return { isAdmitted: false, status: 'BAD_REQUEST', body: onInvalid(user, signup), headers: {} };
    if (signup.decision === 'block')
      return { isAdmitted: false, status: 'FORBIDDEN', body: onBlock(user, signup), headers: {} };
    const isAbsent = user.context === null || by === 'admin' || by === 'directory';
    const result = onChallenge === undefined ? isAbsent || isVerified(user) : await onChallenge(user, signup);
    if (typeof result === 'object' && 'data' in result) return { isAdmitted: true, data: result.data };
    if (result === true) return { isAdmitted: true };
    return {
      isAdmitted: false,
      status: 'LOCKED',
      body: { ...(typeof result === 'object' && result.answer), ...CHALLENGE_REQUIRED },
      headers: challengeHeaders(signup),
    };
  };
}

function isUnassessed({ context }: NewUser): boolean {
  return UNASSESSED_PATHS.includes(context?.path ?? '');
}

/** Party by the endpoint that creates the user, and by the invitations that better-auth stores: nothing of it comes from the visitor. */
async function findBroughtBy({ email, context }: NewUser): Promise<BroughtBy | undefined> {
  const path = context?.path ?? '';
  if (ADMIN_PATHS.includes(path)) return 'admin';
  if (SCIM_PATH.test(path) || SSO_PATH.test(path)) return 'directory';
  return (await isInvited(email, context)) ? 'member' : undefined;
}

/** Whether no request of the person is there: that of an administrator or of a directory's server has another address. */
function isElsewhere({ context }: NewUser): boolean {
  if (context === null) return true;
  const path = context.path ?? '';
  return ADMIN_PATHS.includes(path) || SCIM_PATH.test(path);
}

/** Whether a member of an organization has invited this address, and the invitation has not expired. */
async function isInvited(email: unknown, context: EndpointContext | null): Promise<boolean> {
  const { options, adapter } = context?.context ?? {};
  const hasOrganizations = options?.plugins?.some(({ id }) => id === 'organization') === true;
  const database = currentAdapter() ?? adapter;
  if (typeof email !== 'string' || !hasOrganizations || typeof database?.findMany !== 'function')
    return false;
  const where = [
    { field: 'email', value: email.toLowerCase() },
    { field: 'status', value: 'pending' },
  ];
  // Without an answer the person signs up alone.
  const found = await withinDeadline(database.findMany({ model: 'invitation', where })).catch(() => []);
  return found.some((invitation) => {
    const { expiresAt } = invitation as { readonly expiresAt?: string | number | Date | null };
    return expiresAt === undefined || expiresAt === null || new Date(expiresAt).getTime() > Date.now();
  });
}

/**
 * The adapter of the transaction that better-auth creates the user in, where it shares it among its copies (from 1.4 on). Any
 * other connection may wait for the end of this transaction, which waits for us.
 */
function currentAdapter(): DatabaseAdapter | undefined {
  const shared = (globalThis as Record<symbol, unknown>)[Symbol.for('better-auth:global')] as
    | { readonly context?: { readonly adapterAsyncStorage?: { getStore?(): unknown } } }
    | undefined;
  const store = shared?.context?.adapterAsyncStorage?.getStore?.();
  return (store as { readonly adapter?: DatabaseAdapter } | undefined)?.adapter;
}

/** A signup does not wait longer for a database that may wait for the signup. */
const INVITATION_MS = 1000;

function withinDeadline<T>(result: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database did not answer')), INVITATION_MS);
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

function isVerified({ user }: NewUser): boolean {
  return user.emailVerified === true;
}

function describeBlock(_user: NewUser, signup: SignupDecision): ErrorBody {
  const { code, message } = blockedAnswer(signup).body.error;
  return { code: code.toUpperCase(), message };
}

/** Headers of a challenged answer, in the manner of better-auth's own plugin: the challenge is in a header of the answer, the solution in a header of the next request. */
function challengeHeaders({ assessment }: SignupDecision): Record<string, string> {
  return assessment === null ? {} : { 'X-Gatehouse-Challenge': assessment.request_id };
}

/** `gatehouse-client/auth-js`: a `signIn` callback of Auth.js that decides about new people. */
import { type AdapterOptions, checkAdapterOptions, decideSignup, type SignupProtector } from './adapter.ts';
import type { RequestLike } from './client-ip.ts';
import { OptionsError } from './errors.ts';
import type { SignupDecision } from './protect-signup.ts';

export { clientIp } from './client-ip.ts';

/** The used part of the parameters with which Auth.js calls `signIn`. */
export interface SignInParams {
  readonly user: { readonly email?: string | null | undefined };
  readonly account?:
    | { readonly type: string; readonly provider: string; readonly providerAccountId: string }
    | null
    | undefined;
  readonly profile?: object | undefined;
  readonly email?: { readonly verificationRequest?: boolean | undefined } | undefined;
}

/** The used part of an Auth.js adapter, which knows who has an account already. */
export interface UserLookup {
  getUserByEmail?(email: string): unknown;
  getUserByAccount?(account: { readonly provider: string; readonly providerAccountId: string }): unknown;
}

/** Result of `callbacks.signIn`: `false`, or the address of a page. */
export type SignInResult = boolean | string;

export interface AuthJsOptions<Params extends SignInParams> extends Partial<AdapterOptions<Params>> {
  /** The request's headers, or the request: `headers` of `next/headers`, or `() => request` in a configuration for each request. */
  readonly headers: () => RequestLike | Promise<RequestLike>;
  /** The adapter of your Auth.js. Needed unless you set `isNew`. */
  readonly adapter?: UserLookup | undefined;
  /** Whether this is a signup. Default: the adapter knows neither the account nor the email. */
  readonly isNew?: ((params: Params) => boolean | Promise<boolean>) | undefined;
  /** Page for a text that cannot be an email address, or `false`. Default `false`. */
  readonly onInvalid?: SignInHandler<Params> | undefined;
  /** Target of a blocked signup: a page, or `false`, the error page of Auth.js. Default `false`. */
  readonly onBlock?: SignInHandler<Params> | undefined;
  /**
   * Target of a challenged signup, and of an email that should get no mail (`signup.mailUnwanted`); `true` continues. Default:
   * `true` by email, because its link is the proof, unless no mail should be sent, and for providers that have verified the
   * email (`profile.email_verified`); otherwise `false`.
   */
  readonly onChallenge?: SignInHandler<Params> | undefined;
}

export type SignInHandler<Params> =
  | SignInResult
  | ((params: Params, signup: SignupDecision) => SignInResult | Promise<SignInResult>);

/**
 * `callbacks: { signIn: protectSignIn(…) }`. With an email provider it decides before the email is sent.
 * @throws OptionsError
 */
export function protectSignIn<Params extends SignInParams>(
  gatehouse: SignupProtector,
  options: AuthJsOptions<Params>,
): (params: Params) => Promise<SignInResult> {
  const { headers, adapter, isNew = findIsNew(adapter), onBlock = false, ...rest } = options;
  const { onChallenge = isVerified, onInvalid = false, ...others } = rest;
  const reading = { email: ({ user }: Params) => user.email, ...others };
  checkAdapterOptions(gatehouse, reading);
  if (typeof headers !== 'function')
    throw new OptionsError('invalid_options', 'headers: a function that returns the headers of the request.');
  return async (params) => {
    if (!canBeSignup(params) || !(await isNew(params))) return true;
    const signup = await decideSignup(gatehouse, reading, params, await headers());
    const isLink = params.account?.type === 'email';
    if (signup.decision === 'allow' && !(isLink && signup.mailUnwanted)) return true;
    const handlers = { allow: onChallenge, challenge: onChallenge, block: onBlock, invalid: onInvalid };
    const chosen = handlers[signup.decision];
    // A link is no proof where no mail should be sent.
    const handler = chosen === true && isLink && signup.mailUnwanted ? false : chosen;
    const result = typeof handler === 'function' ? await handler(params, signup) : handler;
    // Auth.js lets a passkey in after everything but `false`.
    return params.account?.type === 'webauthn' && result !== true ? false : result;
  };
}

/** Credentials belong to somebody who has signed up; a link in an email to somebody who was assessed before it was sent. */
function canBeSignup({ account, email }: SignInParams): boolean {
  if (account?.type === 'credentials') return false;
  return account?.type !== 'email' || email?.verificationRequest === true;
}

function findIsNew(adapter: UserLookup | undefined): (params: SignInParams) => Promise<boolean> {
  if (typeof adapter?.getUserByEmail !== 'function' || typeof adapter.getUserByAccount !== 'function')
    throw new OptionsError('invalid_options', 'adapter: with getUserByEmail and getUserByAccount. Or isNew.');
  return async ({ user, account }) => {
    if (account !== null && account !== undefined && account.type !== 'email') {
      const { provider, providerAccountId } = account;
      if (isKnown(await adapter.getUserByAccount?.({ provider, providerAccountId }))) return false;
    }
    return typeof user.email !== 'string' || !isKnown(await adapter.getUserByEmail?.(user.email));
  };
}

function isKnown(user: unknown): boolean {
  return user !== null && user !== undefined;
}

function isVerified({ account, profile }: SignInParams, { mailUnwanted }: SignupDecision): boolean {
  if (account?.type === 'email') return !mailUnwanted;
  return (profile as { readonly email_verified?: unknown } | undefined)?.email_verified === true;
}

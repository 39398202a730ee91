/** The common part of the framework adapters: their options, how they read a signup, and the answer to a blocked one. */
import type { RequestLike } from './client-ip.ts';
import { OptionsError } from './errors.ts';
import type { Gatehouse } from './gatehouse.ts';
import type { BroughtBy } from './messages.ts';
import { isFaultOfEmail, type ProtectionOptions, type SignupDecision } from './protect-signup.ts';

/** The part of a client that an adapter needs. */
export type SignupProtector = Pick<Gatehouse, 'protectSignup'>;

/** How an adapter reads a signup from a request of its framework. */
export interface AdapterOptions<Request> extends ProtectionOptions {
  /** The email that was typed, or a promise of it. Without a value `onFailure` decides, and a line says that the body may not be parsed. */
  readonly email: (request: Request) => unknown;
  /** The visitor's address, where your framework knows it already. Default: found by `trustedProxies`. */
  readonly ip?: ((request: Request) => string | null | undefined) | undefined;
  /** The address of the connection's peer. Default: that of the framework. */
  readonly peer?: ((request: Request) => string | null | undefined) | undefined;
  /** Your own session or request id. */
  readonly sessionId?: ((request: Request) => string | null | undefined) | undefined;
  /** Party that brings the person, or a function of the request. Only from what your backend knows, never from the form. */
  readonly broughtBy?:
    | BroughtBy
    | null
    | ((request: Request) => BroughtBy | null | undefined | Promise<BroughtBy | null | undefined>)
    | undefined;
  /** Your own id of this attempt, so that a repeated form submission is assessed once. */
  readonly idempotencyKey?: ((request: Request) => string | undefined) | undefined;
  readonly timeoutMs?: number | undefined;
}

/** The answer to a blocked signup where the application has none of its own. */
export interface BlockedAnswer {
  readonly status: 400 | 403;
  /** It does not say why, except that an email cannot be read: a reason would tell an attacker what to change. */
  readonly body: { readonly error: { readonly code: string; readonly message: string } };
}

/** @throws OptionsError when the program is wrong, while it starts */
export function checkAdapterOptions(gatehouse: SignupProtector, options: { readonly email: unknown }): void {
  if (typeof gatehouse?.protectSignup !== 'function')
    throw new OptionsError('invalid_options', 'gatehouse: an instance of Gatehouse.');
  if (typeof options?.email !== 'function')
    throw new OptionsError('invalid_options', 'email: a function that reads the email from a request.');
}

/**
 * @param source the request as the framework knows it
 * @param request the same for the client: where it reads headers and the peer
 */
export async function decideSignup<Request>(
  gatehouse: SignupProtector,
  { email, ip, peer, sessionId, broughtBy, idempotencyKey, ...options }: AdapterOptions<Request>,
  source: Request,
  request: RequestLike,
): Promise<SignupDecision> {
  const by = typeof broughtBy === 'function' ? await broughtBy(source) : broughtBy;
  return gatehouse.protectSignup(request, {
    ...options,
    email: (await email(source)) as string | null | undefined,
    ip: ip?.(source),
    peer: peer?.(source),
    sessionId: sessionId?.(source),
    ...(by === undefined || by === null ? {} : { broughtBy: by }),
    idempotencyKey: idempotencyKey?.(source),
  });
}

export function blockedAnswer({ decision, error }: SignupDecision): BlockedAnswer {
  if (decision === 'invalid' || (error !== null && isFaultOfEmail(error)))
    return {
      status: 400,
      body: { error: { code: 'invalid_email', message: 'The email address is not valid.' } },
    };
  return {
    status: 403,
    body: { error: { code: 'signup_blocked', message: 'This account cannot be created.' } },
  };
}

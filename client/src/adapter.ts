/** The common part of the framework adapters: their options, how they read a signup, and the answer to a blocked one. */
import { checkTrustedProxies, type RequestLike } from './client-ip.ts';
import { InvalidRequestError, OptionsError } from './errors.ts';
import type { Gatehouse } from './gatehouse.ts';
import type { BroughtBy } from './messages.ts';
import { checkNumber } from './options.ts';
import {
  checkProtection,
  isFaultOfEmail,
  type ProtectionOptions,
  report,
  type SignupDecision,
} from './protect-signup.ts';

/** The part of a client that an adapter needs. */
export type SignupProtector = Pick<Gatehouse, 'protectSignup'>;

/** Options of an adapter, which reads a signup from a request of its framework. */
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
export function checkAdapterOptions(
  gatehouse: SignupProtector,
  options: ProtectionOptions & { readonly email: unknown; readonly timeoutMs?: number | undefined },
): void {
  if (typeof gatehouse?.protectSignup !== 'function')
    throw new OptionsError('invalid_options', 'gatehouse: an instance of Gatehouse.');
  if (typeof options?.email !== 'function')
    throw new OptionsError('invalid_options', 'email: a function that reads the email from a request.');
  checkProtection(options);
  checkTrustedProxies(options.trustedProxies);
  checkNumber('timeoutMs', options.timeoutMs, 1);
}

/**
 * @param source the request as the framework knows it
 * @param request the same for the client: where it reads headers and the peer
 * @param isParsed whether the request has a body that somebody parsed: without one, no email can be read
 */
export async function decideSignup<Request>(
  gatehouse: SignupProtector,
  options: AdapterOptions<Request>,
  source: Request,
  request: RequestLike,
  isParsed = true,
): Promise<SignupDecision> {
  const { email, ip, peer, sessionId, broughtBy: _, idempotencyKey, ...rest } = options;
  const { onError } = options;
  const by = await readBroughtBy(options, source);
  return gatehouse.protectSignup(request, {
    ...rest,
    email: (await readEmail(email, source, isParsed)) as string | null | undefined,
    // Without it the address of the connection would be taken, which the application knows to be another one.
    ip: await readOptional('ip', ip, source, onError, null),
    peer: await readOptional('peer', peer, source, onError, undefined),
    sessionId: await readOptional('sessionId', sessionId, source, onError, undefined),
    ...(by === undefined || by === null ? {} : { broughtBy: by }),
    idempotencyKey: await readOptional('idempotencyKey', idempotencyKey, source, onError, undefined),
  });
}

/** `request.body.email` throws for everybody where nobody parsed the body. Any other fault may be the visitor's choice, or meant. */
async function readEmail<Request>(
  email: AdapterOptions<Request>['email'],
  source: Request,
  isParsed: boolean,
): Promise<unknown> {
  try {
    return await email(source);
  } catch (error) {
    if (isParsed || !(error instanceof TypeError)) throw error;
    return undefined;
  }
}

export async function readBroughtBy<Request>(
  { broughtBy, onError }: Pick<AdapterOptions<Request>, 'broughtBy' | 'onError'>,
  source: Request,
): Promise<BroughtBy | null | undefined> {
  if (typeof broughtBy !== 'function') return broughtBy;
  try {
    return await broughtBy(source);
  } catch (error) {
    reportCallback('broughtBy', error, onError);
    return undefined;
  }
}

/** Reads what a signup can be assessed without: a callback that throws for some visitors, as without a session, refuses none. */
async function readOptional<Request, Value>(
  name: string,
  read: ((request: Request) => Value) | undefined,
  source: Request,
  onError: ProtectionOptions['onError'],
  fallback: Value,
): Promise<Value | undefined> {
  try {
    return await read?.(source);
  } catch (error) {
    reportCallback(name, error, onError);
    return fallback;
  }
}

/** Names the kind of the error alone: its message may have the visitor's data. */
function reportCallback(name: string, error: unknown, onError: ProtectionOptions['onError']): void {
  const kind = error instanceof Error ? error.name : typeof error;
  const message = `the signup is assessed without ${name}, because its callback threw: ${kind}`;
  report(new InvalidRequestError('missing_field', message, { param: name }), onError);
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

/** Decides what happens to a signup: the verdict, or what was chosen for the case that there is none. */
import type { Answer } from './answer-meta.ts';
import { clientIp, type RequestLike, readHeader, type TrustedProxies } from './client-ip.ts';
import { type ErrorCode, GatehouseError, InvalidRequestError, OptionsError } from './errors.ts';
import { parseIpAddress } from './ip-address.ts';
import type { Assessment, AssessmentRequest, BroughtBy, Verdict } from './messages.ts';
import { warnOnce } from './warn-once.ts';

/** Protection of signups; set for a client, and for one call where that differs. */
export interface ProtectionOptions {
  /** The proxies that may tell the client's address. Default: none, so it is the connection's peer. */
  readonly trustedProxies?: TrustedProxies | undefined;
  /** Answer without a verdict. Default `allow`: the signup goes on, and `failedOpen` is true. */
  readonly onFailure?: 'allow' | 'challenge' | 'throw' | undefined;
  /** `observe`: every decision is `allow`, also without a verdict; the assessment says what it would have been. Default `enforce`. */
  readonly mode?: 'enforce' | 'observe' | undefined;
  /** Called whenever there is no verdict, unless the email itself cannot be read. Default: a line on the console. */
  readonly onError?: ((error: GatehouseError) => void) | undefined;
}

/** A file in a form: what `form.get('email')` may be as well, for the types. It is no email. */
export interface FormFile {
  readonly name: string;
  readonly size: number;
}

export interface SignupInput extends ProtectionOptions {
  /**
   * Text that was typed, or `form.get('email')`. Without a text (a body that nobody parsed, a wrong name of the field) there is
   * no verdict: `onFailure` decides.
   */
  readonly email: string | FormFile | null | undefined;
  /** The client's address, where you know it already. Default: `clientIp(request, …)`. */
  readonly ip?: string | null | undefined;
  /** The connection's peer, for requests that do not carry it. */
  readonly peer?: string | null | undefined;
  /** Your own session or request id. */
  readonly sessionId?: string | null | undefined;
  /** Party that brings the person. Only from what your backend knows, never from the form. */
  readonly broughtBy?: BroughtBy | null | undefined;
  /**
   * Your own id of this attempt, so that a repeated form submission is assessed once. Default: the same for the same
   * email, address, session and person who brings, for ten minutes.
   */
  readonly idempotencyKey?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SignupDecision {
  /** `invalid`: the text cannot be an email address; ask for another one. */
  readonly decision: Verdict | 'invalid';
  /** `null` where there is no verdict. */
  readonly assessment: Answer<Assessment> | null;
  /** The address that was sent; `null` where none is known. */
  readonly ip: string | null;
  /**
   * Send no mail to the address before a proof that needs none, such as a CAPTCHA, also where the decision is `allow`: it
   * would reach somebody who probably did not sign up. False with `observe`.
   */
  readonly mailUnwanted: boolean;
  /** The signup is allowed because Gatehouse failed, not because it was found good. */
  readonly failedOpen: boolean;
  /** Why there is no verdict. */
  readonly error: GatehouseError | null;
}

/** Asks for an assessment. */
export type Assess = (
  request: AssessmentRequest,
  options: Pick<SignupInput, 'idempotencyKey' | 'timeoutMs' | 'signal'>,
) => Promise<Answer<Assessment>>;

/** Makes the default idempotency key of a request. */
export type DeriveKey = (request: AssessmentRequest) => string;

/** Max. length, longer than any address can be; longer ones are not sent, so that nobody can make the request too large to answer. */
const MAX_EMAIL_CHARACTERS = 1000;
/** Length that no session id has: a visitor writes the cookie from which some applications take it. */
const MAX_TEXT_CHARACTERS = 8192;
/** Codes that mean: what was sent about this signup cannot be used. */
const UNUSABLE: readonly ErrorCode[] = ['invalid_email', 'invalid_ip', 'missing_field', 'payload_too_large'];
/** Members that a signup can be assessed without, by the `param` of the error: a fault in it must neither refuse people nor let them in. */
const DISPENSABLE: Readonly<Record<string, 'ip' | 'session_id' | 'brought_by' | 'idempotencyKey'>> = {
  ip: 'ip',
  session_id: 'session_id',
  brought_by: 'brought_by',
  'Idempotency-Key': 'idempotencyKey',
};
const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip'];

/**
 * Assesses one signup.
 *
 * An email that is a text but no address is `invalid` with `error`, not a failure: otherwise an attacker could choose
 * such an email to get past. No email at all is a fault of the program: it is reported, and `onFailure` decides.
 *
 * @param warn takes a hint about the set-up
 * @param deriveKey default: each call has an idempotency key of its own
 * @throws GatehouseError with `onFailure: 'throw'`; OptionsError for options that are none; AbortedError when `input.signal` ended the call
 */
export async function protectSignup(
  assess: Assess,
  request: RequestLike,
  input: SignupInput,
  warn: (text: string) => void,
  deriveKey?: DeriveKey,
): Promise<SignupDecision> {
  checkProtection(input);
  const { trustedProxies, peer, mode = 'enforce' } = input;
  const ip = input.ip === undefined ? clientIp(request, { trustedProxies, peer }) : readIp(input.ip);
  if (ip === null && typeof input.ip === 'string' && input.ip.trim() !== '')
    warnOnce('no_ip', 'the ip that was given is no address: signups are assessed without it');
  if (input.ip === undefined && trustedProxies === undefined && isForwarded(request))
    warn(
      'a proxy seems to be in front of this application: set trustedProxies, otherwise the address of the proxy is assessed',
    );
  const email = readEmail(input.email);
  if (email === undefined) {
    const error = missingEmail(input.email);
    report(error, input.onError);
    return decideWithoutVerdict(error, ip, input);
  }
  try {
    const assessment = await assessInput(assess, input, email, ip, deriveKey);
    const isEnforced = mode === 'enforce';
    const decision = isEnforced ? assessment.verdict : 'allow';
    const mailUnwanted = isEnforced && assessment.signals?.email?.mail_unwanted === true;
    return { decision, assessment, ip, mailUnwanted, failedOpen: false, error: null };
  } catch (error) {
    if (!(error instanceof GatehouseError) || error.code === 'aborted') throw error;
    const isInvalid = UNUSABLE.includes(error.code) && isFaultOfEmail(error);
    // A mistyped address is nothing to report.
    if (!isInvalid && !isFaultOfOther(error)) {
      report(error, input.onError);
      return decideWithoutVerdict(error, ip, input);
    }
    const decision = mode === 'observe' ? 'allow' : isInvalid ? 'invalid' : 'block';
    return { decision, assessment: null, ip, mailUnwanted: false, failedOpen: false, error };
  }
}

/** @throws OptionsError: a misspelled choice must not become the default */
export function checkProtection({ onFailure, mode }: ProtectionOptions): void {
  if (!['allow', 'challenge', 'throw', undefined].includes(onFailure))
    throw new OptionsError('invalid_options', 'onFailure: allow, challenge or throw.');
  if (!['enforce', 'observe', undefined].includes(mode))
    throw new OptionsError('invalid_options', 'mode: enforce or observe.');
}

/** @throws GatehouseError */
async function assessInput(
  assess: Assess,
  input: SignupInput,
  email: string,
  ip: string | null,
  deriveKey: DeriveKey | undefined,
): Promise<Answer<Assessment>> {
  const { timeoutMs, signal, onError } = input;
  const sessionId = readText('session_id', input.sessionId, onError);
  const broughtBy = readText('brought_by', input.broughtBy, onError) as BroughtBy | undefined;
  if (email.length > MAX_EMAIL_CHARACTERS)
    throw new InvalidRequestError('invalid_email', 'The email address is not valid.', { param: 'email' });
  const request: AssessmentRequest = {
    email,
    ...(ip === null ? {} : { ip }),
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    ...(broughtBy === undefined ? {} : { brought_by: broughtBy }),
  };
  const given = readText('Idempotency-Key', input.idempotencyKey, onError);
  const idempotencyKey = given ?? deriveKey?.(request);
  try {
    return await assess(request, { idempotencyKey, timeoutMs, signal });
  } catch (error) {
    const part = error instanceof InvalidRequestError ? DISPENSABLE[error.param ?? ''] : undefined;
    if (part === undefined) throw error;
    report(error as InvalidRequestError, input.onError);
    const rest = { ...request };
    if (part !== 'idempotencyKey') delete (rest as Record<string, unknown>)[part];
    return assess(rest, { timeoutMs, signal });
  }
}

/**
 * Express and others make a list of a field that comes twice, and some parsers of every field: a program that writes it as a
 * text gets this text. Other values in it, such as objects of a parser, are no address that anybody typed.
 */
function readEmail(value: unknown): string | undefined {
  if (!Array.isArray(value)) return typeof value === 'string' ? value : undefined;
  const parts = value.flat(Number.POSITIVE_INFINITY);
  return parts.length > 0 && parts.every((part) => typeof part === 'string') ? String(value) : undefined;
}

function missingEmail(value: unknown): InvalidRequestError {
  return new InvalidRequestError(
    'missing_field',
    `the email is ${describeType(value)}: is the body of the request parsed (in Express: express.json() for JSON, express.urlencoded() for a form), and is this the name of its field?`,
    { param: 'email' },
  );
}

function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof (value as { then?: unknown }).then === 'function') return 'a promise that nobody awaited';
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty list' : 'a list of something else than texts';
  return `of the type ${typeof value}`;
}

/** A text that a signup can be assessed without; a number is its text. Any other value is reported and left out. */
function readText(param: string, value: unknown, onError: ProtectionOptions['onError']): string | undefined {
  const isLong = typeof value === 'string' && value.length > MAX_TEXT_CHARACTERS;
  if (value === null || value === undefined || (typeof value === 'string' && !isLong))
    return value ?? undefined;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  const message = `the signup is assessed without ${param}, which is ${isLong ? 'longer than 8192 characters' : describeType(value)}`;
  report(new InvalidRequestError('missing_field', message, { param }), onError);
  return undefined;
}

export function isFaultOfEmail({ code, param }: GatehouseError): boolean {
  return code === 'payload_too_large' || param === 'email';
}

/** Fault of somebody other than the visitor: what a visitor may have chosen does not let them in. */
function isFaultOfOther({ code, param }: GatehouseError): boolean {
  return UNUSABLE.includes(code) && DISPENSABLE[param ?? ''] !== undefined;
}

export function report(error: GatehouseError, onError: (error: GatehouseError) => unknown = logError): void {
  try {
    // A fault of the callback must not stop a signup, and one of its promise not the process.
    Promise.resolve(onError(error)).catch(() => {});
  } catch {}
}

function decideWithoutVerdict(error: GatehouseError, ip: string | null, input: SignupInput): SignupDecision {
  const { mode = 'enforce', onFailure = 'allow' } = input;
  if (mode === 'enforce' && onFailure === 'throw') throw error;
  const decision = mode === 'enforce' && onFailure === 'challenge' ? 'challenge' : 'allow';
  return {
    decision,
    assessment: null,
    ip,
    mailUnwanted: false,
    failedOpen: decision === 'allow',
    error,
  };
}

function logError(error: GatehouseError): void {
  // biome-ignore lint/suspicious/noConsole: the only log that every runtime has; `onError` replaces it
  console.warn(`gatehouse: no verdict for a signup: ${error.code}: ${error.message}`);
}

/** Any text form that is an address; without one the email is assessed alone. */
function readIp(ip: unknown): string | null {
  return typeof ip === 'string' ? (parseIpAddress(ip)?.text ?? null) : null;
}

function isForwarded(request: RequestLike): boolean {
  return FORWARDING_HEADERS.some((name) => readHeader(request, name) !== null);
}

/** The proof of work on the page of Gatehouse: begins it for a challenged signup, and finds that signup again by a signed cookie. */
import { hmacSha256, isEqual, toHex } from './digest.ts';
import { type ErrorCode, GatehouseError, InvalidRequestError } from './errors.ts';
import type { ChallengeRequest, ChallengeResponse } from './messages.ts';
import { type RequestLike, readHeader } from './request-headers.ts';

export interface ProofInput {
  /** `request_id` of the assessment. `undefined`, where there was no verdict, is refused. */
  readonly requestId: string | undefined;
  /** Page of your application where the visitor continues, such as `https://app.example.com/proved`. It is stored: no personal data. */
  readonly returnUrl: string;
  /**
   * Text that `endProof` gives back, at most 500 characters: the email, or the id of the unfinished signup. The visitor can read
   * it in the cookie, and cannot change it.
   */
  readonly state?: string | undefined;
}

/** Cookie in the form that frameworks take: `cookies.set(name, value, cookie)`. */
export interface ProofCookie {
  readonly name: string;
  readonly value: string;
  readonly path: '/';
  readonly httpOnly: true;
  readonly sameSite: 'lax';
  /** True where the return URL begins with `https`. */
  readonly secure: boolean;
  /** Seconds. */
  readonly maxAge: number;
}

export interface BegunProof {
  /** Page to send the visitor's browser to. */
  readonly page: string;
  readonly cookie: ProofCookie;
  /** The same cookie as the value of the header `Set-Cookie`. */
  readonly setCookie: string;
}

export interface PassedProof {
  /** `request_id` of the assessment. */
  readonly requestId: string;
  /** Text that `beginProof` got, or ''. */
  readonly state: string;
}

/** Sends one request to `POST /v1/challenges`. */
export type Redeem = (request: ChallengeRequest) => Promise<ChallengeResponse>;

const COOKIE = 'gatehouse_proof';
/** Request id, second at which it expires, state in hexadecimal, signature. */
const VALUE = /^(req_\w{1,60})\.(\d{1,12})\.([0-9a-f]*)\.([0-9a-f]{64})$/;
/** Lifetime of a challenge where the service does not name another. */
const LIFETIME_S = 1800;
/** A browser drops a cookie of more than 4,096 bytes; each character takes at most six. */
const MAX_STATE_CHARACTERS = 500;
/** Answers that mean: this visitor has no proof, or somebody was told its result before. */
const NOT_PASSED: readonly ErrorCode[] = ['challenge_invalid', 'challenge_expired', 'challenge_redeemed'];

/**
 * Makes the challenge and its cookie.
 * @param key the API key, which signs the cookie
 * @throws GatehouseError
 */
export async function beginProof(
  redeem: Redeem,
  key: string,
  { requestId, returnUrl, state = '' }: ProofInput,
): Promise<BegunProof> {
  if (typeof requestId !== 'string' || requestId === '')
    throw new InvalidRequestError('missing_field', 'A proof of work needs the request id of an assessment.', {
      param: 'request_id',
    });
  if (state.length > MAX_STATE_CHARACTERS)
    throw new InvalidRequestError('missing_field', 'The state has more than 500 characters.', {
      param: 'state',
    });
  const { proof, expires_at } = await redeem({ token: requestId, proof: { return_url: returnUrl } });
  // Somebody has passed it already: a cookie for it would give away that proof.
  if (proof?.page === undefined)
    throw new InvalidRequestError(
      'challenge_redeemed',
      'The challenge was passed before. Assess the signup again, with another idempotency key.',
      { param: 'request_id' },
    );
  const left = Math.ceil((Date.parse(expires_at) - Date.now()) / 1000);
  const maxAge = left > 0 ? left : LIFETIME_S;
  const cookie: ProofCookie = {
    name: COOKIE,
    value: sign(key, requestId, Math.floor(Date.now() / 1000) + maxAge, state),
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: returnUrl.startsWith('https:'),
    maxAge,
  };
  return { page: proof.page, cookie, setCookie: serializeCookie(cookie) };
}

/**
 * Reads the cookie, and whether its challenge was passed.
 * @returns the signup, once; `null` where the visitor has not passed, the cookie is absent or not ours, or somebody was told before
 * @throws GatehouseError where Gatehouse does not answer: the visitor may come again
 */
export async function endProof(
  redeem: Redeem,
  key: string,
  request: RequestLike,
): Promise<PassedProof | null> {
  const passed = readCookie(key, readHeader(request, 'cookie') ?? '');
  if (passed === null) return null;
  const token = passed.requestId;
  try {
    if ((await redeem({ token })).status !== 'passed') return null;
    const { status } = await redeem({ token, outcome: 'passed' });
    return status === 'passed' ? passed : null;
  } catch (error) {
    if (error instanceof GatehouseError && NOT_PASSED.includes(error.code)) return null;
    throw error;
  }
}

function sign(key: string, requestId: string, expires: number, state: string): string {
  const signed = `${requestId}.${expires}.${toHex(new TextEncoder().encode(state))}`;
  return `${signed}.${macOf(key, signed)}`;
}

function macOf(key: string, signed: string): string {
  return toHex(hmacSha256(new TextEncoder().encode(key), `${COOKIE} ${signed}`));
}

function readCookie(key: string, header: string): PassedProof | null {
  for (const pair of header.split(/[;,]/)) {
    const [name = '', text = ''] = pair.trim().split('=');
    const [, requestId, expires, state, mac] = (name === COOKIE && VALUE.exec(text)) || [];
    if (requestId === undefined || state === undefined || mac === undefined) continue;
    const isOwn = isEqual(mac, macOf(key, `${requestId}.${expires}.${state}`));
    if (isOwn && Number(expires) * 1000 > Date.now()) return { requestId, state: fromHex(state) };
  }
  return null;
}

function fromHex(text: string): string {
  const bytes = text.match(/../g) ?? [];
  return decodeURIComponent(bytes.map((byte) => `%${byte}`).join(''));
}

function serializeCookie({ name, value, path, maxAge, secure }: ProofCookie): string {
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

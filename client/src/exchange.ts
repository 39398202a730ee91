/** Sends one request, and reads its answer: a body with its meta, or an error by code. */
import { type Answer, type HeaderReader, readAnswerMeta, readRetryAfterMs, withMeta } from './answer-meta.ts';
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  type ErrorCode,
  type ErrorDetails,
  type GatehouseError,
  InvalidRequestError,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  UnexpectedResponseError,
} from './errors.ts';
import type { Redact } from './redact.ts';

/** The part of `fetch` that is used, so that any implementation fits. */
export type FetchLike = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  redirect: 'manual';
}

export interface FetchResponse {
  readonly status: number;
  readonly headers: HeaderReader;
  text(): Promise<string>;
}

/** One request of the API; each try sends the same. */
export interface ApiRequest<T> {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** Whether a body with status 200 is the expected message. */
  readonly isAnswer: (body: Record<string, unknown>) => boolean;
  /** Answer, only for the type. */
  readonly answer?: T;
}

/** @throws a GatehouseError, unless `signal` ended it: then the error of `fetch` */
export async function exchange<T extends object>(
  fetch: FetchLike,
  request: ApiRequest<T>,
  tries: number,
  signal: AbortSignal,
  redact: Redact,
): Promise<Answer<T>> {
  const { method, url, headers, body } = request;
  const init = {
    method,
    headers,
    signal,
    redirect: 'manual' as const,
    ...(body === undefined ? {} : { body }),
  };
  let response: FetchResponse;
  let text: string;
  try {
    response = await fetch(url, init);
    text = await response.text();
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ConnectionError('connection_failed', redact(describeFailure(error)), { tries });
  }
  const json = parseObject(text);
  if (response.status === 200 && json !== null && request.isAnswer(json))
    return withMeta(json as T, readAnswerMeta(response.headers, tries));
  throw toError(response, json, tries, redact);
}

const BY_CODE: Readonly<Record<string, typeof ApiError>> = {
  missing_field: InvalidRequestError,
  invalid_email: InvalidRequestError,
  invalid_ip: InvalidRequestError,
  challenge_invalid: InvalidRequestError,
  challenge_expired: InvalidRequestError,
  challenge_redeemed: InvalidRequestError,
  challenge_code_wrong: InvalidRequestError,
  challenge_mails_used: InvalidRequestError,
  challenge_mailbox_full: InvalidRequestError,
  challenge_proof_wrong: InvalidRequestError,
  bad_request: InvalidRequestError,
  payload_too_large: InvalidRequestError,
  headers_too_large: InvalidRequestError,
  unauthorized: AuthenticationError,
  token_revoked: AuthenticationError,
  key_expired: AuthenticationError,
  ip_not_allowed: AuthenticationError,
  rate_limit: RateLimitError,
  quota_exceeded: QuotaExceededError,
  internal_error: ServerError,
  storage_full: ServerError,
  unavailable: ServerError,
};

function toError(
  response: FetchResponse,
  json: Record<string, unknown> | null,
  tries: number,
  redact: Redact,
): GatehouseError {
  const { status, headers } = response;
  const meta = readAnswerMeta(headers, tries);
  const details: ErrorDetails = {
    status,
    tries,
    retryAfterMs: readRetryAfterMs(headers) ?? undefined,
    rateLimit: meta.rateLimit ?? undefined,
    quota: meta.quota ?? undefined,
  };
  const problem = json?.error;
  if (status < 400 || !isObject(problem) || typeof problem.code !== 'string') {
    const Kind = status >= 500 ? ServerError : UnexpectedResponseError;
    const message = `Status ${status}, but the answer did not come from Gatehouse: check the url and the proxies in front of the service.`;
    return new Kind('unexpected_response', message, details);
  }
  const Kind = BY_CODE[problem.code] ?? (status >= 500 ? ServerError : ApiError);
  const text = typeof problem.message === 'string' ? problem.message : problem.code;
  return new Kind(problem.code as ErrorCode, redact(text), {
    ...details,
    ...(typeof problem.param === 'string' ? { param: redact(problem.param) } : {}),
    ...(typeof problem.resolution === 'string' ? { resolution: redact(problem.resolution) } : {}),
  });
}

/** `fetch failed: connect ECONNREFUSED 127.0.0.1:8080`; runtimes put the reason into `cause`. */
function describeFailure(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error && parts.length < 3; at = at.cause)
    parts.push(at.message || ((at as { code?: string }).code ?? at.name));
  return parts.length === 0 ? 'The request failed.' : parts.join(': ');
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

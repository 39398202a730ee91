/** The content of an answer's headers: rate limit, quota, whether it is a replay, the verdict in shadow mode. */
import type { Verdict } from './messages.ts';

export interface RateLimitState {
  /** Requests per second of the plan. */
  readonly limit: number;
  /** Requests that may follow at once. */
  readonly remaining: number;
  /** Time at which a refused caller may try again: seconds since 1970. */
  readonly resetAtSeconds: number;
}

export interface QuotaState {
  /** Assessments charged this month. */
  readonly used: number;
  /** Monthly cap. */
  readonly limit: number;
}

export interface AnswerMeta {
  /** `null` where the answer does not say, as for feedback. */
  readonly rateLimit: RateLimitState | null;
  /** `null` where the answer does not say. */
  readonly quota: QuotaState | null;
  /** The service had answered this idempotency key before, and answers the same again: nothing was charged. */
  readonly replayed: boolean;
  /** The key is in shadow mode, and does not enforce for this person: what the verdict would be. The answer's own verdict is `allow`. */
  readonly shadowVerdict: Verdict | null;
  /** Requests that were sent until this answer arrived: 1 without a retry. */
  readonly tries: number;
}

/** The body of an answer, with `meta`. JSON, spreading and comparisons see the body alone. */
export type Answer<T> = T & { readonly meta: AnswerMeta };

/** Headers of Fetch, as far as they are read here. */
export interface HeaderReader {
  get(name: string): string | null;
}

/** @param tries how many requests were sent */
export function readAnswerMeta(headers: HeaderReader, tries: number): AnswerMeta {
  const shadow = headers.get('x-gatehouse-shadow');
  return {
    rateLimit: readRateLimit(headers),
    quota: readQuota(headers),
    replayed: headers.get('idempotent-replayed') === 'true',
    shadowVerdict: isVerdict(shadow) ? shadow : null,
    tries,
  };
}

/** Adds `meta` without making it part of the body, so that `JSON.stringify` gives the body that the service sent. */
export function withMeta<T extends object>(body: T, meta: AnswerMeta): Answer<T> {
  return Object.defineProperty(body, 'meta', { value: meta, enumerable: false }) as Answer<T>;
}

export function isVerdict(value: unknown): value is Verdict {
  return value === 'allow' || value === 'challenge' || value === 'block';
}

/** `Retry-After` in milliseconds. Only the form in seconds, which the service sends, is read. */
export function readRetryAfterMs(headers: HeaderReader): number | null {
  const seconds = readCount(headers, 'retry-after');
  return seconds === null ? null : seconds * 1000;
}

function readRateLimit(headers: HeaderReader): RateLimitState | null {
  const limit = readCount(headers, 'x-ratelimit-limit');
  const remaining = readCount(headers, 'x-ratelimit-remaining');
  const resetAtSeconds = readCount(headers, 'x-ratelimit-reset');
  if (limit === null || remaining === null || resetAtSeconds === null) return null;
  return { limit, remaining, resetAtSeconds };
}

function readQuota(headers: HeaderReader): QuotaState | null {
  const used = readCount(headers, 'x-quota-used');
  const limit = readCount(headers, 'x-quota-limit');
  return used === null || limit === null ? null : { used, limit };
}

function readCount(headers: HeaderReader, name: string): number | null {
  const text = headers.get(name);
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** Every way a call can fail, as one class hierarchy: told apart by `instanceof` or by `code`. */
import type { QuotaState, RateLimitState } from './answer-meta.ts';
import type { ApiErrorCode } from './messages.ts';

/** Codes of failures that the service did not answer itself. */
export type ClientErrorCode =
  | 'invalid_options'
  | 'connection_failed'
  | 'timeout'
  | 'circuit_open'
  | 'aborted'
  | 'unexpected_response';

export type ErrorCode = ApiErrorCode | ClientErrorCode;

/** The details of a failure beside its code and message. */
export interface ErrorDetails {
  /** HTTP status; absent where nothing was answered. */
  readonly status?: number | undefined;
  /** The field at fault. */
  readonly param?: string | undefined;
  /** Advice on what to do about it. */
  readonly resolution?: string | undefined;
  /** Time after which the same request may succeed. */
  readonly retryAfterMs?: number | undefined;
  readonly rateLimit?: RateLimitState | undefined;
  readonly quota?: QuotaState | undefined;
  /** Requests that were sent. */
  readonly tries?: number | undefined;
}

/**
 * A call failed. Neither the message nor a property contains the key, an email address or an IP of the request, so
 * it can be logged as it is.
 */
export class GatehouseError extends Error {
  readonly code: ErrorCode;
  readonly status: number | undefined;
  readonly param: string | undefined;
  readonly resolution: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly rateLimit: RateLimitState | undefined;
  readonly quota: QuotaState | undefined;
  readonly tries: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = new.target.className;
    this.code = code;
    this.status = details.status;
    this.param = details.param;
    this.resolution = details.resolution;
    this.retryAfterMs = details.retryAfterMs;
    this.rateLimit = details.rateLimit;
    this.quota = details.quota;
    this.tries = details.tries;
  }

  /** Written out: bundlers rename classes. */
  protected static readonly className: string = 'GatehouseError';

  /** Form for logs: everything that is known, without the stack. */
  toJSON(): Record<string, unknown> {
    const { name, message, ...known } = { ...this, name: this.name, message: this.message };
    return { name, message, ...known };
  }
}

/** The options of the client cannot be used. Thrown by the constructor only. */
export class OptionsError extends GatehouseError {
  protected static override readonly className: string = 'OptionsError';
}

/** No answer: the connection failed, or was lost. */
export class ConnectionError extends GatehouseError {
  protected static override readonly className: string = 'ConnectionError';
}

/** No answer within `timeoutMs`, retries included. */
export class TimeoutError extends ConnectionError {
  protected static override readonly className: string = 'TimeoutError';
}

/** Nothing was sent: the last calls failed, and the next trial is not due yet. */
export class CircuitOpenError extends GatehouseError {
  protected static override readonly className: string = 'CircuitOpenError';
}

/** The caller's own signal ended the call. */
export class AbortedError extends GatehouseError {
  protected static override readonly className: string = 'AbortedError';
}

/** The service, or something before it, answered with an error. */
export class ApiError extends GatehouseError {
  protected static override readonly className: string = 'ApiError';
}

/** 400, 409, 413: the request cannot be used; `param` names the field. The same request fails again. */
export class InvalidRequestError extends ApiError {
  protected static override readonly className: string = 'InvalidRequestError';
}

/** 401 or 403: the key is wrong, was revoked, has expired, or may not be used from this address. */
export class AuthenticationError extends ApiError {
  protected static override readonly className: string = 'AuthenticationError';
}

/** 429 `rate_limit`: the plan's requests per second are used up. */
export class RateLimitError extends ApiError {
  protected static override readonly className: string = 'RateLimitError';
}

/** 429 `quota_exceeded`: the month's assessments are used up. Never retried. */
export class QuotaExceededError extends ApiError {
  protected static override readonly className: string = 'QuotaExceededError';
}

/** 500, 502, 503, 504: the service cannot answer now. */
export class ServerError extends ApiError {
  protected static override readonly className: string = 'ServerError';
}

/** The answer did not come from Gatehouse: check `url`, and the proxies in front of the service. */
export class UnexpectedResponseError extends ApiError {
  protected static override readonly className: string = 'UnexpectedResponseError';
}

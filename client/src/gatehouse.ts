/** The client of one Gatehouse: its operations, each within its time, and the protection of a signup form. */
import { type Answer, isVerdict } from './answer-meta.ts';
import { type CallWorld, call } from './call.ts';
import { ALWAYS_CLOSED, type BreakerOptions, createCircuitBreaker } from './circuit-breaker.ts';
import { clientIp, type RequestLike } from './client-ip.ts';
import { InvalidRequestError, OptionsError } from './errors.ts';
import type { ApiRequest, FetchLike } from './exchange.ts';
import { createIdempotencyKey } from './idempotency-key.ts';
import type { Assessment, AssessmentRequest, FeedbackRequest, FeedbackResponse, Usage } from './messages.ts';
import {
  type ProtectionOptions,
  protectSignup,
  type SignupDecision,
  type SignupInput,
} from './protect-signup.ts';
import { createRedact } from './redact.ts';

export interface GatehouseOptions extends ProtectionOptions {
  /** An API key, `sk_live_…` or `sk_test_…`. It is a secret of your server. */
  readonly key: string;
  /** Where Gatehouse is: `http://127.0.0.1:8080`. A path before `/v1` is kept. */
  readonly url: string;
  /** For one call, all tries and waits together. Default 3,000. */
  readonly timeoutMs?: number | undefined;
  /** Tries after the first, where a repetition is safe. Default 2. */
  readonly maxRetries?: number | undefined;
  /** When calls fail at once because the last ones failed; `false`: never. */
  readonly breaker?: BreakerOptions | false | undefined;
  /** Default: the runtime's own. */
  readonly fetch?: FetchLike | undefined;
}

export interface CallOptions {
  readonly timeoutMs?: number | undefined;
  /** Ends the call early, with an AbortedError. */
  readonly signal?: AbortSignal | undefined;
}

export interface WriteOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters. Default: a random one for each call. `false`: none, then only refused requests are retried. */
  readonly idempotencyKey?: string | false | undefined;
}

const DEFAULT_TIMEOUT_MS = 3000;
const DEFAULT_RETRIES = 2;
const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** Each method rejects with a GatehouseError, whatever failed. */
export class Gatehouse {
  /** Without a slash at the end. */
  readonly url: string;
  readonly #key: string;
  readonly #options: GatehouseOptions;
  readonly #world: CallWorld;
  #hasWarned = false;

  /** @throws OptionsError */
  constructor(options: GatehouseOptions) {
    this.#key = readKey(options.key);
    this.url = readUrl(options.url);
    checkNumber('timeoutMs', options.timeoutMs, 1);
    checkNumber('maxRetries', options.maxRetries, 0);
    // What is wrong in it shows now, not at the first signup.
    clientIp({ headers: {} }, { trustedProxies: options.trustedProxies });
    this.#options = options;
    const nowMs = () => performance.now();
    this.#world = {
      // Not bound to a variable: tools that replace the global `fetch` later are respected.
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      breaker: options.breaker === false ? ALWAYS_CLOSED : createCircuitBreaker(options.breaker ?? {}, nowMs),
      nowMs,
      random: Math.random,
    };
  }

  /** Assesses a signup. Costs one credit with a live key. */
  async assess(request: AssessmentRequest, options: WriteOptions = {}): Promise<Answer<Assessment>> {
    return this.#write('/v1/assess', request, options, ({ verdict }) => isVerdict(verdict), [
      request.email,
      request.ip,
      request.session_id,
    ]);
  }

  /** Reads a stored assessment again; costs nothing. */
  async getAssessment(requestId: string, options: CallOptions = {}): Promise<Answer<Assessment>> {
    if (typeof requestId !== 'string' || requestId === '')
      throw new InvalidRequestError('missing_field', 'The request id is missing.', { param: 'request_id' });
    const path = `/v1/assess/${encodeURIComponent(requestId)}`;
    return this.#read(path, options, ({ verdict }) => isVerdict(verdict));
  }

  /** Reports that a verdict was wrong. */
  async feedback(request: FeedbackRequest, options: WriteOptions = {}): Promise<Answer<FeedbackResponse>> {
    return this.#write('/v1/feedback', request, options, ({ accepted }) => accepted === true, [request.note]);
  }

  /** How much of the month's quota is used. */
  async usage(options: CallOptions = {}): Promise<Answer<Usage>> {
    return this.#read('/v1/usage', options, ({ plan }) => typeof plan === 'string');
  }

  /**
   * Decides about one signup: finds the client's IP, assesses, and never lets a failure of Gatehouse stop a signup
   * unless `onFailure` says so.
   * @param request of Node.js or Fetch, or headers
   */
  protectSignup(request: RequestLike, input: SignupInput): Promise<SignupDecision> {
    const { trustedProxies, onFailure, mode, onError } = this.#options;
    const chosen: SignupInput = {
      ...input,
      trustedProxies: input.trustedProxies ?? trustedProxies,
      onFailure: input.onFailure ?? onFailure,
      mode: input.mode ?? mode,
      onError: input.onError ?? onError,
    };
    return protectSignup(
      (body, options) => this.assess(body, options),
      request,
      chosen,
      (text) => this.#warn(text),
    );
  }

  /** For logs: the key does not show. */
  toJSON(): { readonly url: string; readonly key: string } {
    return { url: this.url, key: `${this.#key.slice(0, 8)}[redacted]` };
  }

  /** What `console.log` shows in Node.js. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Gatehouse ${JSON.stringify(this)}`;
  }

  async #read<T extends object>(
    path: string,
    options: CallOptions,
    isAnswer: ApiRequest<T>['isAnswer'],
  ): Promise<Answer<T>> {
    const request = { method: 'GET', url: this.url + path, headers: this.#headers(), isAnswer } as const;
    return call<T>(
      this.#world,
      request,
      { ...this.#limits(options), isRepeatable: true },
      createRedact([this.#key]),
    );
  }

  async #write<T extends object>(
    path: string,
    message: object,
    options: WriteOptions,
    isAnswer: ApiRequest<T>['isAnswer'],
    secrets: readonly unknown[],
  ): Promise<Answer<T>> {
    const key = options.idempotencyKey ?? createIdempotencyKey();
    if (key !== false && !VISIBLE.test(key))
      throw new InvalidRequestError('missing_field', 'An idempotency key has 1 to 255 visible characters.', {
        param: 'Idempotency-Key',
      });
    const headers = {
      ...this.#headers(),
      'content-type': 'application/json',
      ...(key === false ? {} : { 'idempotency-key': key }),
    };
    const request = {
      method: 'POST',
      url: this.url + path,
      headers,
      body: JSON.stringify(message),
      isAnswer,
    } as const;
    const limits = { ...this.#limits(options), isRepeatable: key !== false };
    return call<T>(this.#world, request, limits, createRedact([this.#key, ...secrets]));
  }

  #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#key}`, accept: 'application/json' };
  }

  #limits({ timeoutMs, signal }: CallOptions) {
    checkNumber('timeoutMs', timeoutMs, 1);
    return {
      timeoutMs: timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      maxRetries: this.#options.maxRetries ?? DEFAULT_RETRIES,
      signal,
    };
  }

  #warn(text: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    // biome-ignore lint/suspicious/noConsole: a hint for whoever sets this up, once
    console.warn(`gatehouse: ${text}`);
  }
}

function readKey(value: unknown): string {
  const key = typeof value === 'string' ? value.trim() : '';
  if (!/^sk_(?:live|test)_/.test(key) || !VISIBLE.test(key))
    throw new OptionsError('invalid_options', 'key: an API key begins with sk_live_ or sk_test_.');
  return key;
}

function readUrl(value: unknown): string {
  let url: URL;
  try {
    url = new URL(String(value));
  } catch {
    throw new OptionsError(
      'invalid_options',
      'url: the address of Gatehouse, such as http://127.0.0.1:8080.',
    );
  }
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.search || url.hash)
    throw new OptionsError(
      'invalid_options',
      'url: http:// or https://, without credentials, query or fragment.',
    );
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

function checkNumber(name: string, value: unknown, min: number): void {
  if (value === undefined || (typeof value === 'number' && value >= min && Number.isFinite(value))) return;
  throw new OptionsError('invalid_options', `${name}: a number, at least ${min}.`);
}

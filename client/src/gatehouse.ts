/** The client of one Gatehouse: its operations, each within its time, and the protection of a signup form. */
import { type Answer, isVerdict } from './answer-meta.ts';
import { type CallWorld, call } from './call.ts';
import { ALWAYS_CLOSED, createCircuitBreaker } from './circuit-breaker.ts';
import type { RequestLike } from './client-ip.ts';
import { sha256, toHex } from './digest.ts';
import { InvalidRequestError } from './errors.ts';
import type { ApiRequest } from './exchange.ts';
import type {
  AppealRequest,
  AppealResponse,
  Assessment,
  AssessmentRequest,
  ChallengeRequest,
  ChallengeResponse,
  FeedbackRequest,
  FeedbackResponse,
  OutcomeRequest,
  OutcomeResponse,
  Usage,
} from './messages.ts';
import { type ClientSettings, checkNumber, type GatehouseOptions, readOptions } from './options.ts';
import { type BegunProof, beginProof, endProof, type PassedProof, type ProofInput } from './proof.ts';
import { protectSignup, type SignupDecision, type SignupInput } from './protect-signup.ts';
import { createRedact } from './redact.ts';

export interface CallOptions {
  readonly timeoutMs?: number | undefined;
  /** Ends the call early, with an AbortedError. */
  readonly signal?: AbortSignal | undefined;
}

export interface WriteOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters. Default: a random one for each call. `false`: none, then only refused requests are retried. */
  readonly idempotencyKey?: string | false | undefined;
}

/** Time in which a repeated form is the same signup. */
const FORM_MS = 600_000;
/** Limit of the service. A larger request has no answer that can be relied on, so it is refused here. */
const MAX_BODY_BYTES = 64 * 1024;
const KEY_BYTES = 16;
const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** Each method rejects only with a GatehouseError. */
export class Gatehouse {
  readonly #settings: ClientSettings;
  readonly #world: CallWorld;
  #hasWarned = false;

  /** @throws OptionsError */
  constructor(options: GatehouseOptions) {
    this.#settings = readOptions(options);
    const { breaker, fetch } = this.#settings;
    const nowMs = () => performance.now();
    this.#world = {
      fetch,
      breaker: breaker === false ? ALWAYS_CLOSED : createCircuitBreaker(breaker, nowMs),
      nowMs,
      random: Math.random,
    };
  }

  /** URL of Gatehouse, without a slash at the end. */
  get url(): string {
    return this.#settings.url;
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

  /**
   * Reports whether a challenged visitor passed, or reads the result of the challenge. One redemption hears the result, and
   * a caller that repeats it with the same `idempotencyKey`; every other gets `challenge_redeemed`.
   */
  async redeemChallenge(
    request: ChallengeRequest,
    options: WriteOptions = {},
  ): Promise<Answer<ChallengeResponse>> {
    return this.#write('/v1/challenges', request, options, ({ status }) => typeof status === 'string', [
      request.token,
      request.altcha,
      request.turnstile,
      request.hcaptcha,
      request.recaptcha,
      request.ip,
    ]);
  }

  /**
   * Begins a proof of work for a challenged signup: send the browser to `page`, and give it the cookie. The page of Gatehouse
   * sends the browser to `returnUrl` when the work is done.
   */
  async beginProof(input: ProofInput, options: CallOptions = {}): Promise<BegunProof> {
    return beginProof((request) => this.redeemChallenge(request, options), this.#settings.key, input);
  }

  /**
   * Reads at `returnUrl` whether this visitor has passed: the signup, **once**, so create its account then. `null`: not passed,
   * not this visitor's, or used before.
   * @param request of Node.js or Fetch, or headers, with the visitor's cookies
   */
  async endProof(request: RequestLike, options: CallOptions = {}): Promise<PassedProof | null> {
    return endProof((message) => this.redeemChallenge(message, options), this.#settings.key, request);
  }

  /** Says what became of a signup, or of up to 100 in `outcomes`: Gatehouse learns from it. The same again changes nothing. */
  async outcome(request: OutcomeRequest, options: WriteOptions = {}): Promise<Answer<OutcomeResponse>> {
    return this.#write('/v1/outcomes', request, options, ({ signups }) => typeof signups === 'number', [
      request.email,
      ...(request.outcomes ?? []).map(({ email }) => email),
    ]);
  }

  /** Makes a link that you may show to somebody who was stopped: there she says what happened, and your team reads it. */
  async appealLink(request: AppealRequest, options: WriteOptions = {}): Promise<Answer<AppealResponse>> {
    return this.#write('/v1/appeals', request, options, ({ url }) => typeof url === 'string', []);
  }

  /** Reads how much of the month's quota is used. */
  async usage(options: CallOptions = {}): Promise<Answer<Usage>> {
    return this.#read('/v1/usage', options, ({ plan }) => typeof plan === 'string');
  }

  /**
   * Decides about one signup: finds the client's IP, assesses, and never lets a failure of Gatehouse stop a signup
   * unless `onFailure` says so.
   * @param request of Node.js or Fetch, or headers
   */
  protectSignup(request: RequestLike, input: SignupInput): Promise<SignupDecision> {
    const { trustedProxies, onFailure, mode, onError } = this.#settings.protection;
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
      (body) => this.#deriveKey(body),
    );
  }

  /** Form for logs: the key does not show. */
  toJSON(): { readonly url: string; readonly key: string } {
    return { url: this.url, key: `${this.#settings.key.slice(0, 8)}[redacted]` };
  }

  /** Text that `console.log` shows in Node.js. */
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
      createRedact([this.#settings.key], this.url),
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
    const body = JSON.stringify(message);
    if (new TextEncoder().encode(body).length > MAX_BODY_BYTES)
      throw new InvalidRequestError(
        'payload_too_large',
        'The request is larger than 64 KiB, and is not sent.',
      );
    const request = { method: 'POST', url: this.url + path, headers, body, isAnswer } as const;
    const limits = { ...this.#limits(options), isRepeatable: key !== false };
    return call<T>(this.#world, request, limits, createRedact([this.#settings.key, ...secrets], this.url));
  }

  /**
   * Derives an equal key for a form that is sent again within ten minutes, so that it is one signup. Another person has
   * another address, so no two share one. The key of the API hides what is in it.
   */
  #deriveKey({ email, ip, session_id: session, brought_by: by }: AssessmentRequest): string {
    const window = Math.floor(Date.now() / FORM_MS);
    return `form-${sha256(JSON.stringify([this.#settings.key, window, email, ip, session, by]))}`;
  }

  #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#settings.key}`, accept: 'application/json' };
  }

  #limits({ timeoutMs, signal }: CallOptions) {
    checkNumber('timeoutMs', timeoutMs, 1);
    return {
      timeoutMs: timeoutMs ?? this.#settings.timeoutMs,
      maxRetries: this.#settings.maxRetries,
      signal,
    };
  }

  #warn(text: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    // biome-ignore lint/suspicious/noConsole: a hint for the engineer who sets this up, once
    console.warn(`gatehouse: ${text}`);
  }
}

/** 128 random bits in hexadecimal. It must be unique, but it is no secret: Node.js 18 has no global `crypto`. */
function createIdempotencyKey(): string {
  const bytes = new Uint8Array(KEY_BYTES);
  if (globalThis.crypto === undefined)
    for (let at = 0; at < KEY_BYTES; at += 1) bytes[at] = Math.random() * 256;
  else globalThis.crypto.getRandomValues(bytes);
  return toHex(bytes);
}

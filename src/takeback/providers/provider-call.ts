/** Makes one request to a provider: within limits of time and size, without redirects, its errors in words that people may read. */
import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import { readRetryAfter } from '../../events/back-off.ts';
import { ProxyError } from '../../outbound/proxy-tunnel.ts';
import { ForbiddenTarget, type Reach, readText, type WebClient } from '../../outbound/web-client.ts';
import { ProviderBusy, ProviderRefused } from '../provider.ts';

export interface ProviderCallOptions {
  readonly client: Pick<WebClient, 'request'>;
  /** Places where a provider may be: `public`, unless the operator allows others. */
  readonly reach: Reach;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Max. time of a request. Default 15,000. */
  readonly limitMs?: number;
}

export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ProviderAnswer {
  readonly status: number;
  /** Body of a success; empty otherwise. */
  readonly text: string;
}

/** @throws {ProviderBusy} @throws {ProviderRefused} for a host that it may not reach, and for a redirect */
export type ProviderCall = (request: ProviderRequest, signal: AbortSignal) => Promise<ProviderAnswer>;

export const JSON_TYPE = { 'content-type': 'application/json' };
export const UNAUTHORIZED = 401;
export const FORBIDDEN = 403;
export const NOT_FOUND = 404;
const TOO_MANY = 429;
const UNAVAILABLE = 503;
const LIMIT_MS = 15_000;
const MAX_BYTES = 256 * 1024;
const SECOND_MS = 1_000;
const MIN_PAUSE_MS = SECOND_MS;
const DEFAULT_PAUSE_MS = 30 * SECOND_MS;
const MAX_PAUSE_MS = 3_600 * SECOND_MS;
/** Numbers from there on are times since the epoch; smaller ones count from now. */
const FIRST_EPOCH_SECOND = 1_000_000_000;
const ACCEPT = { accept: 'application/json', 'user-agent': 'gatehouse' };

export function createProviderCall(options: ProviderCallOptions): ProviderCall {
  const { client, reach, clock, limitMs = LIMIT_MS } = options;
  return async ({ method, url, headers, body }, signal) => {
    const limit = AbortSignal.timeout(limitMs);
    try {
      const response = await client.request(new URL(url), {
        reach,
        headers: { ...ACCEPT, ...headers },
        ...(method === 'GET' || method === 'POST' ? {} : { method }),
        ...(method === 'POST' || body !== undefined ? { form: body ?? '' } : {}),
        signal: AbortSignal.any([limit, signal]),
      });
      const { status } = response;
      if (status >= 200 && status < 300) return { status, text: await readText(response.body, MAX_BYTES) };
      response.discard();
      refuseUnusable(status, response.headers, clock());
      return { status, text: '' };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw limit.aborted
        ? new Error(`the provider did not answer within ${limitMs / SECOND_MS} seconds`)
        : plainError(error as NodeJS.ErrnoException);
    }
  };
}

/** @throws Error where the answer is no JSON object, or is a list without `isList` */
export function jsonOf({ text }: ProviderAnswer): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Told below: what was sent instead may contain anything.
  }
  if (typeof value !== 'object' || value === null)
    throw new Error('the provider answered something else than JSON: is the URL that of its API?');
  return value as Readonly<Record<string, unknown>>;
}

export function statusError({ status }: ProviderAnswer): Error {
  return new Error(`the provider answered ${status} ${STATUS_CODES[status] ?? 'an unknown status'}`);
}

export function isSuccess({ status }: ProviderAnswer): boolean {
  return status >= 200 && status < 300;
}

/** @throws {ProviderBusy} @throws {ProviderRefused} */
function refuseUnusable(status: number, headers: IncomingHttpHeaders, now: number): void {
  if (status >= 300 && status < 400)
    throw new ProviderRefused(
      'the provider answered with a redirect, which is not followed: enter the URL of its API itself',
    );
  const pauseMs = pauseOf(headers, now);
  if (status === TOO_MANY || (status === UNAVAILABLE && pauseMs > 0))
    throw new ProviderBusy(
      Math.min(Math.max(pauseMs > 0 ? pauseMs : DEFAULT_PAUSE_MS, MIN_PAUSE_MS), MAX_PAUSE_MS),
    );
}

/** Pause that a provider asks for, as it spells it; 0 where it says nothing. */
function pauseOf(headers: IncomingHttpHeaders, now: number): number {
  const textOf = (name: string) => [headers[name]].flat()[0];
  const retry = readRetryAfter(textOf('retry-after') ?? textOf('x-retry-after'), now);
  if (retry > 0) return retry;
  const reset = Number(textOf('x-ratelimit-reset') ?? Number.NaN);
  if (!Number.isFinite(reset)) return 0;
  return reset * SECOND_MS - (reset >= FIRST_EPOCH_SECOND ? now : 0);
}

/** Error without addresses, paths and bodies. */
function plainError(error: NodeJS.ErrnoException): Error {
  if (error instanceof ProviderBusy || error instanceof ProviderRefused) return error;
  if (error instanceof ForbiddenTarget)
    return new ProviderRefused(
      'the host of the provider is not a public address: the operator of this installation can allow private ones',
    );
  if (error instanceof ProxyError)
    return new Error('the proxy of this installation did not connect to the provider');
  if (error.message === 'body too large') return new Error('the provider sent too large an answer');
  return new Error(CONNECTION_ERRORS[error.code ?? ''] ?? 'the connection to the provider failed');
}

const CONNECTION_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at the URL of the provider',
  ECONNRESET: 'the provider closed the connection',
  ENOTFOUND: 'the host of the provider has no address',
  EAI_AGAIN: 'the host of the provider could not be looked up',
  CERT_HAS_EXPIRED: 'the certificate of the provider has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the provider is self-signed',
};

/** Decides with which credentials a provider's admin API is called, and which path an account has there. */
import { ProviderRefused } from '../provider.ts';
import {
  FORBIDDEN,
  NOT_FOUND,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderRequest,
  statusError,
  UNAUTHORIZED,
} from './provider-call.ts';

/** Credentials of requests. `renew` ends a token that was not accepted; absent: there is no other one. */
export interface Credentials {
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  renew?(used: Readonly<Record<string, string>>): void;
}

export interface AdminCallOptions {
  readonly call: ProviderCall;
  readonly credentials: Credentials;
  /** Sentences on what to do where the credentials are not accepted, and where they lack a right. */
  readonly unauthorized: string;
  readonly forbidden: string;
}

const MAX_ID_LENGTH = 500;
/** Separators of paths and dots, as servers may decode them once more. */
const ENCODED: Readonly<Record<string, string>> = { '%2f': '/', '%5c': '/', '%2e': '.' };
/** Half of a character, which no URL can carry. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A call with credentials. @throws {ProviderRefused} where they do not do */
export function createAdminCall(options: AdminCallOptions): ProviderCall {
  const { call, credentials, unauthorized, forbidden } = options;
  return async (request, signal) => {
    const headers = await credentials.headers(signal);
    let answer = await call(withHeaders(request, headers), signal);
    if (answer.status === UNAUTHORIZED && credentials.renew !== undefined) {
      credentials.renew(headers);
      answer = await call(withHeaders(request, await credentials.headers(signal)), signal);
    }
    if (answer.status === UNAUTHORIZED) throw new ProviderRefused(unauthorized);
    if (answer.status === FORBIDDEN) throw new ProviderRefused(forbidden);
    return answer;
  };
}

/** Path segment of an account. `undefined` for an id that a server could take for another path: nobody has it. */
export function segmentOf(userId: string): string | undefined {
  if (userId.length > MAX_ID_LENGTH || LONE_SURROGATE.test(userId)) return undefined;
  const plain = userId.replaceAll(/%(?:2f|5c|2e)/gi, (code) => ENCODED[code.toLowerCase()] ?? code);
  if (plain.split(/[/\\]/).some((part) => part === '' || part === '.' || part === '..')) return undefined;
  return encodeURIComponent(userId);
}

/** Path segment of an account, where all ids are UUIDs. */
export function uuidSegmentOf(userId: string): string | undefined {
  return UUID.test(userId) ? userId : undefined;
}

/** @returns whether it was found. @throws Error for all but a success and 404 */
export function isFound(answer: ProviderAnswer): boolean {
  if (answer.status === NOT_FOUND) return false;
  if (answer.status < 200 || answer.status >= 300) throw statusError(answer);
  return true;
}

/** @throws {ProviderRefused} where the API has not what is asked for. @throws Error for all but a success */
export function expectApi(answer: ProviderAnswer): void {
  if (!isFound(answer))
    throw new ProviderRefused(
      'the provider has no such API there: check the URL, and the realm if it has one',
    );
}

/** URL without an ending that people may enter with it. */
export function baseOf(url: string, ending: string): string {
  const base = url.replace(/\/+$/, '');
  return base.endsWith(ending) ? base.slice(0, -ending.length) : base;
}

function withHeaders(request: ProviderRequest, headers: Readonly<Record<string, string>>): ProviderRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

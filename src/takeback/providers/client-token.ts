/** Keeps the access token that a client gets for its credentials until shortly before it expires. */
import { ProviderRefused } from '../provider.ts';
import type { Credentials } from './admin-call.ts';
import { isSuccess, jsonOf, type ProviderCall, type ProviderRequest, statusError } from './provider-call.ts';

export interface ClientTokenOptions {
  readonly call: ProviderCall;
  readonly request: ProviderRequest;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Sentence on what to do where the provider gives no token. */
  readonly refused: string;
}

interface Token {
  readonly authorization: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** Scopes, where the provider names them. */
  readonly scope: string | null;
}

export interface ClientToken extends Required<Credentials> {
  /** Scopes of the token; `null` where the provider does not name them. */
  scope(signal: AbortSignal): Promise<string | null>;
}

const SECOND_MS = 1_000;
const MARGIN_MS = 60 * SECOND_MS;
const DEFAULT_LIFE_SECONDS = 300;

export function createClientToken(options: ClientTokenOptions): ClientToken {
  const { clock } = options;
  let token: Promise<Token> | undefined;
  let current: Token | undefined;

  /** Calls side by side wait for the same token. */
  async function get(signal: AbortSignal): Promise<Token> {
    if (current !== undefined && clock() < current.until) return current;
    token ??= fetchToken(options, signal)
      .then((fetched) => {
        current = fetched;
        return fetched;
      })
      .finally(() => {
        token = undefined;
      });
    return token;
  }

  return {
    headers: async (signal) => ({ authorization: (await get(signal)).authorization }),
    scope: async (signal) => (await get(signal)).scope,
    renew({ authorization }) {
      if (current?.authorization === authorization) current = undefined;
    },
  };
}

/** A token that was made elsewhere: there is no other one when it has expired. */
export function bearer(token: string): Credentials {
  const headers: Readonly<Record<string, string>> = token === '' ? {} : { authorization: `Bearer ${token}` };
  return { headers: async () => headers };
}

async function fetchToken(
  { call, request, clock, refused }: ClientTokenOptions,
  signal: AbortSignal,
): Promise<Token> {
  const answer = await call(request, signal);
  // 400 as RFC 6749 says; 401, 403 and 404 for what does not exist or may not.
  if (answer.status >= 400 && answer.status < 500) throw new ProviderRefused(refused);
  if (!isSuccess(answer)) throw statusError(answer);
  const { access_token: text, expires_in: seconds, scope } = jsonOf(answer);
  if (typeof text !== 'string' || text === '') throw new Error('the provider gave no access token');
  const lifeMs = (typeof seconds === 'number' && seconds > 0 ? seconds : DEFAULT_LIFE_SECONDS) * SECOND_MS;
  return {
    authorization: `Bearer ${text}`,
    until: clock() + Math.max(lifeMs - MARGIN_MS, lifeMs / 2),
    scope: typeof scope === 'string' ? scope : null,
  };
}

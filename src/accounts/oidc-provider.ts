/** Asks an OpenID provider who somebody is, by the authorization code flow with PKCE; the library is loaded at the first sign-in. */
import type { Configuration } from 'openid-client';
import { readText, type WebClient } from '../outbound/web-client.ts';
import { claimAt, type OidcPerson, readPerson } from './oidc-claims.ts';
import { OidcFailure } from './oidc-failure.ts';

export interface OidcProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** `null`: a public client. */
  readonly clientSecret: string | null;
  readonly scopes: string;
  readonly groupsClaim: string;
  /** Address that the provider sends people back to, exactly as it knows it. */
  readonly redirectUri: string;
}

/** Values that the answer must fit; they stay with the browser. */
export interface OidcChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcProvider {
  readonly settings: OidcProviderSettings;
  /** Address at the provider where a person signs in, and what its answer must fit. @throws OidcFailure */
  begin(): Promise<{ readonly url: string; readonly checks: OidcChecks }>;
  /** The person that the provider's answer proves. @param query of the URL that they came back to @throws OidcFailure */
  finish(query: string, checks: OidcChecks): Promise<OidcPerson>;
  /** Address at the provider where a person signs out; `undefined` where it has none. @throws OidcFailure */
  signOutUrl(): Promise<string | undefined>;
}

/** Path that the provider sends people back to. */
export const OIDC_CALLBACK = '/dashboard/oidc/callback';

/** The settings of an installation, as `Config` has them. */
export interface OidcConfig {
  readonly oidcIssuer: string | null;
  readonly oidcClientId: string | null;
  readonly oidcClientSecret: string | null;
  readonly oidcScopes: string;
  readonly oidcGroupsClaim: string;
  readonly publicUrl: string | null;
}

export interface OidcProviderOptions {
  readonly settings: OidcProviderSettings;
  readonly web: Pick<WebClient, 'request'>;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
}

/** Time for one answer of the provider. */
const DEADLINE_MS = 5_000;
const MAX_BYTES = 1_000_000;
/** Time after which the provider's own description is read again; its keys are read again sooner, and for an unknown key. */
const LIFETIME_MS = 3_600_000;
/** A failure is told to everybody who comes meanwhile, so that a provider that is down is not asked by each of them. */
const RETRY_MS = 3_000;
/** Clocks of a provider and of this machine differ by less. */
const CLOCK_TOLERANCE_S = 60;

/** The provider that the settings name; `undefined` where they name none. */
export function oidcProviderOf(
  config: OidcConfig,
  web: Pick<WebClient, 'request'>,
): OidcProvider | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, publicUrl } = config;
  if (issuer === null || clientId === null || publicUrl === null) return undefined;
  const { oidcScopes: scopes, oidcGroupsClaim: groupsClaim } = config;
  const redirectUri = publicUrl + OIDC_CALLBACK;
  const settings = { issuer, clientId, clientSecret, scopes, groupsClaim, redirectUri };
  return createOidcProvider({ settings, web, clock: () => performance.now() });
}

export function createOidcProvider({ settings, web, clock }: OidcProviderOptions): OidcProvider {
  const configuration = createDiscovery({ settings, web, clock });

  return {
    settings,
    async begin() {
      const [library, config] = await configuration();
      const checks = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      };
      const url = library.buildAuthorizationUrl(config, {
        redirect_uri: settings.redirectUri,
        scope: settings.scopes,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, checks };
    },
    async finish(query, { state, nonce, verifier }) {
      const [library, config] = await configuration();
      try {
        const tokens = await library.authorizationCodeGrant(config, new URL(settings.redirectUri + query), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims() as NonNullable<ReturnType<typeof tokens.claims>>;
        const { groupsClaim } = settings;
        const isWhole = claims.email !== undefined && claimAt(claims, groupsClaim) !== undefined;
        if (isWhole || config.serverMetadata().userinfo_endpoint === undefined)
          return readPerson(claims, groupsClaim);
        const more = await library.fetchUserInfo(config, tokens.access_token, claims.sub);
        return readPerson(mergeClaims(claims, more), groupsClaim);
      } catch (error) {
        throw failureOf(error, library);
      }
    },
    async signOutUrl() {
      const [library, config] = await configuration();
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      return library.buildEndSessionUrl(config).href;
    },
  };
}

type Library = typeof import('openid-client');

/** Claims of both documents: the token is signed, so what it says counts. UserInfo cannot verify an address that only the token has. */
function mergeClaims(claims: object, more: object): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...more, ...claims };
  const [own, other] = [claims, more].map((document) => addressIn(document));
  if (own !== undefined && own !== other && !('email_verified' in claims)) merged.email_verified = false;
  return merged;
}

function addressIn(document: object): string | undefined {
  const { email } = document as { readonly email?: unknown };
  return typeof email === 'string' ? email.toLowerCase() : undefined;
}

/** The provider's description of itself, read once and again after a while. */
function createDiscovery({ settings, web, clock }: OidcProviderOptions) {
  let known: { readonly at: number; readonly found: Promise<readonly [Library, Configuration]> } | undefined;
  let failedAt: number | undefined;

  async function discover(): Promise<readonly [Library, Configuration]> {
    const library = await import('openid-client');
    const { issuer, clientId, clientSecret } = settings;
    const metadata = { [library.clockTolerance]: CLOCK_TOLERANCE_S };
    try {
      const config = await library.discovery(
        new URL(issuer),
        clientId,
        metadata,
        chooseClientAuth(library, clientSecret),
        {
          [library.customFetch]: createFetch(web),
          execute: [
            library.enableNonRepudiationChecks,
            // Such a provider is on this machine.
            ...(new URL(issuer).protocol === 'http:' ? [library.allowInsecureRequests] : []),
          ],
        },
      );
      return [library, config];
    } catch (error) {
      throw new OidcFailure('unreachable', `${issuer} ${wordsOf(error)}`, error);
    }
  }

  return (): Promise<readonly [Library, Configuration]> => {
    const age = known === undefined ? Number.POSITIVE_INFINITY : clock() - known.at;
    const isOver = failedAt === undefined ? age >= LIFETIME_MS : clock() - failedAt >= RETRY_MS;
    if (known !== undefined && !isOver) return known.found;
    failedAt = undefined;
    const found = discover();
    known = { at: clock(), found };
    found.catch(() => {
      failedAt = clock();
    });
    return found;
  };
}

/** Sends the secret in the way that the provider names first of those that we know. */
function chooseClientAuth(library: Library, clientSecret: string | null) {
  if (clientSecret === null) return library.None();
  const basic = library.ClientSecretBasic(clientSecret);
  const post = library.ClientSecretPost(clientSecret);
  return (...parts: Parameters<typeof basic>) => {
    const [server] = parts;
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return methods.includes('client_secret_basic') ? basic(...parts) : post(...parts);
  };
}

/** `fetch` of the library, by the client that knows proxies: the operator named the provider, so it may be anywhere. */
function createFetch(web: Pick<WebClient, 'request'>) {
  return async (
    url: string,
    options: { headers?: Record<string, string> | Headers; body?: unknown; signal?: AbortSignal },
  ) => {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
    const headers = Object.fromEntries(new Headers(options.headers));
    const form = options.body === undefined || options.body === null ? undefined : String(options.body);
    try {
      const response = await web.request(new URL(url), {
        reach: 'anywhere',
        headers,
        signal,
        ...(form !== undefined && { form }),
      });
      const text = await readText(response.body, MAX_BYTES);
      const type = response.headers['content-type'] ?? '';
      const answered = { status: response.status, headers: { 'content-type': type } };
      return new Response(text === '' ? null : text, answered);
    } catch (error) {
      throw new OidcFailure('unreachable', `${new URL(url).host} ${wordsOf(error)}`, error);
    }
  };
}

/** The failure that the person and the log get for an error of the library. */
function failureOf(error: unknown, library: Library): OidcFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof OidcFailure) return cause;
  if (error instanceof library.AuthorizationResponseError)
    return new OidcFailure('denied', `the provider answered ${error.error}`, error);
  return new OidcFailure('invalid', `the provider’s answer was refused: ${wordsOf(error)}`, error);
}

/** The message of an error, on one line, with those of its causes. */
function wordsOf(error: unknown): string {
  const words: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { name, message } = cause;
    words.push(name === 'TimeoutError' ? `did not answer within ${DEADLINE_MS / 1_000} s` : message);
  }
  return [...new Set(words)].join(': ').replace(/\s+/g, ' ').slice(0, 500);
}

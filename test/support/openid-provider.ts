/** A real OpenID provider on loopback (panva's certified `oidc-provider`): every visitor is the person that the test names, and its answers can be forged. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair } from 'jose';
// The package has no types; what is used of it is below.
// @ts-expect-error
import { Provider as RealProvider } from 'oidc-provider';

export const CLIENT = { id: 'gatehouse', secret: 'a secret of the client' };

/** Claims about somebody; `sub` names them. */
export interface ProvidedPerson extends Readonly<Record<string, unknown>> {
  readonly sub: string;
}

interface ProviderContext {
  readonly path: string;
  body: Record<string, unknown> | string;
  status: number;
}

interface Interaction {
  readonly prompt: { readonly name: string; readonly details: { readonly missingOIDCScope?: string[] } };
  readonly params: { readonly client_id: string };
  readonly session?: { readonly accountId: string };
}

interface KoaProvider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  use(handle: (context: ProviderContext, next: () => Promise<void>) => Promise<void>): void;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  readonly Grant: new (of: {
    accountId: string;
    clientId: string;
  }) => { addOIDCScope(scope: string): void; save(): Promise<string> };
}

export interface OpenIdProvider {
  readonly issuer: string;
  /** The key that it signs with. */
  readonly key: CryptoKey;
  /** Person who signs in next. */
  person: ProvidedPerson;
  /** Changes what it answers at a path. */
  forge: ((context: ProviderContext) => Promise<void> | void) | undefined;
  /** Paths that were asked for. */
  readonly asked: string[];
  /** Refuses connections. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

export async function startOpenIdProvider(redirectUris: readonly string[]): Promise<OpenIdProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const listen = async (port: number): Promise<Server> => {
    const started = createServer((request, response) => {
      asked.push((request.url ?? '').split('?')[0] as string);
      handle(request, response);
    });
    await new Promise<void>((done) => started.listen(port, '127.0.0.1', done));
    return started;
  };
  const asked: string[] = [];
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  const opened: OpenIdProvider = {
    issuer: `http://127.0.0.1:${port}`,
    key: privateKey,
    person: { sub: 'nobody' },
    forge: undefined,
    asked,
    down: stop,
    async up() {
      server = await listen(port);
    },
    close: stop,
  };
  const jwk = { ...(await exportJWK(privateKey)), kid: 'own', alg: 'RS256', use: 'sig' };
  const provider = createProvider(opened, redirectUris, jwk);
  const answer = provider.callback();
  handle = (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return answer(request, response);
    void interact(provider, opened, request, response);
  };
  return opened;
}

function createProvider(opened: OpenIdProvider, redirectUris: readonly string[], jwk: object): KoaProvider {
  const people = new Map<string, ProvidedPerson>();
  const provider: KoaProvider = new RealProvider(opened.issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: redirectUris }],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'groups', '_claim_names'],
    },
    cookies: { keys: ['a key of the tests'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_: unknown, id: string) => {
      if (opened.person.sub === id) people.set(id, opened.person);
      return { accountId: id, claims: async () => people.get(id) };
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    jwks: { keys: [jwk] },
    pkce: { required: () => true },
  });
  provider.use(async (context, next) => {
    await next();
    await opened.forge?.(context);
  });
  return provider;
}

/** Signs in the person without a form, and consents. */
async function interact(
  provider: KoaProvider,
  { person }: OpenIdProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response);
  if (person.sub === 'denied') {
    const result = { error: 'access_denied', error_description: 'no' };
    return provider.interactionFinished(request, response, result);
  }
  if (prompt.name === 'login') {
    const result = { login: { accountId: person.sub } };
    return provider.interactionFinished(request, response, result);
  }
  const grant = new provider.Grant({ accountId: person.sub, clientId: params.client_id });
  grant.addOIDCScope((prompt.details.missingOIDCScope ?? []).join(' '));
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

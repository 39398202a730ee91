/** The admin APIs of account providers on loopback, in the form that each documents: the test decides their users and misbehaviour. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderKind } from '../../src/model/account-provider.ts';
import type { ProviderSettings } from '../../src/takeback/provider.ts';

export type RestProvider = Exclude<ProviderKind, 'better-auth'>;

export interface SeenRequest {
  readonly method: string;
  /** As it came, before anything was decoded. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Misbehaviour {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ProviderServer {
  readonly settings: ProviderSettings;
  /** Users by id, as the provider stores them. */
  readonly users: Map<string, Record<string, unknown>>;
  readonly requests: SeenRequest[];
  /** Requests of people who had sessions, by user. */
  readonly sessions: Set<string>;
  /** Answers instead of the provider, by the request; `hang`: none. */
  misbehave: ((request: SeenRequest) => Misbehaviour | 'hang' | undefined) | undefined;
  /** Lifetime of the tokens that it gives. */
  tokenSeconds: number;
  /** Ends all tokens that it gave. */
  endTokens(): void;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly json?: unknown;
}

interface Place {
  readonly users: ProviderServer['users'];
  readonly sessions: ProviderServer['sessions'];
  isKnown(token: string | undefined): boolean;
  giveToken(): { readonly access_token: string; readonly expires_in: number };
}

type Handle = (request: SeenRequest, place: Place) => Reply;

export const SECRET = 'of-the-test-and-secret-0123456789';
const CLIENT_ID = 'gatehouse-client';
const REALM = 'shop team';
const DENIED: Reply = { status: 401, json: { error: `wrong: ${SECRET}` } };
const NOBODY: Reply = { status: 404, json: { message: 'not found' } };
const DONE: Reply = { status: 204 };

const HANDLERS: Readonly<Record<RestProvider, Handle>> = {
  kratos: handleKratos,
  supabase: handleSupabase,
  auth0: handleAuth0,
  keycloak: handleKeycloak,
};

export async function startProviderServer(kind: RestProvider): Promise<ProviderServer> {
  const tokens = new Map<string, number>();
  let given = 0;
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const seen: SeenRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      server.requests.push(seen);
      const wrong = server.misbehave?.(seen);
      if (wrong === 'hang') return;
      if (wrong !== undefined) return void response.writeHead(wrong.status, wrong.headers).end(wrong.body);
      const { status, json } = HANDLERS[kind](seen, place);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(json === undefined ? undefined : JSON.stringify(json));
    });
  });
  const server: ProviderServer = {
    settings: { kind, url: await listen(http), ...credentialsOf(kind) },
    users: new Map(),
    sessions: new Set(),
    requests: [],
    misbehave: undefined,
    tokenSeconds: 3_600,
    endTokens: () => tokens.clear(),
    async close() {
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  };
  const place: Place = {
    users: server.users,
    sessions: server.sessions,
    isKnown: (token) => tokens.has(token ?? ''),
    giveToken() {
      given += 1;
      tokens.set(`Bearer token-${given}`, given);
      return { access_token: `token-${given}`, expires_in: server.tokenSeconds };
    },
  };
  return server;
}

function credentialsOf(kind: RestProvider): Pick<ProviderSettings, 'secret' | 'clientId' | 'realm'> {
  const hasClient = kind === 'auth0' || kind === 'keycloak';
  return {
    secret: SECRET,
    clientId: hasClient ? CLIENT_ID : null,
    realm: kind === 'keycloak' ? REALM : null,
  };
}

async function listen(http: Server): Promise<string> {
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

/** Ory Kratos 1.x: `identity/handler.go`, `session/handler.go`. */
function handleKratos({ method, path, headers, body }: SeenRequest, { users, sessions }: Place): Reply {
  if (headers.authorization !== `Bearer ${SECRET}`) return DENIED;
  const [, id = '', ending] = /^\/admin\/identities(?:\/([^/?]+)(\/sessions)?)?(?:\?.*)?$/.exec(path) ?? [];
  if (path.startsWith('/admin/identities?')) return { status: 200, json: [...users.values()] };
  const user = users.get(decodeURIComponent(id));
  if (user === undefined) return NOBODY;
  if (ending !== undefined) return sessions.delete(id) ? DONE : NOBODY;
  if (method === 'PATCH') {
    const [{ op, path: member, value }] = JSON.parse(body) as [{ op: string; path: string; value: string }];
    if (op !== 'replace' || member !== '/state') return { status: 400 };
    if (user.state !== value)
      Object.assign(user, { state: value, state_changed_at: new Date().toISOString() });
  }
  return { status: 200, json: { id, schema_id: 'default', traits: { email: 'jo@example.com' }, ...user } };
}

/** Supabase Auth: `internal/api/admin.go`; durations in the form of Go. */
function handleSupabase({ method, path, headers, body }: SeenRequest, { users }: Place): Reply {
  if (headers.apikey !== SECRET || headers.authorization !== `Bearer ${SECRET}`) return DENIED;
  const [, id = ''] = /^\/auth\/v1\/admin\/users\/([^/?]+)$/.exec(path) ?? [];
  if (path.startsWith('/auth/v1/admin/users?')) return { status: 200, json: { users: [], aud: 'x' } };
  const user = users.get(decodeURIComponent(id));
  if (user === undefined) return NOBODY;
  if (method === 'PUT') {
    const { ban_duration: duration } = JSON.parse(body) as { ban_duration: string };
    const hours = Number(/^(\d+)h$/.exec(duration)?.[1]);
    if (duration === 'none') delete user.banned_until;
    else if (Number.isNaN(hours)) return { status: 400 };
    else user.banned_until = new Date(Date.now() + hours * 3_600_000).toISOString();
  }
  return { status: 200, json: { id, aud: 'authenticated', email: 'jo@example.com', ...user } };
}

/** Auth0 Management API v2; client credentials as its guide to machine-to-machine applications. */
function handleAuth0({ method, path, headers, body }: SeenRequest, place: Place): Reply {
  if (path === '/oauth/token') {
    const asked = JSON.parse(body) as Record<string, string>;
    const isRight =
      asked.grant_type === 'client_credentials' &&
      asked.client_id === CLIENT_ID &&
      asked.client_secret === SECRET &&
      asked.audience === `http://${headers.host}/api/v2/`;
    return isRight
      ? {
          status: 200,
          json: { ...place.giveToken(), scope: 'read:users update:users', token_type: 'Bearer' },
        }
      : { status: 401, json: { error: 'access_denied', error_description: SECRET } };
  }
  if (!place.isKnown(headers.authorization)) return DENIED;
  const [, id = ''] = /^\/api\/v2\/users\/([^/?]+)(?:\?.*)?$/.exec(path) ?? [];
  if (path.startsWith('/api/v2/users?')) return { status: 200, json: [] };
  const user = place.users.get(decodeURIComponent(id));
  if (user === undefined) return NOBODY;
  if (method === 'PATCH') Object.assign(user, JSON.parse(body));
  return { status: 200, json: { user_id: decodeURIComponent(id), ...user } };
}

/** Keycloak 26: an update replaces the whole user. */
function handleKeycloak({ method, path, headers, body }: SeenRequest, place: Place): Reply {
  const realm = encodeURIComponent(REALM);
  if (path === `/realms/${realm}/protocol/openid-connect/token`) {
    const asked = new URLSearchParams(body);
    const isRight = asked.get('client_id') === CLIENT_ID && asked.get('client_secret') === SECRET;
    return isRight && asked.get('grant_type') === 'client_credentials'
      ? { status: 200, json: { ...place.giveToken(), token_type: 'Bearer', scope: 'email profile' } }
      : { status: 401, json: { error: 'unauthorized_client' } };
  }
  if (!place.isKnown(headers.authorization)) return DENIED;
  const users = `/admin/realms/${realm}/users`;
  if (path.startsWith(`${users}?`)) return { status: 200, json: [] };
  const [, id = '', ending] = new RegExp(`^${users}/([^/?]+)(/logout)?$`).exec(path) ?? [];
  const known = decodeURIComponent(id);
  if (!place.users.has(known)) return { status: 404, json: { error: 'User not found' } };
  if (ending !== undefined) {
    place.sessions.delete(known);
    return DONE;
  }
  if (method !== 'PUT') return { status: 200, json: { id: known, ...place.users.get(known) } };
  const { id: _, ...user } = JSON.parse(body) as Record<string, unknown>;
  place.users.set(known, user);
  return DONE;
}

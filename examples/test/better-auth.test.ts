/** The plugin in real versions of better-auth, each with a real database: the current one, and older ones that have only the database hook. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BetterAuthOptions } from '../../client/src/better-auth.ts';
import { type Scene, startScene } from '../../test/support/scene.ts';
import { installExample } from './installed-examples.ts';

/** The exports that the tests use, in every version. */
type DatabaseConstructor = new (path: string) => { prepare(sql: string): { all(): Row[] } };
interface Kysely {
  readonly SqliteDialect: new (options: object) => object;
}
type ClientModule = typeof import('../../client/src/index.ts');
type PluginModule = typeof import('../../client/src/better-auth.ts');
interface AuthModule {
  betterAuth(options: object): {
    readonly options: object;
    handler(request: Request): Promise<Response>;
  };
}
interface MigrationModule {
  getMigrations(options: object): Promise<{ runMigrations(): Promise<void> }>;
}

interface Row {
  readonly email: string;
  readonly emailVerified: number;
}

/** Loads all modules from the example's folder, as an application there does. */
interface Modules {
  load(name: string): Promise<unknown>;
}

/** The package of the example, and the module with its migrations. */
const VERSIONS = {
  'better-auth': 'better-auth/db/migration',
  'better-auth-1.6': 'better-auth-1.6/db/migration',
  'better-auth-1.2': 'better-auth-1.2/db',
};
const ORIGIN = 'https://app.example';
const BLOCKED = 'someone@mailinator.com';
const CHALLENGED = 'jo@gmial.com';
const ALLOWED = 'jo@quiet-harbour-works.com';

let modules: Modules;
let scene: Scene;
beforeAll(async () => {
  const [started, folder] = await Promise.all([
    startScene(),
    installExample({ name: 'better-auth', copy: 'better-auth-versions' }),
  ]);
  scene = started;
  const file = join(folder, 'load.mjs');
  writeFileSync(file, 'export const load = (name) => import(name);\n');
  modules = (await import(pathToFileURL(file).href)) as Modules;
});
afterAll(() => scene?.end());

/** A new address for each application, so that no application counts the signups of another. */
let lastOfAddress = 10;

async function setUp(version: keyof typeof VERSIONS, url = scene.service.url) {
  const parts = (await Promise.all(
    ['libsql', 'kysely', 'gatehouse-client', 'gatehouse-client/better-auth', version, VERSIONS[version]].map(
      (name) => modules.load(name),
    ),
  )) as [{ default: DatabaseConstructor }, Kysely, ClientModule, PluginModule, AuthModule, MigrationModule];
  const [{ default: Database }, { SqliteDialect }, { Gatehouse }, { gatehouse }, { betterAuth }] = parts;
  const database = new Database(':memory:');
  const client = new Gatehouse({ url, key: scene.account.live, onError: () => {} });
  const auth = betterAuth({
    ...AUTH_OPTIONS,
    database: { dialect: new SqliteDialect({ database }), type: 'sqlite' },
    plugins: [gatehouse(client, { trustedProxies: 'nginx', onChallenge: isProven })],
  });
  await (await parts[5].getMigrations(auth.options)).runMigrations();
  lastOfAddress += 1;
  const ip = `81.2.69.${lastOfAddress}`;
  return {
    ip,
    users: () => database.prepare('select email, emailVerified from user').all(),
    send: (path: string, body: object, more: Record<string, string> = {}) => {
      const headers = { 'content-type': 'application/json', origin: ORIGIN, 'x-real-ip': ip, ...more };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return auth.handler(new Request(`${ORIGIN}/api/auth/${path}`, init));
    },
  };
}

const AUTH_OPTIONS = {
  baseURL: ORIGIN,
  secret: 'of-this-test-and-of-nothing-else-0123456789',
  logger: { disabled: true },
  emailAndPassword: { enabled: true },
  // Accounts of a provider, whose tokens are the address itself; it has verified all without a "+".
  socialProviders: {
    google: {
      clientId: 'test',
      clientSecret: 'test',
      verifyIdToken: async () => true,
      getUserInfo: async ({ idToken }: { idToken: string }) => ({
        user: { id: idToken, email: idToken, name: 'Jo', emailVerified: !idToken.includes('+') },
        data: { sub: idToken },
      }),
    },
  },
};

const isProven: NonNullable<BetterAuthOptions['onChallenge']> = ({ user, context }) =>
  context?.headers?.get('x-gatehouse-solution') === 'right'
    ? { data: { emailVerified: true } }
    : user.emailVerified === true;

const signup = (email: string) => ({ email, password: 'correct horse battery', name: 'Jo' });
const byGoogle = (email: string) => ({ provider: 'google', idToken: { token: email } });

async function creditsOf(work: () => Promise<unknown>): Promise<number> {
  const used = async () => (await scene.live.usage()).json.assessments_used;
  const before = await used();
  await work();
  return (await used()) - before;
}

describe.each(Object.keys(VERSIONS) as (keyof typeof VERSIONS)[])('%s', (version) => {
  it('creates an allowed user, after a single assessment', async () => {
    const { send, users } = await setUp(version);
    const credits = await creditsOf(async () => {
      expect((await send('sign-up/email', signup(ALLOWED))).status).toBe(200);
    });
    expect(credits).toBe(1);
    expect(users()).toEqual([{ email: ALLOWED, emailVerified: 0 }]);
    // A sign-in is not a signup, and neither is a signup with an existing address.
    const others = await creditsOf(async () => {
      expect((await send('sign-in/email', signup(ALLOWED))).status).toBe(200);
      expect((await send('sign-up/email', signup(ALLOWED))).status).toBe(422);
    });
    expect(others).toBe(0);
  });

  it('assesses nothing that better-auth itself refuses', async () => {
    const { send, users } = await setUp(version);
    const credits = await creditsOf(async () => {
      const short = { ...signup(BLOCKED), password: 'short' };
      expect((await send('sign-up/email', short)).status).toBe(400);
    });
    expect(credits).toBe(0);
    expect(users()).toEqual([]);
  });

  it('answers a blocked signup with 403, and creates no user', async () => {
    const { send, users } = await setUp(version);
    const answer = await send('sign-up/email', signup(BLOCKED));
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { code: 'SIGNUP_BLOCKED', message: 'This account cannot be created.' },
    ]);
    expect(users()).toEqual([]);
  });

  it('answers a challenged signup with 423, until the proof comes', async () => {
    const { send, users, ip } = await setUp(version);
    for (const solution of [{}, { 'x-gatehouse-solution': 'wrong' }]) {
      const answer = await send('sign-up/email', signup(CHALLENGED), solution);
      expect([answer.status, await answer.json()]).toEqual([
        423,
        expect.objectContaining({ code: 'CHALLENGE_REQUIRED' }),
      ]);
      const id = answer.headers.get('x-gatehouse-challenge') ?? '';
      expect((await scene.live.get(id)).json).toMatchObject({
        verdict: 'challenge',
        signals: { ip: { address: ip } },
      });
    }
    expect(users()).toEqual([]);
    const solved = await send('sign-up/email', signup(CHALLENGED), { 'x-gatehouse-solution': 'right' });
    expect(solved.status).toBe(200);
    expect(users()).toEqual([{ email: CHALLENGED, emailVerified: 1 }]);
  });

  it('protects social providers, and accepts an address that the provider has verified as proof', async () => {
    const { send, users } = await setUp(version);
    expect((await send('sign-in/social', byGoogle(BLOCKED))).ok).toBe(false);
    expect((await send('sign-in/social', byGoogle('jo+unverified@gmial.com'))).ok).toBe(false);
    expect(users()).toEqual([]);
    expect((await send('sign-in/social', byGoogle(CHALLENGED))).status).toBe(200);
    expect(users()).toEqual([{ email: CHALLENGED, emailVerified: 1 }]);
    expect(await creditsOf(() => send('sign-in/social', byGoogle(CHALLENGED)))).toBe(0);
  });

  it('allows signups while Gatehouse does not answer', async () => {
    const { send, users } = await setUp(version, 'http://127.0.0.1:9');
    expect((await send('sign-up/email', signup(BLOCKED))).status).toBe(200);
    expect(users()).toHaveLength(1);
  });
});

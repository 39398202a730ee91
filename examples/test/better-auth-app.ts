/** Runs the plugin in an application of a real better-auth, of any version, with a real database in memory. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BetterAuthOptions } from '../../client/src/better-auth.ts';
import type { Scene } from '../../test/support/scene.ts';
import { type InstallOptions, installExample } from './installed-examples.ts';

export interface UserRow {
  readonly email: string;
  readonly emailVerified: number;
}

/** Packages of an installed example, loaded from its folder, as an application there does. */
export type LoadModule = (name: string) => Promise<unknown>;

export interface AuthAppOptions {
  readonly load: LoadModule;
  readonly scene: Scene;
  /** The package with better-auth. */
  readonly version: string;
  /** Of the service. Default: that of the scene. */
  readonly url?: string | undefined;
  /** Default: `/api/auth`. */
  readonly basePath?: string | undefined;
  /** Whether better-auth creates users in transactions. Default: as it does by itself. */
  readonly transaction?: boolean | undefined;
  /** Further plugins of better-auth. */
  readonly plugins?: readonly object[];
  readonly options?: BetterAuthOptions;
  /** Further options of better-auth. */
  readonly more?: object;
}

export interface AuthApp {
  /** Default address of visitors. */
  readonly ip: string;
  /** The application's better-auth. */
  readonly auth: object;
  users(): UserRow[];
  rows(sql: string): readonly Record<string, unknown>[];
  change(sql: string): void;
  /** @param path behind the base path */
  send(path: string, body: object, headers?: Record<string, string>): Promise<Response>;
  /** As your own code creates a user, without a request. */
  createUser(user: { readonly email: string; readonly name: string }): Promise<unknown>;
  /** Questions of the plugin and their answers, in order. */
  readonly signups: readonly AssessedSignup[];
}

export interface AssessedSignup {
  readonly email: string;
  readonly broughtBy: string | null;
  readonly decision: string;
  readonly requestId: string | undefined;
}

/** The exports that the tests use, in every version. */
interface Statement {
  all(): unknown[];
  run(): unknown;
}
type DatabaseConstructor = new (path: string) => { prepare(sql: string): Statement };
interface Kysely {
  readonly SqliteDialect: new (options: object) => object;
}
type ClientModule = typeof import('../../client/src/index.ts');
type PluginModule = typeof import('../../client/src/better-auth.ts');
interface AuthModule {
  betterAuth(options: object): {
    readonly options: object;
    readonly $context: Promise<{ readonly internalAdapter: { createUser(user: object): Promise<unknown> } }>;
    handler(request: Request): Promise<Response>;
  };
}
interface MigrationModule {
  getMigrations(options: object): Promise<{ runMigrations(): Promise<void> }>;
}

export const ORIGIN = 'https://app.example';
const FIRST_WITH_MIGRATION_MODULE = 6;

export async function loadFrom(example: InstallOptions): Promise<LoadModule> {
  const file = join(await installExample(example), 'load.mjs');
  writeFileSync(file, 'export const load = (name) => import(name);\n');
  return ((await import(pathToFileURL(file).href)) as { load: LoadModule }).load;
}

/** A new address for each application, so that no application counts the signups of another. */
let lastOfAddress = 10;

export async function startAuthApp(options: AuthAppOptions): Promise<AuthApp> {
  const { load, scene, version, url = scene.service.url, basePath = '/api/auth', transaction } = options;
  const [{ default: Database }, { SqliteDialect }, { Gatehouse }, { gatehouse }, { betterAuth }, migration] =
    (await Promise.all(
      [
        'libsql',
        'kysely',
        'gatehouse-client',
        'gatehouse-client/better-auth',
        version,
        migrations(version),
      ].map(load),
    )) as [{ default: DatabaseConstructor }, Kysely, ClientModule, PluginModule, AuthModule, MigrationModule];
  const database = new Database(':memory:');
  const client = new Gatehouse({ url, key: scene.account.live, onError: () => {} });
  const signups: AssessedSignup[] = [];
  const protector: Pick<typeof client, 'protectSignup'> = {
    async protectSignup(request, input) {
      const signup = await client.protectSignup(request, input);
      const { decision, assessment } = signup;
      const { email, broughtBy = null } = input;
      signups.push({ email: String(email), broughtBy, decision, requestId: assessment?.request_id });
      return signup;
    },
  };
  const auth = betterAuth({
    ...AUTH_OPTIONS,
    ...options.more,
    basePath,
    database: {
      dialect: new SqliteDialect({ database }),
      type: 'sqlite',
      ...(transaction !== undefined && { transaction }),
    },
    plugins: [
      ...(options.plugins ?? []),
      gatehouse(protector, { trustedProxies: 'nginx', ...options.options }),
    ],
  });
  await (await migration.getMigrations(auth.options)).runMigrations();
  lastOfAddress += 1;
  const ip = `81.2.69.${lastOfAddress}`;
  return {
    ip,
    signups,
    auth,
    users: () => database.prepare('select email, emailVerified from user').all() as UserRow[],
    rows: (sql) => database.prepare(sql).all() as Record<string, unknown>[],
    createUser: async (user) => (await auth.$context).internalAdapter.createUser(user),
    change: (sql) => void database.prepare(sql).run(),
    send(path, body, more = {}) {
      const headers = { 'content-type': 'application/json', origin: ORIGIN, 'x-real-ip': ip, ...more };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return auth.handler(new Request(`${ORIGIN}${basePath}/${path}`, init));
    },
  };
}

function migrations(version: string): string {
  const minor = Number(/-1\.(\d+)$/.exec(version)?.[1] ?? FIRST_WITH_MIGRATION_MODULE);
  return minor < FIRST_WITH_MIGRATION_MODULE ? `${version}/db` : `${version}/db/migration`;
}

const AUTH_OPTIONS = {
  baseURL: ORIGIN,
  secret: 'of-this-test-and-of-nothing-else-0123456789',
  logger: { disabled: true },
  emailAndPassword: { enabled: true },
  // Tests send more requests than a visitor.
  rateLimit: { enabled: false },
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

export const signupBody = (email: string) => ({ email, password: 'correct horse battery', name: 'Jo' });
export const googleBody = (email: string) => ({ provider: 'google', idToken: { token: email } });

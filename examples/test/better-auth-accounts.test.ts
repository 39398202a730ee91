/** Gatehouse's provider against the plugin in real versions of better-auth, with a real database, over HTTP. */
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BetterAuthOptions } from '../../client/src/better-auth.ts';
import { signWebhook } from '../../src/events/signature.ts';
import type { AccountBefore } from '../../src/model/account-provider.ts';
import { createWebClient } from '../../src/outbound/web-client.ts';
import { type AccountProvider, ProviderRefused } from '../../src/takeback/provider.ts';
import { createProvider } from '../../src/takeback/providers/create-provider.ts';
import { type Scene, startScene } from '../../test/support/scene.ts';
import { type AuthApp, type LoadModule, loadFrom, signupBody, startAuthApp } from './better-auth-app.ts';

const VERSIONS = ['better-auth', 'better-auth-1.6', 'better-auth-1.2'];
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const EMAIL = 'jo@quiet-harbour-works.com';
const never = new AbortController().signal;
const client = createWebClient();

let load: LoadModule;
let scene: Scene;
let server: Server | undefined;
beforeAll(async () => {
  [scene, load] = await Promise.all([
    startScene(),
    loadFrom({ name: 'better-auth', copy: 'better-auth-accounts' }),
  ]);
});
afterAll(() => scene?.end());
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Place {
  readonly app: AuthApp;
  readonly url: string;
  readonly provider: AccountProvider;
  readonly userId: string;
  rows(sql: string): readonly Record<string, unknown>[];
  signIn(): Promise<number>;
}

async function setUp(
  version: string,
  hasAdmin: boolean,
  options: BetterAuthOptions = { accounts: { secret: SECRET } },
): Promise<Place> {
  const plugins = hasAdmin ? [((await load(`${version}/plugins`)) as { admin(): object }).admin()] : [];
  const app = await startAuthApp({
    load,
    scene,
    version,
    plugins,
    options,
  });
  const { toNodeHandler } = (await load(`${version}/node`)) as {
    toNodeHandler(auth: object): Parameters<typeof createServer>[1];
  };
  server = createServer(toNodeHandler(app.auth));
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/auth`;
  expect((await app.send('sign-up/email', signupBody(EMAIL))).status).toBe(200);
  const [{ id }] = app.rows('select id from user') as [{ id: string }];
  return {
    app,
    url,
    provider: connect(url),
    userId: id,
    rows: app.rows,
    signIn: async () => (await app.send('sign-in/email', signupBody(EMAIL))).status,
  };
}

function connect(url: string, secret = SECRET, clock = Date.now): AccountProvider {
  const settings = { kind: 'better-auth', url, secret, clientId: null, realm: null } as const;
  return createProvider(settings, { client, reach: 'anywhere', clock });
}

async function hold({ provider, userId }: Place) {
  const remembered: AccountBefore[] = [];
  const held = await provider.hold(userId, async (before) => void remembered.push(before), never);
  return { outcome: held.outcome, before: remembered[0] ?? {} };
}

const CASES = VERSIONS.flatMap((version) => [
  { version, hasAdmin: true },
  { version, hasAdmin: false },
]);

describe.each(CASES)('$version, with the plugin admin: $hasAdmin', ({ version, hasAdmin }) => {
  it('ends the sessions of a user and refuses new ones, until the user is released', async () => {
    const place = await setUp(version, hasAdmin);
    expect(await place.signIn()).toBe(200);
    expect(place.rows('select id from session').length).toBeGreaterThan(0);
    await place.provider.check(never);

    const { outcome, before } = await hold(place);
    expect(outcome).toBe('held');
    expect(place.rows('select id from session')).toEqual([]);
    expect(await place.signIn()).toBe(403);
    if (hasAdmin)
      expect(place.rows('select banned, banReason from user')).toEqual([
        { banned: 1, banReason: expect.stringMatching(/^Held by Gatehouse \(.+\)$/) },
      ]);

    expect(await place.provider.release(place.userId, before, never)).toEqual({ outcome: 'released' });
    expect(await place.signIn()).toBe(200);
    if (hasAdmin)
      expect(place.rows('select banned, banReason, banExpires from user')).toEqual([
        { banned: 0, banReason: null, banExpires: null },
      ]);
    // Once more, as after a kill.
    expect(await place.provider.release(place.userId, before, never)).toEqual({ outcome: 'released' });
  });

  it('leaves alone whom somebody else holds, and who is nobody', async () => {
    const place = await setUp(version, hasAdmin);
    for (const id of ['nobody', '../users', "x' or 1=1 --", 'ž🐎']) {
      expect(await hold({ ...place, userId: id })).toEqual({ outcome: 'missing', before: {} });
      expect(await place.provider.release(id, {}, never)).toEqual({ outcome: 'missing' });
    }
    const { before } = await hold(place);
    expect((await hold(place)).outcome).toBe('already');
    const changed = await place.provider.release(place.userId, { ...before, hold_id: 'another' }, never);
    expect(changed).toEqual({ outcome: 'changed' });
    expect(await place.signIn()).toBe(403);
  });

  it('accepts no message that is not signed, of another time, for another path, or repeated', async () => {
    const place = await setUp(version, hasAdmin);
    const wrong = `whsec_${randomBytes(32).toString('base64')}`;
    for (const provider of [
      connect(place.url, wrong),
      connect(place.url, SECRET, () => Date.now() - 3_600_000),
      connect(place.url, SECRET, () => Date.now() + 3_600_000),
      connect(place.url, 'no such form'),
    ])
      await expect(provider.check(never)).rejects.toBeInstanceOf(ProviderRefused);

    const post = async (action: string, body: string, headers: object) => {
      const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
      return (await fetch(`${place.url}/gatehouse/accounts/${action}`, init)).status;
    };
    const body = JSON.stringify({ action: 'hold', user_id: place.userId, hold_id: 'h1' });
    expect(await post('hold', body, {})).toBe(401);
    const signed = signWebhook([SECRET], { id: 'm1', at: Date.now(), body });
    expect(await post('hold', body.replace('h1', 'h2'), signed)).toBe(401);
    expect(await post('release', body, signed)).toBe(400);
    expect(await post('hold', body, signed)).toBe(200);
    expect(await post('hold', body, signed)).toBe(409);
    const large = JSON.stringify({ action: 'hold', user_id: 'x'.repeat(50_000) });
    const tooLarge = signWebhook([SECRET], { id: 'm2', at: Date.now(), body: large });
    // The connection may be closed before the rest is sent.
    expect([413, 'closed']).toContain(await post('hold', large, tooLarge).catch(() => 'closed'));
    for (const text of ['null', '7', '{"action":"hold"}', '{"action":"hold","user_id":{}}', '{'])
      expect(await post('hold', text, signWebhook([SECRET], { id: text, at: Date.now(), body: text }))).toBe(
        400,
      );
    expect((await fetch(`${place.url}/gatehouse/accounts/hold`)).status).toBe(405);
  });
});

it('gives back a ban whose time had passed, and leaves alone a ban that changed since', async () => {
  const place = await setUp('better-auth', true);
  const past = new Date(Date.now() - 60_000).toISOString();
  place.app.change(`update user set banned = 1, banReason = 'spam', banExpires = '${past}'`);
  const { outcome, before } = await hold(place);
  expect(outcome).toBe('held');
  expect(await place.provider.release(place.userId, before, never)).toEqual({ outcome: 'released' });
  expect(place.rows('select banned, banReason, banExpires from user')).toEqual([
    { banned: 1, banReason: 'spam', banExpires: past },
  ]);

  const again = await hold(place);
  place.app.change(`update user set banReason = 'decided by support'`);
  expect(await place.provider.release(place.userId, again.before, never)).toEqual({ outcome: 'changed' });
  expect(place.rows('select banned, banReason from user')).toEqual([
    { banned: 1, banReason: 'decided by support' },
  ]);
});

it('says what is missing in an application without accounts', async () => {
  const place = await setUp('better-auth', false, {});
  await expect(place.provider.check(never)).rejects.toThrow('set accounts.secret of the plugin');
});

it('holds and releases 500 users', { timeout: 600_000 }, async () => {
  const place = await setUp('better-auth', true);
  for (let at = 0; at < 499; at += 1)
    place.app.change(
      `insert into user (id, name, email, emailVerified, createdAt, updatedAt) values ('u${at}', 'Jo', 'u${at}@example.com', 0, 1, 1)`,
    );
  const befores = new Map<string, AccountBefore>();
  const ids = place.rows('select id from user').map(({ id }) => String(id));
  expect(ids).toHaveLength(500);
  for (const id of ids) await place.provider.hold(id, async (before) => void befores.set(id, before), never);
  expect(place.rows('select count(*) as held from user where banned = 1')).toEqual([{ held: 500 }]);
  for (const [id, before] of befores) await place.provider.release(id, before, never);
  expect(place.rows('select count(*) as held from user where banned = 1')).toEqual([{ held: 0 }]);
});

it('refuses a secret of another form when the application starts', async () => {
  const setUpWith = (secret: string) =>
    startAuthApp({ load, scene, version: 'better-auth', options: { accounts: { secret } } });
  for (const secret of ['', 'secret', 'whsec_', 'whsec_c2hvcnQ=', 'whsec_%%%'])
    await expect(setUpWith(secret)).rejects.toThrow('accounts.secret');
});

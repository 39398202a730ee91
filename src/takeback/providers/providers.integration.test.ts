/** Each provider's calls against a server of its documented form: every outcome, and everything that can go wrong. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ProviderServer,
  type RestProvider,
  SECRET,
  startProviderServer,
} from '../../../test/support/provider-servers.ts';
import type { AccountBefore } from '../../model/account-provider.ts';
import { createWebClient } from '../../outbound/web-client.ts';
import { type AccountProvider, ProviderBusy, ProviderRefused, type ProviderSettings } from '../provider.ts';
import { createProvider } from './create-provider.ts';
import type { ProviderCallOptions } from './provider-call.ts';

const PROVIDERS: readonly RestProvider[] = ['kratos', 'supabase', 'auth0', 'keycloak'];
const ID = '3f2a9c1e-0b7d-4c55-9e21-77aa00bb11cc';
const OTHER_ID = '00000000-0000-4000-8000-000000000001';
const MINUTE_MS = 60_000;
const never = new AbortController().signal;
const client = createWebClient();

/** A user as each provider stores one who is not held, with what must stay. */
const ACTIVE: Readonly<Record<RestProvider, Record<string, unknown>>> = {
  kratos: { state: 'active', metadata_admin: { plan: 'free' } },
  supabase: { app_metadata: { plan: 'free' } },
  auth0: { app_metadata: { plan: 'free' } },
  keycloak: {
    enabled: true,
    username: 'jo',
    firstName: 'Jo',
    email: 'jo@example.com',
    attributes: { plan: ['free'] },
  },
};

let server: ProviderServer;
afterEach(() => server.close());

function connect(more: Partial<ProviderCallOptions> = {}, settings: Partial<ProviderSettings> = {}) {
  const options: ProviderCallOptions = { client, reach: 'anywhere', clock: Date.now, ...more };
  return createProvider({ ...server.settings, ...settings }, options);
}

async function holdOne(provider: AccountProvider, userId = ID) {
  const remembered: AccountBefore[] = [];
  const held = await provider.hold(userId, async (before) => void remembered.push(before), never);
  return { held, remembered };
}

const writes = () =>
  server.requests.filter(({ method, path }) => method !== 'GET' && !path.includes('token'));
const isHeld = (kind: RestProvider, user: Record<string, unknown> | undefined): boolean =>
  ({
    kratos: user?.state === 'inactive',
    supabase: Date.parse(String(user?.banned_until)) > Date.now(),
    auth0: user?.blocked === true,
    keycloak: user?.enabled === false,
  })[kind];
const hold = (kind: RestProvider, user: Record<string, unknown>) =>
  Object.assign(
    user,
    {
      kratos: { state: 'inactive', state_changed_at: new Date(Date.now() - 90 * MINUTE_MS).toISOString() },
      supabase: { banned_until: new Date(Date.now() + 90 * MINUTE_MS).toISOString() },
      auth0: { blocked: true },
      keycloak: { enabled: false },
    }[kind],
  );

describe.each(PROVIDERS)('%s', (kind) => {
  beforeEach(async () => {
    server = await startProviderServer(kind);
    server.users.set(ID, { ...ACTIVE[kind] });
    server.sessions.add(ID);
  });

  it('holds an account after it was remembered, ends its sessions, and makes it what it was', async () => {
    const provider = connect();
    const writesBefore: number[] = [];
    const held = await provider.hold(ID, async () => void writesBefore.push(writes().length), never);
    expect(writesBefore).toEqual([0]);
    if (held.outcome !== 'held') throw new Error(held.outcome);
    expect(isHeld(kind, server.users.get(ID))).toBe(true);
    if (kind === 'kratos' || kind === 'keycloak') expect([...server.sessions]).toEqual([]);
    expect(JSON.parse(JSON.stringify(held.before))).toEqual(held.before);

    expect(await provider.release(ID, held.before, never)).toEqual({ outcome: 'released' });
    const { state_changed_at: _, blocked, ...after } = server.users.get(ID) ?? {};
    expect(after).toEqual(ACTIVE[kind]);
    expect(blocked ?? false).toBe(false);
  });

  it('writes nothing when the account cannot be remembered', async () => {
    const provider = connect();
    const full = async () => Promise.reject(new Error('disk full'));
    await expect(provider.hold(ID, full, never)).rejects.toThrow('disk full');
    expect(writes()).toEqual([]);
  });

  it('holds an account without sessions', async () => {
    server.sessions.clear();
    expect((await holdOne(connect())).held.outcome).toBe('held');
  });

  it('leaves an account alone that is held already', async () => {
    hold(kind, server.users.get(ID) ?? {});
    expect(await holdOne(connect())).toEqual({ held: { outcome: 'already' }, remembered: [] });
    expect(writes()).toEqual([]);
  });

  it('says released, and writes nothing, where it is already what it was', async () => {
    const provider = connect();
    const { remembered } = await holdOne(provider);
    server.users.set(ID, { ...ACTIVE[kind] });
    const before = writes().length;
    expect(await provider.release(ID, remembered[0] ?? {}, never)).toEqual({ outcome: 'released' });
    expect(writes()).toHaveLength(before);
  });

  it.runIf(kind === 'kratos' || kind === 'supabase')(
    'leaves an account alone that somebody else has held since',
    async () => {
      const provider = connect();
      const { remembered } = await holdOne(provider);
      hold(kind, server.users.get(ID) ?? {});
      const before = writes().length;
      expect(await provider.release(ID, remembered[0] ?? {}, never)).toEqual({ outcome: 'changed' });
      expect(writes()).toHaveLength(before);
    },
  );

  it('says that nobody has an id, also when the account goes in between', async () => {
    const provider = connect();
    expect(await holdOne(provider, OTHER_ID)).toEqual({ held: { outcome: 'missing' }, remembered: [] });
    expect(await provider.release(OTHER_ID, {}, never)).toEqual({ outcome: 'missing' });
    const gone = await provider.hold(ID, async () => void server.users.delete(ID), never);
    expect(gone).toEqual({ outcome: 'missing' });
  });

  it('reaches no other path by a strange id', async () => {
    const provider = connect();
    const ids = [
      '',
      '.',
      '..',
      '../',
      '../../clients',
      `${OTHER_ID}/../${ID}`,
      `..%2F${ID}`,
      '%2e%2e',
      `x\\..\\${ID}`,
      `${ID}/sessions`,
      `${ID}?x=1`,
      `${ID}#x`,
      'auth0|abc',
      'waad|ž🐎',
      'a b+c',
      '\ud800',
      'x'.repeat(5_000),
    ];
    for (const id of ids) expect([id, (await holdOne(provider, id)).held.outcome]).toEqual([id, 'missing']);
    expect(writes()).toEqual([]);
    // An id that is asked for is one segment.
    const users = {
      kratos: '/admin/identities/',
      supabase: '/auth/v1/admin/users/',
      auth0: '/api/v2/users/',
    };
    const start = kind === 'keycloak' ? '/admin/realms/shop%20team/users/' : users[kind];
    const asked = server.requests.filter(({ path }) => !path.includes('token')).map(({ path }) => path);
    for (const path of asked) {
      expect(path.startsWith(start)).toBe(true);
      expect(path.slice(start.length).split('?')[0]).toMatch(/^[\w.~%!'()*-]+$/);
    }
    expect(server.users.get(ID)).toEqual(ACTIVE[kind]);
  });

  it.each([
    [429, { 'retry-after': '7' }, 7_000],
    [429, {}, 30_000],
    [429, { 'retry-after': '0' }, 30_000],
    [429, { 'retry-after': '999999' }, 3_600_000],
    [429, { 'x-ratelimit-reset': '12' }, 12_000],
    [429, { 'x-retry-after': '9' }, 9_000],
    [503, { 'retry-after': '20' }, 20_000],
  ])('is busy after %i with %j: %i ms', async (status, headers, pauseMs) => {
    const provider = connect();
    server.misbehave = ({ path }) => (path.includes('token') ? undefined : { status, headers });
    const error = await holdOne(provider).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProviderBusy);
    expect((error as ProviderBusy).retryAfterMs).toBe(pauseMs);
  });

  it('waits until a time since the epoch', async () => {
    const now = Date.now();
    const provider = connect({ clock: () => now });
    const reset = String(Math.floor(now / 1_000) + 40);
    server.misbehave = ({ path }) =>
      path.includes('token') ? undefined : { status: 429, headers: { 'x-ratelimit-reset': reset } };
    const error = (await holdOne(provider).catch((caught: unknown) => caught)) as ProviderBusy;
    expect(error.retryAfterMs).toBeGreaterThan(38_000);
    expect(error.retryAfterMs).toBeLessThanOrEqual(40_000);
  });

  it.each([401, 403])(
    'ends at a %i with a line on what to do, without the secret or the body',
    async (status) => {
      const provider = connect();
      const body = JSON.stringify({ message: `nope ${SECRET}` });
      server.misbehave = ({ path }) => (path.includes('token') ? undefined : { status, body });
      for (const work of [holdOne(provider), provider.release(ID, {}, never), provider.check(never)]) {
        const error = (await work.catch((caught: unknown) => caught)) as Error;
        expect(error).toBeInstanceOf(ProviderRefused);
        expect(error.message).toMatch(/^(?:Ory|Supabase|Auth0|Keycloak) (?:did not accept|forbids)[^\n]+$/);
        expect(error.message).not.toContain(SECRET);
        expect(error.message).not.toContain('nope');
      }
    },
  );

  it('fails plainly, to be tried again', async () => {
    const large = `{"x":"${'x'.repeat(300_000)}"}`;
    const cases: [NonNullable<ReturnType<NonNullable<ProviderServer['misbehave']>>>, string][] = [
      [{ status: 200, body: '<html>hello' }, 'something else than JSON'],
      [{ status: 200, body: 'null' }, 'something else than JSON'],
      [{ status: 200, body: large }, 'too large'],
      [{ status: 500, body: SECRET }, 'the provider answered 500 Internal Server Error'],
      [{ status: 503 }, 'the provider answered 503 Service Unavailable'],
      ['hang', 'did not answer within 0.3 seconds'],
    ];
    for (const [misbehaviour, message] of cases) {
      server.misbehave = ({ path }) => (path.includes('token') ? undefined : misbehaviour);
      const provider = connect(misbehaviour === 'hang' ? { limitMs: 300 } : {});
      const error = (await holdOne(provider).catch((caught: unknown) => caught)) as Error;
      expect(error.message).toContain(message);
      expect(error).not.toBeInstanceOf(ProviderRefused);
    }
    expect(writes()).toEqual([]);
  });

  it('follows no redirect', async () => {
    server.misbehave = () => ({ status: 307, headers: { location: 'http://127.0.0.1:9/' } });
    const error = await holdOne(connect()).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProviderRefused);
    expect(server.requests).toHaveLength(1);
  });

  it('goes to public addresses alone, unless it may go anywhere', async () => {
    const error = (await holdOne(connect({ reach: 'public' })).catch((caught: unknown) => caught)) as Error;
    expect(error).toBeInstanceOf(ProviderRefused);
    expect(error.message).not.toContain('127.0.0.1');
    expect(server.requests).toEqual([]);
  });

  it('ends when it is told to, with that reason', async () => {
    server.misbehave = ({ path }) => (path.includes('token') ? undefined : 'hang');
    const stop = new AbortController();
    const work = connect().hold(ID, async () => {}, stop.signal);
    await expect.poll(() => server.requests.some(({ path }) => path.includes(ID))).toBe(true);
    stop.abort(new Error('stopping'));
    await expect(work).rejects.toThrow('stopping');
  });

  it('checks URL and credentials without touching an account', async () => {
    await connect().check(never);
    expect(writes()).toEqual([]);
    expect(server.requests.some(({ path }) => path.includes(ID))).toBe(false);
    await expect(connect({}, { secret: 'wrong' }).check(never)).rejects.toBeInstanceOf(ProviderRefused);
    await expect(connect({}, { url: `${server.settings.url}/nowhere` }).check(never)).rejects.toBeInstanceOf(
      ProviderRefused,
    );
  });
});

describe.each(['auth0', 'keycloak'] as const)('the token of %s', (kind) => {
  const tokenRequests = () => server.requests.filter(({ path }) => path.includes('token'));
  beforeEach(async () => {
    server = await startProviderServer(kind);
    for (const id of [ID, OTHER_ID]) server.users.set(id, { ...ACTIVE[kind] });
  });

  it('is kept until shortly before it expires', async () => {
    let now = Date.now();
    const provider = connect({ clock: () => now });
    await Promise.all([holdOne(provider), holdOne(provider, OTHER_ID)]);
    now += 3_539_000;
    await provider.check(never);
    expect(tokenRequests()).toHaveLength(1);
    now += 2_000;
    await provider.check(never);
    expect(tokenRequests()).toHaveLength(2);
  });

  it('is asked for once more when it is not accepted', async () => {
    const provider = connect();
    await provider.check(never);
    server.endTokens();
    expect((await holdOne(provider)).held.outcome).toBe('held');
    expect(tokenRequests()).toHaveLength(2);
    server.misbehave = ({ path }) => (path.includes('token') ? undefined : { status: 401 });
    await expect(provider.check(never)).rejects.toBeInstanceOf(ProviderRefused);
    expect(tokenRequests()).toHaveLength(3);
  });

  it('waits when the provider is busy, and fails where it answers nonsense', async () => {
    server.misbehave = () => ({ status: 429, headers: { 'retry-after': '5' } });
    await expect(connect().check(never)).rejects.toMatchObject({ retryAfterMs: 5_000 });
    server.misbehave = () => ({ status: 200, body: '{"access_token":7}' });
    await expect(connect().check(never)).rejects.toThrow('gave no access token');
  });

  it('may be one that was made elsewhere', async () => {
    server.misbehave = ({ headers }) =>
      headers.authorization === 'Bearer made-elsewhere' ? { status: 200, body: '[]' } : undefined;
    await connect({}, { clientId: null, secret: 'made-elsewhere' }).check(never);
    expect(tokenRequests()).toEqual([]);
  });
});

it('tells that an application of Auth0 lacks a right', async () => {
  server = await startProviderServer('auth0');
  const body = JSON.stringify({ access_token: 'x', expires_in: 60, scope: 'read:users' });
  server.misbehave = ({ path }) => (path === '/oauth/token' ? { status: 200, body } : undefined);
  await expect(connect().check(never)).rejects.toThrow('lacks a right at Auth0');
});

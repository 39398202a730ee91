/** POST /hooks/{provider}/{hook_id}: the requests and answers of every provider, repeated deliveries, and answers without a verdict. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ManageHookRequest } from '../../src/contract/manage-messages.ts';
import { HOOK_PROVIDERS, type HookProvider } from '../../src/model/hook.ts';
import type { Store } from '../../src/store/store.ts';
import type { Answer } from '../support/client.ts';
import { databaseFile, lockDatabase } from '../support/crash-database.ts';
import { until } from '../support/expectations.ts';
import {
  AUDIENCE,
  type Delivery,
  type HookSender,
  isSignedForWorkos,
  type KeyServer,
  makeSenders,
  TENANT,
} from '../support/hook-senders.ts';
import { type Planted, plant, plantTokens } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { openStored } from '../support/stored.ts';

interface Made {
  readonly id: string;
  readonly path: string;
  readonly secret: string;
}

const DENIED = { status: 401, code: 'unauthorized' };

let scene: Scene;
let senders: Record<HookProvider, HookSender>;
let keyServer: KeyServer;
let signForEntra: Awaited<ReturnType<typeof makeSenders>>['signForEntra'];
let signForFusionAuth: Awaited<ReturnType<typeof makeSenders>>['signForFusionAuth'];
let spent: Planted;
let slow: Planted;
/** Token of the management API, which creates a hook faster than the command line. */
let token: string;
let stored: Store;
/** Hooks of each provider: a hook for the sandbox, one that denies challenges, a live one, and one with another secret. */
const sandbox = {} as Record<HookProvider, Made>;
const strict = {} as Record<HookProvider, Made>;
const live = {} as Record<HookProvider, Made>;
const others = {} as Record<HookProvider, Made>;

beforeAll(async () => {
  ({ senders, keyServer, signForEntra, signForFusionAuth } = await makeSenders());
  scene = await startScene({
    account: { requestsPerSecond: 100_000 },
    async prepare(installation) {
      spent = await plant(installation, { monthlyQuota: 0 });
      slow = await plant(installation, { requestsPerSecond: 1 });
      const [made] = await plantTokens(installation, { scopes: ['hooks:write'] });
      token = made?.text as string;
    },
  });
  stored = await openStored(scene.installation);
  for (const provider of HOOK_PROVIDERS) {
    others[provider] = await create(provider, { secret: OTHER_SECRETS[provider] ?? 'another secret text' });
    sandbox[provider] = await create(provider, { mode: 'test' });
    strict[provider] = await create(provider, { mode: 'test', challenge_as: 'deny' });
    live[provider] = await create(provider, { name: `${provider} form` });
  }
});
afterAll(async () => {
  await stored?.close();
  await scene?.end();
  await keyServer?.close();
});

const create = (provider: HookProvider, options?: Partial<ManageHookRequest>) =>
  createFor(scene.account.id, provider, options);
let created = 0;
async function createFor(
  account: string,
  provider: HookProvider,
  options: Partial<ManageHookRequest> = {},
): Promise<Made> {
  created += 1;
  const { secret } = senders[provider];
  const body = { provider, name: `${provider} form ${created}`, secret, ...options };
  const path = `/v1/manage/accounts/${account}/hooks`;
  const answer = await scene.live.send<Made>({ method: 'POST', path, key: token, body });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}
const send = (path: string, { headers, body }: Delivery): Promise<Answer> =>
  scene.live.send({ method: 'POST', path, key: null, headers, body });
/** Waits until the service knows a new hook and answers an event that it ignores. */
const known = async ({ path }: Made) => {
  const provider = path.split('/')[2] as HookProvider;
  const { sign, other } = senders[provider];
  await until(async () => (await send(path, await sign(JSON.stringify(other)))).status === 200);
};
async function deliver(
  provider: HookProvider,
  hook: Made,
  signup: { email: string; ip?: string },
  id?: string,
) {
  const { payload, sign } = senders[provider];
  return send(hook.path, await sign(JSON.stringify(payload({ ip: '79.192.20.1', ...signup })), id));
}
const used = async () => (await scene.live.usage()).json.assessments_used;
const answerOf = ({ status, json }: Answer) => ({ status, body: json });
const problemOf = ({ status, json }: Answer) => ({
  status,
  code: (json.error as { code?: string } | undefined)?.code,
});

describe.each(HOOK_PROVIDERS)('%s', (provider) => {
  it('gets answers in its own form, with the fixtures of the sandbox', async () => {
    const { allow, deny } = senders[provider];
    const hook = sandbox[provider];
    const before = await used();
    expect(answerOf(await deliver(provider, hook, { email: 'allow@example.com' }))).toEqual(allow);
    const denied = await deliver(provider, hook, { email: 'block@example.com' });
    expect(answerOf(denied)).toEqual(deny);
    expect(denied.headers['content-type']).toMatch(/^application\/json/);
    expect(await used()).toBe(before);
  });

  it('answers a challenge as the hook is set', async () => {
    const email = 'challenge@example.com';
    expect(answerOf(await deliver(provider, strict[provider], { email }))).toEqual(senders[provider].deny);
    const allowed = await deliver(provider, sandbox[provider], { email });
    if (provider !== 'kratos') expect(answerOf(allowed)).toEqual(senders[provider].allow);
    else
      expect(answerOf(allowed)).toEqual({
        status: 200,
        body: {
          identity: {
            metadata_admin: {
              gatehouse: {
                verdict: 'challenge',
                request_id: expect.stringMatching(/^req_/),
                score: 45,
                reasons: ['velocity_ip'],
              },
            },
          },
        },
      });
  });

  it('denies an address that should get no mail, unless the provider has mailed it before it asks', async () => {
    const { allow, deny } = senders[provider];
    const expected = provider === 'entra' ? allow : deny;
    const hook = await create(provider);
    await known(hook);
    const gateway = { email: '5551234567@vtext.com', ip: '79.192.25.1' };
    expect(answerOf(await deliver(provider, hook, gateway))).toEqual(expected);
    const ordinary = { email: colleague(`${provider}-mailed`), ip: '79.192.25.2' };
    expect(answerOf(await deliver(provider, hook, ordinary))).toEqual(allow);
  });

  it('allows requests that have nothing to assess', async () => {
    const { other, sign, allow } = senders[provider];
    const before = await assessmentsOf(live[provider]);
    const answer = await send(live[provider].path, await sign(JSON.stringify(other)));
    expect(answerOf(answer)).toEqual(allow);
    expect(await assessmentsOf(live[provider])).toEqual(before);
  });

  it('refuses a request that its secret did not sign, and assesses nothing', async () => {
    const { payload, sign, isTimed } = senders[provider];
    const { path } = live[provider];
    const body = JSON.stringify(payload({ email: colleague('forged'), ip: '79.192.20.2' }));
    const signed = await sign(body);
    const old = await sign(body, undefined, Date.now() - 3_600_000);
    const other = others[provider].path;
    const forged: [string, Delivery][] = [
      [path, { headers: {}, body }],
      [path, { headers: mapValues(signed.headers, () => 'x'), body }],
      [path, { headers: mapValues(signed.headers, spoil), body }],
      [other, signed],
      [path.replace(/.$/, '_'), signed],
      ...(isTimed ? [[path, old] as [string, Delivery]] : []),
    ];
    const before = await assessmentsOf(live[provider]);
    for (const [at, delivery] of forged) expect(problemOf(await send(at, delivery))).toEqual(DENIED);
    if (!BY_HEADER.includes(provider)) {
      const changed = { ...signed, body: body.replace('forged', 'forger') };
      if (provider !== 'entra') expect(problemOf(await send(path, changed))).toEqual(DENIED);
    }
    expect(await assessmentsOf(live[provider])).toEqual(before);
  });

  it('makes one assessment of a delivery that is repeated, also at the same time', async () => {
    const { payload, sign } = senders[provider];
    const before = await used();
    const signup = { email: colleague(`${provider}-repeats`, `${provider}-harbour.com`), ip: '79.192.21.1' };
    const body = JSON.stringify(payload(signup));
    const id = randomUUID();
    const answers = await Promise.all(
      [1, 2, 3].map(async () => send(live[provider].path, await sign(body, id))),
    );
    for (const answer of answers) expect(answerOf(answer)).toEqual(senders[provider].allow);
    expect(await used()).toBe(before + 1);
    const [found, ...others] = await assessmentsOf(live[provider]);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ keyName: `${provider} form`, ip: '79.192.21.1' });
    // Another address is another signup.
    await deliver(provider, live[provider], { ...signup, email: `x${signup.email}` }, id);
    expect(await used()).toBe(before + 2);
  });

  it('denies an unreadable address, so that attackers cannot use one to pass', async () => {
    const before = await assessmentsOf(sandbox[provider]);
    for (const email of ['"a b"@example.com', 'a@b@example.com', `a@${'b.'.repeat(200)}com`]) {
      const answer = await deliver(provider, sandbox[provider], { email, ip: 'no IP' });
      expect(answerOf(answer)).toEqual(senders[provider].deny);
    }
    expect(await assessmentsOf(sandbox[provider])).toEqual(before);
  });

  it('answers other payloads as the hook is set, and accepts only POST', async () => {
    const { sign, allow } = senders[provider];
    for (const body of ['', 'no JSON', '[]', '{"user":7}']) {
      expect(answerOf(await send(sandbox[provider].path, await sign(body)))).toEqual(allow);
    }
    const got = await scene.live.send({ path: sandbox[provider].path, key: null });
    expect(problemOf(got)).toEqual({ status: 405, code: 'method_not_allowed' });
  });
});

const BY_HEADER: readonly HookProvider[] = ['kratos', 'okta'];
const OTHER_TENANT = '99998888-bbbb-3333-cccc-4444dddd5555';
const OTHER_SECRETS: Partial<Record<HookProvider, string>> = {
  supabase: `v1,whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  get entra() {
    return `tenant=${OTHER_TENANT} audience=${OTHER_TENANT} jwks=${keyServer.url}`;
  },
  get neon() {
    return new URL('/none', keyServer.url).href;
  },
};

const mapValues = (headers: Readonly<Record<string, string>>, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, change(text)]));
/** Changes a character, but not the last one of a signature, which has unused bits. */
const spoil = (text: string) => text.replace(/.(?=.{7}$)/, (letter) => (letter === '3' ? '4' : '3'));
async function assessmentsOf({ id }: Made) {
  const found = [];
  for await (const page of stored.exportAssessments(scene.account.id, { keyId: id })) found.push(...page);
  return found;
}

describe('WorkOS', () => {
  it('sends requests and gets answers whose signatures its own library accepts', async () => {
    const { payload, sign, secret } = senders.workos;
    const body = payload({ email: colleague('signed'), ip: '79.192.20.1' });
    const request = await sign(JSON.stringify(body));
    expect(await isSignedForWorkos(body, request.headers['workos-signature'] as string, secret)).toBe(true);
    const { json } = await send(live.workos.path, request);
    const answer = json as { payload: { timestamp: number }; signature: string };
    const header = `t=${answer.payload.timestamp}, v1=${answer.signature}`;
    expect(await isSignedForWorkos(answer.payload, header, secret)).toBe(true);
    expect(await isSignedForWorkos(answer.payload, header, 'another secret')).toBe(false);
  });
});

describe('FusionAuth', () => {
  it('refuses an event of an hour ago, although its token does not expire', async () => {
    const { payload, sign } = senders.fusionauth;
    const { event } = payload({ email: 'allow@example.com', ip: '79.192.20.1' });
    const statuses = [];
    for (const age of [0, 3_600_000, -3_600_000]) {
      const body = JSON.stringify({ event: { ...(event as object), createInstant: Date.now() - age } });
      statuses.push((await send(sandbox.fusionauth.path, await sign(body))).status);
    }
    expect(statuses).toEqual([200, 401, 401]);
  });
});

describe('the keys that a provider publishes', () => {
  it('are fetched once for many requests', async () => {
    const before = keyServer.requests();
    for (const _ of [1, 2, 3]) await deliver('neon', sandbox.neon, { email: 'allow@example.com' });
    expect(keyServer.requests()).toBe(before);
  });

  it('are waited for only within the time limit; then the settings of the hook decide', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as AddressInfo;
    const secret = `http://127.0.0.1:${port}/.well-known/jwks.json`;
    const [allowing, denying] = await Promise.all([
      create('neon', { secret }),
      create('neon', { secret, on_error: 'deny' }),
    ]);
    const { payload, sign, allow, deny } = senders.neon;
    const delivery = await sign(JSON.stringify(payload({ email: colleague('keys'), ip: '79.192.22.1' })));
    expect(answerOf(await send(allowing.path, delivery))).toEqual(allow);
    expect(answerOf(await send(denying.path, delivery))).toEqual(deny);
    expect(await assessmentsOf(allowing)).toEqual([]);
    silent.closeAllConnections();
    await new Promise((done) => silent.close(done));
  });

  it('may be FusionAuth’s public ones', async () => {
    const hook = await create('fusionauth', { mode: 'test', secret: keyServer.url });
    const body = JSON.stringify(
      senders.fusionauth.payload({ email: 'block@example.com', ip: '79.192.22.2' }),
    );
    const [right, wrong] = await Promise.all([signForFusionAuth(body), signForFusionAuth(`${body} `)]);
    const signed = (text: string): Delivery => ({ headers: { 'x-fusionauth-signature-jwt': text }, body });
    expect(answerOf(await send(hook.path, signed(right)))).toEqual(senders.fusionauth.deny);
    expect(problemOf(await send(hook.path, signed(wrong)))).toEqual(DENIED);
  });

  it('sign for anybody at Microsoft: only a token for this tenant and application counts', async () => {
    const claims = [
      { azp: AUDIENCE },
      { aud: TENANT },
      { iss: `https://contoso.ciamlogin.com/${AUDIENCE}/v2.0` },
      { iss: `https://login.example/${TENANT}/v2.0` },
    ];
    const body = JSON.stringify(senders.entra.payload({ email: 'allow@example.com', ip: '79.192.22.3' }));
    const statuses = [];
    for (const each of [{}, ...claims]) {
      const headers = { authorization: `Bearer ${await signForEntra(each)}` };
      statuses.push((await send(sandbox.entra.path, { headers, body })).status);
    }
    expect(statuses).toEqual([200, 401, 401, 401, 401]);
  });
});

describe('without a verdict', () => {
  it.each(['allow', 'deny'] as const)('answers %s, never 429, when the quota is spent', async (onError) => {
    const hook = await createFor(spent.id, 'supabase', { on_error: onError });
    const answer = await deliver('supabase', hook, { email: colleague('spent') });
    expect(answerOf(answer)).toEqual(senders.supabase[onError]);
  });

  it('answers as the hook is set if there are too many requests', async () => {
    const hook = await createFor(slow.id, 'okta', { on_error: 'deny' });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => deliver('okta', hook, { email: colleague(`burst-${n}`) })),
    );
    const bodies = new Set(answers.map(({ status, json }) => `${status} ${Object.keys(json).length}`));
    expect(bodies).toEqual(new Set(['200 0', '200 2']));
  });

  it('answers in time when nothing can be stored', async () => {
    const without = async () => (await countOf('supabase', 'failed')) + (await countOf('supabase', 'late'));
    const before = await without();
    const unlock = lockDatabase(databaseFile(scene.installation));
    const answer = await deliver('supabase', live.supabase, { email: colleague('locked') });
    unlock();
    expect(answerOf(answer)).toEqual(senders.supabase.allow);
    expect(await without()).toBe(before + 1);
  });

  it('is counted, by provider and by outcome', async () => {
    expect(await countOf('supabase', 'quota_exceeded')).toBe(2);
    expect(await countOf('okta', 'rate_limit')).toBeGreaterThan(0);
    const outcomes = ['allowed', 'denied', 'unverified', 'not_assessed', 'failed'];
    const counts = await Promise.all(outcomes.map((outcome) => countOf('zitadel', outcome)));
    expect(counts.filter((count) => count > 0)).toHaveLength(outcomes.length);
    const { text } = await scene.live.send({ path: '/metrics', key: null });
    expect(text).toMatch(/gatehouse_requests_total\{operation="hook",status="200",verdict="allow"\}/);
  });
});

async function countOf(provider: string, outcome: string): Promise<number> {
  const { text } = await scene.live.send({ path: '/metrics', key: null });
  const line = `gatehouse_hook_answers_total{provider="${provider}",outcome="${outcome}"} `;
  return Number(text.split(line)[1]?.split('\n')[0] ?? 0);
}

describe('a hook', () => {
  it('is assessed like a signup with a key: velocity, and an address that lists do not know', async () => {
    const ip = '79.192.23.1';
    for (const name of ['one', 'two']) await deliver('kratos', live.kratos, { email: colleague(name), ip });
    const { json } = await scene.live.assess({ email: colleague('three'), ip });
    expect(json.signals.velocity.ip_signups_1h).toBe(3);
    const denied = await deliver('kratos', live.kratos, { email: 'someone@mailinator.com', ip });
    expect(answerOf(denied)).toEqual(senders.kratos.deny);
  });

  it('assesses without an IP if the given one is invalid', async () => {
    const email = colleague('no-ip', 'no-ip-harbour.com');
    const answer = await deliver('okta', live.okta, { email, ip: 'unknown' });
    expect(answerOf(answer)).toEqual(senders.okta.allow);
    const found = await assessmentsOf(live.okta);
    expect(found.filter(({ emailDomain }) => emailDomain === 'no-ip-harbour.com')).toMatchObject([
      { ip: null },
    ]);
  });

  it.each([
    ['with a port', '79.192.24.1:51234', '79.192.24.1'],
    ['quoted, in brackets', '"[2001:DB8::24]:443"', '2001:db8::24'],
    ['twice', '79.192.24.2, 79.192.24.2', '79.192.24.2'],
    ['with a zone', '2001:db8::25%eth0', '2001:db8::25'],
    ['in NAT64', '64:ff9b::79.192.24.3', '79.192.24.3'],
    ['mapped', '::ffff:4fc0:1804', '79.192.24.4'],
    ['in a list of several', '192.0.2.66, 79.192.24.5', null],
    ['as class E', '240.1.2.3', null],
  ])('reads an IP %s', async (form, text, ip) => {
    const domain = `form-${form.replace(/\W+/g, '-').toLowerCase()}.com`;
    await deliver('supabase', live.supabase, { email: colleague('form', domain), ip: text });
    const found = await assessmentsOf(live.supabase);
    expect(found.filter(({ emailDomain }) => emailDomain === domain)).toMatchObject([{ ip }]);
  });

  it.each([
    ['none', {}, '', null],
    ['small letters', { 'x-forwarded-for': ['192.0.2.66, 79.192.25.1'] }, '', '79.192.25.1'],
    ['Forwarded', { FORWARDED: ['for=192.0.2.66', 'for="79.192.25.2:80", for=10.0.0.1'] }, '', '79.192.25.2'],
    ['Pseudo IPv4', { 'X-Forwarded-For': ['240.9.9.9'] }, '', null],
    [
      'Pseudo IPv4 with its twin',
      { 'X-Forwarded-For': ['192.0.2.66, 240.9.9.9'], 'Cf-Connecting-IPv6': ['2001:db8::27'] },
      '',
      '2001:db8::27',
    ],
    ['a CDN', { 'X-Forwarded-For': ['192.0.2.66, 79.192.25.3, 79.192.25.4'] }, '', '79.192.25.4'],
    [
      'a CDN that the URL counts',
      { 'X-Forwarded-For': ['192.0.2.66, 79.192.25.5, 79.192.25.6, 10.0.0.1'] },
      '?public_proxies=1',
      '79.192.25.5',
    ],
    ['too few', { 'X-Forwarded-For': ['79.192.25.7'] }, '?public_proxies=1', null],
    ['a hidden one', { 'X-Forwarded-For': ['79.192.25.8, unknown'] }, '', null],
    ['other types', { 'X-Forwarded-For': 7, Forwarded: [null, { a: 1 }] }, '', null],
  ])('of Zitadel finds the IP in the headers that it passes on: %s', async (name, headers, query, ip) => {
    const domain = `zitadel-${name.replace(/\W+/g, '-').toLowerCase()}.com`;
    const { payload, sign } = senders.zitadel;
    const body = JSON.stringify({
      ...payload({ email: colleague('headers', domain), ip: '192.0.2.67' }),
      headers,
    });
    const { path } = live.zitadel;
    expect((await send(`${path}${query}`, await sign(body))).status).toBe(200);
    const found = await assessmentsOf(live.zitadel);
    expect(found.filter(({ emailDomain }) => emailDomain === domain)).toMatchObject([{ ip }]);
  });

  it('keeps the data of an identity when it marks a challenge', async () => {
    const body = JSON.stringify({ email: 'challenge@example.com', metadata_admin: { plan: 'pro' } });
    const { json } = await send(sandbox.kratos.path, await senders.kratos.sign(body));
    expect(json).toMatchObject({
      identity: { metadata_admin: { plan: 'pro', gatehouse: { verdict: 'challenge' } } },
    });
  });

  it('accepts a body as large as Supabase sends, and refuses a larger one', async () => {
    const payload = senders.supabase.payload({ email: 'block@example.com', ip: '79.192.23.2' });
    const withData = (length: number) => JSON.stringify({ ...payload, more: 'x'.repeat(length) });
    const fits = await senders.supabase.sign(withData(200_000));
    expect(answerOf(await send(sandbox.supabase.path, fits))).toEqual(senders.supabase.deny);
    const large = await senders.supabase.sign(withData(300_000));
    expect((await send(sandbox.supabase.path, large)).status).toBe(413);
  });

  it('accepts the old secret for a day after a rotation, unless it is revoked at once; and nothing once the hook is revoked', async () => {
    const hook = await create('kratos', { mode: 'test' });
    const body = JSON.stringify({ email: 'block@example.com' });
    const statusWith = async (secret: string) =>
      (await send(hook.path, { headers: { authorization: `Bearer ${secret}` }, body })).status;
    const { secret: second } = await rotate(hook.id);
    await until(async () => (await statusWith(second)) === 403);
    expect(await statusWith(senders.kratos.secret)).toBe(403);
    const { secret: third } = await rotate(hook.id, '--at-once');
    await until(async () => (await statusWith(third)) === 403);
    expect([await statusWith(second), await statusWith(senders.kratos.secret)]).toEqual([401, 401]);
    await scene.installation.json('hook', 'revoke', hook.id);
    await until(async () => (await statusWith(third)) === 401);
  });

  it('refuses everything until it has a secret', async () => {
    const options = ['--account', scene.account.id, '--provider', 'workos', '--name', 'new'];
    const hook = await scene.installation.json<Made>('hook', 'create', ...options);
    expect(hook.secret).toBeNull();
    await rotate(hook.id, '--secret', senders.workos.secret);
    await known(hook);
  });

  it('shows when it was last used', async () => {
    await until(async () => {
      const list = ['hook', 'list', '--account', scene.account.id];
      const hooks = await scene.installation.json<{ id: string; last_used_at: string | null }[]>(...list);
      return hooks.find(({ id }) => id === live.neon.id)?.last_used_at !== null;
    });
  });
});

const rotate = (id: string, ...args: string[]) =>
  scene.installation.json<Made>('hook', 'rotate', id, ...args);

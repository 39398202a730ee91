/** Behind a corporate proxy: feeds, registries, AbuseIPDB, CAPTCHA providers and auth providers' keys are reached through it, over TLS; without it, each is missing as any source may be. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChallengeResponse } from '../src/contract/messages.ts';
import type { DoctorCheck } from '../src/model/doctor-check.ts';
import { startAbuseServer, type TestAbuseServer } from './support/abuse-server.ts';
import { CAPTCHA_SECRET, startCaptchaServer, type TestCaptchaServer } from './support/captcha-server.ts';
import { type Client, createClient } from './support/client.ts';
import { spawnGatehouse } from './support/command.ts';
import { startFeedServer, type TestFeedServer } from './support/feed-server.ts';
import { useFeeds } from './support/feeds-file.ts';
import { makeSenders } from './support/hook-senders.ts';
import { CERTIFICATE_FILE, startHttpProxy, type TestHttpProxy } from './support/http-proxy-server.ts';
import { type Planted, plant } from './support/plant.ts';
import { startRdapServer, type TestRdapServer } from './support/rdap-server.ts';
import { createInstallation, type Installation, type ServiceProcess } from './support/service.ts';
import { FEEDS_BUILD } from './support/small-build.ts';

const SOON = { timeout: 60_000, interval: 200 };
const PASSWORD = 'gate:k%ey@1';
const LISTED = 'swinging-pendulum-mail.com';
const OLD = 'established-firm.com';

let feeds: TestFeedServer;
let rdap: TestRdapServer;
let abuse: TestAbuseServer;
let captcha: TestCaptchaServer;
let senders: Awaited<ReturnType<typeof makeSenders>>;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  [feeds, rdap, abuse, captcha, senders] = await Promise.all([
    startFeedServer(),
    startRdapServer(),
    startAbuseServer(),
    startCaptchaServer(),
    makeSenders(),
  ]);
  feeds.set('list', { body: `${LISTED}\n` });
  const base = 'https://rdap.outside.example/rdap/';
  rdap.bootstrap = { body: JSON.stringify({ version: '1.0', services: [[['com'], [base]]] }) };
  rdap.set(OLD, { registered: '2001-01-01T00:00:00Z' });
  abuse.scores.set('8.8.4.4', 97);
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await Promise.all([feeds, rdap, abuse, captcha, senders?.keyServer].map((server) => server?.close()));
});

interface Behind {
  readonly proxy: TestHttpProxy;
  readonly installation: Installation;
  readonly service: ServiceProcess;
  readonly client: Client;
  readonly sandbox: Client;
  readonly account: Planted;
}

/** A service whose only way out is the proxy. */
async function startBehind(proxy: TestHttpProxy, url: string): Promise<Behind> {
  closing.push(() => proxy.close());
  const portOf = (of: string) => Number(new URL(of).port);
  for (const [name, of] of [
    ['feeds', feeds.url],
    ['rdap', rdap.bootstrapUrl],
    ['abuse', abuse.url],
    ['captcha', captcha.url('turnstile')],
    ['keys', senders.keyServer.url],
  ] as const)
    proxy.routes.set(`${name}.outside.example`, portOf(of));
  const installation = await createInstallation(
    {
      HTTPS_PROXY: url,
      NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE,
      GATEHOUSE_RDAP_BOOTSTRAP_URL: 'https://rdap.outside.example/dns.json',
      GATEHOUSE_ABUSEIPDB_KEY: 'a-key',
      GATEHOUSE_ABUSEIPDB_URL: 'https://abuse.outside.example/api/v2/check',
      GATEHOUSE_CHALLENGE_MINUTES: '30',
      GATEHOUSE_TURNSTILE_SECRET: CAPTCHA_SECRET,
      GATEHOUSE_TURNSTILE_URL: 'https://captcha.outside.example/turnstile/siteverify',
      GATEHOUSE_LOG_LEVEL: 'trace',
    },
    FEEDS_BUILD,
  );
  closing.push(() => installation.remove());
  const account = await plant(installation);
  await useFeeds(installation, {
    'disposable-curated': { url: 'https://feeds.outside.example/list', enabled: true, everyHours: 0.0003 },
  });
  const service = await installation.spawn();
  const [client, sandbox] = [
    createClient(service.url, account.live),
    createClient(service.url, account.test),
  ];
  closing.push(
    () => client.close(),
    () => sandbox.close(),
  );
  return { proxy, installation, service, client, sandbox, account };
}

const signalsOf = async ({ client }: Behind, domain: string, ip: string) =>
  (await client.assess({ email: `jo@${domain}`, ip })).json.signals;

async function redeem({ sandbox }: Behind): Promise<string> {
  const { json } = await sandbox.assess({ email: 'challenge@example.com' });
  const body = { token: json.challenge?.token, turnstile: `passed ${json.request_id}` };
  const answer = await sandbox.send<ChallengeResponse>({ method: 'POST', path: '/v1/challenges', body });
  return answer.json.status;
}

/** Asks as FusionAuth does, with keys that are on the other side of the proxy. */
async function askHook({ installation, service, account }: Behind): Promise<number> {
  const { path } = await installation.json<{ path: string }>(
    'hook',
    'create',
    '--account',
    account.id,
    '--provider',
    'fusionauth',
    '--name',
    'form',
    '--mode',
    'test',
    '--on-error',
    'deny',
    '--secret',
    'https://keys.outside.example/.well-known/jwks.json',
  );
  const body = JSON.stringify(
    senders.senders.fusionauth.payload({ email: 'allow@example.com', ip: '79.192.22.2' }),
  );
  const headers = {
    'content-type': 'application/json',
    'x-fusionauth-signature-jwt': await senders.signForFusionAuth(body),
  };
  // A running service knows of a new hook within a second.
  const send = () => fetch(new URL(path, service.url), { method: 'POST', headers, body });
  await expect.poll(async () => (await send()).status, SOON).not.toBe(401);
  return (await send()).status;
}

async function doctor({ installation }: Behind): Promise<DoctorCheck | undefined> {
  const { stdout } = await spawnGatehouse(['doctor', '--json'], installation.environment);
  return (JSON.parse(stdout) as DoctorCheck[]).find(({ name }) => name.startsWith('proxy'));
}

describe.each([
  ['a proxy', false],
  ['a proxy that is reached over TLS', true],
])('%s', (_, secure) => {
  let behind: Behind;
  beforeAll(async () => {
    const proxy = await startHttpProxy({ secure });
    proxy.password = PASSWORD;
    const [user = '', ...rest] = PASSWORD.split(':');
    const credentials = `${user}:${encodeURIComponent(rest.join(':'))}`;
    behind = await startBehind(proxy, proxy.url.replace('//', `//${credentials}@`));
  });

  it('leads to feeds', async () => {
    await expect
      .poll(async () => (await signalsOf(behind, LISTED, '8.8.8.8')).email.disposable, SOON)
      .toBe(true);
    expect(behind.proxy.asked).toContain('CONNECT feeds.outside.example:443');
  });

  it('leads to registries', async () => {
    const days = async () => (await signalsOf(behind, OLD, '8.8.8.8')).email.domain_age_days;
    await expect.poll(days, SOON).toBeGreaterThan(9_000);
    expect(behind.proxy.asked).toContain('CONNECT rdap.outside.example:443');
  });

  it('leads to AbuseIPDB', async () => {
    const score = async () => (await signalsOf(behind, OLD, '8.8.4.4')).ip?.abuse_score;
    await expect.poll(score, SOON).toBe(97);
    expect(behind.proxy.asked).toContain('CONNECT abuse.outside.example:443');
  });

  it('leads to CAPTCHA providers', async () => {
    expect(await redeem(behind)).toBe('passed');
    expect(behind.proxy.asked).toContain('CONNECT captcha.outside.example:443');
  });

  it('leads to the public keys of auth providers', async () => {
    expect(await askHook(behind)).toBe(200);
    expect(behind.proxy.asked).toContain('CONNECT keys.outside.example:443');
  });

  it('is named by the doctor with what it is used for, and its password is written nowhere', async () => {
    expect(await doctor(behind)).toEqual({
      name: `proxy ${behind.proxy.url}`,
      state: 'ok',
      found: 'answers; used for RDAP, 1 feeds, AbuseIPDB, Turnstile',
      advice: null,
    });
    expect(behind.service.output()).not.toMatch(/k%25ey|k%ey|Proxy-Authorization/i);
  });
});

describe('a proxy that refuses everything', () => {
  it.each([
    [407, /wants a user and password \(407\)/],
    [403, /does not allow this target \(403\)/],
    [502, /answered 502/],
    ['close', /cannot be used/],
  ] as const)('with %s leaves sources missing, and the doctor says why', async (misbehaviour, why) => {
    const proxy = await startHttpProxy();
    proxy.misbehaviour = misbehaviour;
    const behind = await startBehind(proxy, proxy.url);
    const { email, ip } = await signalsOf(behind, OLD, '8.8.4.4');
    expect([email.domain_age_days, email.disposable, ip?.abuse_score]).toEqual([-1, false, 0]);
    expect(await redeem(behind)).toBe('unknown');
    // The settings of the hook decide.
    expect(await askHook(behind)).toBe(403);
    await expect.poll(() => behind.service.output(), SOON).toMatch(why);
    expect(await doctor(behind)).toMatchObject({ state: 'failed', found: expect.stringMatching(why) });
  });
});

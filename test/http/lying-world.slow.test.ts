/** Signups while a resolver, registries and an upstream give the same answer for everything, and when the resolver is right again. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import { startAbuseServer, type TestAbuseServer } from '../support/abuse-server.ts';
import { type Browser, claimOperator } from '../support/browser.ts';
import { until } from '../support/expectations.ts';
import { HANG_MS } from '../support/long-version.ts';
import { type Scene, startScene } from '../support/scene.ts';

const CANARIES = ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'gmx.net'];

let scene: Scene;
let abuse: TestAbuseServer;
let browser: Browser;
beforeAll(async () => {
  abuse = await startAbuseServer();
  abuse.misbehaviour = JSON.stringify({ data: { abuseConfidenceScore: 100 } });
  scene = await startScene({
    environment: {
      GATEHOUSE_CANARY_DOMAINS: CANARIES.join(','),
      GATEHOUSE_ABUSEIPDB_KEY: 'a-key',
      GATEHOUSE_ABUSEIPDB_URL: abuse.url,
    },
    fallback: { rcode: 'NXDOMAIN' },
    rdap: true,
  });
  scene.rdap.fallback = { registered: new Date().toISOString() };
  browser = await claimOperator(scene.service);
});
afterAll(async () => {
  browser?.close();
  await scene?.end();
  await abuse?.close();
});

const assess = async (email: string, ip?: string) => (await scene.live.assess({ email, ip })).json;
const send = async (path: string) => scene.live.send({ path });
const readiness = async () => {
  const { status, text } = await send('/readyz');
  const { distrusted } = JSON.parse(text) as { distrusted?: { source: string; message: string }[] };
  return { status, distrusted };
};
const shownToPeople = async () => ((await browser.session()).json satisfies Session).distrusted;
const isDistrusted = async () =>
  /^gatehouse_source_distrusted\{source="dns"\} 1$/m.test((await send('/metrics')).text);

it('stops nobody while the resolver denies even well-known domains, and reports this', async () => {
  for (const email of ['jane.doe@gmail.com', 'jo@stripe.com', 'jo@missing-harbour.com']) {
    const answer = await assess(email);
    expect(answer, email).toMatchObject({ verdict: 'allow' });
    expect(answer.signals.email, email).toMatchObject({ mx_status: 'unknown', mx_valid: true });
  }
  // On a busy machine answers about the controls may be late: then the next denial asks again.
  let signups = 0;
  await until(async () => (await isDistrusted()) || !(await assess(`jo@a${signups++}-harbour.com`)));
  const { status, distrusted = [] } = await readiness();
  expect([status, distrusted[0]?.source]).toEqual([200, 'dns']);
  expect(distrusted[0]?.message).toMatch(/^DNS says that gmail\.com, outlook\.com and 3 more do not exist/);
  expect(await isDistrusted()).toBe(true);
  expect((await shownToPeople())[0]).toEqual(distrusted[0]);
  expect(scene.service.output()).toContain('Check GATEHOUSE_DNS_SERVERS');
});

it('ignores findings that registries and AbuseIPDB report for everybody', async () => {
  const sources = async () => (await readiness()).distrusted?.map(({ source }) => source);
  expect(await assess('jo@first-harbour.com', '79.192.0.1')).toMatchObject({ verdict: 'allow' });
  await expect.poll(sources, { timeout: HANG_MS }).toEqual(['dns', 'rdap', 'abuseipdb']);
  expect(await assess('jo@second-harbour.com', '79.192.0.2')).toMatchObject({
    verdict: 'allow',
    score: 0,
    signals: { email: { domain_age_days: -1 }, ip: { abuse_score: 0 } },
  });
});

it('recovers by itself: missing domains are blocked again, existing ones are not', async () => {
  for (const domain of [...CANARIES, 'stripe.com']) scene.dns.set(domain, { mx: [`10 mx.${domain}`] });
  await until(async () => !(await isDistrusted()));
  expect((await readiness()).distrusted?.map(({ source }) => source)).not.toContain('dns');
  expect((await shownToPeople()).map(({ source }) => source)).not.toContain('dns');
  expect(await assess('jo@missing-harbour.com')).toMatchObject({
    verdict: 'block',
    reasons: [{ code: 'email_deliverability' }],
    signals: { email: { mx_status: 'no_domain' } },
  });
  expect((await assess('jo@stripe.com')).signals.email).toMatchObject({ mx_status: 'valid' });
});

it.each([
  ['no_domain', { rcode: 'NXDOMAIN' }],
  ['none', {}],
  ['null_mx', { mx: ['0 .'] }],
] as const)('never believes %s about a provider that it vouches for', async (mx_status, entry) => {
  const vouched = { no_domain: 'web.de', none: 'mail.ru', null_mx: 'libero.it' }[mx_status];
  scene.dns.set(vouched, entry);
  scene.dns.set(`somebody.${vouched}`, entry);
  expect(await assess(`jo@${vouched}`)).toMatchObject({
    verdict: 'allow',
    signals: { email: { mx_status: 'unknown', mx_valid: true, public_domain: true } },
  });
  // Anybody may make up a name below it.
  expect((await assess(`jo@somebody.${vouched}`)).signals.email).toMatchObject({ mx_status });
});

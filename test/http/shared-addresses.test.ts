/** One IP for everybody: noticed for the key or hook, reported everywhere, known after a restart, over once visitors have IPs of their own; and no farm. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AlertPageAnswer } from '../../src/contract/dashboard-alerts.ts';
import type { Verdict } from '../../src/contract/messages.ts';
import { type Browser, claimOperator, openBrowser, PASSWORD } from '../support/browser.ts';
import { type Client, createClient } from '../support/client.ts';
import { type Planted, plant } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';
import type { Service } from '../support/service.ts';
import { somebody } from '../support/somebody.ts';

/** IP at a hosting provider, as a product has that signs people up from its server. */
const SERVER = '138.68.10.1';
/** IP of an access network, as a farm has, and an office with a proxy. */
const HOME = '79.192.40.1';
let scene: Scene;
let service: Service;
let browser: Browser;
let live: Client;
let other: Planted;
beforeAll(async () => {
  scene = await startScene({
    async prepare(installation) {
      other = await plant(installation);
    },
  });
  ({ service, live } = scene);
  browser = await claimOperator(service);
});
afterAll(async () => {
  browser?.close();
  live?.close();
  await scene?.end();
});

const NOTICED_MS = 60_000;
let people = 0;
/** Verdicts on signups of new people. */
async function signUp(count: number, ip: () => string, client = live): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (let i = 0; i < count; i += 1) {
    people += 1;
    const { status, json } = await client.assess({ email: `${somebody(people)}@gmail.com`, ip: ip() });
    expect(status).toBe(200);
    verdicts.push(json.verdict);
  }
  return verdicts;
}
const server = () => SERVER;
const home = () => HOME;
const own = () => `79.193.${people % 200}.${people % 250}`;
const ready = async () => JSON.parse((await live.send({ path: '/readyz' })).text) as object;
async function gauges(): Promise<(string | undefined)[]> {
  const { text } = await live.send({ path: '/metrics' });
  const find = (kind: string) =>
    new RegExp(`^gatehouse_shared_address_keys\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1];
  return [find('everybody'), find('doubtful')];
}
const shown = async () => {
  const path = `/dashboard/api/accounts/${scene.account.id}/alerts?state=open`;
  const { data } = (await browser.send<AlertPageAnswer>('GET', path)).json;
  return data
    .filter(({ kind }) => kind === 'shared_address')
    .map(({ text }) => (text.startsWith('This IP is a server') ? 'everybody' : 'doubtful'));
};
/** Alerts are noticed some seconds later. */
const becomes = (kinds: readonly string[]) => expect.poll(shown, { timeout: NOTICED_MS }).toEqual(kinds);
const lines = (text: string) => service.output().split(text).length - 1;
const ALL = 'nearly all signups of this key or hook have one IP';
const EVERYBODY = `${ALL}, that of a server or proxy`;
const DOUBTFUL = `${ALL}: an attack, or a proxy`;

it('is said once in the log, and in /readyz, metrics, doctor and the dashboard', async () => {
  const { json } = await live.assess({ email: 'person.0@gmail.com', ip: SERVER });
  expect(json.signals.ip?.datacenter).toBe(true);
  const verdicts = await signUp(18, server);
  expect([await ready(), await shown()]).toEqual([{ status: 'ready' }, []]);
  verdicts.push(...(await signUp(10, server)));
  expect(new Set(verdicts)).toEqual(new Set(['allow']));
  expect(await ready()).toEqual({ status: 'ready', shared_addresses: 1 });
  expect(await gauges()).toEqual(['1', '0']);
  await becomes(['everybody']);
  expect([lines(EVERYBODY), lines(DOUBTFUL)]).toEqual([1, 0]);
  expect(service.output()).not.toContain(SERVER);
  const { stdout } = await scene.installation.run('doctor');
  expect(stdout).toContain('nearly all signups of a key or hook have one IP');
});

it('challenges nobody who signs up through a server, up to the 200th', async () => {
  const others = (await signUp(171, server)).filter((verdict) => verdict !== 'allow');
  expect(others).toEqual([]);
});

it('survives a restart', async () => {
  live.close();
  browser.close();
  await service.stop();
  service = await scene.installation.start();
  live = createClient(service.url, scene.account.live);
  browser = openBrowser(service.url);
  expect((await browser.signIn('operator@example.com', PASSWORD)).status).toBe(200);
  expect(await ready()).toEqual({ status: 'ready', shared_addresses: 1 });
  expect(await signUp(1, server)).toEqual(['allow']);
  expect([await shown(), lines(EVERYBODY)]).toEqual([['everybody'], 1]);
});

it('is over once visitors have IPs of their own, and then one IP may be an attack', async () => {
  await signUp(12, own);
  expect(await ready()).toEqual({ status: 'ready' });
  expect(lines('have IPs of their own again')).toBe(1);
  await signUp(45, home);
  await becomes(['doubtful']);
  expect(lines(DOUBTFUL)).toBe(1);
});

it('is no burst of people whom somebody brings, and no server where visitors can have it: a farm at home on a new key is challenged', async () => {
  const client = createClient(service.url, other.live);
  for (let i = 0; i < 25; i += 1)
    await client.assess({ email: `brought.${i}@gmail.com`, ip: SERVER, brought_by: 'directory' } as never);
  expect(await ready()).toEqual({ status: 'ready', shared_addresses: 1 });
  const verdicts = await signUp(60, home, client);
  expect(verdicts.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'allow'));
  expect(new Set(verdicts.slice(19))).toEqual(new Set(['challenge']));
  expect(verdicts).not.toContain('block');
  expect(await ready()).toEqual({ status: 'ready', shared_addresses: 2 });
  expect([await gauges(), lines(DOUBTFUL)]).toEqual([['0', '2'], 2]);
  // Another account's.
  expect(await shown()).toEqual(['doubtful']);
  client.close();
});

/** One IP for everybody: noticed for the key or hook, reported everywhere, known after a restart, and over once visitors have IPs of their own. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SharedAddressRow } from '../../src/contract/dashboard-account.ts';
import { type Browser, claimOperator, openBrowser, PASSWORD } from '../support/browser.ts';
import { type Client, createClient } from '../support/client.ts';
import { type Planted, plant } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';
import type { Service } from '../support/service.ts';

const PROXY = '79.192.40.1';
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

let people = 0;
/** Signups of new people. */
async function signUp(count: number, ip: () => string, client = live): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    people += 1;
    const { status } = await client.assess({ email: `person.${people}@gmail.com`, ip: ip() });
    expect(status).toBe(200);
  }
}
const proxy = () => PROXY;
const own = () => `79.193.${people % 200}.${people % 250}`;
const ready = async () => JSON.parse((await live.send({ path: '/readyz' })).text) as object;
async function gauges(): Promise<(string | undefined)[]> {
  const { text } = await live.send({ path: '/metrics' });
  const find = (kind: string) =>
    new RegExp(`^gatehouse_shared_address_keys\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1];
  return [find('everybody'), find('doubtful')];
}
const shown = async () => {
  const path = `/dashboard/api/accounts/${scene.account.id}/shared-addresses`;
  return (await browser.send<SharedAddressRow[]>('GET', path)).json.map(({ kind }) => kind);
};
const lines = (text: string) => service.output().split(text).length - 1;
const ALL = 'nearly all signups of this key or hook have one IP';
const SUDDENLY = 'nearly all signups of this key or hook suddenly have one IP';

it('is said once in the log, and in /readyz, metrics, doctor and the dashboard', async () => {
  await signUp(19, proxy);
  expect([await ready(), await shown()]).toEqual([{ status: 'ready' }, []]);
  await signUp(10, proxy);
  expect(await ready()).toEqual({ status: 'ready', shared_addresses: 1 });
  expect(await gauges()).toEqual(['1', '0']);
  expect(await shown()).toEqual(['everybody']);
  expect(lines(ALL)).toBe(1);
  expect(service.output()).not.toContain(PROXY);
  const { stdout } = await scene.installation.run('doctor');
  expect(stdout).toContain('nearly all signups of a key or hook have one IP');
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
  await signUp(1, proxy);
  expect([await shown(), lines(ALL)]).toEqual([['everybody'], 1]);
});

it('is over once visitors have IPs of their own, and then one IP is an attack', async () => {
  await signUp(12, own);
  expect([await ready(), await shown()]).toEqual([{ status: 'ready' }, []]);
  expect(lines('have IPs of their own again')).toBe(1);
  await signUp(45, proxy);
  expect([await shown(), lines(SUDDENLY)]).toEqual([['doubtful'], 1]);
});

it('is not noticed for people whom somebody brings, and shown to no other account', async () => {
  const client = createClient(service.url, other.live);
  for (let i = 0; i < 25; i += 1)
    await client.assess({ email: `brought.${i}@gmail.com`, ip: PROXY, brought_by: 'directory' } as never);
  expect(await ready()).toEqual({ status: 'ready', shared_addresses: 1 });
  await signUp(25, proxy, client);
  expect(await ready()).toEqual({ status: 'ready', shared_addresses: 2 });
  expect(await shown()).toEqual(['doubtful']);
  client.close();
});

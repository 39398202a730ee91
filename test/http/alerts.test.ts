/** An attack on a running service: noticed, shown, told and kept over a restart, and one alert however many look. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AlertPageAnswer, AlertRow } from '../../src/contract/dashboard-alerts.ts';
import { createMakeId } from '../../src/contract/identifiers.ts';
import type { ManageAlert } from '../../src/contract/manage-messages.ts';
import { anAssessment } from '../support/an-assessment.ts';
import { type Browser, claimOperator, openBrowser, PASSWORD } from '../support/browser.ts';
import { createClient } from '../support/client.ts';
import { plantKey, plantTokens } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';
import type { Service } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

const HOUR_MS = 3_600_000;
const WEEKS_MS = 15 * 86_400_000;
const ATTACKERS = 420;
const NOTICED_MS = 90_000;
const makeId = createMakeId();
let scene: Scene;
let service: Service;
let browser: Browser;
let accountId: string;
beforeAll(async () => {
  scene = await startScene();
  const { installation, account } = scene;
  accountId = account.id;
  await scene.service.stop();
  const name = 'Web';
  await plantKey(installation, accountId, 'live', { name, createdAt: 0 });
  await withStored(installation, async (store) => {
    const { keys } = await store.changesSince(0);
    const keyId = keys.find((key) => key.name === name)?.id as string;
    const now = Date.now();
    const common = { accountId, keyId, mode: 'live', verdict: 'allow' } as const;
    const everyday = Array.from({ length: Math.floor(WEEKS_MS / HOUR_MS) }, (_, hour) => ({
      at: now - (hour + 1) * HOUR_MS,
      ip: `79.${hour % 200}.1.7`,
      asn: 3_320,
      sessionId: `s_${hour}`,
      mailboxHash: `mailbox ${hour}`,
    }));
    const attack = Array.from({ length: ATTACKERS }, (_, number) => ({
      at: now - 60_000 + 2 * number,
      ip: `45.12.${96 + (number % 4)}.${number % 250}`,
      sessionId: 's_attack',
      asn: number % 2 === 0 ? 8_412 : 47_576,
      mailboxHash: `attacker ${number}`,
    }));
    for (const fields of [...everyday.reverse(), ...attack])
      await store.record(anAssessment({ ...common, ...fields, requestId: makeId('req', fields.at) }));
  });
  service = await installation.start();
  browser = await claimOperator(service);
});
afterAll(async () => {
  browser?.close();
  await scene?.end();
});

const path = (rest: string) => `/dashboard/api/accounts/${accountId}/${rest}`;
const open = async () => (await browser.send<AlertPageAnswer>('GET', path('alerts?state=open'))).json.data;

it('is noticed, and says how much is usual and what the signups share', async () => {
  await expect.poll(async () => (await open()).length, { timeout: NOTICED_MS }).toBe(1);
  const [alert] = (await open()) as [AlertRow];
  expect(alert).toMatchObject({ kind: 'signups', state: 'open', count: ATTACKERS, account_id: accountId });
  expect(alert.shares.map(({ feature, value }) => `${feature} ${value}`)).toEqual([
    'range 45.12.96.0/22',
    'session s_attack',
  ]);
  expect(alert.title).toMatch(/^420 signups in 20 minutes with “Web”, usually 0$/);
  expect(alert.text).toBe('100% come from 45.12.96.0/22, 100% have the same session.');
  expect(service.output()).toContain('unusual: an alert is open');
});

it('leads to exactly its signups', async () => {
  const [alert] = (await open()) as [AlertRow];
  const filter = new URLSearchParams(alert.filter as Record<string, string>);
  const { json } = await browser.send<{ total: number }>('GET', path(`assessments/summary?${filter}`));
  expect(json.total).toBe(ATTACKERS);
});

it('is in the management API, for a token that may see it, and in the metrics', async () => {
  const [reader, other] = await plantTokens(
    scene.installation,
    { scopes: ['alerts:read'], accountId },
    { scopes: ['lists:read'] },
  );
  const client = createClient(service.url, (reader as { text: string }).text);
  const list = `/v1/manage/accounts/${accountId}/alerts?state=open`;
  await expect.poll(async () => (await client.send({ path: list })).status).toBe(200);
  const { data } = JSON.parse((await client.send({ path: list })).text) as { data: ManageAlert[] };
  expect(data.map(({ kind, count }) => [kind, count])).toEqual([['signups', ATTACKERS]]);
  const stranger = createClient(service.url, (other as { text: string }).text);
  expect((await stranger.send({ path: list })).status).toBe(403);
  const { text } = await client.send({ path: '/metrics' });
  expect(text).toMatch(/^gatehouse_alerts\{kind="signups"\} 1$/m);
  expect(text).toMatch(/^gatehouse_alerts\{kind="feed"\} 0$/m);
  client.close();
  stranger.close();
});

it('is the same alert after a restart', async () => {
  const [before] = (await open()) as [AlertRow];
  browser.close();
  await service.stop();
  service = await scene.installation.start();
  browser = openBrowser(service.url);
  await browser.signIn('operator@example.com', PASSWORD);
  await expect.poll(async () => (await open())[0]?.seen_at, { timeout: NOTICED_MS }).not.toBe(before.seen_at);
  expect((await open()).map(({ id }) => id)).toEqual([before.id]);
});

/** `kill -9` while accounts are held and while they are released: each is written once, none loses what it was, and the provider's pauses are kept. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConnectionRow, TakeBackDetails, TakeBackRow } from '../../src/contract/dashboard-take-back.ts';
import type { TakeBackAccount } from '../../src/model/take-back.ts';
import { accountsToHold, aTakeBackJob } from '../support/a-take-back.ts';
import { type Browser, claimOperator, openBrowser, PASSWORD } from '../support/browser.ts';
import { type Planted, plant } from '../support/plant.ts';
import { type ProviderServer, type SeenRequest, startProviderServer } from '../support/provider-servers.ts';
import { createInstallation, type Installation, type ServiceProcess } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

const ACCOUNTS = 500;
/** Every so many requests the provider wants a second of pause. */
const PAUSE_EVERY = 150;

let installation: Installation;
let service: ServiceProcess;
let operator: Browser;
let provider: ProviderServer;
let account: Planted;

const users = Array.from({ length: ACCOUNTS }, () => randomUUID());
/** Time until which the provider wants no request. */
let pausedUntil = 0;
let early = 0;
let pauses = 0;
const refused = new Set<SeenRequest>();

beforeAll(async () => {
  installation = await createInstallation({ GATEHOUSE_WEBHOOKS_PRIVATE: 'on' });
  account = await plant(installation);
  provider = await startProviderServer('kratos');
  for (const id of users) provider.users.set(id, { state: 'active' });
  let count = 0;
  provider.misbehave = (request) => {
    count += 1;
    const now = Date.now();
    if (now < pausedUntil) early += 1;
    if (count % PAUSE_EVERY !== 0) return undefined;
    pauses += 1;
    refused.add(request);
    pausedUntil = now + 1_000;
    return { status: 429, headers: { 'retry-after': '1' } };
  };
  service = await installation.spawn();
  operator = await claimOperator(service);
});
afterAll(async () => {
  await provider?.close();
  await installation?.remove();
});

const path = (rest: string) => `/dashboard/api/accounts/${account.id}/${rest}`;
const statesOf = () => users.map((id) => provider.users.get(id)?.state);
const heldCount = () => statesOf().filter((state) => state === 'inactive').length;
const writesOf = (state: string) => {
  const written = new Map<string, number>();
  for (const request of provider.requests) {
    const { method, path: url, body } = request;
    if (method === 'PATCH' && body.includes(`"${state}"`) && !refused.has(request))
      written.set(url, (written.get(url) ?? 0) + 1);
  }
  return written;
};
const accounts = (jobId: string) =>
  withStored(installation, (store) => store.takeBackAccounts(account.id, jobId, '', ACCOUNTS));

async function restart(): Promise<void> {
  await service.kill();
  service = await installation.spawn();
  operator = openBrowser(service.url);
  expect((await operator.signIn('operator@example.com', PASSWORD)).status).toBe(200);
}

it('holds and releases 500 accounts', { timeout: 600_000 }, async () => {
  const { json: connection } = await operator.send<ConnectionRow>('POST', path('connections'), {
    kind: 'kratos',
    name: 'shop',
    url: provider.settings.url,
    secret: provider.settings.secret,
    per_second: 100,
  });
  const job = aTakeBackJob(account.id, { connectionId: connection.id, createdAt: Date.now() });
  const rows = accountsToHold(ACCOUNTS, Date.now()).map((row, at) => ({
    ...row,
    userId: users[at] as string,
  }));
  await withStored(installation, (store) => store.saveTakeBack(job, rows));
  const state = async () =>
    (await operator.send<TakeBackDetails>('GET', path(`takeback/${job.id}`))).json.job;

  await expect.poll(heldCount, { interval: 5 }).toBeGreaterThan(ACCOUNTS / 4);
  await restart();
  await expect.poll(heldCount, { interval: 5 }).toBeGreaterThan(ACCOUNTS / 2);
  await restart();
  await expect.poll(async () => (await state()).state, { timeout: 400_000 }).toBe('done');
  expect((await state()).counts).toMatchObject({ held: ACCOUNTS });
  expect(heldCount()).toBe(ACCOUNTS);
  expect(Math.max(...writesOf('inactive').values())).toBe(1);
  expect((await accounts(job.id)).map(({ before }: TakeBackAccount) => before?.state)).toEqual(
    users.map(() => 'active'),
  );

  // Somebody else decides about one of them: it stays as they left it.
  const [changed] = users as [string];
  provider.users.set(changed, { state: 'inactive', state_changed_at: '2020-01-01T00:00:00Z' });
  const undo = await operator.send<TakeBackRow>('POST', path(`takeback/${job.id}/undo`));
  expect(undo.json).toMatchObject({ phase: 'release', state: 'running' });
  await expect.poll(heldCount, { interval: 5 }).toBeLessThan(ACCOUNTS / 2);
  await restart();
  await expect.poll(async () => (await state()).state, { timeout: 400_000 }).toBe('done');
  expect((await state()).counts).toMatchObject({ released: ACCOUNTS - 1, changed: 1 });
  expect(statesOf().filter((each) => each === 'active')).toHaveLength(ACCOUNTS - 1);
  expect(provider.users.get(changed)).toEqual({
    state: 'inactive',
    state_changed_at: '2020-01-01T00:00:00Z',
  });
  expect(Math.max(...writesOf('active').values())).toBe(1);
  expect(pauses).toBeGreaterThan(5);
  // The requests of three other accounts were under way when a pause began: no account was begun in one.
  expect(early).toBeLessThanOrEqual(pauses * 9);
});

/** Taking back in a browser: a provider is connected and tried, who got in by a wave is held from its card in two actions, ids are added, and all of it is undone. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import type { AttackCard } from '../../src/contract/dashboard-attacks.ts';
import type { CampaignPageAnswer } from '../../src/contract/dashboard-campaigns.ts';
import { countActions } from '../support/counted-actions.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { type ProviderServer, startProviderServer } from '../support/provider-servers.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

let installation: Installation;
let browser: TestBrowser;
let owner: Window;
let provider: ProviderServer;
let account: string;

beforeAll(async () => {
  [installation, browser, provider] = await Promise.all([
    createDemo(),
    startBrowser(),
    startProviderServer('auth0'),
  ]);
  const service = await installation.start({ GATEHOUSE_WEBHOOKS_PRIVATE: 'on' });
  owner = await browser.open(service.url, { as: PEOPLE.owner });
  const id = (await owner.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  account = `/accounts/${id}`;
});
afterAll(async () => {
  await browser?.close();
  await provider?.close();
  await installation?.remove();
});

const blocked = () => [...provider.users.values()].filter((user) => user.blocked === true).length;

it('connects a provider, and tries it', async () => {
  const { page } = owner;
  const { url, secret, clientId } = provider.settings;
  await owner.go(`${account}/takeback`);
  await page.getByRole('button', { name: 'Connect a provider' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Kind').selectOption('Auth0');
  await form.getByLabel('Name').fill('shop');
  await form.getByLabel('URL').fill(url);
  await form.getByLabel('Client id').fill(clientId as string);
  await form.getByLabel('Secret', { exact: true }).fill(secret);
  await form.getByLabel('Accounts a second, at most').fill('100');
  expect(await owner.barriers('dialog')).toEqual([]);
  await form.getByRole('button', { name: 'Connect provider' }).click();
  await form.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Actions for provider shop' }).click();
  await page.getByRole('menuitem', { name: 'Try it' }).click();
  await page.getByText('It works: shop accepts the secret.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  expect(await owner.barriers()).toEqual([]);
  expect(owner.faults).toEqual([]);
});

it('holds who got in by a wave in two actions, with ids that a person adds, and undoes it', async () => {
  const { page } = owner;
  const { data } = (await owner.api<CampaignPageAnswer>('GET', `${account}/campaigns?state=open`)).body;
  const wave = data.find(({ place }) => place === 'hotmail.com')?.id as string;
  const card = (await owner.api<AttackCard>('GET', `${account}/attacks/${wave}`)).body;
  const found = `${account}/assessments?attack=${wave}&let_in=true&limit=200`;
  const { rows } = (await owner.api<AssessmentSearchResult>('GET', found)).body;
  expect(rows).toHaveLength(card.let_in);
  const ids = rows.map(({ request_id }, at) => ({ request_id, user_id: `auth0|user-${at}` }));
  for (const { user_id } of ids) provider.users.set(user_id, { blocked: false });

  await owner.follow(`${account}/campaigns/${wave}`);
  const actions = countActions(owner);
  const panel = page.getByRole('complementary', { name: 'Wave' });
  await actions.click(panel.getByRole('button', { name: 'Take back…' }));
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/got in, .* labelled fraud\. None of their user ids is known/).waitFor();
  expect(await owner.barriers('dialog')).toEqual([]);
  await actions.click(dialog.getByRole('button', { name: `List ${card.let_in} accounts` }));
  const job = page.getByRole('complementary', { name: 'Job' });
  await job.getByText(`${card.let_in} without an account`).waitFor();
  expect(actions.count).toBe(2);
  expect(blocked()).toBe(0);

  await job.getByRole('button', { name: 'Add user ids…' }).click();
  const lines = ids.map(({ request_id, user_id }) => `${request_id},${user_id}`);
  await dialog.getByLabel(/^Request id and user id/).fill(lines.join('\n'));
  expect(await owner.barriers('dialog')).toEqual([]);
  await dialog.getByRole('button', { name: `Hold ${ids.length} accounts` }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await job.getByText(`${ids.length} of ${ids.length} held`).waitFor();
  expect(blocked()).toBe(ids.length);
  expect(await owner.barriers()).toEqual([]);

  await job.getByRole('button', { name: 'Undo…' }).click();
  await dialog.getByRole('button', { name: 'Release them' }).click();
  await job.getByText(`${ids.length} of ${ids.length} released`).waitFor();
  expect(blocked()).toBe(0);
  expect(owner.faults).toEqual([]);
});

it('lists chosen signups that were let in', async () => {
  const { page } = owner;
  await owner.go(`${account}/assessments?let_in=true`);
  await page
    .getByRole('checkbox', { name: /^Select / })
    .nth(1)
    .check();
  const bar = page.getByRole('region', { name: 'Selected signups' });
  await bar.getByRole('button', { name: 'Take back…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Where').selectOption('Nowhere: only list them');
  await dialog.getByRole('button', { name: 'List them' }).click();
  await page.getByRole('complementary', { name: 'Job' }).getByText('1 account listed').waitFor();
  expect(owner.faults).toEqual([]);
});

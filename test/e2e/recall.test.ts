/** Recall in a browser: judged again at a click, from Today to the signups in two actions, exported in three, and seen in two. */
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { RecallReport } from '../../src/contract/dashboard-recall.ts';
import { countActions } from '../support/counted-actions.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

const VALUE = 'hotmail.com';

let installation: Installation;
let browser: TestBrowser;
let window: Window;
let account: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.owner });
  const id = (await window.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  account = `/accounts/${id}`;
});
afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

const report = async () => (await window.api<RecallReport>('GET', `${account}/recall`)).body;

it('judges again what came before an entry, and counts it by cause', async () => {
  const { page } = window;
  const entry = { action: 'deny', value: VALUE, reason: 'a farm', expires_at: null, confirm: VALUE };
  expect((await window.api('POST', `${account}/lists`, entry)).status).toBe(200);
  await window.follow(`${account}/recall`);
  await page.getByText(/^No recall has been made yet/).waitFor();
  expect(await window.barriers()).toEqual([]);
  await page.getByRole('button', { name: 'Judge again now' }).click();
  await page.getByText(/^The last one ended/).waitFor({ timeout: 120_000 });
  const row = page.getByRole('table', { name: 'Causes' }).getByRole('row', { name: VALUE });
  await row.waitFor();
  expect(await window.barriers()).toEqual([]);
  expect((await report()).causes.find(({ name }) => name === VALUE)?.total).toBeGreaterThan(20);
});

it('leads from Today to the signups of a cause in two actions, and to their file in three', async () => {
  const { page } = window;
  const total = (await report()).causes.find(({ name }) => name === VALUE)?.total as number;
  await window.go(`${account}/today`);
  const actions = countActions(window);
  await actions.click(page.getByRole('link', { name: /who got in before would not come in now$/ }));
  const row = page.getByRole('table', { name: 'Causes' }).getByRole('row', { name: VALUE });
  await actions.click(row.getByRole('link').first());
  await page.getByText('would not come in now').waitFor();
  await page
    .getByText(`${total.toLocaleString('en-US')} signups`)
    .first()
    .waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    actions.click(page.getByRole('link', { name: 'Export CSV' })),
  ]);
  const lines = (await text(await download.createReadStream())).trim().split('\r\n');
  expect(lines).toHaveLength(total + 1);
  expect(actions.count).toBe(3);
});

it('takes back those of a cause from the list', async () => {
  const { page } = window;
  const { total, filter } = (await report()).causes.find(({ name }) => name === VALUE) ?? {};
  await window.go(`${account}/assessments?recalled=${filter?.recalled}`);
  await page
    .getByRole('checkbox', { name: /^Select / })
    .nth(1)
    .check();
  await page.keyboard.press('a');
  const bar = page.getByRole('region', { name: 'Selected signups' });
  await bar.getByText(`${total} selected`).waitFor({ timeout: 30_000 });
  await bar.getByRole('button', { name: 'Take back…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^List / }).click({ timeout: 30_000 });
  await page
    .getByRole('complementary', { name: 'Job' })
    .getByText(`${total} accounts listed`)
    .waitFor({ timeout: 30_000 });
});

it('is marked as seen in two actions', async () => {
  const { page } = window;
  await window.follow(`${account}/recall`);
  const actions = countActions(window);
  await actions.click(page.getByRole('button', { name: 'Nothing to do…' }));
  const dialog = page.getByRole('dialog');
  expect(await window.barriers('dialog')).toEqual([]);
  await actions.click(dialog.getByRole('button', { name: 'Mark as seen' }));
  await page.getByText('Everybody who got in would come in again').waitFor();
  expect(actions.count).toBe(2);
  expect(await report()).toMatchObject({ total: 0 });
  expect(window.faults).toEqual([]);
});

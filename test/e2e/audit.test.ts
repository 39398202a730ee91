/** The audit log in a browser: a filter that its address keeps, the file that it exports, and a change that somebody takes back; on the phone and in the dark, too. */
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PolicyPage, Session } from '../../src/contract/dashboard-account.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let window: Window;
let account: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.owner });
  const { body } = await window.api<Session>('GET', '/session');
  account = `/accounts/${body.accounts[0]?.id}`;
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

const thresholds = async () => (await window.api<PolicyPage>('GET', `${account}/policy`)).body.thresholds;
const rows = () => window.page.locator('tbody tr').count();

it('is filtered by kind and object between two days, and exports what it shows', async () => {
  const { page, go } = window;
  await go(`${account}/audit`);
  const all = await rows();
  await page.getByLabel('What was done').selectOption({ label: 'Everything about keys' });
  await page.getByLabel('Object').fill('LEGACY');
  await page.keyboard.press('Enter');
  await page.getByLabel('When').selectOption({ label: 'Between two days' });
  await page.getByLabel('First day').fill('2020-01-01');
  await expect
    .poll(() => new URL(page.url()).search)
    .toBe('?action=key.&target=LEGACY&days=range&from=2020-01-01');
  await page.getByRole('row', { name: /Revoked a key/ }).waitFor();
  await expect.poll(rows).toBeLessThan(all);
  const found = await rows();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  const lines = (await text(await file.createReadStream())).trimEnd().split('\r\n');
  expect([lines[0], lines.length - 1]).toEqual(['id,at,by,action,target,detail', found]);
  await page.getByLabel('Last day').fill('2020-01-02');
  await page.getByText('No entry matches').waitFor();
  expect(await window.barriers()).toEqual([]);
});

it('takes a change back in two actions, and says who did', async () => {
  const { page, go } = window;
  const before = await thresholds();
  await window.api('PUT', `${account}/thresholds`, { challenge: 33, block: 58 });
  await go(`${account}/audit`);
  await page.getByRole('button', { name: 'Undo: Set thresholds, account' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('challenge 33, block 58').waitFor();
  expect(await window.barriers('dialog')).toEqual([]);
  await dialog.getByRole('button', { name: 'Undo change' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(/^Entry #\d+, undone by /).waitFor();
  await page.getByText(/^Undo of entry #\d+$/).waitFor();
  expect(await thresholds()).toEqual(before);
});

it('says who changed it since, and changes nothing', async () => {
  const { page, go } = window;
  await window.api('PUT', `${account}/thresholds`, { challenge: 34, block: 58 });
  await go(`${account}/audit`);
  const undo = page.getByRole('button', { name: 'Undo: Set thresholds, account' }).first();
  await undo.click();
  await window.api('PUT', `${account}/thresholds`, { challenge: 35, block: 58 });
  await page.getByRole('dialog').getByRole('button', { name: 'Undo change' }).click();
  await page.getByRole('dialog').getByText('changed this since').waitFor();
  expect(await thresholds()).toEqual({ challenge: 35, block: 58 });
});

it.each([{ width: 390 }, { width: 390, dark: true }, { width: 1_440, dark: true }])(
  'has no barriers and fits: %j',
  async (options) => {
    const narrow = await browser.open(service.url, { ...options, as: PEOPLE.owner });
    await narrow.go(`${account}/audit?days=range`);
    expect(await narrow.barriers()).toEqual([]);
    expect(await narrow.page.evaluate('document.documentElement.scrollWidth')).toBe(options.width);
    if (process.env.SHOTS !== undefined)
      await narrow.page.screenshot({
        path: `${process.env.SHOTS}/audit-${options.width}-${options.dark ?? false}.png`,
      });
    expect(narrow.faults).toEqual([]);
    await narrow.close();
  },
);

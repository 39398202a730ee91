/** Saved filters in a browser: the star saves the filter under a name; the list applies, renames and removes it; Undo brings it back. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { SavedFilterRow } from '../../src/contract/dashboard-saved-filters.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

let installation: Installation;
let browser: TestBrowser;
let window: Window;
let base: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.member, width: 1_440 });
  const account = (await window.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  base = `/accounts/${account}`;
});
afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

const query = () => Object.fromEntries(new URL(window.page.url()).searchParams);
const saved = async () => (await window.api<SavedFilterRow[]>('GET', `${base}/filters`)).body;

it('keeps a filter, relative as it is, and applies it with two clicks', async () => {
  const { page, follow } = window;
  await follow(`${base}/assessments?verdict=block&period=1h&country=!DE`);
  const star = page.getByRole('button', { name: /^Saved filters/ });
  await star.click();
  await page.getByLabel('Save this filter as').fill('Blocked abroad');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Saved filters: Blocked abroad' }).waitFor();
  expect(await saved()).toMatchObject([{ name: 'Blocked abroad' }]);
  expect(await window.barriers()).toEqual([]);
  await follow(`${base}/assessments?domain=gmail.com`);
  await star.click();
  await page.getByRole('button', { name: 'Blocked abroad', exact: true }).click();
  await expect.poll(query).toEqual({ verdict: 'block', period: '1h', country: '!DE' });
});

it('renames and removes it, and brings it back by Undo', async () => {
  const { page, follow } = window;
  await follow(`${base}/assessments`);
  await page.getByRole('button', { name: 'Saved filters' }).click();
  await page.getByRole('button', { name: 'Rename Blocked abroad' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Abroad');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByRole('button', { name: 'Remove Abroad' }).click();
  await expect.poll(saved).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await saved()).map(({ name }) => name)).toEqual(['Abroad']);
  expect(window.faults).toEqual([]);
});

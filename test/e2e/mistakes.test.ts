/** The queue of mistakes in a browser: chosen by keys, closed together, taken back; and a cause shows its own. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { FeedbackPage } from '../../src/contract/dashboard-mistakes.ts';
import { countActions } from '../support/counted-actions.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

let installation: Installation;
let browser: TestBrowser;
let owner: Window;
let account: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const { url } = await installation.start();
  owner = await browser.open(url, { as: PEOPLE.owner });
  account = `/accounts/${(await owner.api<Session>('GET', '/session')).body.accounts[0]?.id}`;
});
afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

const queueOf = async () =>
  (await owner.api<FeedbackPage>('GET', `${account}/feedback?period=30d&limit=200`)).body.queue;

it('closes all of a cause with four actions, and takes them back with one', async () => {
  const { page } = owner;
  const { groups, open } = await queueOf();
  const group = groups.find(({ count }) => count >= 2 && count <= 50);
  const count = group?.count ?? 0;
  await owner.go(`${account}/feedback?period=30d`);
  const actions = countActions(owner);
  // Good customers and fraud may have the same cause.
  const cause = page.locator(`a[href$="cause=${encodeURIComponent(group?.cause ?? '')}"]`);
  // Rows that come late cannot be chosen before.
  await page.route(/\/feedback\?.*cause=/, async (route) => {
    await pause(500);
    await route.continue();
  });
  await actions.click(cause);
  await page.getByRole('button', { name: 'Remove filter Cause' }).waitFor();
  await actions.click(page.getByRole('checkbox', { name: 'Select all (a)' }));
  await page.getByText(`${count} mistakes selected`).waitFor();
  await actions.click(page.getByRole('button', { name: 'Close', exact: true }));
  await page.getByText(`Closed ${count} mistakes.`).waitFor();
  await page.getByRole('tab', { name: `Open (${open - count})` }).waitFor();
  expect(actions.count).toBeLessThanOrEqual(4);
  await actions.click(page.getByRole('button', { name: 'Undo' }));
  await page.getByRole('tab', { name: `Open (${open})` }).waitFor();
  expect(await owner.barriers()).toEqual([]);
});

it('is worked off by keys: j, x, Enter', async () => {
  const { page } = owner;
  await owner.go(`${account}/feedback?period=30d`);
  await page.getByRole('table', { name: 'Mistakes' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByText('1 mistake selected').waitFor();
  expect(await owner.barriers()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByText('1 mistake selected').waitFor({ state: 'detached' });
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/assessments\/req_/);
  expect(owner.faults).toEqual([]);
});

/** Waves in a browser: opening one, deciding about it, and taking that back. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import { aLearnedCampaign } from '../support/a-campaign.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

let installation: Installation;
let browser: TestBrowser;
let window: Window;
let account: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.owner });
  account = (await window.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  await withStored(installation, (store) => store.saveLearned(aLearnedCampaign(account, 'postfarm.example')));
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

it('opens one, confirms and dismisses it, and takes both back', async () => {
  const { page, follow } = window;
  await follow(`/accounts/${account}/campaigns`);
  const row = page.getByRole('link', { name: /A wave at postfarm\.example/ });
  await row.click();
  const panel = page.getByRole('complementary', { name: 'Wave' });
  await panel.getByText('all 9 names look generated').waitFor();
  await panel.getByText('None of its members is stored any more').waitFor();
  const press = (name: string) => panel.getByRole('button', { name, exact: true }).click();
  const showsState = (state: string) => panel.getByRole('definition').filter({ hasText: state }).waitFor();
  await showsState('Challenges');
  await press('Confirm');
  await showsState('Confirmed');
  await press('Undo');
  await showsState('Challenges');
  await press('Not an attack');
  await showsState('Not an attack');
  await page
    .getByRole('table', { name: 'Past waves' })
    .getByRole('link', { name: /A wave at postfarm\.example/ })
    .waitFor();
  await press('Undo');
  await showsState('Challenges');
  expect(window.faults).toEqual([]);
});

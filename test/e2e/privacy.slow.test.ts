/** Personal data in a browser: find a person, export the file, read what erasing does, erase. */
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const EMAIL = 'zoe.quandt@gmail.com';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let window: Window;
let account: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.owner, width: 390 });
  const id = (await window.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  account = `/accounts/${id}`;
  await window.api('POST', `${account}/try`, { mode: 'test', email: EMAIL, session_id: 'zoe-session' });
});
afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

it('shows how much is stored, exports it as a file, and erases it after a dialog that explains the effect', async () => {
  const { page, go } = window;
  await go(`${account}/privacy`);
  await page.getByLabel('Email address').fill('ZoeQuandt+x@gmail.com');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByText('1 signup, 0 reports and 0 list entries').waitFor();
  expect(page.url()).not.toContain('oe');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as JSON' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^personal-data-\d{4}-\d\d-\d\d\.json$/);
  const file = JSON.parse(await text(await download.createReadStream())) as { assessments: object[] };
  expect(file.assessments).toMatchObject([{ sessionId: 'zoe-session' }]);

  await page.getByRole('button', { name: 'Erase…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This cannot be undone.').waitFor();
  expect(await window.barriers('dialog')).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Erase…' }).click();
  await dialog.getByRole('button', { name: 'Erase for good' }).click();
  await page.getByText('1 signup, 0 reports and 0 list entries erased.').waitFor();
  expect(await window.barriers()).toEqual([]);
  const { rows } = (
    await window.api<AssessmentSearchResult>('GET', `${account}/assessments?mode=test&domain=erased.invalid`)
  ).body;
  expect(rows).toMatchObject([{ email: '***@erased.invalid', session_id: null }]);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByText('nothing is kept').waitFor();
  expect(window.faults).toEqual([]);
});

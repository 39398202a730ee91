/** Every page, opened once: its content comes, no script fails, and no other host gets a request. `pages-layout.slow.test.ts` looks at it closely. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { VIEWS } from '../../demo/page-views.mjs';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

let installation: Installation;
let browser: TestBrowser;
let signedIn: Window;
let stranger: Window;
let account: string;
let blocked: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const { url } = await installation.start();
  [signedIn, stranger] = await Promise.all([browser.open(url, { as: PEOPLE.operator }), browser.open(url)]);
  const { accounts } = (await signedIn.api<Session>('GET', '/session')).body;
  account = accounts.find(({ name }) => name === 'Fernlight')?.id as string;
  const found = await signedIn.api<AssessmentSearchResult>(
    'GET',
    `/accounts/${account}/assessments?mode=live&verdict=block&limit=1`,
  );
  blocked = found.body.rows[0]?.request_id as string;
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

it.each(VIEWS)('$name opens', async ({ path, isPublic }) => {
  const window = isPublic ? stranger : signedIn;
  const full = path.replace(':account', account).replace(':blocked', blocked);
  await (isPublic ? window.go(full) : window.follow(full));
  expect(await window.page.locator('h1').count()).toBeGreaterThan(0);
  expect(await window.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  expect(window.faults).toEqual([]);
});

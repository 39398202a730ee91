/** Every page, with the system's colours and without motion: nothing is said by a background alone, and nothing moves. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { VIEWS } from '../../demo/page-views.mjs';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { findLost, findMotion, noteDrawings } from '../support/forced-colours.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

const WITH_DRAWINGS = ['today', 'assessments', 'assessment', 'thresholds', 'usage', 'operator'];

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

it.each(VIEWS)('$name loses nothing, and does not move', async ({ name, path, isPublic }) => {
  const window = isPublic ? stranger : signedIn;
  const { page } = window;
  const full = path.replace(':account', account).replace(':blocked', blocked);
  await page.emulateMedia({ forcedColors: 'none' });
  await (isPublic ? window.go(full) : window.follow(full));
  const drawings = await page.evaluate(noteDrawings);
  if (WITH_DRAWINGS.includes(name)) expect(drawings).toBeGreaterThan(0);
  await page.emulateMedia({ forcedColors: 'active' });
  // Colours take a frame to change.
  await expect.poll(() => page.evaluate(findLost)).toEqual([]);
  expect(await page.evaluate(findMotion)).toEqual([]);
});

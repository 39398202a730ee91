/** One signup on paper: no navigation, no buttons, no JSON; times with their date and zone, also from a dark page. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

let installation: Installation;
let browser: TestBrowser;
let window: Window;
let signup: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.owner, width: 1_440, dark: true });
  const account = (await window.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  const path = `/accounts/${account}/assessments`;
  const { rows } = (await window.api<AssessmentSearchResult>('GET', `${path}?mode=live&verdict=block`)).body;
  signup = `${path}/${rows[0]?.request_id}/full`;
});
afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

/** Texts and names of what is seen. */
const seen = (selector: string) =>
  window.page
    .locator(selector)
    .evaluateAll((found) =>
      (found as unknown as { checkVisibility(): boolean; textContent: string }[])
        .filter((each) => each.checkVisibility())
        .map(({ textContent }) => textContent.trim()),
    );

it('shows on paper what the page says, without what only a screen can use', async () => {
  const { page, go } = window;
  await go(signup);
  await page.getByRole('heading', { name: 'How the score was calculated' }).waitFor({ state: 'attached' });
  const onScreen = await seen('nav, button, pre');
  expect(onScreen.length).toBeGreaterThan(10);
  await page.emulateMedia({ media: 'print' });
  expect(await seen('nav, button:not([data-prints]), input, pre, footer a')).toEqual([]);
  const paper = await page.locator('main').innerText();
  expect(paper).toContain('How the score was calculated');
  expect(paper).not.toContain('API response');
  expect(paper).not.toContain('Related signups');
  const times = await page.locator('main time:visible').allInnerTexts();
  expect(times.length).toBeGreaterThan(0);
  for (const time of times) expect(time).toMatch(/^\w{3} \d+, \d{4}, \d{2}:\d{2}:\d{2} \(\w+\)$/);
  const scheme = () => page.evaluate<string>('document.documentElement.dataset.mantineColorScheme');
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await scheme()).toBe('light');
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  expect(await scheme()).toBe('dark');
  await page.emulateMedia({ media: 'screen' });
  expect(window.faults).toEqual([]);
});

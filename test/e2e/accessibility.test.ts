/** Every page in light and dark: axe finds nothing serious, no script fails, nothing is asked of another host, and credits are at its foot. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VIEWS } from '../../demo/page-views.mjs';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { LogPage } from '../../src/contract/dashboard-assessments.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const NOWHERE = '/nowhere';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let signedIn: Window;
let phone: Window;
let stranger: Window;
let account: string;
let blocked: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  [signedIn, phone, stranger] = await Promise.all([
    browser.open(service.url, { as: PEOPLE.operator }),
    browser.open(service.url, { as: PEOPLE.operator, width: 390 }),
    browser.open(service.url),
  ]);
  const { accounts } = (await signedIn.api<Session>('GET', '/session')).body;
  account = accounts.find(({ name }) => name === 'Fernlight')?.id as string;
  const log = await signedIn.api<LogPage>('GET', `/accounts/${account}/assessments?mode=live&verdict=block`);
  blocked = log.body.rows[0]?.request_id as string;
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

describe('every page', () => {
  it.each([...VIEWS, { name: 'a page that is not there', path: NOWHERE, isPublic: false }])(
    '$name has no barrier',
    async ({ path, isPublic }) => {
      await look(isPublic ? stranger : signedIn, path);
    },
  );

  it.each(['overview', 'assessment', 'thresholds'])('%s has none on the phone', async (view) => {
    await look(phone, VIEWS.find(({ name }) => name === view)?.path as string);
    const { page } = phone;
    const wider = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(wider).toBe(0);
  });
});

describe('tabs in the dark', () => {
  it('show which one is chosen', async () => {
    const { page } = signedIn;
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const path of ['try', 'lists', `assessments/${blocked}`]) {
      await signedIn.follow(`/accounts/${account}/${path}`);
      const color = `getComputedStyle(document.querySelector('[role=tab][aria-selected=true]')).borderBottomColor`;
      await expect.poll(() => page.evaluate(color), { message: path }).toBe('rgb(236, 236, 238)');
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });
});

async function look(window: Window, path: string): Promise<void> {
  const full = path.replace(':account', account).replace(':blocked', blocked);
  await (window === stranger || path === NOWHERE ? window.go(full) : window.follow(full));
  // Only colours depend on the scheme, and they take a moment to change.
  for (const [colorScheme, rules] of [
    ['light', 'all'],
    ['dark', 'colours'],
  ] as const) {
    await window.page.emulateMedia({ colorScheme });
    await expect.poll(() => window.barriers(rules), { message: colorScheme }).toEqual([]);
  }
  await window.page.emulateMedia({ colorScheme: 'light' });
  const foot = window.page.locator('footer');
  for (const link of ['/notices', 'https://db-ip.com/'])
    expect(await foot.locator(`a[href="${link}"]`).count(), link).toBe(1);
  expect(window.faults).toEqual([]);
}

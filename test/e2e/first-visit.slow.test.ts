/** A first visit of the dashboard: few files, the title before any script runs, and pages whose files are gone. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { VIEWS } from '../../demo/page-views.mjs';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

const BUILT = resolve(import.meta.dirname, '../../dist/dashboard');
const MAX_SCRIPTS = 8;
const MAX_BYTES = 180_000;
/** Bytes; smaller files are sent as they are. */
const ONE_PACKET = 1_400;

let installation: Installation;
let browser: TestBrowser;
let url: string;
let account: string;
let blocked: string;
let window: Window;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  ({ url } = await installation.start());
  const signedIn = await browser.open(url, { as: PEOPLE.operator });
  const { accounts } = (await signedIn.api<Session>('GET', '/session')).body;
  account = accounts.find(({ name }) => name === 'Fernlight')?.id as string;
  const found = await signedIn.api<AssessmentSearchResult>(
    'GET',
    `/accounts/${account}/assessments?mode=live&verdict=block&limit=1`,
  );
  blocked = found.body.rows[0]?.request_id as string;
  await signedIn.close();
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

describe('a first visit', () => {
  it.each(VIEWS)('of $name loads few and small scripts', async ({ path, isPublic }) => {
    const visitor = await browser.open(url, isPublic ? {} : { as: PEOPLE.operator });
    const scripts = new Set<string>();
    visitor.page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname);
    });
    await visitor.go(path.replace(':account', account).replace(':blocked', blocked));
    await visitor.close();
    expect(scripts.size).toBeGreaterThan(1);
    expect(scripts.size).toBeLessThanOrEqual(MAX_SCRIPTS);
    const bytes = [...scripts].reduce(
      (sum, script) => sum + gzipSync(readFileSync(BUILT + script)).length,
      0,
    );
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('shows the title of the page before any script runs', async () => {
    const visitor = await browser.open(url);
    await visitor.page.route('**/assets/*.js', (route) => route.abort());
    await visitor.page.goto(`/accounts/${account}/today`);
    await visitor.page.locator('h1', { hasText: 'Today' }).waitFor();
    expect(await visitor.page.title()).toBe('Today · Gatehouse');
    await visitor.close();
  });
});

describe('a menu, whose code is not part of the first visit', () => {
  beforeEach(async () => {
    window = await browser.open(url, { as: PEOPLE.operator });
  });
  afterEach(() => window?.close());

  it.each([
    ['keys', /^Actions for key/, 'Rename…'],
    ['people', /^Actions for /, 'End sessions…'],
    ['today', /^Signed in as /, 'Profile and security'],
  ])('opens on the page %s by keys alone, where its button was', async (path, name, item) => {
    const { page } = window;
    await window.go(`/accounts/${account}/${path}`);
    const button = page.getByRole('button', { name }).first();
    await button.focus();
    const before = await button.boundingBox();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: item }).waitFor();
    expect(await button.boundingBox()).toEqual(before);
    await expect.poll(() => focused('menuitem')).toBe(true);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused('menuitem')).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem', { name: item }).waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((node) => node.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: item }).waitFor();
    expect(window.faults).toEqual([]);
  });

  const focused = (role: string) =>
    window.page.locator(':focus').evaluate((node, role) => {
      return node.getAttribute('role') === role;
    }, role);
});

describe('a page whose files are gone', () => {
  beforeEach(async () => {
    window = await browser.open(url, { as: PEOPLE.operator });
    await window.go(`/accounts/${account}/today`);
  });
  afterEach(() => window?.close());

  it('loads everything again, once, and is there', async () => {
    let gone = true;
    await window.page.route('**/assets/lists-page-*.js', (route) =>
      gone ? route.abort() : route.continue(),
    );
    await window.page.evaluate('globalThis.before = true');
    window.page.on('request', (request) => {
      if (request.isNavigationRequest()) gone = false;
    });
    await window.page.getByRole('navigation').getByRole('link', { name: 'Lists' }).click();
    await window.page.locator('h1', { hasText: 'Lists' }).waitFor();
    await expect.poll(() => window.page.evaluate('globalThis.before')).toBe(undefined);
    await window.page.getByRole('link', { name: 'Allow' }).or(window.page.getByRole('tab')).first().waitFor();
  });

  it('says what is wrong when they stay away, and does not load for ever', async () => {
    let loads = 0;
    window.page.on('load', () => {
      loads += 1;
    });
    await window.page.route('**/assets/lists-page-*.js', (route) => route.abort());
    await window.page.getByRole('navigation').getByRole('link', { name: 'Lists' }).click();
    await window.page.getByText('You are offline, or Gatehouse was updated.').waitFor();
    await expect.poll(() => loads).toBe(1);
    await window.page.getByText('You are offline, or Gatehouse was updated.').waitFor();
  });
});

it('has compressed copies of every script that one packet does not carry', () => {
  const scripts = readFileSync(resolve(BUILT, 'documents/today-page.html'), 'utf8').matchAll(
    /"\/(assets\/\S+\.js)"/g,
  );
  const names = [...scripts].map(([, name = '']) => name);
  const long = names.filter((name) => statSync(resolve(BUILT, name)).size > ONE_PACKET);
  expect(long.length).toBeGreaterThan(2);
  for (const name of long)
    for (const ending of ['.br', '.gz']) expect(existsSync(resolve(BUILT, name + ending))).toBe(true);
});

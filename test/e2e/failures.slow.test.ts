/** The pages when the service is slow or refuses: nothing is lost, and nothing false is shown. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import { createDemo, PASSWORD, PEOPLE } from '../support/demo-folder.ts';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.ts';
import { until } from '../support/expectations.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const CANARIES = ['gmail.com', 'yahoo.com', 'gmx.net'];
/** The tabs of the demo's lists. */
const COUNTED = ['Allow 2', 'Block 4', 'Shared offices 0'];

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let window: Window;
let account: string;
let dns: TestDnsServer;

beforeAll(async () => {
  [installation, browser, dns] = await Promise.all([createDemo(), startBrowser(), startDnsServer()]);
  service = await installation.start({
    GATEHOUSE_DNS_SERVERS: dns.address,
    GATEHOUSE_CANARY_DOMAINS: CANARIES.join(','),
  });
  window = await browser.open(service.url, { as: PEOPLE.owner });
  account = (await window.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
  await dns?.close();
});

it('warns on every page while DNS denies domains that certainly exist', async () => {
  const { page } = window;
  const notice = page
    .getByRole('status')
    .getByText('DNS says that gmail.com, yahoo.com and 1 more do not exist');
  for (const path of [`/accounts/${account}/today`, `/accounts/${account}/keys`, '/profile']) {
    await window.follow(path);
    await notice.waitFor();
  }
  expect(await window.barriers()).toEqual([]);
  for (const domain of CANARIES) dns.set(domain, { mx: [`10 mx.${domain}`] });
  await until(async () => (await window.api<Session>('GET', '/session')).body.distrusted.length === 0);
  await window.go('/profile');
  await notice.waitFor({ state: 'detached' });
});

describe('a form', () => {
  it('keeps what was typed after a click outside it', async () => {
    const { page } = window;
    await window.follow(`/accounts/${account}/lists`);
    await page.getByRole('button', { name: 'Allow…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Value').fill('typed.example');
    await page.mouse.click(5, 500);
    await dialog.getByLabel('Reason').fill('Three chargebacks');
    expect(await dialog.getByLabel('Value').inputValue()).toBe('typed.example');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('does not save an empty threshold', async () => {
    const { page } = window;
    await window.follow(`/accounts/${account}/keys`);
    await page.getByRole('button', { name: 'Actions for key Mobile app' }).click();
    await page.getByRole('menuitem', { name: 'Thresholds…' }).click();
    const dialog = page.getByRole('dialog');
    const challenge = dialog.getByLabel('Challenge from');
    await challenge.fill('');
    await dialog.getByRole('button', { name: 'Save thresholds' }).click();
    expect(await challenge.evaluate((field) => field.matches(':invalid'))).toBe(true);
    await challenge.fill('20');
    await dialog.getByRole('button', { name: 'Save thresholds' }).click();
    // The other one is the account's own, not the default.
    await page.getByText('challenge 20, block 58').waitFor();
  });
});

describe('a slow answer', () => {
  it('still shows the new key after Escape, because it is shown only once', async () => {
    const { page } = window;
    await window.follow(`/accounts/${account}/keys`);
    const creation = (url: URL) => url.pathname.endsWith('/keys');
    const held: (() => void)[] = [];
    await page.route(creation, async (route) => {
      if (route.request().method() === 'POST') await new Promise<void>((go) => held.push(go));
      await route.continue();
    });
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(`Slow${'w'.repeat(90)}`);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await expect.poll(() => held.length).toBe(1);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 500);
    held[0]?.();
    expect(await dialog.getByText(/^sk_live_/).textContent()).toMatch(/^sk_live_\w{20,}$/);
    const title = dialog.getByRole('heading');
    expect(await title.evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)).toBe(0);
    await page.unroute(creation);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
  });
});

describe('Escape in the moment of the click', () => {
  const open = {
    async invite({ page }: Window) {
      await window.follow(`/accounts/${account}/people`);
      await page.getByRole('button', { name: 'Invite a person' }).first().click();
      await page.getByRole('dialog').getByLabel('Email').fill('escape@people.example');
      return 'Create invite link';
    },
    async 'add to a list'({ page }: Window) {
      await window.follow(`/accounts/${account}/lists`);
      await page.getByRole('button', { name: 'Allow…' }).click();
      await page.getByRole('dialog').getByLabel('Value').fill('escape.example');
      await page.getByRole('dialog').getByLabel('Reason').fill('A test');
      return 'Add to Allow list';
    },
    async 'revoke a key'({ page }: Window) {
      await window.follow(`/accounts/${account}/keys`);
      await page.getByRole('button', { name: 'Actions for key Mobile app' }).click();
      await page.getByRole('menuitem', { name: 'Revoke key…' }).click();
      return 'Revoke key';
    },
  };

  it.each(Object.keys(open) as (keyof typeof open)[])('keeps the dialog open: %s', async (what) => {
    const { page } = window;
    const verb = await open[what](window);
    const dialog = page.getByRole('dialog');
    const sent = (url: URL) => url.pathname.startsWith('/dashboard/api');
    let posts = 0;
    await page.route(sent, (route) => {
      const { pathname } = new URL(route.request().url());
      if (route.request().method() !== 'POST' || pathname.endsWith('/preview')) return route.continue();
      posts += 1;
      return route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Not now.' } } });
    });
    // In one task: nothing is drawn between the two.
    await dialog.getByRole('button', { name: verb }).evaluate((button) => {
      button.click();
      const { KeyboardEvent } = button.ownerDocument.defaultView;
      button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true }));
    });
    await dialog.getByText('Not now.').last().waitFor();
    expect(posts).toBe(1);
    await page.unroute(sent);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('no answer', () => {
  it('ends the wait with an error', async () => {
    const waiting = await browser.open(service.url, { as: PEOPLE.owner });
    const { page } = waiting;
    const lists = (url: URL) => url.pathname.endsWith('/lists') && url.pathname.startsWith('/dashboard');
    let requests = 0;
    await page.route(lists, () => {
      requests += 1;
    });
    await page.clock.install();
    await page.goto(`${service.url}/accounts/${account}/lists`);
    await expect.poll(() => requests, { timeout: 90_000 }).toBe(1);
    await page.clock.fastForward('01:01');
    await page.getByText('has not answered for a minute').waitFor();
    await page.unroute(lists);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.getByRole('tab').allTextContents()).toEqual(COUNTED);
  });
});

describe('a refusal', () => {
  it('shows lists without counts while the counts are unknown', async () => {
    const { page } = window;
    const lists = (url: URL) => url.pathname.endsWith('/lists') && url.pathname.startsWith('/dashboard');
    await page.route(lists, (route) => route.fulfill({ status: 503 }));
    await window.go(`/accounts/${account}/lists`);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Allow ', 'Block ', 'Shared offices ']);
    await page.unroute(lists);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.getByRole('tab').allTextContents()).toEqual(COUNTED);
  });

  it('to sign out is shown, and the person stays signed in on the page', async () => {
    const { page } = window;
    await window.follow(`/accounts/${account}/usage`);
    await page.route('**/sign-out', (route) => route.fulfill({ status: 503 }));
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('alert').getByText('answered 503').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/accounts/${account}/usage`);
    await page.unroute('**/sign-out');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
    expect((await window.api('GET', '/session')).status).toBe(401);
  });
});

describe('a sign-in page with an unusable address to go to next', () => {
  it('leads to the first page', async () => {
    const { page } = window;
    await window.go('/sign-in?next=//');
    await page.getByLabel('Email').fill(PEOPLE.owner);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Today' }).waitFor();
  });
});

describe('while signups are indexed', () => {
  const refusal = {
    status: 503,
    contentType: 'application/json',
    headers: { 'Retry-After': '2' },
    body: JSON.stringify({
      error: {
        code: 'unavailable',
        message: '812000 of 1200000 signups are indexed so far.',
        resolution: 'Try again in 2 seconds.',
        progress: { indexed: 812_000, total: 1_200_000 },
      },
    }),
  };
  const words = 'Indexing 812,000 of 1,200,000 signups…';

  it('a simulation shows the progress, and then its result without a click', async () => {
    const { page, follow } = window;
    await page.route(/\/simulate/, (route) => route.fulfill(refusal), { times: 1 });
    await follow(`/accounts/${account}/thresholds?period=30d`);
    await page.getByRole('status').getByRole('heading', { name: words }).waitFor();
    expect(await window.barriers()).toEqual([]);
    await page.getByText('Compare with the past verdicts').waitFor();
    expect(await page.getByText(words).count()).toBe(0);
  });

  it('an export waits, and then starts without a click', async () => {
    const { page, follow } = window;
    await follow(`/accounts/${account}/assessments`);
    await page.route(/assessments\.csv\/ready/, (route) => route.fulfill(refusal), { times: 1 });
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    await page.getByRole('status').getByText(words).waitFor();
    expect((await download).suggestedFilename()).toMatch(/^assessments-[\d-]+\.csv$/);
    await page.getByText(words).waitFor({ state: 'detached' });
  });
});

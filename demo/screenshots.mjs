// A picture of every page of the dashboard, light and dark, phone and wide, with the Chromium of this machine.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from '../scripts/find-chromium.mjs';
import { VIEWS } from './page-views.mjs';
import { OPERATOR, PASSWORD } from './staff.mjs';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'];
const WIDTHS = { phone: { width: 390, height: 844 }, wide: { width: 1_440, height: 900 } };
const SCHEMES = ['light', 'dark'];
const WAITING = '[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root';
const SETTLE_MS = 400;

/** `only`: pages whose names contain it; default: all pages. */
export async function takeScreenshots({ url, directory, say, only = '' }) {
  mkdirSync(directory, { recursive: true });
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('install Chromium, or set CHROMIUM_PATH to one');
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    const { pages, state } = await findPages(browser, url);
    for (const scheme of SCHEMES)
      for (const [size, viewport] of Object.entries(WIDTHS)) {
        const options = { baseURL: url, viewport, colorScheme: scheme, reducedMotion: 'reduce' };
        const signedIn = await browser.newContext({ ...options, storageState: state });
        const signedOut = await browser.newContext(options);
        for (const [name, { path, isPublic = false, act }] of Object.entries(pages)) {
          if (!name.includes(only)) continue;
          const page = await (isPublic ? signedOut : signedIn).newPage();
          try {
            await page.goto(path);
            await settle(page);
            await act?.(page);
            await page.waitForTimeout(SETTLE_MS);
            await page.screenshot({ path: join(directory, `${name}-${size}-${scheme}.png`) });
          } catch (error) {
            say(`${name}, ${size}, ${scheme}: ${error.message.split('\n')[0]}`);
          }
          await page.close();
        }
        await signedIn.close();
        await signedOut.close();
      }
  } finally {
    await browser.close();
  }
  say(`pictures are in ${directory}`);
}

async function findPages(browser, url) {
  const context = await browser.newContext({ baseURL: url });
  const headers = { 'X-Gatehouse': 'dashboard', Origin: url };
  const data = { email: OPERATOR.email, password: PASSWORD };
  const answer = await context.request.post('/dashboard/auth/sign-in/email', { headers, data });
  if (!answer.ok()) throw new Error(`the operator cannot sign in: ${await answer.text()}`);
  const get = async (path) => (await context.request.get(`/dashboard/api${path}`)).json();
  const { accounts } = await get('/session');
  const account = accounts.find(({ name }) => name === 'Fernlight') ?? accounts[0];
  const log = await get(
    `/accounts/${account.id}/assessments?verdict=block&reason=velocity_ip&score_max=98&limit=100`,
  );
  const many = [...(log.rows ?? [])].sort((a, b) => b.reasons.length - a.reasons.length);
  const { request_id: blocked = 'none' } = many[0] ?? {};
  const state = await context.storageState();
  await context.close();
  const pages = {
    ...viewsOf({ account: account.id, blocked }),
    'keys-create': {
      path: `/accounts/${account.id}/keys`,
      act: (page) => page.getByRole('button', { name: 'Create key' }).click(),
    },
    unknown: { path: '/accounts/acc_none/today' },
  };
  return { pages, state };
}

function viewsOf({ account, blocked }) {
  const fill = (path) => path.replace(':account', account).replace(':blocked', blocked);
  return Object.fromEntries(VIEWS.map(({ name, path, isPublic }) => [name, { path: fill(path), isPublic }]));
}

async function settle(page) {
  await page.locator('h1').first().waitFor({ timeout: 10_000 });
  await page.locator(WAITING).first().waitFor({ state: 'detached', timeout: 15_000 });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

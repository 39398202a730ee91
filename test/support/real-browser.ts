/** Drives the dashboard in a real Chromium: a single browser for all tests, a window for each person. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { PASSWORD } from './demo-folder.ts';

/** Only ends a test that hangs. */
const PATIENCE_MS = 180_000;
const WAITING = '[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root';
/** Axe's default rules that depend on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
/** Checks only the dialog, because the page behind it was checked before. */
const DIALOG = '[role=dialog]';
/** A page that does not exist, and its heading. */
const NOWHERE = '/nowhere';
const NOTHING_HERE = 'Page not found';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface WindowOptions {
  readonly dark?: boolean;
  readonly width?: number;
  /** Language and zone of the browser; default: those of this machine. */
  readonly locale?: string;
  readonly timeZone?: string;
  /** Signs in as this person of the demo before the first page. */
  readonly as?: string;
}

export interface TestBrowser {
  /** A window with its own cookies; paths are relative to the service. */
  open(url: string, options?: WindowOptions): Promise<Window>;
  close(): Promise<void>;
}

export interface Window {
  readonly page: Page;
  /** Faults in the pages so far: script errors, violations of the content policy, requests to other hosts. */
  readonly faults: readonly string[];
  /** Opens a path of the service and waits until the page has its content. */
  go(path: string): Promise<void>;
  /** Like `go`, but like a click on a link, without a new load: it takes a third of the CPU. */
  follow(path: string): Promise<void>;
  /** Axe's serious and critical findings on the page after all transitions; or only for its colours, or only in its dialog. */
  barriers(of?: 'all' | 'colours' | 'dialog'): Promise<readonly string[]>;
  /** Calls the dashboard's API as the page does. */
  api<T>(method: string, path: string, body?: object): Promise<{ status: number; body: T }>;
  close(): Promise<void>;
}

/** @throws if there is no Chromium; the message says how to install it */
export async function startBrowser(): Promise<TestBrowser> {
  const address = inject('chromium');
  if (address === '') throw new Error(inject('noChromium'));
  const browser = await chromium.connect(address);
  return {
    open: (url, options = {}) => openWindow(browser, url, options),
    close: () => browser.close(),
  };
}

async function openWindow(browser: Browser, url: string, options: WindowOptions): Promise<Window> {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: options.dark === true ? 'dark' : 'light',
    reducedMotion: 'reduce',
    ...(options.locale === undefined ? {} : { locale: options.locale }),
    ...(options.timeZone === undefined ? {} : { timezoneId: options.timeZone }),
    viewport: { width: options.width ?? 1_280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const headers = { 'X-Gatehouse': 'dashboard', Origin: url };
  if (options.as !== undefined) {
    const data = { email: options.as, password: PASSWORD };
    const answer = await context.request.post('/dashboard/auth/sign-in/email', { headers, data });
    if (!answer.ok()) throw new Error(`${options.as} cannot sign in: ${await answer.text()}`);
  }
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      faults.push(message.text());
  });
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(url))
      faults.push(`asked ${request.url()}`);
  });
  return {
    page,
    faults,
    go: (path) => goTo(page, path),
    async follow(path) {
      if (!page.url().startsWith(url)) return goTo(page, path);
      // First opens a page that does not exist, so that the content of the previous page is not taken for the new content.
      await page.evaluate(changePath, NOWHERE);
      await page.locator('h1', { hasText: NOTHING_HERE }).waitFor();
      await page.evaluate(changePath, path);
      await page.locator('h1', { hasText: NOTHING_HERE }).waitFor({ state: 'detached' });
      await settle(page);
    },
    async barriers(of = 'all') {
      await page.evaluate(endTransitions);
      if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
      const rules = of === 'colours' ? COLOUR_RULES : null;
      return page.evaluate(findBarriers, { rules, within: of === 'dialog' ? DIALOG : 'html' });
    },
    async api<T>(method: string, path: string, body?: object) {
      const answer = await context.request.fetch(`/dashboard/api${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { data: body }),
      });
      const text = await answer.text();
      return { status: answer.status(), body: (text === '' ? undefined : JSON.parse(text)) as T };
    },
    close: () => context.close(),
  };
}

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settle(page);
}

/** Runs in the page, and notifies the router. */
function changePath(path: string): void {
  const { history } = globalThis as unknown as {
    history: { pushState(state: null, unused: '', path: string): void };
  };
  history.pushState(null, '', path);
}

/** Skeletons are gone and a heading is there. The network is never idle, because pages poll for live numbers. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator(WAITING).first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

/** Runs in the page: from now on colours change immediately, also during a transition. */
async function endTransitions(): Promise<void> {
  interface Sheet {
    replaceSync(text: string): void;
  }
  interface InPage {
    readonly CSSStyleSheet: new () => Sheet;
    readonly document: { adoptedStyleSheets: readonly Sheet[] };
    requestAnimationFrame(then: () => void): void;
  }
  const { CSSStyleSheet, document, requestAnimationFrame } = globalThis as unknown as InPage;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { transition: none !important }');
  document.adoptedStyleSheets = [sheet];
  // The page notices a change in one frame and applies it in the next.
  for (let frame = 0; frame < 2; frame += 1) await new Promise<void>((next) => requestAnimationFrame(next));
}

/** Runs in the page. */
async function findBarriers(of: { rules: readonly string[] | null; within: string }): Promise<string[]> {
  interface Finding {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
  }
  const { axe } = globalThis as unknown as {
    axe: { run(within: string, options: object): Promise<{ violations: readonly Finding[] }> };
  };
  const { violations } = await axe.run(of.within, {
    resultTypes: ['violations'],
    ...(of.rules === null ? {} : { runOnly: of.rules }),
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );
}

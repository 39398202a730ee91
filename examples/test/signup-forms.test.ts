/** Each example as its user gets it: installed from its lockfile and the packed client, started, and its form filled in a real browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser, type TestBrowser, type Window } from '../../test/support/real-browser.ts';
import { type Scene, startScene } from '../../test/support/scene.ts';
import { type ExampleApp, startExample } from './example-app.ts';
import { RULES } from './framework-rules.ts';
import { type InstallOptions, installExample } from './installed-examples.ts';

/** Each prints its address, has its form at `/` with the labels Email and Password, and answers with the headings of OUTCOMES. */
const EXAMPLES: readonly InstallOptions[] = [
  { name: 'express' },
  { name: 'express', packages: 'express-4' },
  { name: 'fastify' },
  { name: 'fastify', packages: 'fastify-4' },
  { name: 'hono' },
];
const OUTCOMES = {
  allow: { email: 'jo@quiet-harbour-works.com', heading: 'Welcome' },
  challenge: { email: 'jo@gmial.com', heading: 'Confirm your address' },
  block: { email: 'someone@mailinator.com', heading: 'We cannot create this account' },
} as const;
/** The visitor's, as a proxy in front of the application appends it to what the visitor sent. */
const FORWARDED = { 'x-forwarded-for': '198.51.100.1, 81.2.69.142' };
const NETWORK = 'AS20712';

const rows = EXAMPLES.map((example) => [example.packages ?? example.name, example] as const);

describe.each(rows)('examples/%s', (_title, example) => {
  let scene: Scene;
  let folder: string;
  let app: ExampleApp;
  let browser: TestBrowser;
  let window: Window;
  beforeAll(async () => {
    [scene, folder] = await Promise.all([startScene(), installExample(example)]);
    app = await startExample(folder, {
      GATEHOUSE_URL: scene.service.url,
      GATEHOUSE_KEY: scene.account.live,
    });
    browser = await startBrowser();
    window = await browser.open(app.url);
    await window.page.setExtraHTTPHeaders(FORWARDED);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await scene?.end();
  });

  /** @returns the heading of the page that answers */
  async function signUp(email: string): Promise<string | null> {
    const { page } = window;
    await window.go('/');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('correct horse battery');
    const form = await page.locator('h1').textContent();
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page
      .locator('h1')
      .filter({ hasNotText: form ?? '' })
      .waitFor();
    return page.locator('h1').textContent();
  }

  /** Again where the verdict came later than the client waits: on a busy machine it may. */
  async function signUpInTime(email: string): Promise<string | null> {
    const before = app.output().length;
    const heading = await signUp(email);
    return /no verdict for a signup: timeout/.test(app.output().slice(before))
      ? signUpInTime(email)
      : heading;
  }

  it.each(Object.entries(OUTCOMES))('answers a signup with the verdict %s', async (_, { email, heading }) => {
    expect(await signUpInTime(email)).toBe(heading);
    expect(await window.barriers()).toEqual([]);
  });

  it('sends the address of the visitor, not of the proxy, and none that the visitor made up', async () => {
    await signUpInTime(OUTCOMES.block.email);
    const reference = /req_\w+/.exec(await window.page.locator('main').innerText())?.[0] ?? '';
    const { json } = await scene.live.get(reference);
    expect(json).toMatchObject({ verdict: 'block', ip_status: 'ok', signals: { ip: { asn: NETWORK } } });
  });

  it.runIf(example.name in RULES)('follows the rules of its framework', () => RULES[example.name]?.(folder));

  it('lets people in while the service is stopped, and says so in the log', async () => {
    await scene.service.stop();
    expect(await signUp(OUTCOMES.block.email)).toBe(OUTCOMES.allow.heading);
    await expect
      .poll(() => app.output(), { timeout: 30_000 })
      .toMatch(/gatehouse: no verdict for a signup: connection_failed/);
    expect(window.faults).toEqual([]);
  });
});

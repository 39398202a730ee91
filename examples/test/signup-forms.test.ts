/** Each example as its user gets it: installed from its lockfile and the packed client, started, and its form filled in a real browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser, type TestBrowser, type Window } from '../../test/support/real-browser.ts';
import { type Scene, startScene } from '../../test/support/scene.ts';
import { type ExampleApp, startExample } from './example-app.ts';
import { installExample } from './installed-examples.ts';

interface Example {
  /** Its folder. */
  readonly name: string;
}

/** Each prints its address, has its form at `/` with the labels Email and Password, and answers with the headings of OUTCOMES. */
const EXAMPLES: readonly Example[] = [{ name: 'express' }];
const OUTCOMES = {
  allow: { email: 'jo@quiet-harbour-works.com', heading: 'Welcome' },
  challenge: { email: 'jo@gmial.com', heading: 'Confirm your address' },
  block: { email: 'someone@mailinator.com', heading: 'We cannot create this account' },
} as const;
/** The visitor's, as a proxy in front of the application appends it to what the visitor sent. */
const FORWARDED = { 'x-forwarded-for': '198.51.100.1, 81.2.69.142' };
const NETWORK = 'AS20712';

describe.each(EXAMPLES)('examples/$name', ({ name }) => {
  let scene: Scene;
  let app: ExampleApp;
  let browser: TestBrowser;
  let window: Window;
  beforeAll(async () => {
    const [started, folder] = await Promise.all([startScene(), installExample(name)]);
    scene = started;
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

  it.each(Object.entries(OUTCOMES))('answers a signup with the verdict %s', async (_, { email, heading }) => {
    expect(await signUp(email)).toBe(heading);
    expect(await window.barriers()).toEqual([]);
  });

  it('sends the address of the visitor, not of the proxy, and none that the visitor made up', async () => {
    await signUp(OUTCOMES.block.email);
    const reference = /req_\w+/.exec(await window.page.locator('main').innerText())?.[0] ?? '';
    const { json } = await scene.live.get(reference);
    expect(json).toMatchObject({ verdict: 'block', ip_status: 'ok', signals: { ip: { asn: NETWORK } } });
  });

  it('lets people in while the service is stopped, and says so in the log', async () => {
    expect(app.output()).not.toContain('no verdict');
    await scene.service.stop();
    expect(await signUp(OUTCOMES.block.email)).toBe(OUTCOMES.allow.heading);
    expect(app.output()).toMatch(/gatehouse: no verdict for a signup: connection_failed/);
    expect(window.faults).toEqual([]);
  });
});

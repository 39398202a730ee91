/** Tests each example as a user gets it: installed from its lockfile and the packed client, started, with its form filled in a real browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser, type TestBrowser, type Window } from '../../test/support/real-browser.ts';
import { type Scene, startScene } from '../../test/support/scene.ts';
import type { Environment } from '../../test/support/service.ts';
import { type ExampleApp, startExample } from './example-app.ts';
import { RULES } from './framework-rules.ts';
import { type InstallOptions, installExample } from './installed-examples.ts';

interface Example extends InstallOptions {
  /** Paths of its forms. Default: `/`. */
  readonly forms?: readonly string[];
  /** Its challenged signups with an address that must get no mail do a proof of work on the page of Gatehouse. */
  readonly provesWork?: boolean;
  /** It asks for no password: an admitted visitor gets an email. */
  readonly isByEmail?: boolean;
  /** Settings of its server. */
  readonly environment?: Environment;
  /** Name by which the browser opens it. Default: `127.0.0.1`. */
  readonly host?: string;
  /** Whether it takes 0 for a port. Default: yes. */
  readonly choosesPort?: boolean;
  /** Path that its form posts to, where that is one for everybody. */
  readonly endpoint?: string;
  /** How a challenged signup gives its proof. */
  readonly proof?: {
    /** Line that the example prints instead of sending an email. */
    readonly mail: RegExp;
    give(page: Window['page'], mailed: string): Promise<unknown>;
  };
}

const REACT_ROUTER = { environment: { HOST: '127.0.0.1' }, choosesPort: false, endpoint: '/?index' };
/** Each prints its address, has forms with the labels Email and Password, and answers with the headings of OUTCOMES. */
const EXAMPLES: readonly Example[] = [
  { name: 'astro', environment: { HOST: '127.0.0.1' }, endpoint: '/api/signup' },
  { name: 'express', endpoint: '/signup', provesWork: true },
  { name: 'express', packages: 'express-4', endpoint: '/signup', provesWork: true },
  { name: 'fastify', endpoint: '/signup', provesWork: true },
  { name: 'fastify', packages: 'fastify-4', endpoint: '/signup', provesWork: true },
  { name: 'hono', endpoint: '/signup', provesWork: true },
  { name: 'nest', endpoint: '/signup' },
  {
    name: 'next-auth',
    forms: ['/v4', '/v5'],
    // Next.js calls 127.0.0.1 so, and next-auth 5 compares.
    host: 'localhost',
    environment: { AUTH_SECRET: 'a secret of this test alone', AUTH_TRUST_HOST: 'true' },
    isByEmail: true,
    proof: { mail: /your link is (\S+)/g, give: (page, link) => page.goto(link) },
  },
  { name: 'nuxt', environment: { HOST: '127.0.0.1' }, endpoint: '/api/signup' },
  { name: 'react-router', ...REACT_ROUTER },
  { name: 'react-router', packages: 'react-router-7', ...REACT_ROUTER },
  {
    name: 'sveltekit',
    // Its server believes that it is reached by https, unless a proxy says otherwise.
    environment: { HOST: '127.0.0.1', PROTOCOL_HEADER: 'x-forwarded-proto' },
    endpoint: '/',
  },
  { name: 'next', forms: ['/', '/with-route'], provesWork: true },
  {
    name: 'better-auth',
    proof: {
      mail: /your code is (\d+)/g,
      async give(page, code) {
        await page.getByLabel('Code').fill(code);
        await page.getByRole('button', { name: 'Sign up' }).click();
      },
    },
  },
  {
    name: 'auth-js',
    isByEmail: true,
    proof: { mail: /your link is (\S+)/g, give: (page, link) => page.goto(link) },
  },
];
const OUTCOMES = {
  allow: { email: 'jo@quiet-harbour-works.com', heading: 'Welcome' },
  challenge: { email: 'jo@gmial.com', heading: 'Confirm your address' },
  block: { email: 'someone@mailinator.com', heading: 'We cannot create this account' },
} as const;
/** The visitor's IP. A proxy in front of the application appends it to the header that the visitor sent. */
const FORWARDED = { 'x-forwarded-for': '198.51.100.1, 81.2.69.142', 'x-forwarded-proto': 'http' };
/** A VPN's address: with it, a gateway to text messages is challenged. */
const FROM_VPN = { ...FORWARDED, 'x-forwarded-for': '51.81.6.44' };
const NETWORK = 'AS20712';

const rows = EXAMPLES.map((example) => [example.packages ?? example.name, example] as const);

describe.each(rows)('examples/%s', (_title, example) => {
  const { forms = ['/'], isByEmail = false, proof, endpoint } = example;
  const welcome = OUTCOMES[isByEmail ? 'challenge' : 'allow'].heading;
  let scene: Scene;
  let folder: string;
  let app: ExampleApp;
  let browser: TestBrowser;
  let window: Window;
  beforeAll(async () => {
    [scene, folder] = await Promise.all([startScene(), installExample(example)]);
    const settings = { GATEHOUSE_URL: scene.service.url, GATEHOUSE_KEY: scene.account.live };
    app = await startExample(folder, { ...settings, ...example.environment }, example.choosesPort);
    app = { ...app, url: app.url.replace('127.0.0.1', example.host ?? '127.0.0.1') };
    browser = await startBrowser();
    window = await openWindow();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await scene?.end();
  });

  async function openWindow(): Promise<Window> {
    const opened = await browser.open(app.url);
    await opened.page.setExtraHTTPHeaders(FORWARDED);
    return opened;
  }

  /** @returns the heading of the answer page */
  async function signUp(email: string, path = '/', { page, go } = window): Promise<string | null> {
    await go(path);
    await page.getByLabel('Email').fill(email);
    if (!isByEmail) await page.getByLabel('Password').fill('correct horse battery');
    const form = await page.locator('h1').textContent();
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page
      .locator('h1')
      .filter({ hasNotText: form ?? '' })
      .waitFor();
    return page.locator('h1').textContent();
  }

  /** Tries again if the verdict came after the client's timeout, as it may on a busy machine. Then the first address has an account. */
  async function signUpInTime(email: string, path = '/', on = window): Promise<string | null> {
    const before = app.output().length;
    const heading = await signUp(email, path, on);
    return /no verdict for a signup: timeout/.test(app.output().slice(before))
      ? signUpInTime(email.replace('@', '2@'), path, on)
      : heading;
  }

  describe.each(forms)('the form at %s', (path) => {
    it.each(Object.entries(OUTCOMES))('answers a signup with the verdict %s', async (verdict, outcome) => {
      const heading = verdict === 'allow' ? welcome : outcome.heading;
      expect(await signUpInTime(outcome.email, path)).toBe(heading);
      expect(await window.barriers()).toEqual([]);
    });

    // The browser itself refuses it on the page of better-auth: examples/test/better-auth.test.ts asks without one.
    it.skipIf(isByEmail || example.name === 'better-auth')(
      'is not assessed while the application itself refuses it',
      async () => {
        const used = async () => (await scene.live.usage()).json.assessments_used;
        const before = await used();
        const { page, go } = await openWindow();
        await go(path);
        await page.getByLabel('Email').fill('short@quiet-harbour-works.com');
        await page.getByLabel('Password').fill('short');
        await page.getByRole('button', { name: 'Sign up' }).click();
        await page
          .getByRole('alert')
          .filter({ hasText: /password/i })
          .first()
          .waitFor();
        expect(await used()).toBe(before);
      },
    );

    it.skipIf(isByEmail || example.name === 'better-auth')(
      'is shown again for a text that cannot be an address',
      async () => {
        const { page, go } = await openWindow();
        await go(path);
        // Browsers accept it.
        await page.getByLabel('Email').fill('jo@localhost');
        await page.getByLabel('Password').fill('correct horse battery');
        await page.getByRole('button', { name: 'Sign up' }).click();
        await page.getByRole('alert').filter({ hasText: 'Please check your email address.' }).waitFor();
      },
    );

    it('sends the IP of the visitor, not of the proxy, and not an IP that the visitor invented', async () => {
      await signUpInTime(OUTCOMES.block.email, path);
      const reference = /req_\w+/.exec(await window.page.locator('main').innerText())?.[0] ?? '';
      const { json } = await scene.live.get(reference);
      expect(json).toMatchObject({ verdict: 'block', ip_status: 'ok', signals: { ip: { asn: NETWORK } } });
    });
  });

  if (proof !== undefined)
    it.each(forms)('opens the account to a signup challenged at %s after its proof', async (path) => {
      const mailed = () => [...app.output().matchAll(proof.mail)].map(([, found = '']) => found);
      const before = mailed().length;
      const another = await openWindow();
      // Somebody else at each form: who has an account is not assessed.
      const email = OUTCOMES.challenge.email.replace('@', `${path.replace('/', '')}@`);
      await signUpInTime(email, path, another);
      await expect.poll(() => mailed().length).toBeGreaterThan(before);
      await proof.give(another.page, mailed().at(-1) ?? '');
      await another.page.getByRole('heading', { name: OUTCOMES.allow.heading }).waitFor();
    });

  it.runIf(endpoint !== undefined)('admits nobody by a body that it cannot read', async () => {
    const headers = { ...FORWARDED, origin: app.url, 'content-type': 'text/plain' };
    const body = 'email=jo@quiet-harbour-works.com&password=correct horse battery';
    const response = await fetch(`${app.url}${endpoint}`, { method: 'POST', headers, body });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect((await fetch(app.url, { headers: FORWARDED })).status).toBe(200);
  });

  describe.runIf(example.provesWork)('an address that must get no mail', () => {
    it.each(forms)('gets an account after a proof of work, once (%s)', async (path) => {
      const opened = await openWindow();
      const { page } = opened;
      await page.setExtraHTTPHeaders(FROM_VPN);
      const number = String(Date.now()).slice(-6);
      expect(await signUpInTime(`5551${number}@vtext.com`, path, opened)).toBe('Confirm your sign-up');
      await page.getByRole('checkbox').press('Space');
      await page.getByRole('heading', { name: OUTCOMES.allow.heading }).waitFor();
      await page.goto(`${app.url}/proved`);
      await page.getByRole('heading', { name: OUTCOMES.block.heading }).waitFor();
      await opened.close();
    });
  });

  it.runIf(example.name in RULES)('follows the rules of its framework', () => RULES[example.name]?.(folder));

  it('allows signups while the service is stopped, and logs that', async () => {
    await scene.service.stop();
    for (const path of forms) expect(await signUp(OUTCOMES.block.email, path)).toBe(welcome);
    await expect
      .poll(() => app.output(), { timeout: 30_000 })
      .toMatch(/gatehouse: no verdict for a signup: connection_failed/);
    expect(window.faults).toEqual([]);
  });
});

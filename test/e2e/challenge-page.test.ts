/** The page that confirms a challenge, as a visitor uses it: by link, by code, and when neither works. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChallengeResponse } from '../../src/contract/messages.ts';
import { startBrowser, type TestBrowser } from '../support/real-browser.ts';
import { type Scene, startScene } from '../support/scene.ts';

let scene: Scene;
let browser: TestBrowser;
let application: Server;
let returnUrl: string;
beforeAll(async () => {
  application = createServer((_, response) => response.end('Welcome.')).listen(0, '127.0.0.1');
  [scene, browser] = await Promise.all([
    startScene({ environment: { GATEHOUSE_CHALLENGE_MINUTES: '30', GATEHOUSE_PROOF_WORK: '0.5' } }),
    startBrowser(),
  ]);
  returnUrl = `http://127.0.0.1:${(application.address() as AddressInfo).port}/welcome`;
});
afterAll(async () => {
  await browser?.close();
  await scene?.end();
  application?.close();
});

const redeem = (body: unknown) =>
  scene.sandbox.send<ChallengeResponse>({ method: 'POST', path: '/v1/challenges', body });

async function opened(more: object = {}) {
  const { json } = await scene.sandbox.assess({ email: 'challenge@example.com' });
  const token = json.challenge?.token;
  const { confirmation } = (await redeem({ token, confirm: more })).json;
  if (confirmation === undefined) throw new Error('the challenge has no confirmation');
  return { token, ...confirmation };
}

it('confirms by the link when its button is pressed, and continues to the application', async () => {
  const { token, link } = await opened({ return_url: returnUrl });
  const { page, faults, barriers, close } = await browser.open(scene.service.url);
  await page.goto(link);
  await page.getByText('Press the button to finish your sign-up.').waitFor();
  expect((await redeem({ token })).json.status).toBe('pending');
  expect(await barriers()).toEqual([]);
  expect(faults).toEqual([]);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL(returnUrl);
  expect((await redeem({ token })).json).toMatchObject({ status: 'passed', method: 'link' });
  await close();
});

it.each([
  { width: 1_440, dark: false },
  { width: 390, dark: true },
])('confirms by the code, after a wrong one ($width px)', async (options) => {
  const { token, page: address, code } = await opened();
  const { page, barriers, close } = await browser.open(scene.service.url, options);
  await page.goto(address);
  const field = page.getByLabel('Code from the email');
  await field.fill(code === '000000' ? '000001' : '000000');
  await page.keyboard.press('Enter');
  await page.getByText('The code is wrong.').waitFor();
  expect(await barriers()).toEqual([]);
  await field.fill(code);
  await page.keyboard.press('Enter');
  await page.getByText('Your sign-up is confirmed.').waitFor();
  expect((await redeem({ token })).json).toMatchObject({ status: 'passed', method: 'code' });
  await close();
});

it('says what to do with an incomplete link, or with one that the application has ended', async () => {
  const { token, link } = await opened();
  const { page, close } = await browser.open(scene.service.url);
  await page.goto('/challenge/');
  await page.getByText('This link is not complete').waitFor();
  await redeem({ token, outcome: 'failed' });
  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('This confirmation is no longer valid.').waitFor();
  await close();
});

describe('the proof of work', () => {
  async function asked() {
    const { json } = await scene.sandbox.assess({ email: 'challenge@example.com' });
    const { proof } = (await redeem({ token: json.request_id, proof: { return_url: returnUrl } })).json;
    return { token: json.request_id, address: proof?.page ?? '', challenge: proof?.challenge ?? '' };
  }
  const BOX = { name: 'Check my browser' };
  /** Only ends a test that waits for nothing. */
  const PATIENCE_MS = 60_000;

  it.each([
    { width: 1_280, dark: false },
    { width: 390, dark: true },
  ])('is done by the keyboard alone, and continues to the application ($width px)', async (options) => {
    const { token, address } = await asked();
    const { page, faults, barriers, close } = await browser.open(scene.service.url, options);
    await page.goto(address);
    const box = page.getByRole('checkbox', BOX);
    await box.waitFor();
    await page.getByText('Tick the box to finish your sign-up.').waitFor();
    expect(await barriers()).toEqual([]);
    expect(faults).toEqual([]);
    expect((await redeem({ token })).json.status).toBe('pending');
    await page.keyboard.press('Tab');
    await expect.poll(() => box.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.press('Space');
    await page.waitForURL(returnUrl);
    expect((await redeem({ token })).json).toMatchObject({ status: 'passed', method: 'altcha' });
    await close();
  });

  it('has one control that assistive software names, and says what happens', async () => {
    const { address } = await asked();
    const { page, barriers, close } = await browser.open(scene.service.url);
    await page.route('**/challenge/confirm', (route) => route.abort());
    await page.goto(address);
    await page.getByRole('checkbox', BOX).waitFor();
    expect(await page.locator('main').ariaSnapshot()).toMatchInlineSnapshot(`
      "- main:
        - heading "Confirm your sign-up" [level=1]
        - paragraph: Tick the box to finish your sign-up. Your browser then calculates for some seconds, which makes mass sign-ups by programs expensive.
        - checkbox "Check my browser"
        - text: Check my browser"
    `);
    await page.getByRole('checkbox', BOX).click({ timeout: PATIENCE_MS });
    await page.getByRole('status').filter({ hasText: 'could not be sent' }).waitFor();
    expect(await barriers()).toEqual([]);
    await page.unroute('**/challenge/confirm');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(returnUrl);
    await close();
  });

  it('loads its own files alone, and none of them for a link or a code', async () => {
    const { page, faults, close } = await browser.open(scene.service.url);
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto((await opened()).link);
    await page.getByText('Press the button to finish your sign-up.').waitFor();
    expect(loaded.filter((path) => /altcha|pbkdf2|proof/.test(path))).toEqual([]);
    await page.goto((await asked()).address);
    await page.getByRole('checkbox', BOX).click({ timeout: PATIENCE_MS });
    await page.waitForURL(returnUrl);
    expect(loaded).toEqual(
      expect.arrayContaining(
        ['proof.js', 'altcha.js', 'altcha.css', 'pbkdf2.js'].map((name) => `/challenge/${name}`),
      ),
    );
    expect(faults.filter((fault) => !fault.endsWith(returnUrl))).toEqual([]);
    await close();
  });

  it('says what to do with a token that opens nothing, and after another result', async () => {
    const { page, close } = await browser.open(scene.service.url);
    await page.goto('/challenge/#gcw.0.0.0');
    await page.getByText('Go back to where you signed up.').waitFor();
    const { token, address } = await asked();
    await redeem({ token, outcome: 'failed' });
    await page.goto(address);
    await page.getByText('This confirmation is no longer valid.').waitFor();
    await close();
  });

  it('says what to do without JavaScript', async () => {
    const { page } = await browser.open(scene.service.url);
    const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
    const silent = await context?.newPage();
    await silent?.goto((await asked()).address);
    expect(await silent?.locator('main').innerText()).toContain(
      'This page needs JavaScript. Turn it on and load the page again.',
    );
    await context?.close();
  });
});

/** The page that confirms a challenge, as a visitor uses it: by link, by code, and when neither works. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
    startScene({ environment: { GATEHOUSE_CHALLENGE_MINUTES: '30' } }),
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

/** Compatibility with ALTCHA as others ship it: the unchanged widget on a page of an application solves our challenge, and our page solves a challenge of the unchanged library. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createChallenge, type Payload, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChallengeResponse } from '../../src/contract/messages.ts';
import { startBrowser, type TestBrowser } from '../support/real-browser.ts';
import { type Scene, startScene } from '../support/scene.ts';

const WIDGET = readFileSync(
  createRequire(import.meta.url)
    .resolve('altcha')
    .replace('.umd.cjs', '.js'),
);

let scene: Scene;
let browser: TestBrowser;
let application: Server;
let token = '';
let challenge = '';
beforeAll(async () => {
  [scene, browser] = await Promise.all([startScene(), startBrowser()]);
  application = createServer(async (request, response) => {
    if (request.url === '/altcha.js') {
      response.setHeader('content-type', 'text/javascript').end(WIDGET);
      return;
    }
    response.setHeader('content-type', 'text/html');
    if (request.method === 'GET') response.end(formPage());
    else {
      const altcha = new URLSearchParams(await text(request)).get('altcha');
      const { json } = await redeem({ token, altcha });
      response.end(`<h1>${json.status}</h1>`);
    }
  }).listen(0, '127.0.0.1');
});
afterAll(async () => {
  await browser?.close();
  await scene?.end();
  application?.close();
});

const redeem = (body: unknown) =>
  scene.sandbox.send<ChallengeResponse>({ method: 'POST', path: '/v1/challenges', body });
const formPage = () => `<!doctype html><html lang="en"><title>Sign up</title>
  <script type="module" src="/altcha.js"></script>
  <form method="post"><altcha-widget challenge="${challenge.replaceAll('"', '&quot;')}"></altcha-widget>
  <button>Continue</button></form>`;

it('the widget of an application solves our challenge, and its field redeems it', async () => {
  token = (await scene.sandbox.assess({ email: 'challenge@example.com' })).json.request_id;
  challenge = (await redeem({ token, proof: {} })).json.proof?.challenge ?? '';
  const { page, faults, close } = await browser.open(
    `http://127.0.0.1:${(application.address() as AddressInfo).port}`,
  );
  await page.goto('/');
  await page.getByRole('checkbox').press('Space');
  await page.getByText('Verified').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'passed' }).waitFor();
  expect((await redeem({ token })).json).toMatchObject({ status: 'passed', method: 'altcha' });
  expect(faults).toEqual([]);
  await close();
});

it('our page solves a challenge of the library with its defaults, which the library verifies', async () => {
  const hmacSignatureSecret = 'of somebody else';
  const theirs = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 100,
    deriveKey,
    hmacSignatureSecret,
  });
  const { json } = await scene.sandbox.assess({ email: 'challenge@example.com' });
  const { proof } = (await redeem({ token: json.request_id, proof: { return_url: 'http://127.0.0.1:9/' } }))
    .json;
  const { page, close } = await browser.open(scene.service.url);
  await page.route('**/challenge/proof', (route) => route.fulfill({ json: theirs }));
  await page.goto(proof?.page ?? '');
  const sent = page.waitForRequest('**/challenge/confirm');
  await page.getByRole('checkbox').press('Space');
  const { altcha = '' } = (await sent).postDataJSON() as { altcha?: string };
  const payload = JSON.parse(Buffer.from(altcha, 'base64').toString('utf8')) as Payload;
  const { verified } = await verifySolution({ ...payload, deriveKey, hmacSignatureSecret });
  expect(verified).toBe(true);
  // A challenge that others signed confirms nothing here.
  await page.getByText('The check did not succeed.').waitFor();
  expect((await redeem({ token: json.request_id })).json.status).toBe('pending');
  await close();
});

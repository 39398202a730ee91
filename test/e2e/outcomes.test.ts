/** Outcomes of a signup, in its panel, and a hook of a mail provider, created in a browser; narrow and dark, too. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import { type Client, createClient } from '../support/client.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

let installation: Installation;
let browser: TestBrowser;
let client: Client;
let account: string;
let url: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  url = (await installation.start()).url;
  const owner = await browser.open(url, { as: PEOPLE.owner });
  account = (await owner.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  await owner.close();
  const create = ['key', 'create', '--account', account, '--name', 'outcomes', '--mode', 'live'];
  client = createClient(url, (await installation.json<{ key: string }>(...create)).key);
});
afterAll(async () => {
  client?.close();
  await browser?.close();
  await installation?.remove();
});

/** Waits until the service knows the new key. */
async function assess(email: string): Promise<string> {
  for (;;) {
    const { status, json } = await client.assess({ email });
    if (status === 200) return json.request_id;
    expect([401, 429]).toContain(status);
    await setTimeout(500);
  }
}

const SHOTS = process.env.GATEHOUSE_SHOTS;

it.each([
  { width: 390, dark: true },
  { width: 1_280, dark: false },
])('are in the panel of the signup, with the label that they gave ($width px)', async ({ width, dark }) => {
  const id = await assess(`paid.${width}@mailinator.com`);
  for (const outcome of ['verified', 'paid'])
    await client.send({ method: 'POST', path: '/v1/outcomes', body: { request_id: id, outcome } });
  const { page, faults, barriers, close } = await browser.open(url, { as: PEOPLE.owner, width, dark });
  await page.goto(`${url}/accounts/${account}/assessments/${id}`);
  const section = page.getByRole('region', { name: 'Outcomes', exact: true });
  await section.getByText('Confirmed the address').waitFor();
  await section.getByText('Paid').waitFor();
  expect(await section.innerText()).toContain('reported by outcomes');
  await page.getByText('from a reported outcome').waitFor();
  expect(await barriers()).toEqual([]);
  await section.scrollIntoViewIfNeeded();
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/panel-${width}.png` });
  expect(faults).toEqual([]);
  await close();
});

it.each([
  { width: 390, dark: true },
  { width: 1_280, dark: false },
])('a hook of a mail provider has no answers to choose ($width px)', async ({ width, dark }) => {
  const { page, faults, barriers, close } = await browser.open(url, { as: PEOPLE.owner, width, dark });
  await page.goto(`${url}/accounts/${account}/hooks`);
  await page.getByRole('button', { name: 'Create hook' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Provider').selectOption('postmark');
  await dialog.getByLabel('Name').fill(`mails ${width}`);
  expect(await dialog.getByLabel('Answer a challenge with').count()).toBe(0);
  expect(await barriers()).toEqual([]);
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/create-${width}.png` });
  await dialog.getByRole('button', { name: 'Create hook' }).click();
  await page.getByText('In Postmark: Servers → Webhooks').waitFor();
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/made-${width}.png` });
  await page.keyboard.press('Escape');
  await page.goto(`${url}/accounts/${account}/hooks`);
  await page.getByText(`mails ${width}`).waitFor();
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/hooks-${width}.png` });
  expect(faults).toEqual([]);
  await close();
});

/** An appeal in a browser: somebody who was stopped writes, on a phone, with keys alone; a colleague lets her in with two actions. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { FeedbackPage } from '../../src/contract/dashboard-mistakes.ts';
import type { AppealResponse, Assessment } from '../../src/contract/messages.ts';
import { type Client, createClient } from '../support/client.ts';
import { countActions } from '../support/counted-actions.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

const EMAIL = 'appeal.to.me@mailinator.com';

let installation: Installation;
let browser: TestBrowser;
let owner: Window;
let client: Client;
let account: string;
let url: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  url = (await installation.start()).url;
  owner = await browser.open(url, { as: PEOPLE.owner });
  const id = (await owner.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  account = `/accounts/${id}`;
  const create = ['key', 'create', '--account', id, '--name', 'appeals', '--mode', 'live'];
  client = createClient(url, (await installation.json<{ key: string }>(...create)).key);
});
afterAll(async () => {
  client?.close();
  await browser?.close();
  await installation?.remove();
});

/** Waits until the service knows the new key. */
async function assess(): Promise<Assessment> {
  for (;;) {
    const { status, json } = await client.assess({ email: EMAIL });
    if (status === 200) return json;
    expect([401, 429]).toContain(status);
    await setTimeout(500);
  }
}
async function linkOf({ request_id }: Assessment): Promise<string> {
  const request = { method: 'POST', path: '/v1/appeals', body: { request_id } } as const;
  return (await client.send<AppealResponse>(request)).json.url;
}

it.each([
  { width: 390, dark: true },
  { width: 1_440, dark: false },
])('takes what she writes ($width px), by keys alone', async (options) => {
  const signup = await assess();
  expect(signup.verdict).toBe('block');
  const { page, faults, barriers, close } = await browser.open(url, options);
  await page.goto(await linkOf(signup));
  await page.getByLabel('What happened?').waitFor();
  expect(await barriers()).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.type('<b>I am no robot.</b>');
  await page.getByText('979 characters left').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('at home');
  await page.keyboard.press('Enter');
  await page.getByText('Thank you. A person will read this.').waitFor();
  expect(await barriers()).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
  expect(faults).toEqual([]);
  await close();
});

it('says the same of every link that is not valid', async () => {
  const { page, barriers, close } = await browser.open(url, { width: 320 });
  for (const token of ['', '#v1.made-up']) {
    await page.goto('about:blank');
    await page.goto(`${url}/appeal/${token}`);
    if (token !== '') {
      await page.getByLabel('What happened?').fill('hello');
      await page.getByRole('button', { name: 'Send' }).click();
    }
    await page.getByText('This link is not complete or no longer valid.').waitFor();
  }
  expect(await barriers()).toEqual([]);
  await close();
});

it('is approved with two actions, and is read where the signup is', async () => {
  const { page } = owner;
  await owner.go(`${account}/today`);
  const actions = countActions(owner);
  await actions.click(page.getByRole('link', { name: 'Mistakes' }));
  const approve = page.getByRole('button', { name: 'a***@mailinator.com is a real customer' }).first();
  await approve.waitFor();
  expect(await owner.barriers()).toEqual([]);
  await actions.click(approve);
  await page.getByText('is allowed.').waitFor();
  expect(actions.count).toBeLessThanOrEqual(3);
  await expect.poll(async () => (await assess()).verdict).toBe('allow');
  const { queue } = (await owner.api<FeedbackPage>('GET', `${account}/feedback?state=done`)).body;
  const [row] = queue.rows;
  expect(row).toMatchObject({ kind: 'appeal', feedback: 'false_positive' });
  await owner.go(`${account}/assessments/${row?.request_id}`);
  await page.getByText('<b>I am no robot.</b>').waitFor();
  await page.getByText('contact: at home').waitFor();
  expect(await owner.barriers()).toEqual([]);
  expect(owner.faults).toEqual([]);
});

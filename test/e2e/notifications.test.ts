/** The forms of Notifications in a browser: webhook, Slack and e-mail are added, tried, and replaced; a delivery is sent again; one is paused and removed. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

let installation: Installation;
let browser: TestBrowser;
let window: Window;
let receiver: Server;
let mail: MailServer;
let url: string;
let path: string;
/** Status of the receiver's next answers. */
let status = 200;
const received: { readonly headers: Record<string, string>; readonly body: string }[] = [];

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers as Record<string, string>, body });
    response.writeHead(status).end();
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  [installation, browser, mail] = await Promise.all([createDemo(), startBrowser(), startMailServer('off')]);
  await installation.run('user', 'verify', PEOPLE.owner);
  const service = await installation.start({
    GATEHOUSE_WEBHOOKS_PRIVATE: 'on',
    GATEHOUSE_SMTP_URL: `smtp://127.0.0.1:${mail.server.port}?tls=off`,
    GATEHOUSE_SMTP_FROM: 'gatehouse@shop.example',
  });
  window = await browser.open(service.url, { as: PEOPLE.owner });
  const { body } = await window.api<Session>('GET', '/session');
  path = `/accounts/${body.accounts[0]?.id}/notifications`;
});
afterAll(async () => {
  await browser?.close();
  await installation?.remove();
  await mail?.close();
  receiver?.closeAllConnections();
  receiver?.close();
});

const dialog = () => window.page.getByRole('dialog');
const row = (name: string) => window.page.getByRole('row', { name: new RegExp(name) });

async function choose(name: string, words: string): Promise<void> {
  await window.page.getByRole('button', { name: `Actions for destination ${name}` }).click();
  await window.page.getByRole('menuitem', { name: words, exact: true }).click();
}

async function beginAdding(kind: string, name: string): Promise<void> {
  await window.go(path);
  await window.page.getByRole('button', { name: 'Add destination' }).first().click();
  await dialog().getByLabel('Kind').selectOption({ label: kind });
  await dialog().getByLabel('Name').fill(name);
}
const add = () => dialog().getByRole('button', { name: 'Add destination' }).click();

async function takeSecret(): Promise<string> {
  await dialog()
    .getByText(/not shown again/)
    .waitFor();
  const secret = /whsec_[\w+/=]+/.exec(await dialog().innerText())?.[0] ?? '';
  expect(await window.barriers('dialog')).toEqual([]);
  await dialog().getByRole('button', { name: 'I have copied it' }).click();
  await dialog().waitFor({ state: 'detached' });
  return secret;
}

async function expectTest(words: RegExp): Promise<void> {
  await dialog().getByText(words).waitFor();
  await window.page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
}

let secret: string;

it('adds a webhook, refuses what is no URL, and shows its secret once', async () => {
  await beginAdding('Webhook', 'fraud team');
  await dialog().getByLabel('URL').fill('http://user@127.0.0.1/');
  await add();
  await dialog()
    .getByText(/may have no user name/)
    .waitFor();
  expect(await window.barriers('dialog')).toEqual([]);
  await dialog().getByLabel('URL').fill(`${url}/hook`);
  await dialog().getByLabel('A signup was assessed').check();
  await dialog().getByLabel('Allow', { exact: true }).check();
  await add();
  secret = await takeSecret();
  await row('fraud team').waitFor();
});

it('tries it, also where it fails, with a signature that the secret verifies', async () => {
  await choose('fraud team', 'Send test message');
  await expectTest(/The message arrived|on its way/);
  await expect.poll(() => received.length).toBe(1);
  const [{ headers, body }] = received as [(typeof received)[number]];
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'test' });
  status = 500;
  await choose('fraud team', 'Send test message');
  await expectTest(/did not arrive: it answered 500|on its way/);
  status = 200;
});

it('replaces the secret: both sign for a day', async () => {
  await choose('fraud team', 'Replace secret…');
  await dialog()
    .getByText(/each message has two signatures/)
    .waitFor();
  expect(await window.barriers('dialog')).toEqual([]);
  await dialog().getByRole('button', { name: 'Replace secret' }).click();
  const newer = await takeSecret();
  expect(newer).not.toBe(secret);
  const before = received.length;
  await choose('fraud team', 'Send test message');
  await expectTest(/The message arrived|on its way/);
  await expect.poll(() => received.length).toBeGreaterThan(before);
  const last = received.at(-1) as (typeof received)[number];
  for (const each of [secret, newer]) new Webhook(each).verify(last.body, last.headers);
});

it('sends a delivery again from the log of the destination', async () => {
  const before = received.length;
  await row('fraud team').getByRole('link').first().click();
  const again = window.page.getByRole('button', { name: /^Send again: Test message/ });
  await again.first().waitFor();
  expect(await window.barriers()).toEqual([]);
  await again.first().click();
  await expect.poll(() => received.length).toBeGreaterThan(before);
  const ids = received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBeLessThan(ids.length);
});

it('pauses, and takes that back', async () => {
  await window.go(path);
  await choose('fraud team', 'Pause');
  await row('fraud team').getByText('Paused').waitFor();
  await window.page.getByRole('button', { name: 'Undo' }).click();
  await row('fraud team').getByText('Paused').waitFor({ state: 'detached' });
});

it('adds a channel of Slack, whose URL nobody sees again', async () => {
  await beginAdding('Slack', 'ops channel');
  await dialog().getByLabel('Incoming webhook of Slack').fill(`${url}/services/T0/B0/secret`);
  await add();
  await dialog()
    .getByText(/to see whether it arrives/)
    .waitFor();
  await window.page.keyboard.press('Escape');
  await row('ops channel').waitFor();
  expect(await window.page.content()).not.toContain('/services/T0');
  const before = received.length;
  await choose('ops channel', 'Send test message');
  await expectTest(/The message arrived|on its way/);
  await expect.poll(() => received.length).toBeGreaterThan(before);
  expect(JSON.parse(received.at(-1)?.body ?? '{}')).toHaveProperty('text');
});

it('adds e-mail to a confirmed person, with a daily summary, and sends a message', async () => {
  await beginAdding('E-mail', 'the owner');
  expect(await dialog().getByLabel('Address').inputValue()).toBe(PEOPLE.owner);
  await dialog().getByLabel('Daily summary').selectOption({ label: 'At 07:00' });
  expect(await window.barriers('dialog')).toEqual([]);
  await add();
  await dialog()
    .getByText(/to see whether it arrives/)
    .waitFor();
  await window.page.keyboard.press('Escape');
  await choose('the owner', 'Send test message');
  await expectTest(/The message arrived|on its way/);
  await expect.poll(() => mail.received.length).toBe(1);
  expect(mail.received[0]?.to).toEqual([PEOPLE.owner]);
});

it('removes a destination, after it has said that this cannot be undone', async () => {
  await choose('fraud team', 'Remove…');
  await dialog().getByText('This cannot be undone.').waitFor();
  expect(await window.barriers('dialog')).toEqual([]);
  await dialog().getByRole('button', { name: 'Remove destination' }).click();
  await row('fraud team').waitFor({ state: 'detached' });
  expect(window.faults).toEqual([]);
});

it.each([
  [390, false],
  [1_440, true],
])('has forms that fit %i pixels, dark: %s', async (width, dark) => {
  const { origin } = new URL(window.page.url());
  const other = await browser.open(origin, { as: PEOPLE.owner, width, dark });
  await other.go(path);
  await other.page.getByRole('button', { name: 'Add destination' }).first().click();
  for (const kind of ['Webhook', 'Slack', 'E-mail']) {
    const form = other.page.getByRole('dialog');
    await form.getByLabel('Kind').selectOption({ label: kind });
    expect(await form.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    expect(await other.barriers('dialog')).toEqual([]);
  }
  await other.close();
});

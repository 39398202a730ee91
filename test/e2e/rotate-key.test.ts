/** Rotating a key in a browser, with counted actions: the secret, which of the two is used, and the end of the old one; expiry, callers and counts. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CreatedKey, KeyRow, Session } from '../../src/contract/dashboard-account.ts';
import { type Client, createClient } from '../support/client.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const NAME = 'signup service';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let window: Window;
let client: Client;
let path: string;
let old: CreatedKey;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.owner });
  client = createClient(service.url);
  const { body } = await window.api<Session>('GET', '/session');
  path = `/accounts/${body.accounts[0]?.id}/keys`;
  old = (await window.api<CreatedKey>('POST', path, { name: NAME, mode: 'live' })).body;
});

afterAll(async () => {
  client?.close();
  await browser?.close();
  await installation?.remove();
});

let actions = 0;
async function click(role: 'button' | 'menuitem', name: string): Promise<void> {
  actions += 1;
  await window.page.getByRole(role, { name, exact: true }).click();
}
const assess = (secret: string) => client.assess({ email: 'someone@mailinator.com' }, secret);
const readKey = async () =>
  (await window.api<KeyRow[]>('GET', path)).body.find(({ id }) => id === old.key.id) as KeyRow;
let secret = '';

it('takes three actions, and both secrets work', async () => {
  const { page, go } = window;
  expect((await assess(old.secret)).status).toBe(200);
  await go(path);
  actions = 0;
  await click('button', `Actions for key ${NAME}`);
  await click('menuitem', 'Rotate…');
  await click('button', 'Rotate key');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('it is not shown again').waitFor();
  expect(actions).toBe(3);
  secret = /sk_live_\w+/.exec(await dialog.innerText())?.[0] ?? '';
  expect(secret).toMatch(/^sk_live_\w{32}$/);
  expect(secret).not.toBe(old.secret);
  expect(await window.barriers('dialog')).toEqual([]);
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  expect([(await assess(old.secret)).status, (await assess(secret)).status]).toEqual([200, 200]);
  expect((await readKey()).id).toBe(old.key.id);
});

it('shows when each secret was used, and ends the old one in two actions', async () => {
  const { page, go } = window;
  await go(path);
  const notice = page.getByRole('region', { name: `“${NAME}” has two secrets` });
  await notice.getByText(`${old.key.prefix}…`).waitFor();
  expect(await notice.innerText()).toMatch(/\(old\): used (?:just now|\d+ s ago)/);
  expect(await window.barriers()).toEqual([]);
  actions = 0;
  await click('button', 'End old secret…');
  await page.getByRole('dialog').getByText('will be refused from now on').waitFor();
  await click('button', 'End old secret');
  await notice.waitFor({ state: 'detached' });
  expect(actions).toBe(2);
  expect([(await assess(old.secret)).status, (await assess(secret)).status]).toEqual([401, 200]);
});

it('takes a rotation back in two actions', async () => {
  const { page, go } = window;
  const again = await window.api<CreatedKey>('POST', `${path}/${old.key.id}/rotate`, { overlap_seconds: 60 });
  await go(path);
  actions = 0;
  await click('button', 'Take rotation back…');
  await click('button', 'Take back');
  await page.getByRole('region', { name: `“${NAME}” has two secrets` }).waitFor({ state: 'detached' });
  expect(actions).toBe(2);
  expect([(await assess(secret)).status, (await assess(again.body.secret)).status]).toEqual([200, 401]);
});

it('sets the expiry and the callers, and warns before the expiry', async () => {
  const { page, go } = window;
  await go(path);
  await click('button', `Actions for key ${NAME}`);
  await click('menuitem', 'Expiry and callers…');
  const dialog = page.getByRole('dialog');
  const lastDay = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel('Last day').fill(lastDay);
  await dialog.getByLabel('Allowed callers').fill('office');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('office is no IP address and no IP range.').waitFor();
  expect(await window.barriers('dialog')).toEqual([]);
  await dialog.getByLabel('Allowed callers').fill('203.0.113.7\n198.51.100.0/24');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByRole('row', { name: new RegExp(NAME) })
    .getByText(/^, expires |expires /)
    .first()
    .waitFor();
  expect(await readKey()).toMatchObject({ allowed_ranges: ['203.0.113.7/32', '198.51.100.0/24'] });
  const refused = await assess(secret);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('ip_not_allowed')]);
});

it('shows the volume and the block rate of each key, which lead to exactly their rows', async () => {
  const { page, go } = window;
  await go(path);
  const link = page.getByRole('link', { name: `signups with ${NAME}` }).first();
  const total = Number.parseInt(await link.innerText(), 10);
  expect(total).toBeGreaterThan(3);
  const blocked = page.getByRole('link', { name: `blocked with ${NAME}` }).first();
  expect(await blocked.innerText()).toContain('100%');
  const href = (await link.getAttribute('href')) as string;
  await go(href);
  const rows = page.getByRole('table').first().locator('tbody tr[aria-rowindex]');
  await expect.poll(() => rows.count()).toBe(total);
  expect(window.faults).toEqual([]);
});

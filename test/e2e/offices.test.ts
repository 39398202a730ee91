/** A shared office in a browser: offered where a burst stopped colleagues, with whom it covers, and kept in a list of its own. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListEntryRow, Session } from '../../src/contract/dashboard-account.ts';
import type { Assessment } from '../../src/contract/messages.ts';
import { type Client, createClient } from '../support/client.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

const PROXY = '79.199.1.7';
const COMPANY = 'orchardmedia.com';
const PAIR = `${COMPANY} + ${PROXY}`;

let installation: Installation;
let browser: TestBrowser;
let window: Window;
let client: Client;
let account: string;
let last: Assessment;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.owner });
  const id = (await window.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  account = `/accounts/${id}`;
  const key = await installation.json<{ key: string }>(
    'key',
    'create',
    '--account',
    id,
    '--name',
    'proxy',
    '--mode',
    'live',
  );
  client = createClient(service.url, key.key);
  for (let at = 0; at < 60; at += 1) {
    last = await assess(colleague(at), PROXY);
    // Others come too: an address that most signups of a key have is nobody's.
    await assess(`jo@proxy-stranger-${at}.com`, `79.194.7.${at}`);
  }
});

afterAll(async () => {
  client?.close();
  await browser?.close();
  await installation?.remove();
});

/** Two letters, which have no pattern. */
const colleague = (at: number) =>
  `${String.fromCharCode(97 + (at % 26), 97 + ((at * 7 + Math.floor(at / 26)) % 26))}@${COMPANY}`;
/** Waits until the service knows the new key, and where the plan's rate is reached. */
async function assess(email: string, ip: string): Promise<Assessment> {
  for (;;) {
    const { status, json } = await client.assess({ email, ip });
    if (status === 200) return json;
    expect([401, 429]).toContain(status);
    await setTimeout(500);
  }
}
const dialog = () => window.page.getByRole('dialog');

describe('a signup that was stopped for a burst', () => {
  it('offers a shared office, and says whom it covers and what it changes', async () => {
    const { page, follow } = window;
    expect(last.verdict).toBe('challenge');
    await follow(`${account}/assessments/${last.request_id}/full`);
    await page.getByRole('button', { name: 'Shared office…' }).click();
    expect(await dialog().getByLabel('Value').inputValue()).toBe(PAIR);
    await dialog().getByText(`These 60 people share ${PAIR}.`).waitFor();
    await dialog().getByText('would still be challenged and 0 blocked').waitFor();
    await dialog().getByText('0 as good customers and 0 as fraud').waitFor();
    expect(await window.barriers('dialog')).toEqual([]);
    await dialog().getByLabel('Reason').fill('Their proxy');
    await dialog().getByRole('button', { name: 'Add to shared offices' }).click();
    await dialog().waitFor({ state: 'detached' });
  });

  it('is allowed from then on, and says why the burst does not count', async () => {
    const { page, follow } = window;
    let hired = 60;
    const next = async () => {
      hired += 1;
      last = await assess(colleague(hired), PROXY);
      return last.verdict;
    };
    await expect.poll(next, { timeout: 5_000 }).toBe('allow');
    await follow(`${account}/assessments/${last.request_id}/full`);
    await page.getByText(`From your shared office ${PAIR} (Their proxy)`).waitFor();
    expect(await page.getByRole('button', { name: 'Shared office…' }).count()).toBe(0);
    expect((await assess('jo@mailinator.com', PROXY)).verdict).toBe('block');
  });
});

describe('the list of shared offices', () => {
  it('is a tab of its own, in which an entry is added and removed', async () => {
    const { page, follow } = window;
    await follow(`${account}/lists?list=office`);
    await page.getByRole('cell', { name: PAIR, exact: true }).waitFor();
    await page.getByRole('cell', { name: 'Domain + place' }).waitFor();
    await page.getByRole('button', { name: 'Shared office…' }).click();
    await dialog().getByLabel('Value').fill('example.com');
    await dialog().getByText('A shared office is an IP address or an IP range').waitFor();
    await dialog().getByLabel('Value').fill('203.0.113.0/24');
    await dialog().getByText('bursts are not counted against them').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: `Actions for ${PAIR}` }).click();
    await page.getByRole('menuitem', { name: 'Remove entry…' }).click();
    await dialog().getByText('bursts count against these people again').waitFor();
    await dialog().getByRole('button', { name: 'Remove entry' }).click();
    await page.getByText('No shared offices yet').waitFor();
    expect(
      (await window.api<ListEntryRow[]>('GET', `${account}/lists`)).body.map(({ action }) => action),
    ).not.toContain('office');
    expect(window.faults).toEqual([]);
  });
});

/** Finding one person in a browser: paste, Enter, her signups; her address is in no URL, log or storage. Then the keys, a phone, and what is not found. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedKey, ListEntryRow, Session } from '../../src/contract/dashboard-account.ts';
import { createClient } from '../support/client.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const PASTED = 'Zoe.Quandt@gmail.com';
/** Spellings of one mailbox. */
const SPELLINGS = ['zoe.quandt@gmail.com', 'zoequandt+shop@gmail.com', 'z.oequandt@gmail.com'];
/** Parts of the address, as URLs and logs would have them. */
const TRACES = /zoe\W{0,3}quandt|zoequandt|quandt/i;

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let member: Window;
let account: string;
const requested: string[] = [];

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  const owner = await browser.open(service.url, { as: PEOPLE.owner });
  const id = (await owner.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  account = `/accounts/${id}`;
  const created = await owner.api<CreatedKey>('POST', `${account}/keys`, { name: 'Find', mode: 'live' });
  const client = createClient(service.url, created.body.secret);
  for (const email of SPELLINGS) await client.assess({ email, ip: '79.192.3.9' });
  client.close();
  await owner.close();
  member = await browser.open(service.url, { as: PEOPLE.member });
  member.page.on('request', (request) => requested.push(request.url()));
  await member.go(`${account}/today`);
});
afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

const field = (window = member) => window.page.getByRole('combobox', { name: 'Find anything' });
const options = (window = member) => window.page.getByRole('option');
const chosen = (window = member) => window.page.getByRole('option', { selected: true });

/** Everything that the page keeps in the browser, as text. */
function readStorage({ page }: Window): Promise<string> {
  return page.evaluate<string>(`(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, await caches.keys(), databases]);
  })()`);
}

describe('a member with an address in hand', () => {
  it('loses no key that is typed while the search opens, and has the focus back after Escape', async () => {
    const { page } = member;
    const reported = requested.length;
    // The first time: its code is not loaded yet. The letters are shortcuts of the page, too.
    await page.getByRole('link', { name: 'Alerts', exact: true }).focus();
    await page.keyboard.type('/fraud.x');
    await field().waitFor();
    await expect.poll(() => field().inputValue()).toBe('fraud.x');
    await page.keyboard.type('y');
    expect(await field().inputValue()).toBe('fraud.xy');
    await page.keyboard.press('Escape');
    await field().waitFor({ state: 'detached' });
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await expect.poll(focused).toBe('Alerts');
    expect(requested.slice(reported).filter((url) => url.includes('/feedback'))).toEqual([]);
  });

  it('has her signups after a key, a paste and Enter', async () => {
    const { page } = member;
    await page.keyboard.press('/');
    await field().waitFor();
    await page.keyboard.insertText(PASTED);
    // The answer may not be there yet.
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove filter Mailbox' }).waitFor();
    await page.getByText('z***@gmail.com').first().waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(1 + SPELLINGS.length);
    const { searchParams } = new URL(page.url());
    expect([...searchParams.keys()].sort()).toEqual(['mailbox', 'period']);
    expect(await field().count()).toBe(0);
    expect(member.faults).toEqual([]);
  });

  it('leaves no trace of the address', async () => {
    const { page } = member;
    await page.goBack();
    await page.keyboard.press('/');
    await field().waitFor();
    expect(await field().inputValue()).toBe('');
    await page.keyboard.press('Escape');
    expect(requested.filter((url) => url.includes('/find'))).not.toEqual([]);
    expect(requested.filter((url) => TRACES.test(decodeURIComponent(url)))).toEqual([]);
    expect(await readStorage(member)).not.toMatch(TRACES);
    expect(service.output()).not.toMatch(TRACES);
  });
});

describe('the search', () => {
  it('is used by the keyboard alone, and says what is chosen', async () => {
    const { page } = member;
    await page.keyboard.press('Control+k');
    await field().fill('gmail.com');
    await options().first().waitFor();
    expect(await chosen().innerText()).toContain('gmail.com');
    const first = await field().getAttribute('aria-activedescendant');
    expect(await chosen().getAttribute('id')).toBe(first);
    await field().fill('e');
    await expect.poll(() => options().count()).toBeGreaterThan(1);
    // Suggestions that arrive later would be the last ones.
    await expect
      .poll(() => member.page.getByRole('dialog').getByRole('status').innerText())
      .toContain('suggestions');
    await page.keyboard.press('ArrowDown');
    const second = await field().getAttribute('aria-activedescendant');
    expect(await chosen().getAttribute('id')).toBe(second);
    expect(second).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await options().last().getAttribute('aria-selected')).toBe('true');
    expect(await member.barriers('dialog')).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => field().count()).toBe(0);
  });

  it('says that nothing is found, and asks before it searches a session id', async () => {
    const { page } = member;
    await page.keyboard.press('/');
    await field().fill('john-of-nowhere');
    await page.getByRole('option', { name: 'Search session id “john-of-nowhere”?' }).waitFor();
    expect(await options().count()).toBe(1);
    await field().fill('nobody-at-all@');
    await page.getByText('Nothing found.').waitFor();
    expect(await options().count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  it('opens a page, a command and an entry by the mouse, on a phone too', async () => {
    const window = await browser.open(service.url, { as: PEOPLE.owner, width: 390 });
    const { page } = window;
    await window.go(`${account}/today`);
    const open = async (text: string, kind: string) => {
      await page.getByRole('button', { name: 'Find anything' }).click();
      await field(window).fill(text);
      await page.getByRole('option').filter({ hasText: kind }).first().click();
      await expect.poll(() => field(window).count()).toBe(0);
    };
    await open('audit', 'Page');
    await expect.poll(() => page.url()).toContain('/audit');
    await open('create key', 'Command');
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.keyboard.press('Escape');
    await open('invite', 'Command');
    await page.getByRole('dialog').getByLabel('Email').waitFor();
    await page.keyboard.press('Escape');
    const [entry] = (await window.api<ListEntryRow[]>('GET', `${account}/lists`)).body;
    await open(entry?.reason as string, 'List entry');
    await expect.poll(() => page.url()).toContain('entry=');
    await page
      .getByText(entry?.value as string)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Find anything' }).click();
    await field(window).fill('gmail.com');
    await page.getByRole('option').first().waitFor();
    expect(await window.barriers('dialog')).toEqual([]);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    expect(window.faults).toEqual([]);
    await window.close();
  });
});

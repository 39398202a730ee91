/** Allowing and blocking in a browser: two buttons, what an entry would have matched, and protection against a hasty click. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListEntryRow, ListPreview, Session } from '../../src/contract/dashboard-account.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { readRows, type StoredRow } from '../support/demo-rows.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const ATTACK = '78.46.61.0/24';
const DAY_MS = 86_400_000;

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let window: Window;
let account: string;
let rows: readonly StoredRow[];

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.owner });
  const id = (await window.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  account = `/accounts/${id}`;
  // The 30 days that every page means: today, and the 29 before it.
  const since = Math.floor(Date.now() / DAY_MS) * DAY_MS - 29 * DAY_MS;
  rows = readRows(installation, id).filter(({ mode, at }) => mode === 'live' && at >= since);
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

const dialog = () => window.page.getByRole('dialog');
const entries = async () => (await window.api<ListEntryRow[]>('GET', `${account}/lists`)).body;
const isAttack = ({ evidence }: StoredRow) => evidence.ip?.address.startsWith('78.46.61.') === true;
const grouped = (count: number) => count.toLocaleString('en');

describe('a signup', () => {
  it('is allowed or blocked by two buttons with one meaning each', async () => {
    const { page, follow } = window;
    const { requestId } = rows.find((row) => row.verdict === 'block' && isAttack(row)) as StoredRow;
    await follow(`${account}/assessments/${requestId}`);
    for (const [button, title, submit] of [
      ['Allow…', 'Allow signups', 'Add to Allow list'],
      ['Block…', 'Block signups', 'Add to Block list'],
    ] as const) {
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('menuitem', { name: 'country' }).waitFor();
      const items = await page.getByRole('menuitem').allInnerTexts();
      const kinds = ['this address', 'the domain', 'this IP', 'IP range', 'network (AS)', 'country'];
      expect(items.map((text) => kinds.find((kind) => text.startsWith(kind)))).toEqual(kinds);
      await page.getByRole('menuitem', { name: 'IP range' }).click();
      await dialog().getByRole('heading', { name: title }).waitFor();
      expect(await dialog().getByLabel('Value').inputValue()).toBe(ATTACK);
      expect(await dialog().getByLabel('Expires').inputValue()).toBe('In 30 days');
      await dialog().getByRole('button', { name: submit }).waitFor();
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'detached' });
    }
  });
});

describe('an entry', () => {
  it('shows in advance how many signups it would have matched, equal to a count by hand', async () => {
    const { page, follow } = window;
    await follow(`${account}/lists`);
    await page.getByRole('button', { name: 'Block…' }).click();
    for (const [value, matches] of [
      ['gmail.com', ({ domain }) => /(^|\.)gmail\.com$/.test(domain)],
      [ATTACK, isAttack],
    ] as [string, (row: StoredRow) => boolean][]) {
      await dialog().getByLabel('Value').fill(value);
      const found = rows.filter(matches);
      const allowed = found.filter(({ verdict }) => verdict === 'allow');
      expect(found.length).toBeGreaterThan(10);
      const sentence = `it matches ${grouped(found.length)} signups, ${grouped(allowed.length)} of them allowed`;
      await dialog().getByText(sentence).waitFor();
      const links = dialog().getByRole('list', { name: 'Examples' }).getByRole('link');
      expect(await links.count()).toBe(5);
      expect(await links.first().getAttribute('href')).toMatch(/\/assessments\/req_\w+$/);
    }
    expect(await window.barriers('dialog')).toEqual([]);
    await dialog().getByLabel('Value').fill('not anything!');
    await dialog().getByText('Enter a domain, IP, network or country').waitFor();
  });

  it('says "at least" if not all signups could be searched', async () => {
    const { page } = window;
    const previews = (url: URL) => url.pathname.endsWith('/lists/preview');
    for (const [value, only_below, sentence] of [
      ['outlook.com', true, 'domains below outlook.com were counted only since Nov 1, 12:00'],
      ['yahoo.com', false, 'only signups since Nov 1, 12:00'],
    ] as const) {
      await page.route(previews, async (route) => {
        const answer = await route.fetch();
        const json = {
          ...((await answer.json()) as ListPreview),
          counted_from: '2026-11-01T12:00:00.000Z',
          only_below,
        };
        await route.fulfill({ response: answer, json });
      });
      await dialog().getByLabel('Value').fill(value);
      await dialog().getByText(sentence).waitFor();
      await dialog().getByText('it matches at least').waitFor();
      await page.unroute(previews);
    }
  });

  it('ends after 30 days, unless the user chooses otherwise', async () => {
    await dialog().getByLabel('Value').fill('thirty-days.example');
    await dialog().getByText('It matches no signup').waitFor();
    await dialog().getByLabel('Reason').fill('A test');
    await dialog().getByRole('button', { name: 'Add to Block list' }).click();
    await dialog().waitFor({ state: 'detached' });
    const made = (await entries()).find(({ value }) => value === 'thirty-days.example');
    expect(made?.action).toBe('deny');
    const days = (Date.parse(made?.expires_at ?? '') - Date.now()) / DAY_MS;
    expect(Math.round(days)).toBe(30);
  });

  it('for an address says which signups it covers, and can be for one spelling alone', async () => {
    const { page, follow } = window;
    await follow(`${account}/lists`);
    await page.getByRole('button', { name: 'Block…' }).click();
    const exact = dialog().getByRole('checkbox', { name: 'Only this exact spelling' });
    await dialog().getByLabel('Value').fill('shop.example');
    await dialog().getByText('any domain below it').waitFor();
    expect(await exact.count()).toBe(0);
    await dialog().getByLabel('Value').fill('j.doe@gmail.com');
    await dialog().getByText('another spelling that reaches the same mailbox').waitFor();
    await exact.check();
    await dialog().getByText('exactly the address j.doe@gmail.com').waitFor();
    await dialog().getByText('It matches no signup').waitFor();
    expect(await window.barriers('dialog')).toEqual([]);
    await dialog().getByLabel('Reason').fill('A test');
    await dialog().getByRole('button', { name: 'Add to Block list' }).click();
    await dialog().waitFor({ state: 'detached' });
    await follow(`${account}/lists?list=block&value=a test`);
    await page.getByRole('cell', { name: 'Exact address' }).waitFor();
    const made = (await entries()).find(({ kind }) => kind === 'address');
    expect(made).toMatchObject({ action: 'deny', value: 'j***@gmail.com' });
    await window.api('DELETE', `${account}/lists/${made?.id}`);
  });

  it('names the entry that it contradicts, its author and its reason, and says which wins', async () => {
    const { page, follow } = window;
    await follow(`${account}/lists`);
    await page.getByRole('button', { name: 'Allow…' }).first().click();
    const value = dialog().getByRole('textbox', { name: 'Value' });
    const others = dialog().getByRole('list', { name: 'Other entries' });
    for (const [text, winner] of [
      ['thirty-days.example', 'Allow wins: that entry no longer decides anything.'],
      ['mail.thirty-days.example', 'The new entry wins for what both match.'],
    ] as const) {
      await value.fill(text);
      await others.getByText(winner).waitFor();
      const words = await others.innerText();
      expect(words).toContain('is on the Block list, added by ');
      expect(words).toContain(PEOPLE.owner);
      expect(words).toContain('“A test”');
    }
    expect(await window.barriers('dialog')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('shows who changed it, and its history can be erased', async () => {
    const { page, follow } = window;
    await follow(`${account}/lists?list=block`);
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Actions for thirty-days.example' }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };
    await choose('History');
    const changes = dialog().getByRole('list', { name: 'Changes, newest first' });
    await changes.getByText('Added to Block list').waitFor();
    expect(await changes.innerText()).toContain(PEOPLE.owner);
    expect(await window.barriers('dialog')).toEqual([]);
    // Looking at it changes nothing.
    expect(await dialog().getByRole('button', { name: /Erase/ }).count()).toBe(0);
    await dialog().getByRole('button', { name: 'Done' }).click();
    await dialog().waitFor({ state: 'detached' });
    await choose('Erase history…');
    await dialog().getByText('The entry stays on its list.').waitFor();
    expect(await window.barriers('dialog')).toEqual([]);
    await dialog().getByRole('button', { name: 'Erase history' }).click();
    await dialog().waitFor({ state: 'detached' });
    await choose('History');
    await dialog().getByText('its history was erased').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it.each([
    ['as24940', 'AS24940'],
    ['de', 'DE'],
    // Only the service recognises these.
    ['.shop.', '.shop'],
    ['gmail.com', 'gmail.com'],
  ])('for %s is added only after its value is typed once more', async (value, shown) => {
    const { page, follow } = window;
    await follow(`${account}/lists`);
    await page.getByRole('button', { name: 'Allow…' }).click();
    await dialog().getByLabel('Value').fill(value);
    await dialog().getByLabel('Reason').fill('A test');
    const before = (await entries()).length;
    const add = dialog().getByRole('button', { name: 'Add to Allow list' });
    await dialog().getByLabel('Reason').press('Enter');
    const confirm = dialog().getByLabel(/^Type .* to confirm$/);
    await confirm.waitFor();
    expect(await add.isDisabled()).toBe(true);
    await confirm.fill(shown.slice(1));
    await confirm.press('Enter');
    expect((await entries()).length).toBe(before);
    await confirm.fill(shown);
    await add.click();
    await dialog().waitFor({ state: 'detached' });
    expect((await entries()).length).toBe(before + 1);
    const entry = (await entries()).find((entry) => entry.value === shown);
    await window.api('DELETE', `${account}/lists/${entry?.id}`);
  });

  it('is called allowed or blocked on every page', async () => {
    const { page, follow } = window;
    for (const path of ['lists?list=block', 'audit', 'assessments?verdict=block']) {
      await follow(`${account}/${path}`);
      expect(await page.locator('body').innerText()).not.toMatch(/\b(deny|denied|denies)\b/i);
    }
    await follow(`${account}/lists?list=block`);
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      expect.stringMatching(/^Allow/),
      expect.stringMatching(/^Block/),
      expect.stringMatching(/^Shared offices/),
    ]);
    expect(await window.barriers()).toEqual([]);
    expect(window.faults).toEqual([]);
  });

  it('never counts signups of other accounts', async () => {
    const { body } = await window.api<ListPreview>('POST', `${account}/lists/preview`, {
      action: 'deny',
      value: 'gmail.com',
    });
    const own = new Set(rows.map(({ requestId }) => requestId));
    expect(body.samples.every(({ request_id }) => own.has(request_id))).toBe(true);
  });
});

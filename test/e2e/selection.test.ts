/** Many signups at once in a browser: chosen by keys and by mouse, counted, reported, listed, exported, and taken back; an error stops honestly. */
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ListEntryRow, Session } from '../../src/contract/dashboard-account.ts';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

const FILTER = 'ip=78.46.61.0/24&mode=live';

let installation: Installation;
let browser: TestBrowser;
let window: Window;
let base: string;
/** Signups that the filter finds. */
let found: number;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.owner, width: 1_440 });
  const account = (await window.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  base = `/accounts/${account}`;
  found = (await window.api<{ total: number }>('GET', `${base}/assessments/summary?${FILTER}`)).body.total;
});
afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});
beforeEach(() => window.follow(`${base}/assessments?ip=78.46.61.0/24`));

const bar = () => window.page.getByRole('region', { name: 'Selected signups' });
const selected = () => bar().locator('strong').innerText();
const boxes = () => window.page.getByRole('checkbox', { name: /^Select \S+@/ });
const chosenRows = () => window.page.locator('tr[data-chosen]').count();
const reported = async (feedback: string) =>
  (
    await window.api<AssessmentSearchResult>(
      'GET',
      `${base}/assessments?${FILTER}&feedback=${feedback}&limit=200`,
    )
  ).body.rows.length;
const entries = async () => (await window.api<ListEntryRow[]>('GET', `${base}/lists`)).body;

describe('rows', () => {
  it('are chosen by keys: x, shift with x and j, all by a, none by Escape', async () => {
    const { page } = window;
    expect(found).toBeGreaterThan(60);
    for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key);
    await expect.poll(selected).toBe('3 selected');
    await page.keyboard.press('Shift+J');
    await expect.poll(selected).toBe('4 selected');
    await page.keyboard.press('x');
    await expect.poll(selected).toBe('3 selected');
    await page.keyboard.press('a');
    await expect.poll(selected).toBe(`${found} selected`);
    const all = page.getByRole('checkbox', { name: /^Select all/ });
    await expect.poll(() => all.getAttribute('aria-checked')).toBe('true');
    await page.keyboard.press('Escape');
    await bar().waitFor({ state: 'detached' });
    expect(await chosenRows()).toBe(0);
  });

  it('are chosen by the mouse, several with shift, and no more under another filter', async () => {
    const { page } = window;
    await boxes().nth(1).click();
    await boxes()
      .nth(4)
      .click({ modifiers: ['Shift'] });
    await expect.poll(selected).toBe('4 selected');
    expect(await chosenRows()).toBe(4);
    await boxes().nth(2).click();
    await expect.poll(selected).toBe('3 selected');
    // A box opens no row.
    expect(new URL(page.url()).pathname).toBe(`${base}/assessments`);
    expect(await window.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Remove filter IP', exact: true }).click();
    await bar().waitFor({ state: 'detached' });
  });
});

describe('all of them', () => {
  it('are reported in batches; an error says how many were done, and the rest can follow', async () => {
    const { page } = window;
    const before = await reported('none');
    await page.keyboard.press('a');
    await expect.poll(selected).toBe(`${found} selected`);
    await bar().getByRole('button', { name: 'Report' }).click();
    await page.getByRole('menuitem', { name: 'Fraud…' }).click();
    const dialog = page.getByRole('dialog');
    let calls = 0;
    await page.route('**/assessments/feedback', (route) => {
      calls += 1;
      return calls === 2 || (calls === 1 && found <= 100)
        ? route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'No disk.' } } })
        : route.continue();
    });
    await dialog.getByRole('button', { name: 'Report as fraud' }).click();
    await dialog.getByText('No disk.').waitFor();
    await dialog.getByText(`${found <= 100 ? 0 : 100} of ${found} reported.`).waitFor();
    await page.unroute('**/assessments/feedback');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(`Reported ${before} signups as fraud.`).waitFor();
    expect(await reported('none')).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => reported('none')).toBe(before);
  });

  it('are reported once, if a batch was stored and its answer was lost', async () => {
    const { page, follow, api } = window;
    const stopped = 'verdict=block,challenge';
    const { total } = (
      await api<{ total: number }>('GET', `${base}/assessments/summary?mode=live&${stopped}`)
    ).body;
    const unreported = async () =>
      (await api<{ total: number }>('GET', `${base}/assessments/summary?mode=live&${stopped}&feedback=none`))
        .body.total;
    const before = await unreported();
    expect(before).toBeGreaterThan(100);
    await follow(`${base}/assessments?${stopped}`);
    await page.keyboard.press('a');
    await expect.poll(selected).toBe(`${total} selected`);
    await bar().getByRole('button', { name: 'Report' }).click();
    await page.getByRole('menuitem', { name: 'Fraud…' }).click();
    const dialog = page.getByRole('dialog');
    let calls = 0;
    await page.route('**/assessments/feedback', async (route) => {
      calls += 1;
      if (calls !== 2) return route.continue();
      await route.fetch();
      return route.fulfill({ status: 502, json: { error: { code: 'internal', message: 'Answer lost.' } } });
    });
    await dialog.getByRole('button', { name: 'Report as fraud' }).click();
    await dialog.getByText('Answer lost.').waitFor();
    await dialog.getByText(`100 of ${total} reported.`).waitFor();
    await page.unroute('**/assessments/feedback');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(`Reported ${before} signups as fraud.`).waitFor();
    expect(await unreported()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Taken back.').waitFor();
    expect(await unreported()).toBe(before);
  });

  it('can be taken back while the pointer is over the note or the focus is in it, however long', async () => {
    const { page } = window;
    await page.clock.install();
    await boxes().nth(0).click();
    await bar().getByRole('button', { name: 'Report' }).click();
    await page.getByRole('menuitem', { name: 'Fraud…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Report as fraud' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.hover();
    await page.clock.fastForward(60_000);
    expect(await undo.isVisible()).toBe(true);
    await undo.focus();
    await page.mouse.move(0, 0);
    await page.clock.fastForward(60_000);
    expect(await undo.isVisible()).toBe(true);
    await undo.blur();
    await page.clock.fastForward(9_000);
    await undo.waitFor({ state: 'detached' });
    await page.clock.resume();
  });

  it('are put on a list by what they share, after a preview with both labels', async () => {
    const { page } = window;
    const before = (await entries()).length;
    await page.keyboard.press('a');
    await expect.poll(selected).toBe(`${found} selected`);
    await bar().getByRole('button', { name: 'Block…' }).click();
    const dialog = page.getByRole('dialog');
    const value = dialog.getByRole('list', { name: 'Values' }).getByRole('listitem');
    await expect.poll(() => value.allInnerTexts()).toEqual([expect.stringContaining('78.46.61.0/24')]);
    await dialog.getByText(/matches \d+: \d+ good, \d+ fraud/).waitFor();
    await dialog.getByLabel('Reason').fill('The wave of the 19th');
    expect(await window.barriers('dialog')).toEqual([]);
    await dialog.getByRole('button', { name: 'Add 1 to Block list' }).click();
    await page.getByText('Added 1 entry to the Block list.').waitFor();
    const added = (await entries()).find(({ reason }) => reason === 'The wave of the 19th');
    expect(added).toMatchObject({ value: '78.46.61.0/24', action: 'deny' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await entries()).length).toBe(before);
  });

  it('are exported, exactly these', async () => {
    const { page } = window;
    await page.keyboard.press('a');
    await expect.poll(selected).toBe(`${found} selected`);
    await boxes().nth(0).click();
    await expect.poll(selected).toBe(`${found - 1} selected`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      bar().getByRole('button', { name: 'Export these' }).click(),
    ]);
    const lines = (await text(await file.createReadStream())).trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^request_id,at,mode,verdict,score,/);
    expect(new Set(lines.slice(1).map((line) => line.split(',')[0])).size).toBe(found - 1);
    expect(window.faults).toEqual([]);
  });
});

it('a member may report and export, but not put on a list; on a phone, too', async () => {
  const phone = await browser.open(new URL(window.page.url()).origin, { as: PEOPLE.member, width: 390 });
  await phone.go(`${base}/assessments`);
  await phone.page
    .getByRole('checkbox', { name: /^Select \S+@/ })
    .first()
    .click();
  const actions = phone.page.getByRole('region', { name: 'Selected signups' });
  await actions.getByRole('button', { name: 'Report' }).waitFor();
  await actions.getByRole('button', { name: 'Export these' }).waitFor();
  expect(await actions.getByRole('button', { name: 'Block…' }).count()).toBe(0);
  const width = await phone.page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(390);
  await phone.close();
});

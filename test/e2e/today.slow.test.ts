/** The first page in a browser: each number links to as many rows, and each bar to the signups that it counts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session, Simulation } from '../../src/contract/dashboard-account.ts';
import type { FeedbackPage } from '../../src/contract/dashboard-mistakes.ts';
import type { Today } from '../../src/contract/dashboard-today.ts';
import { countActions } from '../support/counted-actions.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let window: Window;
let account: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.owner });
  account = `/accounts/${(await window.api<Session>('GET', '/session')).body.accounts[0]?.id}`;
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

const numberIn = (text: string) => Number(text.replaceAll(',', ''));

/** Rows of the open history, from its export. */
async function rowsBehind(): Promise<number> {
  const { page } = window;
  const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
  const answer = await page.request.get(href as string);
  expect(answer.status()).toBe(200);
  return (await answer.text()).trimEnd().split('\r\n').length - 1;
}

async function settled(): Promise<void> {
  await window.page.getByRole('heading', { name: 'Signups', exact: true }).waitFor();
}

describe('the first page', () => {
  it.each(['24h', '7d', '30d'])('of %s links each number of its sentence to as many rows', async (period) => {
    const { page, follow } = window;
    const links = page.getByTestId('today-sentence').getByRole('link');
    await follow(`${account}/today?period=${period}`);
    await links.first().waitFor();
    const texts = await links.allInnerTexts();
    expect(texts.length).toBeGreaterThan(2);
    for (const [index, text] of texts.entries()) {
      if (/alert|wave/.test(text)) continue;
      await follow(`${account}/today?period=${period}`);
      await links.nth(index).click();
      await settled();
      expect(await rowsBehind(), text).toBe(numberIn(/[\d,]+/.exec(text)?.[0] ?? ''));
    }
  });

  it('answers how many fake signups came this week, and how sure that is, by its first sentence', async () => {
    const { page, go } = window;
    await go(`${account}/today`);
    const actions = countActions(window);
    await actions.click(page.getByText('7 d', { exact: true }));
    const sentence = page.getByTestId('today-sentence');
    await sentence.getByText(/^Since \w{3}, /).waitFor();
    expect(await sentence.innerText()).toMatch(/[\d,]+ fake ones? blocked/);
    expect(await page.getByTestId('today-sure').innerText()).toMatch(
      /^How sure: (of \d+ blocked in the last 7 days and checked, \d+ (was|were) fraud and \d+ (a good customer|good customers): \d+% fraud\.|nobody has checked the blocked ones of the last 7 days yet\.)/,
    );
    expect(actions.count).toBe(1);
  });

  it('shows sentence and needs on a phone without scrolling', async () => {
    const phone = await browser.open(service.url, { as: PEOPLE.owner, width: 390 });
    await phone.go(`${account}/today?period=7d`);
    const needs = phone.page.getByRole('region', { name: 'Needs you' });
    await needs.waitFor();
    const box = await needs.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
    expect(await phone.barriers()).toEqual([]);
    await phone.close();
  });

  it('keeps the address that it had before', async () => {
    const { page, go } = window;
    await go(`${account}/overview?period=30d`);
    await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
    expect(page.url()).toMatch(/\/today\?period=30d$/);
  });

  it('counts the same signups as the page of thresholds', async () => {
    const { page, follow } = window;
    const path = `/accounts/${account.split('/')[2]}/today?mode=live&period=30d`;
    const { totals } = (await window.api<Today>('GET', path)).body;
    const { challenge, block } = totals.observed;
    const total = totals.allow + totals.challenge + totals.block + challenge + block;
    const draft = { mode: 'live', period: '30d', thresholds: { challenge: 30, block: 60 } };
    const simulated = await window.api<Simulation>('POST', path.replace(/today.*/, 'simulate'), draft);
    const { judged, left_out } = simulated.body;
    expect(judged + left_out.own_thresholds + left_out.observed + left_out.revoked).toBe(total);
    expect(left_out.observed).toBeGreaterThan(0);
    await follow(`${account}/thresholds?period=30d`);
    await page.getByText(`${judged.toLocaleString('en')} signups of the last 30 days`).waitFor();
  });

  it.each([
    ['Good customers stopped', 'false_positives'],
    ['Fraud let in', 'false_negatives'],
  ] as const)('and the page of feedback link from "%s" to as many rows', async (label, member) => {
    const { page, follow } = window;
    const path = `/accounts/${account.split('/')[2]}/feedback?mode=live&period=30d`;
    const { totals } = (await window.api<FeedbackPage>('GET', path)).body;
    await follow(`${account}/feedback?period=30d`);
    await page.getByRole('link', { name: new RegExp(`^${label}`) }).click();
    await settled();
    expect(await rowsBehind()).toBe(totals[member]);
  });

  it('draws a bar for each day, nothing for zero, and marks today as unfinished', async () => {
    const { page, follow } = window;
    await follow(`${account}/today?period=30d`);
    const path = `/accounts/${account.split('/')[2]}/today?mode=live&period=30d`;
    const { series } = (await window.api<Today>('GET', path)).body;
    const drawn = await page
      .locator('[role="slider"] [data-state]')
      .evaluateAll((bars) =>
        bars.map((bar) => [
          (bar as unknown as { dataset: { state: string } }).dataset.state,
          (bar as unknown as { childElementCount: number }).childElementCount,
        ]),
      );
    expect(drawn.map(([, blocks]) => blocks)).toEqual(
      series.map(
        ({ allow, challenge, block, observed }) =>
          [allow, observed.challenge + observed.block, challenge, block].filter((count) => count > 0).length,
      ),
    );
    expect(drawn.map(([state]) => state)).toEqual([...series.slice(1).map(() => 'over'), 'running']);
    await page.getByText('so far', { exact: true }).waitFor();
  });

  it('shows no row for the hours of today that have not begun', async () => {
    const { page, follow } = window;
    await follow(`${account}/today?period=7d`);
    await page.getByRole('button', { name: 'Show as table' }).click();
    const rows = page.getByRole('table', { name: 'Answers over time' }).getByRole('row');
    const begun = 6 * 6 + Math.floor(new Date().getUTCHours() / 4) + 1;
    expect(await rows.count()).toBe(begun + 1);
  });

  it('moves along the bars by keyboard and opens the signups of a bar', async () => {
    const { page, follow } = window;
    await follow(`${account}/today?period=30d`);
    const slider = page.getByRole('slider', { name: 'Answers over time' });
    await slider.focus();
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft');
    const valueText = (await slider.getAttribute('aria-valuetext')) ?? '';
    const counts = [...valueText.matchAll(/(?:Allow|Observed|Challenge|Block) ([\d,]+)/g)].map(([, count]) =>
      numberIn(count as string),
    );
    expect(counts).toHaveLength(4);
    await page.keyboard.press('Enter');
    await settled();
    expect(await rowsBehind()).toBe(counts.reduce((sum, count) => sum + count, 0));
    expect(window.faults).toEqual([]);
  });

  it('keeps the period on the way to the history and back, and removes it by its chip', async () => {
    const { page, follow } = window;
    await follow(`${account}/today`);
    await page.getByRole('link', { name: 'Signups', exact: true }).click();
    await settled();
    expect(new URL(page.url()).searchParams.get('period')).toBe('24h');
    const day = await rowsBehind();
    await page.getByRole('button', { name: 'Remove filter Time' }).click();
    await page.waitForURL((url) => !url.searchParams.has('period'));
    expect(await rowsBehind()).toBeGreaterThan(day);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Last 30 days' }).click();
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await page.waitForURL((url) => url.searchParams.get('period') === '30d');
    await page.getByRole('link', { name: 'Today', exact: true }).click();
    await page.waitForURL(
      (url) => url.pathname.endsWith('/today') && url.searchParams.get('period') === '30d',
    );
  });
});

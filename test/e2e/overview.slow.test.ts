/** The overview in a browser: each number links to as many rows, and each bar to the signups that it counts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Overview, Session, Simulation } from '../../src/contract/dashboard-account.ts';
import type { FeedbackPage } from '../../src/contract/dashboard-assessments.ts';
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

describe('the overview', () => {
  it.each([
    ['30d', 'Signups'],
    ['30d', 'Block'],
    ['7d', 'Challenge'],
    ['7d', 'Signups'],
  ])('of %s links from "%s" to as many rows', async (period, label) => {
    const { page, follow } = window;
    await follow(`${account}/overview?period=${period}`);
    const card = page.getByRole('link', { name: new RegExp(`^${label}\\s*[\\d<>]`) });
    const text = (await card.innerText()).split('\n').filter((line) => line.trim() !== '');
    const counted = label === 'Signups' ? text[1] : /^[\d,]+/.exec(text[2] ?? '')?.[0];
    await card.click();
    await settled();
    await page.getByText(`Last ${period === '7d' ? '7' : '30'} days`).waitFor();
    expect(await rowsBehind()).toBe(numberIn(counted ?? ''));
    expect(numberIn(counted ?? '')).toBeGreaterThan(0);
  });

  it('counts what a key in shadow mode let in apart, and links to as many rows', async () => {
    const { page, follow } = window;
    const path = `/accounts/${account.split('/')[2]}/overview?mode=live&period=30d`;
    const { totals } = (await window.api<Overview>('GET', path)).body;
    for (const verdict of ['block', 'challenge'] as const) {
      await follow(`${account}/overview?period=30d`);
      await page.getByRole('link', { name: /^Would have been stopped/ }).waitFor();
      const line = page.getByText(/^On Mobile app, .* It only observed: the answer was Allow\.$/);
      const link = line.getByRole('link').nth(verdict === 'block' ? 0 : 1);
      expect(numberIn(await link.innerText())).toBe(totals.observed[verdict]);
      await link.click();
      await settled();
      expect(await rowsBehind()).toBe(totals.observed[verdict]);
    }
  });

  it('opens as many rows from a main finding as it says were stopped, and as have it', async () => {
    const { page, follow } = window;
    for (const cell of [-2, -1]) {
      await follow(`${account}/overview?period=30d`);
      const link = page.getByRole('link', { name: 'Throw-away domain', exact: true });
      const row = page.getByRole('row').filter({ has: link });
      await row.waitFor();
      const count = numberIn(await row.getByRole('cell').nth(cell).innerText());
      expect(count).toBeGreaterThan(0);
      await (cell === -1 ? row.getByRole('cell').nth(cell).getByRole('link') : link).click();
      await settled();
      expect(await rowsBehind()).toBe(count);
    }
  });

  it('counts the same signups as the page of thresholds', async () => {
    const { page, follow } = window;
    const path = `/accounts/${account.split('/')[2]}/overview?mode=live&period=30d`;
    const { totals } = (await window.api<Overview>('GET', path)).body;
    const { challenge, block } = totals.observed;
    const total = totals.allow + totals.challenge + totals.block + challenge + block;
    const draft = { mode: 'live', period: '30d', thresholds: { challenge: 30, block: 60 } };
    const simulated = await window.api<Simulation>('POST', path.replace(/overview.*/, 'simulate'), draft);
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

  it('makes no comparison with a period that its data do not cover', async () => {
    const { page, follow } = window;
    await follow(`${account}/overview?period=30d`);
    await page.getByText('not enough data before these 30 days').waitFor();
    expect(await page.getByText(/before$/).count()).toBe(0);
    await follow(`${account}/overview?period=7d`);
    await page.getByText(/than in the 7 days before|as in the 7 days before/).waitFor();
  });

  it('draws a bar for each day, nothing for zero, and marks today as unfinished', async () => {
    const { page, follow } = window;
    await follow(`${account}/overview?period=30d`);
    const path = `/accounts/${account.split('/')[2]}/overview?mode=live&period=30d`;
    const { series } = (await window.api<Overview>('GET', path)).body;
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
    await follow(`${account}/overview?period=7d`);
    await page.getByRole('button', { name: 'Show as table' }).click();
    const rows = page.getByRole('table', { name: 'Verdicts over time' }).getByRole('row');
    const begun = 6 * 6 + Math.floor(new Date().getUTCHours() / 4) + 1;
    expect(await rows.count()).toBe(begun + 1);
  });

  it('moves along the bars by keyboard and opens the signups of a bar', async () => {
    const { page, follow } = window;
    await follow(`${account}/overview?period=30d`);
    const slider = page.getByRole('slider', { name: 'Verdicts over time' });
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
    await follow(`${account}/overview`);
    await page.getByRole('link', { name: 'Signups', exact: true }).click();
    await settled();
    expect(new URL(page.url()).searchParams.get('period')).toBe('7d');
    const week = await rowsBehind();
    await page.getByRole('button', { name: 'Remove filter Time' }).click();
    await page.waitForURL((url) => !url.searchParams.has('period'));
    expect(await rowsBehind()).toBeGreaterThan(week);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Last 30 days' }).click();
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await page.waitForURL((url) => url.searchParams.get('period') === '30d');
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByText('last 30 days').first().waitFor();
  });
});

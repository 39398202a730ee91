/** The list of signups as an instrument: its totals, its histogram, its groups and its chips all lead to exactly their rows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { SignupGroups, SignupSummary } from '../../src/contract/dashboard-signup-counts.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

let installation: Installation;
let browser: TestBrowser;
let window: Window;
let account: string;
let base: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.member, width: 1_440 });
  account = (await window.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  base = `/accounts/${account}/assessments`;
});
afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

const query = () => Object.fromEntries(new URL(window.page.url()).searchParams);
const total = () => window.page.getByRole('main').locator('header strong').innerText();

/** Lines of the export for what the page shows. */
async function exported(): Promise<number> {
  const search = new URLSearchParams(new URL(window.page.url()).searchParams);
  search.delete('by');
  search.set('mode', 'live');
  return window.page.evaluate(async (path) => {
    const text = await (await fetch(path)).text();
    return text.trimEnd().split('\r\n').length - 1;
  }, `/dashboard/api/accounts/${account}/assessments.csv?${search}`);
}

const words = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'signup' : 'signups'}`;

describe('the head of the list', () => {
  it('says how many the filter finds; each answer leads to its rows', async () => {
    const { page, follow, api } = window;
    await follow(`${base}?period=30d`);
    const summary = (
      await api<SignupSummary>('GET', `/accounts/${account}/assessments/summary?mode=live&period=30d`)
    ).body;
    expect(await total()).toBe(words(summary.total));
    await page.getByRole('button', { name: `${summary.block.toLocaleString('en')} blocked` }).click();
    await expect.poll(query).toMatchObject({ period: '30d', verdict: 'block', shadow: 'false' });
    await expect.poll(total).toBe(words(summary.block));
    expect(await exported()).toBe(summary.block);
  });
});

describe('the histogram', () => {
  it('makes of bars chosen by keyboard one window, exactly', async () => {
    const { page, follow } = window;
    await follow(`${base}?verdict=block&period=30d`);
    const before = await total();
    await page.getByRole('slider', { name: 'Signups over time, bar by bar' }).focus();
    await page.keyboard.press('Home');
    for (const key of ['ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Enter'])
      await page.keyboard.press(key);
    await expect.poll(query).toMatchObject({ verdict: 'block', from: expect.any(String) });
    const { from, to, period } = query();
    // Three bars of a third of a day.
    expect(Date.parse(to as string) - Date.parse(from as string)).toBe(86_400_000);
    expect(period).toBeUndefined();
    await expect.poll(total).not.toBe(before);
    expect(await total()).toBe(words(await exported()));
    expect(await page.getByRole('list', { name: 'Filters' }).getByRole('listitem').count()).toBe(1);
  });

  it('makes of a drag with the mouse one window', async () => {
    const { page, follow } = window;
    await follow(`${base}?period=7d`);
    const slider = page.getByRole('slider', { name: 'Signups over time, bar by bar' });
    const bars = Number(await slider.getAttribute('aria-valuemax'));
    const { x, y, width, height } = (await slider.boundingBox()) as { [name: string]: number } & object;
    const at = (bar: number) => (x as number) + ((width as number) * (bar + 0.5)) / bars;
    await page.mouse.move(at(bars - 6), (y as number) + (height as number) / 2);
    await page.mouse.down();
    await page.mouse.move(at(bars - 4), (y as number) + (height as number) / 2, { steps: 4 });
    await page.mouse.move(at(bars - 3), (y as number) + (height as number) / 2);
    await page.mouse.up();
    await expect.poll(query).toMatchObject({ from: expect.any(String), to: expect.any(String) });
    const { from, to } = query();
    // Four bars of two hours.
    expect(Date.parse(to as string) - Date.parse(from as string)).toBe(8 * 3_600_000);
    await expect.poll(async () => (await total()) === words(await exported())).toBe(true);
  });
});

describe('the groups', () => {
  it('open with b, and lead by Enter to exactly the rows of a bar', async () => {
    const { page, follow, api } = window;
    await follow(`${base}?verdict=block`);
    await page.keyboard.press('b');
    await expect.poll(query).toMatchObject({ by: 'range' });
    await page.getByLabel('Group by').selectOption('network');
    const { groups } = (
      await api<SignupGroups>(
        'GET',
        `/accounts/${account}/assessments/groups?mode=live&verdict=block&by=network`,
      )
    ).body;
    const [first] = groups;
    const bar = page.getByRole('region', { name: 'Signups by network' }).getByRole('button').nth(1);
    await bar.focus();
    expect(await bar.innerText()).toContain(Number(first?.total).toLocaleString('en'));
    await page.keyboard.press('Enter');
    await expect.poll(query).toEqual({ verdict: 'block', ...first?.filter });
    await expect.poll(total).toBe(words(first?.total as number));
    expect(await exported()).toBe(first?.total);
  });

  it('have no barriers', async () => {
    await window.follow(`${base}?by=domain`);
    expect(await window.barriers()).toEqual([]);
  });
});

describe('the chips', () => {
  it('keep the last hour relative, also in the link of the export', async () => {
    const { page, follow } = window;
    await follow(base);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Time', exact: true }).click();
    await page.getByRole('option', { name: 'Last 60 minutes' }).click();
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect.poll(query).toEqual({ period: '1h' });
    await page.getByRole('list', { name: 'Filters' }).getByText('Last 60 minutes').waitFor();
    const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    expect(href).toMatch(/period=1h/);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    expect(await page.getByRole('combobox', { name: 'Time', exact: true }).inputValue()).toBe(
      'Last 60 minutes',
    );
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect.poll(query).toEqual({});
  });

  it('are one a value, and turn into their opposite', async () => {
    const { page, follow } = window;
    await follow(`${base}?country=DE,FR&domain=!.gmail.com`);
    const chips = page.getByRole('list', { name: 'Filters' }).getByRole('listitem');
    await expect
      .poll(() => chips.allInnerTexts())
      .toEqual(
        expect.arrayContaining([
          expect.stringContaining('Germany'),
          expect.stringContaining('France'),
          expect.stringMatching(/Domain not[\s\S]*gmail\.com and its sub-domains/),
        ]),
      );
    await page.getByRole('button', { name: 'Country France: leave these out' }).click();
    await expect.poll(query).toMatchObject({ country: 'DE,!FR' });
    await page.getByRole('button', { name: 'Remove filter Country', exact: true }).click();
    await expect.poll(query).toMatchObject({ country: '!FR' });
    await expect.poll(async () => (await total()) === words(await exported())).toBe(true);
  });
});

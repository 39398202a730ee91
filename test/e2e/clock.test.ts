/** One clock in a browser: every time is by the account's, wherever the reader is, and figures are written as their browser does. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { Today } from '../../src/contract/dashboard-today.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const ZONE = 'Asia/Kolkata';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let window: Window;
let account: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  const reader = { as: PEOPLE.owner, locale: 'en-US', timeZone: 'America/Los_Angeles' };
  window = await browser.open(service.url, reader);
  window.page.setDefaultTimeout(20_000);
  account = `/accounts/${(await window.api<Session>('GET', '/session')).body.accounts[0]?.id}`;
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

it('is set by an owner, and said once on each page', async () => {
  const { page, go } = window;
  await go(`${account}/settings`);
  await page.getByRole('contentinfo').getByText('Times in UTC').waitFor();
  const zone = page.getByRole('combobox', { name: 'All times, days and charts' });
  await zone.selectOption({ label: 'Kolkata' });
  await page.getByRole('button', { name: 'Save time zone' }).click();
  await page.getByRole('contentinfo').getByText(`Times in ${ZONE}`).waitFor();
  await page.getByText('Saved.').waitFor();
});

it('is the same on the axis, in the chip of its link and in the rows', async () => {
  const { page, go, api } = window;
  const path = `${account}/today?mode=live&period=30d`;
  const { series } = (await api<Today>('GET', path)).body;
  const index = series.findLastIndex(({ allow }, at) => at < series.length - 1 && allow > 0);
  const { at, to } = series[index] as (typeof series)[number];
  expect(at.slice(11)).toBe('18:30:00.000Z');
  const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: ZONE });
  await go(`${account}/today?period=30d`);
  await page.getByRole('button', { name: 'Show as table' }).click();
  await page
    .locator('table')
    .getByText(day.format(Date.parse(at)), { exact: true })
    .first()
    .waitFor();
  await go(`${account}/assessments?${new URLSearchParams({ from: at, to })}`);
  const chips = page.getByRole('list', { name: 'Filters' }).getByRole('listitem');
  expect(await chips.allInnerTexts()).toHaveLength(1);
  expect(await chips.first().innerText()).toContain(day.format(Date.parse(at)));
  const clock = new Intl.DateTimeFormat('en-US', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: ZONE,
  });
  const time = page.locator('tbody time').first();
  const instant = Date.parse((await time.getAttribute('datetime')) ?? '');
  expect(await time.innerText()).toContain(`, ${clock.format(instant)}`);
  await chips.first().getByRole('button').click();
  await page.waitForURL((url) => !url.searchParams.has('from') && !url.searchParams.has('to'));
});

it('writes figures as the browser of the reader does', async () => {
  const german = await browser.open(service.url, {
    as: PEOPLE.owner,
    locale: 'de',
    timeZone: 'Europe/Berlin',
  });
  await german.go(`${account}/today?period=30d`);
  const { totals } = (await german.api<Today>('GET', `${account}/today?mode=live&period=30d`)).body;
  const { allow, challenge, block, observed } = totals;
  const total = allow + challenge + block + observed.challenge + observed.block;
  await german.page
    .getByText(`${new Intl.NumberFormat('de').format(total)} signups`)
    .first()
    .waitFor();
  expect(german.faults).toEqual([]);
  await german.close();
});

/** No figure without its link, no link without its total: on every page of the demo, each number that leads to signups is that of the rows behind its link. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { VIEWS } from '../../demo/page-views.mjs';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

interface View {
  readonly path: string;
  /** Shows more figures. */
  readonly open?: (window: Window) => Promise<void>;
}

/** Figures that a page shows only after a click, or in another tab. */
const MORE: Readonly<Record<string, View>> = {
  'lists of blocks': { path: '/accounts/:account/lists?list=block' },
  'usage as a table': {
    path: '/accounts/:account/usage',
    open: ({ page }) => page.getByRole('button', { name: 'Show as table' }).click(),
  },
  'a person who was found': {
    path: '/accounts/:account/privacy',
    async open({ page }) {
      await page.getByLabel('Email address').fill('Zoe.Quandt@gmail.com');
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await page.getByRole('link', { name: '1 sandbox' }).waitFor();
    },
  },
};
/** Figures that count something else than signups, by the head of their column or the label of their card. */
const OTHER_THINGS = [
  'Active sources',
  'Entries',
  'Needs attention',
  'Projected',
  'Overage so far',
  'Resets',
  'Snapshot',
  'Last change',
  'Accounts',
  'Members',
  'Stopped',
  'Used',
  'Limit',
];

let installation: Installation;
let browser: TestBrowser;
let window: Window;
let account: string;
let blocked: string;
/** Number of links that were followed, by page. */
const followed = new Map<string, number>();

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const { url } = await installation.start();
  window = await browser.open(url, { as: PEOPLE.operator, width: 1_440 });
  const { accounts } = (await window.api<Session>('GET', '/session')).body;
  account = accounts.find(({ name }) => name === 'Fernlight')?.id as string;
  const found = await window.api<AssessmentSearchResult>(
    'GET',
    `/accounts/${account}/assessments?mode=live&verdict=block&limit=1`,
  );
  blocked = found.body.rows[0]?.request_id as string;
  await window.api('POST', `/accounts/${account}/try`, { mode: 'test', email: 'zoe.quandt@gmail.com' });
});
afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

const views: readonly (readonly [string, View])[] = [
  ...VIEWS.filter(({ isPublic }) => !isPublic).map((view): [string, View] => [view.name, view]),
  ...Object.entries(MORE),
];

it.each(views)('%s', async (name, { path, open }) => {
  await window.follow(path.replace(':account', account).replace(':blocked', blocked));
  await open?.(window);
  expect(await window.page.evaluate(readUnlinked, OTHER_THINGS)).toEqual([]);
  const links = await window.page.evaluate(readLinks);
  const seen: object[] = [];
  const behind: object[] = [];
  for (const { text, href } of links) {
    const figure = figureIn(text);
    // The list behind a link without a figure says how many it has.
    if (figure === undefined) continue;
    const lines = await countLines(href);
    const isLeast = /at least|\d\+/.test(text);
    seen.push({ text, href, figure });
    behind.push({ text, href, figure: isLeast && lines > figure ? figure : lines });
  }
  expect(seen).toEqual(behind);
  followed.set(name, seen.length);
});

it.each(['7d', '30d'])('the waves and alerts of Today, %s', async (period) => {
  const { page } = window;
  const compare = async () => {
    await window.follow(`/accounts/${account}/today?period=${period}`);
    const links = await page.evaluate(readSentence);
    const others = links.filter(({ href }) => !href.includes('/assessments?'));
    expect(others.map(({ text }) => text).join()).toMatch(/\d+ waves?/);
    for (const { text, href } of others) {
      await window.follow(href);
      expect([text, await page.locator('main tr[data-row]').count()]).toEqual([text, figureIn(text)]);
    }
  };
  // An alert may open in between.
  await vi.waitFor(compare, { timeout: 60_000, interval: 1_000 });
});

it('are found on the pages that have them', () => {
  for (const name of ['lists', 'lists of blocks', 'usage', 'usage as a table', 'feedback', 'keys', 'shadow'])
    expect([name, followed.get(name) ?? 0]).toEqual([name, expect.toSatisfy((count) => count > 0)]);
});

/** The first whole number of a text that is no percentage, and no part of a name or an address. */
function figureIn(text: string): number | undefined {
  // A network has any name: 1&1, 3.
  if (/^AS\d+ /.test(text)) return undefined;
  const [whole] = text.replace(/[\d.,]+%/g, ' ').match(/(?<![\w.:*@-])\d[\d,]*(?![\w.:*@/-])/) ?? [];
  return whole === undefined ? undefined : Number(whole.replaceAll(',', ''));
}

/** Lines of the export for the filter of a link. */
async function countLines(href: string): Promise<number> {
  const search = new URL(href, 'http://localhost').searchParams;
  search.delete('by');
  if (!search.has('mode')) search.set('mode', 'live');
  return window.page.evaluate(async (path) => {
    const answer = await fetch(path);
    const text = await answer.text();
    return answer.ok ? text.trimEnd().split('\r\n').length - 1 : Number.NaN;
  }, `/dashboard/api/accounts/${account}/assessments.csv?${search}`);
}

interface InPage {
  readonly document: { querySelectorAll(selector: string): Iterable<InPageElement> };
}
interface InPageElement {
  readonly textContent: string;
  readonly cellIndex: number;
  readonly previousElementSibling: InPageElement | null;
  getAttribute(name: string): string | null;
  closest(selector: string): InPageElement | null;
  querySelectorAll(selector: string): Iterable<InPageElement>;
}

/** Runs in the page: the links of Today's sentence. */
function readSentence(): { readonly text: string; readonly href: string }[] {
  const { document } = globalThis as unknown as InPage;
  return [...document.querySelectorAll('[data-testid=today-sentence] a')].map((link) => ({
    text: link.textContent,
    href: link.getAttribute('href') ?? '',
  }));
}

/** Runs in the page: its links to lists of signups. */
function readLinks(): { readonly text: string; readonly href: string }[] {
  const { document } = globalThis as unknown as InPage;
  return [...document.querySelectorAll('main a[href*="/assessments?"]')].map((link) => {
    const [text] = [...link.querySelectorAll('[data-figure]')].map((figure) => figure.textContent);
    const isWhole = text !== undefined && /^[\d,]+$/.test(text);
    return { text: isWhole ? text : link.textContent.trim(), href: link.getAttribute('href') ?? '' };
  });
}

/** Runs in the page: names of figures above zero that lead nowhere, and are not of the other things. */
function readUnlinked(others: readonly string[]): string[] {
  const { document } = globalThis as unknown as InPage;
  return [...document.querySelectorAll('main [data-figure]')]
    .filter((figure) => figure.closest('a') === null && /[1-9]/.test(figure.textContent))
    .map((figure) => {
      const cell = figure.closest('td');
      const heads = [...(cell?.closest('table')?.querySelectorAll('thead th') ?? [])];
      return (heads[cell?.cellIndex ?? 0] ?? figure.previousElementSibling)?.textContent ?? '';
    })
    .filter((name) => !others.includes(name));
}

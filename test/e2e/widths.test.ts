/** What tables show at the widths of desktops and tablets: nothing is cut off but text, which then ends with an ellipsis. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VIEWS } from '../../demo/page-views.mjs';
import type { Session } from '../../src/contract/dashboard-account.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const TABLES = VIEWS.filter(({ hasTable, path }) => hasTable && !path.includes(':blocked'));
const WIDTHS = [1_280, 1_024, 960, 820];

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let window: Window;
let account: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.operator });
  const { accounts } = (await window.api<Session>('GET', '/session')).body;
  account = accounts.find(({ name }) => name === 'Fernlight')?.id as string;
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

describe('figures', () => {
  it.each(['overview', 'usage'])('of %s fill their card', async (path) => {
    await window.follow(`/accounts/${account}/${path}`);
    for (const width of WIDTHS) {
      await window.page.setViewportSize({ width, height: 900 });
      expect({ width, hole: await window.page.evaluate(findHole) }).toEqual({ width, hole: 0 });
    }
  });
});

describe('tables', () => {
  it.each(TABLES)('of $name cut off no badge, number or bar', async ({ path }) => {
    await window.follow(path.replace(':account', account));
    for (const width of WIDTHS) {
      await window.page.setViewportSize({ width, height: 900 });
      expect({ width, cut: await window.page.evaluate(findCutBoxes) }).toEqual({ width, cut: [] });
    }
  });

  it.each(['lists', 'keys'])('of %s show the names in them', async (path) => {
    await window.follow(`/accounts/${account}/${path}`);
    for (const width of WIDTHS) {
      await window.page.setViewportSize({ width, height: 900 });
      expect({ width, cut: await window.page.evaluate(findCutNames) }).toEqual({ width, cut: [] });
    }
  });
});

interface Element {
  readonly textContent: string;
  readonly clientWidth: number;
  readonly scrollWidth: number;
  querySelectorAll(selector: string): Iterable<Element>;
  getBoundingClientRect(): { readonly right: number; readonly width: number };
}
interface InPage {
  readonly document: Element;
  getComputedStyle(of: Element): { readonly display: string; readonly position: string };
}

/** Runs in the page: boxes that reach beyond their cell, where no ellipsis can end them. */
function findCutBoxes(): string[] {
  const { document, getComputedStyle } = globalThis as unknown as InPage;
  return [...document.querySelectorAll('td')].flatMap((cell) => {
    const edge = cell.getBoundingClientRect().right;
    const boxes = [...cell.querySelectorAll('*')].filter((box) => {
      const { display, position } = getComputedStyle(box);
      return /flex|inline-block/.test(display) && position !== 'absolute';
    });
    const cut = boxes.some((box) => {
      const { right, width } = box.getBoundingClientRect();
      return width > 0 && right > edge;
    });
    return cut ? [cell.textContent] : [];
  });
}

/** Runs in the page: how much is left empty beside the last figure, its card's border aside. */
function findHole(): number {
  const { document } = globalThis as unknown as InPage;
  const [card, last] = ['[class*=_stats_]', '[class*=_stats_] > :last-child'].map(
    (selector) => [...document.querySelectorAll(selector)][0] as Element,
  ) as [Element, Element];
  const room = card.getBoundingClientRect().right - last.getBoundingClientRect().right;
  return Math.max(0, Math.round(room - 1));
}

/** Runs in the page. */
function findCutNames(): string[] {
  const { document } = globalThis as unknown as InPage;
  return [...document.querySelectorAll('td:first-child')]
    .filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth)
    .map(({ textContent }) => textContent);
}

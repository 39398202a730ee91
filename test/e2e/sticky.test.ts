/** Where the headers of tables stay while rows scroll: at the bar of the page or of the panel, never over or between rows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { LogPage } from '../../src/contract/dashboard-assessments.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

/** So low that every table is longer than what is seen of it. */
const WIDE = { width: 1_440, height: 330 };
const OF_ACCOUNT = [
  'overview',
  'assessments',
  'feedback',
  'thresholds?challenge=24&block=48',
  'lists',
  'keys',
  'people',
  'audit',
];
const OF_INSTALLATION = ['/intelligence', '/operator'];

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let window: Window;
let account: string;
let crowded: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.operator, width: 1_440 });
  await window.page.setViewportSize(WIDE);
  const { accounts } = (await window.api<Session>('GET', '/session')).body;
  account = accounts.find(({ name }) => name === 'Fernlight')?.id as string;
  const log = await window.api<LogPage>('GET', `/accounts/${account}/assessments?domain=gmail.com&limit=1`);
  crowded = log.body.rows[0]?.request_id as string;
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

describe('the header of a table', () => {
  it.each([...OF_ACCOUNT, ...OF_INSTALLATION])('of %s stays right under the bar on top', async (path) => {
    await window.follow(path.startsWith('/') ? path : `/accounts/${account}/${withPeriod(path)}`);
    await expectSticky('main');
  });

  it('in a panel stays right under the head of the panel', async () => {
    await window.follow(`/accounts/${account}/assessments/${crowded}?domain=gmail.com`);
    await window.page.getByRole('table', { name: /^Same / }).waitFor();
    await expectSticky('aside');
  });
});

const withPeriod = (path: string) => `${path}${path.includes('?') ? '&' : '?'}period=30d`;

/** On a phone, where the bar on top has two lines or one, a header scrolls with its rows. */
async function expectSticky(place: string): Promise<void> {
  const { page } = window;
  await page.evaluate(addRoom);
  const heads = await page.evaluate(measureHeads, place);
  expect(heads.length).toBeGreaterThan(0);
  expect(heads.filter(({ off, under }) => Math.abs(off) > 1 || under !== '')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  const onPhone = await page.evaluate(measureHeads, place);
  expect(onPhone.filter(({ fromTop }) => fromTop !== 0)).toEqual([]);
  await page.setViewportSize(WIDE);
}

interface Head {
  readonly table: string | null;
  /** Pixels between the header and the line it has to stay at, once that line is in the midst of the rows. */
  readonly off: number;
  /** Pixels between the upper edges of header and table. */
  readonly fromTop: number;
  /** Text of a row that shows between the line and the header; empty where none does. */
  readonly under: string;
}
interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly height: number;
}
interface Element {
  readonly textContent: string;
  readonly parentElement: Element | null;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  readonly clientTop: number;
  scrollTop: number;
  readonly style: { paddingBottom: string };
  closest(selector: string): Element | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  getBoundingClientRect(): Box;
}
interface InPage {
  readonly document: Element & {
    readonly scrollingElement: Element;
    elementFromPoint(x: number, y: number): Element | null;
  };
  requestAnimationFrame(then: () => void): void;
  getComputedStyle(of: Element): { readonly overflowY: string };
}

/** Runs in the page: what is short can then be scrolled out of sight as well. */
async function addRoom(): Promise<void> {
  const { document, requestAnimationFrame } = globalThis as unknown as InPage;
  (document.querySelector('main') as Element).style.paddingBottom = '100vh';
  // Styles change within a transition, however short.
  for (let frame = 0; frame < 3; frame += 1) await new Promise<void>((next) => requestAnimationFrame(next));
}

/** Runs in the page: scrolls each table until its upper rows have passed the line, and looks where its header is. */
function measureHeads(place: string): Head[] {
  const { document, getComputedStyle } = globalThis as unknown as InPage;
  const PAST = 34;
  return [...document.querySelectorAll(`${place} [class*=_scroll_] > table`)].flatMap((table) => {
    const head = table.querySelector('th') as Element;
    // Another header is in front of it, or it is too short to scroll out of sight.
    const behind = table.closest('aside, main') !== document.querySelector(place);
    if (behind || table.getBoundingClientRect().height < PAST + 40) return [];
    let box = table.parentElement;
    while (box !== null && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
    const scroller = box ?? document.scrollingElement;
    const bar = document.querySelector('header[class*=_top_]') as Element;
    const line = () =>
      Math.round(
        box === null ? bar.getBoundingClientRect().bottom : box.getBoundingClientRect().top + box.clientTop,
      );
    scroller.scrollTop += table.getBoundingClientRect().top - line() + PAST;
    const at = table.getBoundingClientRect();
    const { top } = head.getBoundingClientRect();
    const between = top > line() + 1 ? document.elementFromPoint(at.left + 30, (top + line()) / 2) : null;
    return [
      {
        table: table.getAttribute('aria-label'),
        off: Math.round(top - line()),
        fromTop: Math.round(top - at.top),
        under: between?.closest('td')?.textContent ?? '',
      },
    ];
  });
}

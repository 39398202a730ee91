/**
 * Every page, opened once: axe finds nothing serious in light and dark, nothing is cut off at the widths of desktops,
 * tablets and phones, table headers stay visible, no script fails, no other host gets a request, and credits
 * are at its foot.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VIEWS } from '../../demo/page-views.mjs';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import type { CampaignPageAnswer } from '../../src/contract/dashboard-campaigns.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { addRoom, findCutBoxes, findCutNames, findHole, measureHeads } from '../support/page-measures.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const NOWHERE = '/nowhere';
const WIDTHS = [1_280, 1_024, 960, 820];
const DESKTOP = { width: 1_280, height: 900 };
const PHONE = { width: 390, height: 900 };
const SMALL_PHONE = { width: 320, height: 900 };
/** So low that every table is longer than its visible part. */
const LOW = { width: 1_440, height: 330 };

const WITH_FIGURES = ['usage'];
const WITH_NAMES = ['lists', 'keys'];
const WITH_TABS = ['try', 'lists', 'assessment'];
const WITH_LONG_TABLE = [
  'assessments',
  'feedback',
  'lists',
  'keys',
  'people',
  'audit',
  'intelligence',
  'operator',
];
/** Content that does not fit there fits nowhere. */
const ON_PHONE = ['today', 'assessment', 'thresholds'];
const COLOUR_OF_CHOSEN_TAB = 'rgb(236, 236, 238)';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let signedIn: Window;
let stranger: Window;
let account: string;
/** A signup of a mailbox with many, so that it has related signups. */
let blocked: string;
let crowded: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  [signedIn, stranger] = await Promise.all([
    browser.open(service.url, { as: PEOPLE.operator }),
    browser.open(service.url),
  ]);
  const { accounts } = (await signedIn.api<Session>('GET', '/session')).body;
  account = accounts.find(({ name }) => name === 'Fernlight')?.id as string;
  [blocked, crowded] = (await Promise.all([
    newest('mode=live&verdict=block&domain=gmail.com'),
    newest('domain=gmail.com'),
  ])) as [string, string];
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

async function newest(filter: string): Promise<string | undefined> {
  const found = await signedIn.api<AssessmentSearchResult>(
    'GET',
    `/accounts/${account}/assessments?${filter}&limit=1`,
  );
  return found.body.rows[0]?.request_id;
}

describe('every page', () => {
  it.each([...VIEWS, { name: 'a page that is not there', path: NOWHERE, isPublic: false, hasTable: false }])(
    '$name is accessible, and cuts off nothing',
    async ({ name, path, isPublic, hasTable }) => {
      const window = isPublic ? stranger : signedIn;
      const full = path.replace(':account', account).replace(':blocked', blocked);
      await (isPublic || path === NOWHERE ? window.go(full) : window.follow(full));
      if (name === 'assessment') await scrollToRelated();
      await expectNoBarrier(window, WITH_TABS.includes(name));
      await expectFits(window, SMALL_PHONE);
      if (ON_PHONE.includes(name)) await expectFitsPhone();
      if (hasTable && !path.includes(':blocked')) await expectNothingCutOff(name);
      if (WITH_FIGURES.includes(name)) await atWidths(findHole, 0);
      if (WITH_LONG_TABLE.includes(name)) await expectSticky('main');
      await window.page.setViewportSize(DESKTOP);
      const foot = window.page.locator('footer');
      for (const link of ['/notices', 'https://db-ip.com/'])
        expect(await foot.locator(`a[href="${link}"]`).count(), link).toBe(1);
      expect(window.faults).toEqual([]);
    },
  );

  it('of signups shows usual names of keys whole', async () => {
    const { page } = signedIn;
    await page.setViewportSize({ width: 1_440, height: 900 });
    await signedIn.follow(`/accounts/${account}/assessments`);
    const names = page.getByTitle(/^(Web signup form|Partner API|Mobile app)$/).locator('xpath=..');
    const room = await names.evaluateAll((boxes) =>
      (boxes as unknown as { clientWidth: number; scrollWidth: number }[]).map(
        ({ clientWidth, scrollWidth }) => clientWidth - scrollWidth,
      ),
    );
    expect(room.length).toBeGreaterThan(10);
    expect(Math.min(...room)).toBe(0);
  });

  it('of signups has no dot at the end or at the start of a line', async () => {
    const { page } = signedIn;
    await page.setViewportSize(SMALL_PHONE);
    await signedIn.follow(`/accounts/${account}/assessments`);
    const total = page.locator('h1 + p');
    expect(await total.innerText()).not.toContain('·');
  });

  it('of feedback shows what was reported wrong whole, also on a phone', async () => {
    await signedIn.page.setViewportSize(SMALL_PHONE);
    await signedIn.follow(`/accounts/${account}/feedback?period=30d`);
    expect(await signedIn.page.evaluate(findCutBoxes)).toEqual([]);
  });

  it('of a member of a wave leads to the wave', async () => {
    const { body } = await signedIn.api<CampaignPageAnswer>('GET', `/accounts/${account}/campaigns`);
    const judged = await Promise.all(body.data.map(({ id }) => newest(`campaign=${id}`)));
    const at = judged.findIndex((member) => member !== undefined);
    await signedIn.page.setViewportSize(DESKTOP);
    await signedIn.follow(`/accounts/${account}/assessments/${judged[at]}/full`);
    await signedIn.page.getByRole('link', { name: 'Show its wave' }).click();
    await expect.poll(() => signedIn.page.url()).toContain(`/campaigns/${body.data[at]?.id}`);
  });

  it.each([
    ['a wave', () => `/accounts/${account}/campaigns`],
    ['a source', () => '/intelligence'],
  ])('with the panel of %s is accessible, and fits phones', async (_, pathOf) => {
    const path = pathOf();
    await signedIn.page.setViewportSize(DESKTOP);
    await signedIn.follow(path);
    const [first] = await signedIn.page
      .locator(`tbody a[href^="${path}/"]`)
      .evaluateAll((links) =>
        (links as unknown as { getAttribute(name: string): string }[]).map((link) =>
          link.getAttribute('href'),
        ),
      );
    await signedIn.follow(first as string);
    await signedIn.page.getByRole('complementary').waitFor();
    await expectNoBarrier(signedIn);
    await expectFits(signedIn, SMALL_PHONE);
    await expectNoBarrier(signedIn);
  });

  it('of thresholds keeps its headers visible, also for the content that a draft adds', async () => {
    await signedIn.follow(`/accounts/${account}/thresholds?challenge=24&block=48&period=30d`);
    await expectSticky('main');
  });

  it('keeps headers of a panel directly below its title', async () => {
    await signedIn.page.setViewportSize(LOW);
    await signedIn.follow(`/accounts/${account}/assessments/${crowded}?domain=gmail.com`);
    await scrollToRelated();
    await signedIn.page.getByRole('table', { name: /^Same / }).waitFor();
    await expectSticky('aside');
  });
});

/** Related signups are read when they are near the window. */
async function scrollToRelated(): Promise<void> {
  await signedIn.page.getByRole('region', { name: 'Related signups' }).scrollIntoViewIfNeeded();
}

async function expectNoBarrier(window: Window, hasTabs = false): Promise<void> {
  const { page } = window;
  await expect.poll(() => window.barriers(), { message: 'light' }).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  // Only colours depend on the scheme, and they take a moment to change.
  await expect.poll(() => window.barriers('colours'), { message: 'dark' }).toEqual([]);
  if (hasTabs) {
    const colour = `getComputedStyle(document.querySelector('[role=tab][aria-selected=true]')).borderBottomColor`;
    await expect.poll(() => page.evaluate(colour)).toBe(COLOUR_OF_CHOSEN_TAB);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

async function expectFitsPhone(): Promise<void> {
  await expectFits(signedIn, PHONE);
  await expectNoBarrier(signedIn);
}

async function expectFits({ page }: Window, size: typeof PHONE): Promise<void> {
  await page.setViewportSize(size);
  const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(wider)).toBe(0);
}

/** Text may be cut off, with an ellipsis at its end; names of rows may not. */
async function expectNothingCutOff(name: string): Promise<void> {
  await atWidths(findCutBoxes, []);
  if (WITH_NAMES.includes(name)) await atWidths(findCutNames, []);
}

async function atWidths<T>(measure: () => T, expected: T): Promise<void> {
  for (const width of WIDTHS) {
    await signedIn.page.setViewportSize({ width, height: DESKTOP.height });
    expect({ width, found: await signedIn.page.evaluate(measure) }).toEqual({ width, found: expected });
  }
}

/** On a phone, where the bar on top has two lines or one, a header scrolls with its rows. */
async function expectSticky(place: string): Promise<void> {
  const { page } = signedIn;
  await page.setViewportSize(LOW);
  await page.evaluate(addRoom);
  const heads = await page.evaluate(measureHeads, place);
  expect(heads.length).toBeGreaterThan(0);
  expect(heads.filter(({ off, under }) => Math.abs(off) > 1 || under !== '')).toEqual([]);
  await page.setViewportSize(PHONE);
  const onPhone = await page.evaluate(measureHeads, place);
  expect(onPhone.filter(({ fromTop }) => fromTop !== 0)).toEqual([]);
}

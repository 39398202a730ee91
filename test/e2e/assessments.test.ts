/** The history in a browser: filters against a count by hand, the export, and a waterfall that adds up. */
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import type { AssessmentDetail } from '../../src/contract/dashboard-assessments.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { readRows, type StoredRow } from '../support/demo-rows.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let window: Window;
let base: string;
let rows: readonly StoredRow[];

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.member, width: 1_600 });
  const account = (await window.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  base = `/accounts/${account}/assessments`;
  rows = readRows(installation, account).filter(({ mode }) => mode === 'live');
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

describe('the history', () => {
  it('filters by the form, keeps the filter in the URL, and removes it with its chip', async () => {
    const { page, follow } = window;
    await follow(base);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Email domain').fill('mailinator.com');
    await page.getByLabel('Score from').fill('85');
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await page.getByText('End of the list.').waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      domain: 'mailinator.com',
      score_min: '85',
    });
    const found = rows.filter(({ domain, score }) => domain === 'mailinator.com' && score >= 85);
    expect(found.length).toBeGreaterThan(0);
    expect(await shownIds()).toEqual(found.map(({ requestId }) => requestId).sort());

    await page.getByRole('button', { name: 'Remove filter Score at least' }).click();
    await page.waitForURL((url) => !url.searchParams.has('score_min'));
    const more = rows.filter(({ domain }) => domain === 'mailinator.com').map(({ requestId }) => requestId);
    await expect.poll(shownIds).toEqual(more.sort());
  });

  it('shows the same signups for a shared URL, by verdict and by network', async () => {
    const { page, follow } = window;
    await follow(`${base}?verdict=block&ip=78.46.61.0/24&score_max=99`);
    const inBlock = rows.filter(
      ({ verdict, score, evidence }) =>
        verdict === 'block' && score <= 99 && evidence.ip?.address.startsWith('78.46.61.') === true,
    );
    await loadAll();
    expect(await shownIds()).toEqual(inBlock.map(({ requestId }) => requestId).sort());
    expect(await page.getByRole('button', { name: 'Remove filter' }).count()).toBeGreaterThan(0);
  });

  it('moves with j and opens with Enter', async () => {
    const { page, follow } = window;
    await follow(`${base}?verdict=block`);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'How the score was calculated' }).waitFor({ state: 'attached' });
    expect(new URL(page.url()).pathname).toMatch(/\/assessments\/req_\w+$/);
  });

  it('says of each signup what decided, with the fact behind it, and names no finding below five points', async () => {
    const { page, follow } = window;
    await follow(`${base}?finding=deny_list`);
    const listed = rows.filter(({ evidence }) => evidence.list?.action === 'deny');
    const [{ evidence }] = listed as [StoredRow];
    await page.getByText(`Your Block list: ${evidence.list?.reason}`).first().waitFor();
    await loadAll();
    expect(await shownIds()).toEqual(listed.map(({ requestId }) => requestId).sort());
    await follow(`${base}?finding=none&verdict=allow`);
    await page.getByRole('columnheader', { name: 'Main finding' }).waitFor();
    const cells = await page.locator('tbody tr td:nth-child(4)').allInnerTexts();
    expect(cells.length).toBeGreaterThan(0);
    expect(cells.filter((text) => text !== '')).toEqual([]);
  });

  it('has a place for each column in a window of 1440, and for the main finding on a phone', async () => {
    const { page, follow } = window;
    await follow(`${base}?finding=disposable_domain`);
    await page.setViewportSize({ width: 1_440, height: 900 });
    const heads = page.getByRole('columnheader');
    await heads.first().waitFor();
    const shown = ['Verdict', 'Score', 'Main finding', 'Email', 'IP', 'Network', 'Key', 'When'];
    for (const name of shown) {
      const box = await heads.filter({ hasText: name }).first().boundingBox();
      expect(box?.width ?? 0, name).toBeGreaterThan(50);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    const cells = page.locator('tbody tr').first().locator('td:visible');
    await expect.poll(() => cells.count()).toBe(5);
    expect(await cells.nth(3).innerText()).toContain('Throw-away domain');
    await page.setViewportSize({ width: 1_600, height: 900 });
  });

  it('exports what it shows', async () => {
    const { page, follow } = window;
    await follow(`${base}?verdict=challenge`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    const lines = (await text(await download.createReadStream())).trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^request_id,at,mode,verdict,score,/);
    const ids = lines.slice(1).map((line) => line.split(',')[0]);
    const challenged = rows.filter(({ verdict }) => verdict === 'challenge');
    expect(ids.sort()).toEqual(challenged.map(({ requestId }) => requestId).sort());
  });
});

describe('one assessment', () => {
  it('is explained by steps that add up to its score', async () => {
    const { page, follow } = window;
    const scored = rows.filter(({ evidence }) => evidence.list === null);
    const chosen = [...scored]
      .sort((a, b) => b.score - a.score)
      .filter((_, at) => at % Math.ceil(scored.length / 8) === 0);
    expect(chosen.length).toBeGreaterThanOrEqual(8);
    for (const { requestId, score } of chosen) {
      await follow(`${base}/${requestId}/full`);
      const table = page.getByRole('table', { name: /points each adds to the score/ });
      await table.waitFor();
      const steps = await table.locator('tbody tr td:nth-child(2)').allInnerTexts();
      const sum = steps.reduce((total, text) => total + Math.round(Number(text) * 100), 0);
      expect(sum, requestId).toBe(score * 100);
      expect(await table.locator('tfoot td').first().innerText()).toBe(String(score));
    }
    expect(window.faults).toEqual([]);
  });

  it('accepts feedback with a note, and the queue shows it', async () => {
    const { page, follow } = window;
    // The newest: the queue shows the last 30 days, and the demo begins at the midnight before those.
    const [wrong] = rows
      .filter(({ verdict, evidence }) => verdict === 'block' && evidence.list === null)
      .toSorted((a, b) => b.at - a.at);
    await follow(`${base}/${wrong?.requestId}`);
    await page.getByRole('button', { name: /Report a mistake|Change report/ }).click();
    await page.getByLabel('Note').fill('A customer of ours, by phone.');
    await page.getByRole('button', { name: 'Send report' }).click();
    await page.getByText('A customer of ours, by phone.').first().waitFor();
    await follow(base.replace('assessments', 'feedback?period=30d'));
    await page.getByText('A customer of ours, by phone.').first().waitFor();
  });

  it('confirms a stopped fraud with one key, and finds it again in the history', async () => {
    const { page, follow } = window;
    const stopped = rows
      .filter(({ verdict, evidence }) => verdict === 'block' && evidence.list === null)
      .toSorted((a, b) => a.at - b.at);
    const feedbackOf = async (requestId = '') =>
      (await window.api<AssessmentDetail>('GET', `${base}/${requestId}`)).body.feedback;
    let fraud: string | undefined;
    for (const { requestId } of stopped) {
      fraud = requestId;
      if ((await feedbackOf(requestId)) === null) break;
    }
    await follow(`${base}/${fraud}/full`);
    await page.getByRole('button', { name: 'Fraud' }).waitFor();
    await page.keyboard.press('f');
    await page.getByRole('region', { name: 'Feedback' }).getByText('Fraud confirmed').waitFor();
    expect(await feedbackOf(fraud)).toMatchObject({ outcome: 'confirmed_fraud', note: null });
    await follow(`${base}?feedback=confirmed_fraud&request_id=${fraud}`);
    expect(await shownIds()).toEqual([fraud]);
    const allowed = rows.find(({ verdict }) => verdict === 'allow')?.requestId;
    await follow(`${base}/${allowed}/full`);
    await page.getByRole('button', { name: /Report a mistake|Change report/ }).waitFor();
    // For an allowed signup, it means that fraud was let in.
    await page.keyboard.press('f');
    await page.getByRole('region', { name: 'Feedback' }).getByText('Fraud let in').waitFor();
    expect(window.faults).toEqual([]);
  });
});

/** Ids of the rows in the table, sorted. */
async function shownIds(): Promise<string[]> {
  const links = await window.page
    .locator('a[data-row-link]')
    .evaluateAll((found) =>
      found.map((link) => (link as unknown as { pathname: string }).pathname.split('/').at(-1) as string),
    );
  return links.sort();
}

async function loadAll(): Promise<void> {
  const { page } = window;
  const end = page.getByText('End of the list.');
  while ((await end.count()) === 0) {
    await page
      .getByRole('button', { name: 'Load older' })
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    await page.waitForTimeout(50);
  }
}

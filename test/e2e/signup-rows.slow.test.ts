/** A long list stays light: with 10,000 rows loaded, few are in the page, a key costs little, and the focus finds its row again. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import { createMakeId } from '../../src/contract/identifiers.ts';
import { anAssessment } from '../support/an-assessment.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

const ROWS = 10_000;
const MAX_NODES = 4_000;
const MAX_KEY_MS = 100;
const KEYS = 20;

let installation: Installation;
let browser: TestBrowser;
let window: Window;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.member, width: 1_440 });
  const accountId = (await window.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  const makeId = createMakeId();
  await withStored(installation, async (store) => {
    const signups = Array.from({ length: ROWS }, (_, index) => {
      const at = Date.now() - index * 1_000;
      return anAssessment({ requestId: makeId('req', at), accountId, at, emailDomain: 'long.example' });
    });
    for (let start = 0; start < ROWS; start += 500)
      await Promise.all(signups.slice(start, start + 500).map((signup) => store.record(signup)));
  });
  await window.follow(`/accounts/${accountId}/assessments?domain=long.example`);
});
afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

/** Code that runs in the page. */
const inPage = <Value>(expression: string) => window.page.evaluate<Value>(expression);
const loaded = () =>
  inPage<number>("Number(document.querySelector('table').getAttribute('aria-rowcount')) - 1");
const nodes = () => inPage<number>("document.querySelectorAll('*').length");
const focusedRow = () => inPage<string | undefined>("document.activeElement?.closest('tr')?.dataset.row");
const scrollToShare = (share: number) =>
  inPage(`scrollTo({ top: ${share} * document.documentElement.scrollHeight })`);
/** Rows from the middle of the window to its end, below the notice of an alert that so many signups raise. */
const isFilled = () =>
  inPage<boolean>(`(() => {
    const rows = [...document.querySelectorAll('tr[data-row]')].map((row) => row.getBoundingClientRect());
    return rows.some(({ top }) => top < 0.6 * innerHeight) && rows.some(({ bottom }) => bottom >= innerHeight);
  })()`);

/** Milliseconds that the page has worked. Time of the processor, not of the clock: other tests run beside this one. */
async function createTaskMs(): Promise<() => Promise<number>> {
  const { page } = window;
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value as number);
  };
}

it('keeps few of 10,000 rows in the page', async () => {
  await expect
    .poll(
      async () => {
        await scrollToShare(1);
        return loaded();
      },
      { timeout: 230_000, interval: 100 },
    )
    .toBeGreaterThanOrEqual(ROWS);
  expect(await nodes()).toBeLessThan(MAX_NODES);
  for (const share of [0, 0.3, 0.7]) {
    await scrollToShare(share);
    await expect.poll(isFilled).toBe(true);
    expect(await nodes()).toBeLessThan(MAX_NODES);
  }
});

it('moves by j with little work, also past the rows in the page', async () => {
  const { page } = window;
  await scrollToShare(0);
  await page.keyboard.press('j');
  const before = Number(await focusedRow());
  const taskMs = await createTaskMs();
  const start = await taskMs();
  for (let key = 0; key < KEYS; key += 1) await page.keyboard.press('j');
  await expect.poll(focusedRow).toBe(String(before + KEYS));
  expect(((await taskMs()) - start) / KEYS).toBeLessThan(MAX_KEY_MS);
});

it('returns the focus to the row last seen, not the one that was opened', async () => {
  const { page } = window;
  const opened = Number(await focusedRow());
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Signup', exact: true });
  await panel.waitFor();
  for (let row = 1; row <= 3; row += 1) {
    const url = page.url();
    await page.keyboard.press('j');
    await page.waitForURL((next) => next.href !== url);
  }
  await page.keyboard.press('Escape');
  await expect.poll(focusedRow).toBe(String(opened + 3));
});

it('goes on by j inside the open panel with little work', async () => {
  const { page } = window;
  const panel = page.getByRole('complementary', { name: 'Signup', exact: true });
  await page.keyboard.press('Enter');
  await panel.getByRole('heading', { name: 'Signals' }).waitFor({ state: 'attached' });
  const taskMs = await createTaskMs();
  const start = await taskMs();
  for (let key = 0; key < KEYS; key += 1) {
    // Nothing is looked for in the page meanwhile, which would be work of the page, too.
    const answered = page.waitForResponse((answer) => /\/assessments\/req_\w+$/.test(answer.url()));
    await page.keyboard.press('j');
    await answered;
  }
  await panel.getByRole('heading', { name: 'Signals' }).waitFor({ state: 'attached' });
  expect(((await taskMs()) - start) / KEYS).toBeLessThan(MAX_KEY_MS);
  await page.keyboard.press('Escape');
});

it('selects all that the filter finds, and shows of them what is near the window', async () => {
  const { page } = window;
  await scrollToShare(0);
  await page.keyboard.press('a');
  const bar = page.getByRole('region', { name: 'Selected signups' });
  await bar.getByText('10,000 selected').waitFor();
  expect(await nodes()).toBeLessThan(MAX_NODES);
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'detached' });
});

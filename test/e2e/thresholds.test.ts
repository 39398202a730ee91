/** Thresholds in a browser: the simulator counts as one would by hand, and what is saved decides the next signup. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { weighingOf } from '../../src/assess/account-policy.ts';
import { judge } from '../../src/assess/judge.ts';
import type { CreatedKey, PolicyPage, Session } from '../../src/contract/dashboard/account.ts';
import type { Verdict } from '../../src/contract/messages.ts';
import type { Thresholds } from '../../src/contract/thresholds.ts';
import { spanOf } from '../../src/http/dashboard/values/periods.ts';
import { type Client, createClient } from '../support/client.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { readRows, type StoredRow } from '../support/demo-rows.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const VERDICTS = ['allow', 'challenge', 'block'] as const;

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let window: Window;
let client: Client;
let account: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.owner });
  client = createClient(service.url);
  account = (await window.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
});

afterAll(async () => {
  client?.close();
  await browser?.close();
  await installation?.remove();
});

describe('the simulator', () => {
  it('counts before and after as judging every stored signup again does', async () => {
    const policy = (await window.api<PolicyPage>('GET', `/accounts/${account}/policy`)).body;
    const live = readRows(installation, account).filter(
      ({ mode, at }) => mode === 'live' && at >= spanOf('30d', Date.now()).from,
    );
    expect(live.length).toBeGreaterThan(1_000);
    await window.go(`/accounts/${account}/thresholds?period=30d`);
    for (const thresholds of [
      policy.thresholds,
      { challenge: 12, block: 44 },
      { challenge: 5, block: 100 },
    ]) {
      await setThresholds(thresholds);
      const expected = recount(live, policy, thresholds);
      await expect.poll(shownCounts).toEqual(expected);
      expect(await shownMoves()).toBe(expected.moved);
    }
    // Differences would be hidden if nothing ever moved.
    expect(recount(live, policy, { challenge: 12, block: 44 }).moved).toBeGreaterThan(30);
  });

  it('moves a threshold by the keyboard', async () => {
    const { page } = window;
    await window.go(`/accounts/${account}/thresholds?period=30d`);
    const slider = page.getByRole('slider', { name: /block/i }).first();
    const before = Number(await slider.getAttribute('aria-valuenow'));
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(Number(await slider.getAttribute('aria-valuenow'))).toBe(before - 2);
    await page.keyboard.press('Shift+ArrowRight');
    expect(Number(await slider.getAttribute('aria-valuenow'))).toBe(before + 3);
  });
});

describe('saved thresholds', () => {
  it('change the verdict of the next signup', async () => {
    const { body } = await window.api<CreatedKey>('POST', `/accounts/${account}/keys`, {
      name: 'form',
      mode: 'live',
    });
    const verdict = async () =>
      (await client.assess({ email: 'someone@mailinator.com' }, body.secret)).json.verdict;
    await expect.poll(verdict, { timeout: 3_000 }).toBe('block');
    const { page } = window;
    await window.go(`/accounts/${account}/thresholds`);
    await setThresholds({ challenge: 90, block: 97 });
    await page.getByRole('button', { name: 'Save thresholds' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toContain('score 90 or more are challenged, and from 97 on blocked');
    await dialog.getByRole('button', { name: 'Save thresholds' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(verdict, { timeout: 3_000 }).toBe('allow');
    expect(window.faults).toEqual([]);
  });
});

async function setThresholds({ challenge, block }: Thresholds): Promise<void> {
  const { page } = window;
  const fill = async (label: string, value: number) => {
    const field = page.getByRole('textbox', { name: label });
    await field.fill(String(value));
    await field.press('Tab');
  };
  // One may not pass the other on the way.
  await fill('Challenge from', 1);
  await fill('Block from', block);
  await fill('Challenge from', challenge);
}

interface Counts {
  readonly before: Record<Verdict, number>;
  readonly after: Record<Verdict, number>;
}

async function shownCounts(): Promise<Counts & { moved: number }> {
  const table = window.page.getByRole('table', { name: 'Signups per verdict' });
  const before = { allow: 0, challenge: 0, block: 0 };
  const after = { ...before };
  for (const [index, verdict] of VERDICTS.entries()) {
    const cells = await table.locator('tbody tr').nth(index).locator('td').allInnerTexts();
    before[verdict] = numberOf(cells[0]);
    after[verdict] = numberOf(cells[1]);
  }
  return { before, after, moved: await shownMoves() };
}

async function shownMoves(): Promise<number> {
  const line = window.page.getByRole('listitem').filter({ hasText: /^Signups that would change/ });
  return numberOf(await line.locator('strong').innerText());
}

function numberOf(text = ''): number {
  return Number(text.replaceAll(/[^\d]/g, ''));
}

/** By judging each stored signup again, one after the other. */
function recount(
  rows: readonly StoredRow[],
  policy: PolicyPage,
  thresholds: Thresholds,
): Counts & { moved: number } {
  const version = policy.versions.find(({ version }) => version === policy.current) ?? null;
  const weighing = weighingOf(
    version === null ? null : { version: version.version, weights: version.weights },
  );
  const before = { allow: 0, challenge: 0, block: 0 };
  const after = { ...before };
  let moved = 0;
  for (const { verdict, evidence } of rows) {
    const next = evidence.list === null ? judge(evidence, { ...weighing, thresholds }).verdict : verdict;
    before[verdict] += 1;
    after[next] += 1;
    if (next !== verdict) moved += 1;
  }
  return { before, after, moved };
}

/** Thresholds in a browser: the simulator matches a count by hand, and saved thresholds decide the next signup. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedKey, PolicyPage, Session, Simulation } from '../../src/contract/dashboard-account.ts';
import type { Verdict } from '../../src/contract/messages.ts';
import { spanOf } from '../../src/http/dashboard-periods.ts';
import type { Thresholds } from '../../src/model/policy.ts';
import { effectiveWeights } from '../../src/signup/account-policy.ts';
import { judge } from '../../src/signup/judge.ts';
import { type Client, createClient } from '../support/client.ts';
import { createDemo, PASSWORD, PEOPLE } from '../support/demo-folder.ts';
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
  const policyOf = async () => (await window.api<PolicyPage>('GET', `/accounts/${account}/policy`)).body;
  const liveRows = () =>
    readRows(installation, account).filter(
      ({ mode, at }) => mode === 'live' && at >= spanOf('30d', Date.now(), 'UTC').from,
    );
  const simulate = async (body: object) => {
    const request = { mode: 'live', period: '30d', ...body };
    return (await window.api<Simulation>('POST', `/accounts/${account}/simulate`, request)).body;
  };

  it('finds no change on an untouched page, though the settings changed within the period', async () => {
    const { page } = window;
    await window.follow(`/accounts/${account}/thresholds?period=30d`);
    await expect.poll(() => shownCounts().then(({ before }) => before.allow)).toBeGreaterThan(500);
    const { before, after, moved } = await shownCounts();
    expect(after).toEqual(before);
    expect(moved).toBe(0);
    const changes = page.getByRole('region', { name: 'Signups that would change' });
    expect(await changes.innerText()).toContain('None. Move a threshold');
    await page.getByRole('switch', { name: 'Compare with the past verdicts' }).click();
    // Otherwise the zero above would prove nothing.
    await expect.poll(shownMoves).toBeGreaterThan(0);
    expect(new URL(page.url()).searchParams.get('compare')).toBe('answered');
  });

  it('counts before and after like judging each signup again, for the affected keys', async () => {
    const policy = await policyOf();
    const live = liveRows();
    const touched = onTouchedKeys(live, policy);
    expect(touched.length).toBeGreaterThan(800);
    expect(touched.length).toBeLessThan(live.length);
    await window.follow(`/accounts/${account}/thresholds?period=30d`);
    for (const thresholds of [
      policy.thresholds,
      { challenge: 12, block: 44 },
      { challenge: 5, block: 100 },
    ]) {
      await setThresholds(thresholds);
      await expect.poll(shownCounts).toEqual(recount(touched, policy, thresholds));
    }
    // Differences would be hidden if nothing ever moved.
    expect(recount(touched, policy, { challenge: 12, block: 44 }).moved).toBeGreaterThan(30);
  });

  it('shows the same numbers in the save dialog as beside the histogram', async () => {
    const { page } = window;
    await window.follow(`/accounts/${account}/thresholds?period=30d`);
    await setThresholds({ challenge: 12, block: 44 });
    await expect.poll(shownMoves).toBeGreaterThan(30);
    const { moved } = await shownCounts();
    const chips = page.getByRole('table', { name: 'Signups per verdict' }).locator('tbody td:last-child');
    const differences = await chips.allInnerTexts();
    await page.getByRole('button', { name: 'Save thresholds' }).click();
    const dialog = page.getByRole('dialog');
    const sentence = new RegExp(`\\b${moved.toLocaleString('en')} would get another verdict`);
    await expect.poll(() => dialog.innerText()).toMatch(sentence);
    const text = await dialog.innerText();
    for (const difference of differences) expect(text).toContain(difference);
    // Reports of people, for good customers and for fraud.
    const effect = page.getByRole('list', { name: 'Effect on signups that people reported' });
    const beside = await effect.first().innerText();
    expect(beside).toMatch(
      /Good customers\s+helped \d+\s+harmed \d+\s+Fraud\s+newly stopped \d+\s+let in \d+/,
    );
    expect(
      await dialog.getByRole('list', { name: 'Effect on signups that people reported' }).innerText(),
    ).toBe(beside);
    expect(text).toMatch(/Not counted: [\d,]+ signups on keys that only observe/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('sums up the keys to the total', async () => {
    const { keys, thresholds: inForce } = await policyOf();
    const active = keys.filter(({ mode, revoked_at }) => mode === 'live' && revoked_at === null);
    const own = active.filter(({ thresholds }) => thresholds !== null);
    expect(own.length).toBeGreaterThan(0);
    const add = (parts: readonly Simulation[]) =>
      (['allow', 'challenge', 'block'] as const).map((verdict) =>
        parts.map(({ before, after }) => [before[verdict], after[verdict]] as const),
      );
    const total = (parts: readonly Simulation[]) =>
      add(parts).map((pairs) => pairs.reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]));
    const thresholds = { challenge: 12, block: 44 };
    const shared = active.filter((key) => key.thresholds === null);
    const perKey = await Promise.all(shared.map(({ id: key }) => simulate({ key, thresholds })));
    // A key in shadow mode counts if it is asked for, or together with the others on request.
    expect(shared.some(({ shadow }) => shadow)).toBe(true);
    const everyKey = await simulate({ thresholds, observed: true });
    expect(everyKey.left_out.observed).toBe(0);
    expect(total(perKey)).toEqual(total([everyKey]));
    // Weights also affect keys with their own thresholds, which stay the same.
    const weights = { consumer_provider: 30 };
    const reweighed = [];
    for (const { id: key, thresholds: its } of active)
      reweighed.push(await simulate({ key, weights, thresholds: its ?? inForce }));
    const whole = await simulate({ weights, thresholds: inForce, observed: true });
    expect(total(reweighed)).toEqual(total([whole]));
    expect(whole.left_out.own_thresholds).toBe(0);
    expect(whole.kept_moves.length).toBeGreaterThan(0);
  });

  it('moves a threshold with the keyboard', async () => {
    const { page } = window;
    await window.follow(`/accounts/${account}/thresholds?period=30d`);
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

describe('a draft', () => {
  const dialog = () => window.page.getByRole('dialog', { name: 'Leave without saving?' });
  const link = (name: string) =>
    window.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
  const vpn = () => window.page.getByRole('textbox', { name: 'New weight of VPN' });
  const thresholds = async () => {
    const value = (label: string) => window.page.getByRole('textbox', { name: label }).inputValue();
    return [await value('Challenge from'), await value('Block from')];
  };

  async function makeDraft(): Promise<void> {
    await window.follow(`/accounts/${account}/thresholds?period=30d`);
    await setThresholds({ challenge: 24, block: 48 });
    await vpn().fill('40');
    await expect
      .poll(() => new URL(window.page.url()).search)
      .toBe('?period=30d&challenge=24&block=48&w.vpn=40');
  }

  it('is in the URL: it survives a reload and is the same for a colleague', async () => {
    await makeDraft();
    await window.page.reload();
    await expect.poll(thresholds).toEqual(['24', '48']);
    expect(await vpn().inputValue()).toBe('40');
    await expect.poll(shownMoves).toBeGreaterThan(30);
    const shown = await shownCounts();
    const colleague = await browser.open(service.url, { as: PEOPLE.member });
    await colleague.go(window.page.url());
    await expect.poll(() => shownCounts(colleague)).toEqual(shown);
    await colleague.close();
  });

  it('asks before a link leaves the page, and is restored by Back', async () => {
    const { page } = window;
    await makeDraft();
    await link('Lists').click();
    expect(await dialog().innerText()).toContain('The thresholds 24 and 48 and 1 weight are not saved');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect(new URL(page.url()).searchParams.get('block')).toBe('48');
    expect(await thresholds()).toEqual(['24', '48']);
    await link('Lists').click();
    await dialog().getByRole('button', { name: 'Leave page' }).click();
    await page.waitForURL(/\/lists/);
    await page.goBack();
    await expect.poll(thresholds).toEqual(['24', '48']);
    expect(await vpn().inputValue()).toBe('40');
  });

  it('asks before Back leaves the page', async () => {
    const { page } = window;
    await window.follow(`/accounts/${account}/lists`);
    await link('Thresholds').click();
    await page.getByRole('slider').first().waitFor();
    await setThresholds({ challenge: 24, block: 48 });
    await expect.poll(() => new URL(page.url()).searchParams.get('block')).toBe('48');
    await page.evaluate('history.back()');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect(page.url()).toContain('/thresholds?challenge=24&block=48');
    expect(await thresholds()).toEqual(['24', '48']);
    await page.evaluate('history.back()');
    await dialog().getByRole('button', { name: 'Leave page' }).click();
    await page.waitForURL(/\/lists$/);
    await page.getByRole('heading', { name: 'Lists', level: 1 }).waitFor();
  });

  let other: Window;

  it('asks before the tab is closed, but only when there are changes', async () => {
    const dialogs: string[] = [];
    other = await browser.open(service.url, { as: PEOPLE.owner });
    other.page.on('dialog', (shown) => {
      dialogs.push(shown.type());
      void shown.dismiss();
    });
    await other.go(`/accounts/${account}/thresholds`);
    await other.page.getByRole('slider').first().press('ArrowLeft');
    await other.page.getByRole('button', { name: 'Discard' }).waitFor();
    await other.page.close({ runBeforeUnload: true });
    await expect.poll(() => dialogs).toEqual(['beforeunload']);
    await other.page.getByRole('button', { name: 'Discard' }).click();
    await other.page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });
    // At once: the URL of the draft changes later, and must not replace the URL of the link.
    await other.page.getByRole('link', { name: 'Keys', exact: true }).click();
    await other.page.getByRole('heading', { name: 'Keys', exact: true, level: 1 }).waitFor();
    expect(new URL(other.page.url()).pathname).toMatch(/\/keys$/);
    expect(dialogs).toHaveLength(1);
  });

  it('stays on the page and in its URL when the session ends, until the person has signed in again', async () => {
    const { page } = other;
    await other.follow(`/accounts/${account}/thresholds?challenge=24&block=48`);
    await page.context().clearCookies();
    await page.getByRole('slider').first().press('ArrowLeft');
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password').first().fill(PASSWORD);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).search).toBe('?challenge=23&block=48');
    expect(await page.getByRole('slider').first().getAttribute('aria-valuenow')).toBe('23');
    await other.close();
  });

  it('with impossible values is clamped or ignored', async () => {
    await window.follow(
      `/accounts/${account}/thresholds?challenge=-7&block=900&w.vpn=900&w.nothing=3&w.proxy=much`,
    );
    await expect.poll(thresholds).toEqual(['1', '100']);
    expect(await vpn().inputValue()).toBe('100');
    const dock = window.page.getByRole('region', { name: 'Effect of the unsaved weights' });
    expect(await dock.innerText()).toContain('1 unsaved change');
    expect(window.faults).toEqual([]);
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
    await expect.poll(verdict, { timeout: 90_000 }).toBe('block');
    const { page } = window;
    await window.follow(`/accounts/${account}/thresholds`);
    await setThresholds({ challenge: 90, block: 97 });
    await page.getByRole('button', { name: 'Save thresholds' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toContain('score 90 or more are challenged, and from 97 on blocked');
    await dialog.getByRole('button', { name: 'Save thresholds' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(verdict, { timeout: 90_000 }).toBe('allow');
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
  // One threshold may not pass the other on the way.
  await fill('Challenge from', 1);
  await fill('Block from', block);
  await fill('Challenge from', challenge);
}

interface Counts {
  readonly before: Record<Verdict, number>;
  readonly after: Record<Verdict, number>;
}

async function shownCounts({ page }: Window = window): Promise<Counts & { moved: number }> {
  const table = page.getByRole('table', { name: 'Signups per verdict' });
  const before = { allow: 0, challenge: 0, block: 0 };
  const after = { ...before };
  for (const [index, verdict] of VERDICTS.entries()) {
    const cells = await table.locator('tbody tr').nth(index).locator('td').allInnerTexts();
    before[verdict] = numberOf(cells[0]);
    after[verdict] = numberOf(cells[1]);
  }
  return { before, after, moved: await movesOn(page) };
}

const shownMoves = () => movesOn(window.page);

async function movesOn(page: Window['page']): Promise<number> {
  const line = page.getByRole('paragraph').filter({ hasText: /^Signups that would change/ });
  return numberOf(await line.locator('strong').innerText());
}

function numberOf(text = ''): number {
  return Number(text.replaceAll(/[^\d]/g, ''));
}

/** Keys that are not revoked, answer with the verdict, and have no thresholds of their own. */
function onTouchedKeys(rows: readonly StoredRow[], { keys }: PolicyPage): readonly StoredRow[] {
  const untouched = keys.filter(
    ({ thresholds, shadow, revoked_at }) => thresholds !== null || shadow || revoked_at !== null,
  );
  return rows.filter(({ keyId }) => !untouched.some(({ id }) => id === keyId));
}

/** Judges each stored signup twice: with the current settings, and with other thresholds. */
function recount(
  rows: readonly StoredRow[],
  policy: PolicyPage,
  thresholds: Thresholds,
): Counts & { moved: number } {
  const version = policy.versions.find(({ version }) => version === policy.current) ?? null;
  const weightSet = effectiveWeights(
    version === null ? null : { version: version.version, weights: version.weights },
  );
  const before = { allow: 0, challenge: 0, block: 0 };
  const after = { ...before };
  let moved = 0;
  for (const { verdict, evidence } of rows) {
    const by = (tried: Thresholds) =>
      evidence.list === null ? judge(evidence, { ...weightSet, thresholds: tried }).verdict : verdict;
    const [now, next] = [by(policy.thresholds), by(thresholds)];
    before[now] += 1;
    after[next] += 1;
    if (next !== now) moved += 1;
  }
  return { before, after, moved };
}

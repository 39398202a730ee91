/** Roles in a browser: a member, an owner of another account, and a visitor who is not signed in. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRow, Session } from '../../src/contract/dashboard-account.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let operator: Window;
let owner: Window;
let member: Window;
let own: string;
let other: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  [operator, owner, member] = await Promise.all([
    browser.open(service.url, { as: PEOPLE.operator }),
    browser.open(service.url, { as: PEOPLE.owner }),
    browser.open(service.url, { as: PEOPLE.member }),
  ]);
  const { accounts } = (await operator.api<Session>('GET', '/session')).body;
  own = accounts.find(({ name }) => name === 'Fernlight')?.id as string;
  other = accounts.find(({ name }) => name === 'Harbor Tickets')?.id as string;
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

describe('shortcuts', () => {
  it('lead to every page that the person may open, and are listed for those pages', async () => {
    const { page, follow } = operator;
    await follow(`/accounts/${own}/today`);
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Accounts', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'Accounts', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/operator');
    expect(operator.faults).toEqual([]);
  });

  it('are not listed for pages that only others may open', async () => {
    const { page, follow } = member;
    await follow(`/accounts/${own}/today`);
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Intelligence', { exact: true }).waitFor();
    for (const name of ['Keys', 'Accounts'])
      expect(await list.getByText(name, { exact: true }).count(), name).toBe(0);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
  });
});

describe('an owner', () => {
  it('reads in the audit log what was done, each action once, newest first', async () => {
    const { body } = await owner.api<{ rows: AuditRow[] }>('GET', `/accounts/${own}/audit`);
    const month = body.rows.filter(({ action }) => !action.startsWith('sign_'));
    const times = month.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
    const done = month.map(({ action, target }) => `${action} ${target}`);
    expect(done.filter((action) => action.startsWith('person_invited'))).toHaveLength(3);
    expect(done).toContain('key.revoke live key Legacy form');
    await owner.follow(`/accounts/${own}/audit`);
    await owner.page.getByRole('row', { name: /Revoked a key/ }).waitFor();
  });

  it('filters it by action, person and time, and keeps the filter in the address', async () => {
    const { page } = owner;
    await owner.follow(`/accounts/${own}/audit`);
    await page.getByLabel('What was done').selectOption('Invited a person');
    await page.getByRole('row', { name: /Revoked a key/ }).waitFor({ state: 'detached' });
    await page.getByLabel('By whom').fill('OPERATOR@');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).search).toBe('?action=person_invited&by=OPERATOR%40');
    await expect.poll(() => page.getByRole('row', { name: /Invited a person/ }).count()).toBe(3);
    await page.getByLabel('When').selectOption({ label: 'In the last 7 days' });
    await expect.poll(() => page.getByRole('row', { name: /Invited a person/ }).count()).toBe(1);
    expect(await owner.barriers()).toEqual([]);
    await page.getByLabel('By whom').fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('No entry matches').waitFor();
    await page.getByRole('button', { name: 'Show all entries' }).click();
    await page.getByRole('row', { name: /Revoked a key/ }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(owner.faults).toEqual([]);
  });
});

describe('a member', () => {
  it('finds no keys, people or audit log, in the navigation or by their addresses', async () => {
    const { page, follow } = member;
    await follow(`/accounts/${own}/today`);
    const navigation = page.getByRole('navigation').first();
    await navigation.getByRole('link', { name: 'Signups' }).waitFor();
    for (const name of ['Keys', 'People', 'Personal data', 'Audit log', 'Accounts'])
      expect(await navigation.getByRole('link', { name, exact: true }).count(), name).toBe(0);
    await follow(`/accounts/${own}/keys`);
    await page.getByText('Only owners see the keys').waitFor();
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    await follow(`/accounts/${own}/thresholds`);
    expect(await page.getByRole('button', { name: 'Save thresholds' }).count()).toBe(0);
    await follow(`/accounts/${own}/lists`);
    expect(await page.getByRole('button', { name: /^(allow|block)/i }).count()).toBe(0);
    expect(member.faults).toEqual([]);
  });

  it('is refused by the service, too', async () => {
    const list = { action: 'deny', value: 'example.com', reason: 'none' };
    const refused = await Promise.all([
      member.api('GET', `/accounts/${own}/keys`),
      member.api('POST', `/accounts/${own}/keys`, { name: 'mine', mode: 'live' }),
      member.api('PUT', `/accounts/${own}/thresholds`, { challenge: 1, block: 1 }),
      member.api('POST', `/accounts/${own}/policy`, { weights: {}, note: '' }),
      member.api('POST', `/accounts/${own}/lists`, list),
      member.api('GET', `/accounts/${own}/audit`),
      member.api('POST', `/accounts/${own}/privacy/export`, { email: 'jo@example.com' }),
      member.api('GET', '/operator/accounts'),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403, 403, 403]);
  });
});

describe('another account', () => {
  it('looks to a stranger like one that does not exist', async () => {
    const { page, go } = owner;
    const texts: string[] = [];
    for (const id of [other, 'acc_00000000000000000000000000']) {
      await go(`/accounts/${id}/today`);
      texts.push(await page.getByRole('main').innerText());
    }
    expect(texts[0]).toContain('Page not found');
    expect(texts[0]).toBe(texts[1]);
    const answers = await Promise.all(
      [other, 'acc_00000000000000000000000000'].flatMap((id) =>
        ['overview?mode=live&period=7d', 'assessments', 'keys', 'policy'].map((path) =>
          owner.api('GET', `/accounts/${id}/${path}`),
        ),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(owner.faults).toEqual([]);
  });

  it('leads to the sign-in page, and then to the requested page, when nobody is signed in', async () => {
    const window = await browser.open(service.url);
    await window.page.goto(`/accounts/${own}/lists`);
    await window.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(window.page.url()).searchParams.get('next')).toBe(`/accounts/${own}/lists`);
    expect((await window.api('GET', `/accounts/${own}/lists`)).status).toBe(401);
  });
});

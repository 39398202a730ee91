/** Two people change the same thing: the second one is told what the first one did, counts again, and decides. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyRow, ListEntryRow, PolicyPage, Session } from '../../src/contract/dashboard-account.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

let installation: Installation;
let browser: TestBrowser;
let ana: Window;
let bo: Window;
let account: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const { url } = await installation.start();
  ana = await browser.open(url, { as: PEOPLE.owner });
  bo = await browser.open(url, { as: PEOPLE.operator });
  account = (await ana.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

const dialog = () => ana.page.getByRole('dialog');
const press = (name: string | RegExp) => dialog().getByRole('button', { name }).click();
const alert = () => dialog().getByRole('alert').innerText();
const isClosed = () => dialog().waitFor({ state: 'detached' });
/** Gives the window the focus until something is there: what was just fetched is not fetched again for a moment. */
async function afterReturn(read: () => Promise<string> | string, expected: string): Promise<void> {
  const returned = async () => {
    await ana.page.evaluate("dispatchEvent(new Event('focus'))");
    return read();
  };
  await expect.poll(returned, { interval: 200 }).toBe(expected);
}

describe('thresholds', () => {
  const path = () => `/accounts/${account}/thresholds?period=30d`;
  const policy = async () => (await ana.api<PolicyPage>('GET', `/accounts/${account}/policy`)).body;
  const effect = async () =>
    /[\d,]+|none(?= would)/.exec((await dialog().innerText()).split('days, ')[1] ?? '')?.[0];
  const save = (challenge: number, block: number) =>
    bo.api('PUT', `/accounts/${account}/thresholds`, { challenge, block });
  const saved = async () => (await policy()).thresholds;

  async function draft(challenge: number): Promise<void> {
    const field = ana.page.getByRole('textbox', { name: 'Challenge from' });
    await field.fill(String(challenge));
    await ana.page.getByRole('button', { name: 'Save thresholds' }).click();
    await dialog().getByText('would get another verdict').waitFor();
  }

  it('that another saved meanwhile are named, with the effect counted against them, before one saves anyway', async () => {
    await save(30, 60);
    await ana.follow(path());
    await draft(31);
    const first = await effect();
    await save(45, 58);
    await press('Save thresholds');
    await dialog().getByRole('button', { name: 'Save thresholds anyway' }).waitFor();
    expect(await alert()).toMatch(/^\S+@\S+ set challenge 45, block 58, (just now|\d+ s ago)/);
    await dialog().getByText('would get another verdict').waitFor();
    expect(await saved()).toEqual({ challenge: 45, block: 58 });
    expect(await effect()).not.toBe(first);
    expect(await ana.barriers('dialog')).toEqual([]);
    // A third change is told again.
    await save(34, 57);
    await press('Save thresholds anyway');
    await expect.poll(alert).toContain('set challenge 34, block 57');
    await press('Save thresholds anyway');
    await isClosed();
    expect(await saved()).toEqual({ challenge: 31, block: 60 });
  });

  it('that another saved meanwhile are kept, and the draft goes', async () => {
    await ana.follow(path());
    await expect
      .poll(() => ana.page.getByRole('textbox', { name: 'Challenge from' }).inputValue())
      .toBe(String((await saved()).challenge));
    await draft(40);
    await save(35, 56);
    await press('Save thresholds');
    await press('Use theirs');
    await isClosed();
    const fields = ['Challenge from', 'Block from'].map((name) => ana.page.getByRole('textbox', { name }));
    expect(await Promise.all(fields.map((field) => field.inputValue()))).toEqual(['35', '56']);
    await ana.page
      .getByRole('button', { name: 'Save thresholds' })
      .and(ana.page.locator(':disabled'))
      .waitFor();
    expect(await saved()).toEqual({ challenge: 35, block: 56 });
  });

  it('appear when one returns to the window, where a draft stays, and is still against what one began with', async () => {
    await ana.follow(path());
    const challenge = ana.page.getByRole('textbox', { name: 'Challenge from' });
    const block = ana.page.getByRole('textbox', { name: 'Block from' });
    await save(36, 55);
    await afterReturn(() => challenge.inputValue(), '36');
    await challenge.fill('41');
    await save(37, 54);
    const fetched: string[] = [];
    ana.page.on(
      'response',
      (response) =>
        void response.text().then(
          (text) => fetched.push(text),
          () => {},
        ),
    );
    await afterReturn(() => String(fetched.some((text) => text.includes('"challenge":37'))), 'true');
    expect([await challenge.inputValue(), await block.inputValue()]).toEqual(['41', '55']);
    await ana.page.getByRole('button', { name: 'Save thresholds' }).click();
    await press('Save thresholds');
    await expect.poll(alert).toContain('set challenge 37, block 54');
    await press('Save thresholds anyway');
    await isClosed();
    expect(await saved()).toEqual({ challenge: 41, block: 55 });
  });

  it('and weights of one draft are saved one after the other, without a question', async () => {
    await ana.follow(path());
    await expect
      .poll(() => ana.page.getByRole('textbox', { name: 'Challenge from' }).inputValue())
      .toBe(String((await saved()).challenge));
    const weight = ana.page.getByRole('textbox', { name: 'New weight of VPN' });
    await weight.fill('17');
    await draft(42);
    await press('Save thresholds');
    await isClosed();
    await ana.page.getByRole('button', { name: 'Save as policy' }).click();
    await press('Save policy');
    await isClosed();
    const { thresholds, detectors } = await policy();
    expect(thresholds.challenge).toBe(42);
    expect(detectors.find(({ detector }) => detector === 'vpn')?.weight).toBe(17);
  });
});

it('a key that another renamed meanwhile keeps the typed name in the dialog', async () => {
  await ana.follow(`/accounts/${account}/keys`);
  const key = (await ana.api<KeyRow[]>('GET', `/accounts/${account}/keys`)).body.find(
    (each) => each.mode === 'live' && each.revoked_at === null,
  ) as KeyRow;
  const path = `/accounts/${account}/keys/${key.id}`;
  await ana.page.getByRole('button', { name: new RegExp(`key ${key.name}$`) }).click();
  await ana.page.getByRole('menuitem', { name: 'Rename…' }).click();
  await dialog().getByLabel('Name').fill('typed by one');
  await bo.api('PATCH', path, { name: 'typed by another' });
  await press('Rename key');
  await expect.poll(alert).toContain('renamed the key to “typed by another”');
  expect(await dialog().getByLabel('Name').inputValue()).toBe('typed by one');
  await press('Rename key anyway');
  await isClosed();
  await ana.page.getByRole('cell', { name: 'typed by one', exact: true }).waitFor();
});

it('a list entry that another added meanwhile is shown before it is replaced', async () => {
  const value = 'two-people-harbour.com';
  const add = (reason: string) =>
    bo.api('POST', `/accounts/${account}/lists`, { action: 'deny', value, reason });
  const reason = async () => {
    const { body } = await ana.api<ListEntryRow[]>('GET', `/accounts/${account}/lists`);
    return body.find((each) => each.value === value)?.reason;
  };
  await ana.follow(`/accounts/${account}/lists?list=block`);
  await ana.page
    .getByRole('button', { name: /^Block/ })
    .first()
    .click();
  await dialog().getByLabel('Value').fill(value);
  await dialog().getByText('It matches no signup').waitFor();
  await dialog().getByLabel('Reason').fill('bot wave');
  await add('chargebacks');
  await press('Add to Block list');
  await expect.poll(alert).toContain('the Block list: chargebacks');
  await dialog().getByText('It is already on the Block list').waitFor();
  expect(await reason()).toBe('chargebacks');
  await press('Add to Block list anyway');
  await isClosed();
  expect(await reason()).toBe('bot wave');
});

it('leaves no fault in the pages', () => {
  expect([...ana.faults, ...bo.faults]).toEqual([]);
});

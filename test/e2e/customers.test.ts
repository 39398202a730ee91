/** Helping somebody who wrote, in a browser, with counted actions: by support in plain words, and by an analyst beside the signup. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ListEntryRow, Session } from '../../src/contract/dashboard-account.ts';
import type { AssessmentDetail } from '../../src/contract/dashboard-assessments.ts';
import { type Client, createClient } from '../support/client.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

/** Longer than `g` waits for its letter. */
const CHORD_OVER_MS = 1_700;

let installation: Installation;
let browser: TestBrowser;
let owner: Window;
let member: Window;
let client: Client;
let account: string;
/** A person whose throw-away address is blocked, another one for each test. */
let jane: string;
let signup: string;
let people = 0;
let actions = 0;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const service = await installation.start();
  [owner, member] = await Promise.all([
    browser.open(service.url, { as: PEOPLE.owner }),
    browser.open(service.url, { as: PEOPLE.member }),
  ]);
  const id = (await owner.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  account = `/accounts/${id}`;
  const create = ['key', 'create', '--account', id, '--name', 'help', '--mode', 'live'];
  const key = await installation.json<{ key: string }>(...create);
  client = createClient(service.url, key.key);
});

beforeEach(async () => {
  people += 1;
  jane = `jane.doe${people}@mailinator.com`;
  await expect.poll(async () => (await client.assess({ email: jane })).status, { timeout: 5_000 }).toBe(200);
  signup = (await client.assess({ email: jane })).json.request_id;
  actions = 0;
});

afterAll(async () => {
  client?.close();
  await browser?.close();
  await installation?.remove();
});

/** One action of a person: a click, a chord, or one field filled. */
async function act(action: Promise<unknown>): Promise<void> {
  actions += 1;
  await action;
}
async function paste({ page }: Window, text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.keyboard.press('ControlOrMeta+v');
}
const feedback = async () =>
  (await owner.api<AssessmentDetail>('GET', `${account}/assessments/${signup}`)).body.feedback;
const allowed = async () =>
  (await owner.api<ListEntryRow[]>('GET', `${account}/lists`)).body.filter(
    ({ reason }) => reason === 'Real customer',
  );
const toast = ({ page }: Window) => page.getByRole('status').filter({ has: page.getByText('Undo') });
const undo = async (window: Window) => {
  await toast(window).getByRole('button', { name: 'Undo' }).click();
  await window.page.getByText('Taken back.').waitFor();
};

describe('support', () => {
  it('lands on one field, and asks a colleague for help with one click', async () => {
    const { page } = member;
    await member.go('/');
    await page.getByRole('heading', { name: 'Who wrote to you?' }).waitFor();
    for (const name of ['Thresholds', 'Lists', 'Shadow mode', 'Usage and plan', 'Keys', 'People'])
      expect(await page.getByRole('navigation').getByRole('link', { name, exact: true }).count(), name).toBe(
        0,
      );
    await act(paste(member, jane));
    await page.getByText('They were not let in, because the address is from a service').first().waitFor();
    const words = await page.locator('main').innerText();
    expect(words).not.toMatch(/score|disposable|detector|threshold|points/i);
    expect(page.url()).not.toContain('jane');
    await act(page.getByRole('button', { name: 'This is a real customer' }).first().click());
    await page.getByText('reported as a good customer').first().waitFor();
    expect(actions).toBeLessThanOrEqual(3);
    expect(await feedback()).toMatchObject({
      outcome: 'false_positive',
      note: 'Asks to let this customer in.',
    });
    // Undo is offered for eight seconds only.
    await undo(member);
    expect(await feedback()).toBeNull();
    expect(await member.barriers()).toEqual([]);
    expect(member.faults).toEqual([]);
  });

  it('of somebody who may allow lets the person in at once, and takes both back', async () => {
    const { page, follow } = owner;
    await follow(`${account}/support`);
    await page.getByRole('textbox', { name: 'Address, request id or session id' }).focus();
    await act(paste(owner, jane));
    await act(page.getByRole('button', { name: 'This is a real customer' }).first().click());
    await page.getByText('it works now').first().waitFor();
    expect(actions).toBeLessThanOrEqual(3);
    expect(await feedback()).toMatchObject({ outcome: 'false_positive' });
    expect(await allowed()).toMatchObject([
      { action: 'allow', kind: 'mailbox', value: 'j***@mailinator.com' },
    ]);
    await undo(owner);
    expect(await feedback()).toBeNull();
    expect(await allowed()).toEqual([]);
  });
});

describe('the signup', () => {
  const open = (who = owner) => who.follow(`${account}/assessments/${signup}`);
  const dialog = () => owner.page.getByRole('dialog', { name: 'Real customer' });

  it('lets a real customer in by one sheet, which checks that the address is hers', async () => {
    const { page } = owner;
    await open();
    await page.getByRole('button', { name: 'Fraud' }).waitFor();
    await act(page.keyboard.press('r'));
    await dialog().getByLabel('Address of the customer').fill('somebody.else@mailinator.com');
    await dialog().getByText('This is not the address of this signup.').waitFor();
    expect(await dialog().getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
    await act(dialog().getByLabel('Address of the customer').fill(jane.replace('@', '+news@')));
    await dialog().getByText('Another spelling of the same mailbox').waitFor();
    await dialog().getByText('it matches').waitFor();
    expect(await owner.barriers('dialog')).toEqual([]);
    await act(dialog().getByRole('button', { name: 'Done' }).click());
    await dialog().waitFor({ state: 'detached' });
    expect(actions).toBe(3);
    expect(await feedback()).toMatchObject({ outcome: 'false_positive' });
    expect(await allowed()).toHaveLength(1);
    expect(page.url()).not.toContain('jane');
    await undo(owner);
    expect([await feedback(), await allowed()]).toEqual([null, []]);
  });

  it('is found by her address, which the sheet then has, so nothing is typed twice', async () => {
    const { page } = owner;
    await owner.follow(`${account}/today`);
    await page.keyboard.press('/');
    await page.getByRole('dialog').waitFor();
    await paste(owner, jane);
    await page.getByText('2 signups').first().waitFor();
    await act(page.keyboard.press('Enter'));
    await act(page.locator('a[data-row-link]').first().click());
    await page.getByRole('button', { name: 'Fraud' }).waitFor();
    await act(page.keyboard.press('r'));
    await dialog().getByText('This is the address of this signup.').waitFor();
    await act(dialog().getByRole('button', { name: 'Done' }).click());
    await page.getByText('Reported as a good customer.').waitFor();
    expect(actions).toBe(4);
    expect(page.url()).not.toContain('jane');
    await undo(owner);
  });

  it('is marked as fraud by one key, which can be taken back', async () => {
    const { page } = owner;
    await open();
    await page.getByRole('button', { name: 'Fraud' }).waitFor();
    await page.keyboard.press('f');
    await page.getByText('Confirmed as fraud.').waitFor();
    expect(await feedback()).toMatchObject({ outcome: 'confirmed_fraud' });
    await undo(owner);
    expect(await feedback()).toBeNull();
  });

  it.each(['f', 'r'])('is left alone by g, a pause, and %s', async (letter) => {
    const { page } = owner;
    await open();
    await page.getByRole('button', { name: 'Fraud' }).waitFor();
    await page.keyboard.press('g');
    await setTimeout(CHORD_OVER_MS);
    await page.keyboard.press(letter);
    await setTimeout(500);
    expect(await page.getByRole('dialog', { name: 'Real customer' }).count()).toBe(0);
    expect(await feedback()).toBeNull();
    expect(new URL(page.url()).pathname).toContain(signup);
    // The chord is over: the next letter means itself again.
    if (letter === 'r') {
      await page.keyboard.press('r');
      await dialog().waitFor();
      await page.keyboard.press('Escape');
    }
    expect(owner.faults).toEqual([]);
  });
});

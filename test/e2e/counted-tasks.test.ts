/** Tasks of everyday in a browser, with at most as many actions as they should take: a customer who was blocked, stricter thresholds, a new colleague, a company behind a proxy, a request for personal data. */
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ListEntryRow, PolicyPage, Session } from '../../src/contract/dashboard-account.ts';
import type { People } from '../../src/contract/dashboard-installation.ts';
import type { FeedbackPage } from '../../src/contract/dashboard-mistakes.ts';
import type { Assessment } from '../../src/contract/messages.ts';
import { type Client, createClient } from '../support/client.ts';
import { countActions } from '../support/counted-actions.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

const JANE = 'jane.doe@mailinator.com';
const PROXY = '79.199.1.7';
const COMPANY = 'orchardmedia.com';

let installation: Installation;
let browser: TestBrowser;
let owner: Window;
let client: Client;
let account: string;
let id: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const service = await installation.start();
  owner = await browser.open(service.url, { as: PEOPLE.owner });
  id = (await owner.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  account = `/accounts/${id}`;
  const create = ['key', 'create', '--account', id, '--name', 'tasks', '--mode', 'live'];
  client = createClient(service.url, (await installation.json<{ key: string }>(...create)).key);
});
afterAll(async () => {
  client?.close();
  await browser?.close();
  await installation?.remove();
});

/** Waits until the service knows the new key, and where the plan's rate is reached. */
async function assess(email: string, ip?: string): Promise<Assessment> {
  for (;;) {
    const { status, json } = await client.assess({ email, ...(ip === undefined ? {} : { ip }) });
    if (status === 200) return json;
    expect([401, 429]).toContain(status);
    await setTimeout(500);
  }
}
const entries = async () => (await owner.api<ListEntryRow[]>('GET', `${account}/lists`)).body;
async function undo({ page }: Window): Promise<void> {
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Taken back.').waitFor();
}

it('lets a customer in who was blocked: paste, Enter, real customer', async () => {
  const { page } = owner;
  expect((await assess(JANE)).verdict).not.toBe('allow');
  await owner.go(`${account}/today`);
  const actions = countActions(owner);
  await actions.paste(JANE);
  await page.getByRole('option').first().waitFor();
  await actions.press('Enter');
  await actions.click(page.getByRole('button', { name: 'This is a real customer' }));
  await page.getByText('j***@mailinator.com is allowed.').waitFor();
  expect(actions.count).toBeLessThanOrEqual(3);
  expect(page.url()).not.toContain('jane');
  await undo(owner);
  expect((await entries()).filter(({ reason }) => reason === 'Real customer')).toEqual([]);
  expect(await owner.barriers()).toEqual([]);
});

it('saves stricter thresholds with both labels in sight, and takes them back', async () => {
  const { page } = owner;
  const thresholds = async () => (await owner.api<PolicyPage>('GET', `${account}/policy`)).body.thresholds;
  const before = await thresholds();
  await owner.go(`${account}/today`);
  const actions = countActions(owner);
  await actions.click(page.getByRole('navigation').getByRole('link', { name: 'Thresholds' }));
  await actions.fill(page.getByRole('textbox', { name: 'Challenge from' }), String(before.challenge - 3));
  await actions.click(page.getByRole('button', { name: 'Save thresholds' }));
  const dialog = page.getByRole('dialog');
  await dialog.getByText('good customers').first().waitFor();
  await dialog.getByText('fraud').first().waitFor();
  await actions.click(dialog.getByRole('button', { name: 'Save thresholds' }));
  await dialog.waitFor({ state: 'detached' });
  expect(actions.count).toBeLessThanOrEqual(4);
  expect(await thresholds()).toEqual({ ...before, challenge: before.challenge - 3 });
  await undo(owner);
  expect(await thresholds()).toEqual(before);
});

it('brings a new colleague in, and changes their role in place', async () => {
  const { page } = owner;
  const email = 'new.colleague@fernlight.example';
  await owner.go(`${account}/today`);
  const actions = countActions(owner);
  await actions.click(page.getByRole('navigation').getByRole('link', { name: 'People' }));
  await actions.click(page.getByRole('button', { name: 'Invite a person' }));
  await actions.fill(page.getByLabel('Email'), email);
  await actions.click(page.getByRole('button', { name: 'Create invite link' }));
  await actions.click(page.getByRole('button', { name: 'Copy and close' }));
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(actions.count).toBeLessThanOrEqual(5);
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('/invitations');
  await page.getByText(email).waitFor();
  const role = countActions(owner);
  const roleOf = async () =>
    (await owner.api<People>('GET', `/operator/people?account=${id}`)).body.users.find(
      (user) => user.email === PEOPLE.member,
    )?.memberships[0]?.role;
  await role.choose(page.getByLabel(`Role of ${PEOPLE.member}`), 'analyst');
  await expect.poll(roleOf).toBe('analyst');
  expect(role.count).toBe(1);
  await undo(owner);
  expect(await roleOf()).toBe('member');
});

it('shows what a colleague changed meanwhile before a role is saved', async () => {
  const { page } = owner;
  await owner.follow(`${account}/people`);
  const field = page.getByLabel(`Role of ${PEOPLE.member}`);
  await field.waitFor();
  const { users } = (await owner.api<People>('GET', `/operator/people?account=${id}`)).body;
  const member = users.find(({ email }) => email === PEOPLE.member);
  const body = { user_id: member?.id, account_id: id, role: 'analyst' };
  expect((await owner.api('PATCH', '/operator/memberships', body)).status).toBe(200);
  await field.selectOption('owner');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('member → analyst').waitFor();
  expect(await owner.barriers('dialog')).toEqual([]);
  await dialog.getByRole('button', { name: 'Use theirs' }).click();
  await expect.poll(() => field.inputValue()).toBe('analyst');
  expect((await owner.api('PATCH', '/operator/memberships', { ...body, role: 'member' })).status).toBe(200);
});

it('makes a shared office of a company behind a proxy', async () => {
  const { page } = owner;
  const colleague = (at: number) =>
    `${String.fromCharCode(97 + (at % 26), 97 + ((at * 7 + Math.floor(at / 26)) % 26))}@${COMPANY}`;
  let last: Assessment | undefined;
  for (let at = 0; at < 60; at += 1) {
    last = await assess(colleague(at), PROXY);
    // Others come too: an address that most signups of a key have is nobody's.
    await assess(`jo@proxy-stranger-${at}.com`, `79.194.7.${at}`);
  }
  expect(last?.verdict).not.toBe('allow');
  await owner.go(`${account}/today`);
  const actions = countActions(owner);
  await actions.paste(colleague(59));
  await page.getByRole('option').first().waitFor();
  await actions.press('Enter');
  await actions.click(page.locator('a[data-row-link]').first());
  await actions.click(page.getByRole('button', { name: 'Shared office…' }));
  const dialog = page.getByRole('dialog').filter({ hasText: 'These 60 people' });
  await dialog.waitFor();
  await actions.fill(dialog.getByLabel('Reason'), 'Their proxy');
  await actions.click(dialog.getByRole('button', { name: 'Add to shared offices' }));
  await dialog.waitFor({ state: 'detached' });
  expect(actions.count).toBeLessThanOrEqual(6);
  expect(await entries()).toEqual(
    expect.arrayContaining([expect.objectContaining({ action: 'office', value: `${COMPANY} + ${PROXY}` })]),
  );
});

it('answers a request for personal data with a file that the person can read', async () => {
  const { page } = owner;
  await owner.go(`${account}/today`);
  const zoe = 'zoe.quandt@mailinator.com';
  await assess(zoe);
  const actions = countActions(owner);
  await actions.click(page.getByRole('navigation').getByRole('link', { name: 'Personal data' }));
  await actions.fill(page.getByLabel('Email address'), zoe);
  await actions.press('Enter');
  await page.getByText('1 signup, 0 reports and 0 list entries').waitFor();
  expect(actions.count).toBeLessThanOrEqual(3);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    actions.click(page.getByRole('button', { name: 'Export as a page' })),
  ]);
  expect(actions.count).toBeLessThanOrEqual(4);
  const sentences = await text(await download.createReadStream());
  expect(sentences).not.toMatch(/\d\.\d{8}|\{"|"facts"/);
  await actions.click(page.getByRole('button', { name: 'Erase…' }));
  await actions.click(page.getByRole('button', { name: 'Erase for good' }));
  await page.getByText('erased.').waitFor();
  expect(actions.count).toBeLessThanOrEqual(6);
});

it('shows what a member asks for, which an analyst does with one click', async () => {
  const member = await browser.open(new URL(owner.page.url()).origin, { as: PEOPLE.member });
  const email = 'ask.for.me@mailinator.com';
  await assess(email);
  await member.go('/');
  await member.page.getByRole('heading', { name: 'Who wrote to you?' }).waitFor();
  const asking = countActions(member);
  await asking.paste(email);
  await asking.click(member.page.getByRole('button', { name: 'This is a real customer' }));
  await member.page.getByText('we will write to you again').waitFor();
  await member.close();
  const { page } = owner;
  await owner.follow(`${account}/feedback`);
  const actions = countActions(owner);
  const letIn = page.getByRole('button', { name: 'Let a***@mailinator.com in' });
  await actions.click(letIn);
  await letIn.waitFor({ state: 'detached' });
  expect(actions.count).toBe(1);
  await undo(owner);
  await letIn.click();
  await letIn.waitFor({ state: 'detached' });
  const { queue } = (await owner.api<FeedbackPage>('GET', `${account}/feedback?state=done`)).body;
  const closed = { by: expect.any(String), until: expect.any(String) };
  expect(queue.rows).toMatchObject([{ email: 'a***@mailinator.com', kind: 'request', closed }]);
  await expect.poll(async () => (await assess(email)).verdict).toBe('allow');
  expect(await owner.barriers()).toEqual([]);
  expect(owner.faults).toEqual([]);
});

/** First run in a browser: the link creates one operator and then stops working; the first steps; signing out and in again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedKey, Session } from '../../src/contract/dashboard-account.ts';
import { FIRST_REQUEST } from '../../src/contract/first-request.ts';
import { setupLink } from '../support/browser.ts';
import { createClient } from '../support/client.ts';
import { plantPerson } from '../support/person.ts';
import { plant } from '../support/plant.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';

const PASSWORD = 'a long enough password';
const EMAIL = 'first@operator.example';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let link: string;
/** A visitor who is not signed in, and the one who creates the first operator. */
let stranger: Window;
let operator: Window;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createInstallation(), startBrowser()]);
  service = await installation.start();
  link = setupLink(service);
  [stranger, operator] = await Promise.all([browser.open(service.url), browser.open(service.url)]);
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

describe('the first run', () => {
  it('leads visitors who are not signed in to the sign-in page', async () => {
    const { page, faults } = stranger;
    await page.goto('/');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByText('First start? Open the link that the service printed').waitFor();
    expect(faults).toEqual([]);
  });

  it('says that a link without its end is incomplete', async () => {
    const { page } = stranger;
    for (const cut of ['/setup', '/invitations', link.slice(0, -5)]) {
      await page.goto(cut);
      await page.getByRole('heading', { name: 'The link is not complete.' }).waitFor();
    }
  });

  it('creates the first operator from the link printed at the start', async () => {
    const { page, faults } = operator;
    await page.goto(link);
    await page.getByLabel('Name').fill('First Operator');
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create operator' }).click();
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/accounts\/acc_\w+\/today$/);
    expect(faults).toEqual([]);
  });

  it('admits nobody else with the same link', async () => {
    const { page } = stranger;
    await page.goto('/sign-in');
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link does not work', exact: true }).waitFor();
    await page.getByText('gatehouse user link --new-operator').waitFor();
    const answer = await fetch(`${service.url}/dashboard/api/first-start`);
    expect(await answer.json()).toEqual({ needs_operator: false, oidc: null, passwords: true });
  });

  it('gives the same answer to a wrong password and to an unknown person', async () => {
    const { page, go } = stranger;
    const alerts: string[] = [];
    for (const [email, password] of [
      [EMAIL, 'not the password'],
      ['nobody@operator.example', PASSWORD],
    ] as const) {
      await go('/sign-in');
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      alerts.push(await page.getByRole('alert').innerText());
    }
    expect(alerts[0]).toContain('do not match');
    expect(alerts[1]).toBe(alerts[0]);
  });

  it('signs in, opens the requested page, and signs out again', async () => {
    const { page, faults } = stranger;
    await page.goto('/profile');
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/profile');
    await page.getByRole('button', { name: /First Operator|first@operator/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto('/profile');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
  });
});

describe('the first steps', () => {
  it('lead from a command that works when pasted to its signup, in the mode of its key', async () => {
    const { page, go, faults, barriers } = operator;
    // On a phone: content that does not fit there fits nowhere.
    await page.setViewportSize({ width: 390, height: 900 });
    await go('/');
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    // A missing part must not be hidden behind shortened keys or placeholders.
    expect(await page.getByText('sk_').count()).toBe(0);
    await page.getByRole('radiogroup', { name: 'Kind of key' }).getByText('Sandbox').click();
    await page.getByText('not under Live').waitFor();
    await page.getByRole('button', { name: 'Create a sandbox key' }).click();
    const command = await page.getByRole('region', { name: 'First request' }).innerText();
    expect(command).toMatch(/Bearer sk_test_\w{27,}'/);
    await page.getByRole('button', { name: 'Copy First request' }).click();
    expect((await page.evaluate('navigator.clipboard.readText()')) as string).toBe(command);
    expect(await barriers()).toEqual([]);

    expect(JSON.parse(await paste(command))).toMatchObject({ verdict: 'block' });
    await page.getByRole('heading', { name: 'See it here (done)' }).waitFor();
    await page.getByText('It was made with a sandbox key.').waitFor();
    await page.getByRole('region', { name: 'Request in JavaScript' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    // The key is not shown again, but its command stays.
    expect(await page.getByRole('region', { name: 'First request' }).innerText()).toBe(command);
    await page.getByRole('heading', { name: 'No live signups yet' }).waitFor();
    await page.getByRole('link', { name: 'Switch to Sandbox' }).click();
    await page.getByRole('link', { name: '1 signup', exact: true }).waitFor();
    await page.getByRole('link', { name: 'see why' }).click();
    await page.getByRole('heading', { name: 'How the score was calculated' }).waitFor({ state: 'attached' });
    expect(faults).toEqual([]);
    await page.setViewportSize({ width: 1_280, height: 900 });
  });

  it('count a live request only when it is not an example, and then disappear', async () => {
    const { page, go, api } = operator;
    await go('/');
    const [account] = (await api<Session>('GET', '/session')).body.accounts;
    const { secret } = (
      await api<CreatedKey>('POST', `/accounts/${account?.id}/keys`, { name: 'site', mode: 'live' })
    ).body;
    const live = createClient(service.url, secret);
    await live.assess(FIRST_REQUEST);
    await page.getByRole('link', { name: '1 signup', exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Call Gatehouse from your signup form (to do)' }).waitFor();
    await page.getByRole('region', { name: 'Request in JavaScript' }).waitFor();
    await live.assess({ email: 'jane.doe@gmail.com', ip: '79.192.3.3' });
    live.close();
    await plantPerson(installation, { account: account?.id as string, role: 'member' });
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' });
    await go('/');
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0);
  });

  it('can be hidden, and shown again while there are no signups', async () => {
    const other = await plant(installation, { name: 'second' });
    const { page, go, api } = operator;
    const known = async () =>
      (await api<Session>('GET', '/session')).body.accounts.some(({ id }) => id === other.id);
    await expect.poll(known).toBe(true);
    await go(`/accounts/${other.id}/today`);
    await page.getByRole('heading', { name: 'No live signups yet' }).waitFor();
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' });
    await go(`/accounts/${other.id}/today`);
    await page.getByRole('button', { name: 'Show the first steps' }).click();
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
  });
});

/** As a person does in a shell. */
async function paste(command: string): Promise<string> {
  const shell = spawn('sh', ['-c', command.replace('curl ', 'curl -s ')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(shell.stdout), once(shell, 'close')]);
  return output;
}

/** A management token in a browser: created with its scopes, shown once, used, revoked. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import { createClient } from '../support/client.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const PATH = '/operator/tokens';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let window: Window;
let accounts: Session['accounts'];
let secret: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.operator });
  accounts = (await window.api<Session>('GET', '/session')).body.accounts;
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

const idOf = (account: string) => accounts.find(({ name }) => name === account)?.id as string;

async function statusOf(account: string, part: string): Promise<number> {
  const client = createClient(service.url, secret);
  const path = `/v1/manage/accounts/${idOf(account)}/${part}`;
  const { status } = await client.send({ method: 'GET', path }).finally(() => client.close());
  return status;
}

describe('a token', () => {
  it('is created with its scopes for one account, and shown only once', async () => {
    const { page, go } = window;
    await go(PATH);
    await page.getByRole('button', { name: 'Create token' }).first().click();
    const dialog = page.getByRole('dialog');
    const create = dialog.getByRole('button', { name: 'Create token' });
    await dialog.getByLabel('Name').fill('made in a browser');
    expect(await create.isDisabled()).toBe(true);
    await dialog.getByLabel('keys:write').check();
    expect(await dialog.getByLabel('keys:read').isChecked()).toBe(true);
    expect(await dialog.getByLabel('keys:read').isDisabled()).toBe(true);
    await dialog.getByText('It sees all accounts').waitFor();
    await dialog.getByLabel('accounts:write').check();
    await dialog.getByRole('combobox', { name: 'Account' }).click();
    await page.getByRole('listbox').getByRole('option', { name: 'Fernlight' }).click();
    await dialog.getByText('it can change the plan').waitFor();
    await dialog.getByLabel('accounts:write').uncheck();
    expect(await window.barriers('dialog')).toEqual([]);
    await create.click();
    await dialog.getByText('It is not shown again').waitFor();
    secret = /gatehouse_token_\w+/.exec(await dialog.innerText())?.[0] ?? '';
    expect(secret).toMatch(/^gatehouse_token_\w{32}$/);
    await page.keyboard.press('Escape');
    await dialog.getByText('Close without copying?').waitFor();
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: /made in a browser/ });
    await row.getByText('keys:write').waitFor();
    expect(await row.innerText()).toContain('Fernlight');
    expect(await row.innerText()).toContain(String(new Date().getUTCFullYear() + 1));
    await go(PATH);
    expect(await page.content()).not.toContain(secret);
  });

  it('may do only what was chosen', async () => {
    expect(await statusOf('Fernlight', 'keys')).toBe(200);
    expect(await statusOf('Fernlight', 'lists')).toBe(403);
    expect(await statusOf('Harbor Tickets', 'keys')).toBe(404);
  });

  it('is refused once it is revoked; the dialog says first what will stop working', async () => {
    const { page } = window;
    await window.follow(PATH);
    await page.getByRole('button', { name: 'Revoke token made in a browser' }).click();
    const dialog = page.getByRole('dialog');
    const words = await dialog.innerText();
    for (const part of ['will be refused from now on', 'in Fernlight', 'Create, change and revoke API keys.'])
      expect(words).toContain(part);
    expect(await window.barriers('dialog')).toEqual([]);
    expect(await statusOf('Fernlight', 'keys')).toBe(200);
    await dialog.getByRole('button', { name: 'Revoke token' }).click();
    const row = page.getByRole('row', { name: /made in a browser/ });
    await row.waitFor({ state: 'detached' });
    expect(await statusOf('Fernlight', 'keys')).toBe(401);
    await page.getByRole('button', { name: 'Show 1 revoked or expired token' }).click();
    await row.getByText('revoked').waitFor();
    expect(window.faults).toEqual([]);
  });
});

describe('an owner', () => {
  it('sees no page of tokens', async () => {
    const owner = await browser.open(service.url, { as: PEOPLE.owner });
    await owner.go(PATH);
    expect(await owner.page.getByRole('button', { name: 'Create token' }).count()).toBe(0);
    expect((await owner.api('GET', PATH)).status).toBe(403);
    await owner.close();
  });
});

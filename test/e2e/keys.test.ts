/** A key and a hook in a browser: created and shown once, used, revoked. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedKey, Session } from '../../src/contract/dashboard-account.ts';
import { type Client, createClient } from '../support/client.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let window: Window;
let client: Client;
let path: string;
let secret: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  window = await browser.open(service.url, { as: PEOPLE.owner });
  client = createClient(service.url);
  const { body } = await window.api<Session>('GET', '/session');
  path = `/accounts/${body.accounts[0]?.id}/keys`;
});

afterAll(async () => {
  client?.close();
  await browser?.close();
  await installation?.remove();
});

describe('a key', () => {
  it('is created, and shown only once', async () => {
    const { page, go } = window;
    await go(path);
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('made in a browser');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('it is not shown again').waitFor();
    secret = /sk_live_\w+/.exec(await dialog.innerText())?.[0] ?? '';
    expect(secret).toMatch(/^sk_live_\w{32}$/);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'made in a browser', exact: true }).waitFor();
    await go(path);
    expect(await page.content()).not.toContain(secret);
  });

  it('works at once, and the page shows its last use', async () => {
    const answer = await client.assess({ email: 'someone@mailinator.com' }, secret);
    expect(answer.status).toBe(200);
    expect(answer.json.verdict).toBe('block');
    const { page } = window;
    const used = page.getByRole('row', { name: /made in a browser/ }).getByText(/now|sec|s ago/);
    await expect
      .poll(
        async () => {
          await window.follow(path);
          return used.count();
        },
        { timeout: 90_000 },
      )
      .toBeGreaterThan(0);
  });

  it('is refused once it is revoked, after a second confirmation', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Actions for key made in a browser' }).click();
    await page.getByRole('menuitem', { name: 'Revoke key' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toContain('will be refused from now on');
    expect((await client.assess({ email: 'someone@mailinator.com' }, secret)).status).toBe(200);
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('row', { name: /made in a browser/ }).waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await client.assess({ email: 'someone@mailinator.com' }, secret)).status, {
        timeout: 90_000,
      })
      .toBe(401);
    expect(window.faults).toEqual([]);
  });
});

it('gives the focus back to what opened a dialog, also a dialog that follows another one', async () => {
  const { page, follow } = window;
  await follow(path);
  const focused = () =>
    page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent');
  const create = page.getByRole('button', { name: 'Create key' }).first();
  for (const end of ['Escape', 'secret']) {
    await create.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').waitFor();
    if (end === 'Escape') await page.keyboard.press('Escape');
    else {
      await page.getByLabel('Name').fill('focus comes back');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'I have copied it' }).click();
    }
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(focused, { message: end }).toContain('Create key');
  }
  const menu = 'Actions for key focus comes back';
  await page.getByRole('button', { name: menu }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Revoke key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(focused).toBe(menu);
});

describe('a key in shadow mode', () => {
  it('stops nobody until it is set to enforce, after a dialog that says what will change', async () => {
    const { page, follow, api } = window;
    const made = await api<CreatedKey>('POST', path, {
      name: 'observing form',
      mode: 'live',
      shadow: true,
    });
    const assess = async () => (await client.assess({ email: 'jo@mailinator.com' }, made.body.secret)).json;
    const observed = await assess();
    expect([observed.verdict, observed.shadow_verdict]).toEqual(['allow', 'block']);
    await follow(path.replace('keys', `assessments/${observed.request_id}`));
    await page.getByText('Observed only: the key was in shadow mode').waitFor();
    await page.getByText(/^Would have been blocked at \d+ points/).waitFor();
    await page.getByRole('link', { name: 'Shadow mode report' }).click();
    const card = page.getByRole('region', { name: 'observing form' });
    await card.getByText('live key, in shadow mode').waitFor();
    expect(await card.innerText()).toMatch(/Would have been blocked\s+1\s/);
    await card.getByRole('button', { name: 'Enforce' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toContain('It would have challenged 0 and blocked 1.');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await assess()).verdict).toBe('allow');
    await card.getByRole('button', { name: 'Enforce' }).click();
    await dialog.getByText('everybody', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Enforce for everybody' }).click();
    await card.getByText('enforces now').waitFor();
    expect((await assess()).verdict).toBe('block');
    expect(window.faults).toEqual([]);
  });
});

describe('a hook', () => {
  it('is created with what to enter at the provider, gets another secret, and is revoked', async () => {
    const { page, follow } = window;
    await follow(path.replace('keys', 'hooks'));
    await page.getByRole('button', { name: 'Create hook' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Provider').selectOption({ label: 'Okta' });
    await dialog.getByLabel('Name').fill('made in a browser');
    await dialog.getByLabel('Secret (optional)').fill('too short');
    await dialog.getByRole('button', { name: 'Create hook' }).click();
    await dialog.getByText('The secret of this hook (okta) is').waitFor();
    await dialog.getByLabel('Secret (optional)').fill('');
    await dialog.getByRole('button', { name: 'Create hook' }).click();
    await dialog.getByText('In Okta: Workflow').waitFor();
    expect(await window.barriers('dialog')).toEqual([]);
    const url = await dialog.getByRole('region', { name: 'URL' }).innerText();
    expect(url).toMatch(new RegExp(`^${service.url}/hooks/okta/hk_\\w+$`));
    const secret = await dialog.getByRole('region', { name: 'Secret' }).innerText();
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    const call = async (value: string) => {
      const headers = { authorization: value, 'content-type': 'application/json' };
      const { pathname } = new URL(url);
      return (await client.send({ method: 'POST', path: pathname, key: null, headers, body: '{}' })).status;
    };
    expect([await call(secret), await call('another one')]).toEqual([200, 401]);
    expect(await window.barriers()).toEqual([]);

    await page.getByRole('button', { name: 'Actions for hook made in a browser' }).click();
    await page.getByRole('menuitem', { name: 'Replace secret' }).click();
    await dialog.getByText('The old secret stays valid for a day').waitFor();
    await dialog.getByLabel('Refuse the old secret at once').check();
    await dialog.getByText('The old secret is refused from now on').waitFor();
    await dialog.getByRole('button', { name: 'Replace secret' }).click();
    await dialog.getByRole('button', { name: 'I have copied it' }).waitFor();
    expect(await call(secret)).toBe(401);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();

    await page.getByRole('button', { name: 'Actions for hook made in a browser' }).click();
    await page.getByRole('menuitem', { name: 'Revoke hook' }).click();
    expect(await dialog.innerText()).toContain('will be refused from now on');
    await dialog.getByRole('button', { name: 'Revoke hook' }).click();
    await page.getByRole('button', { name: 'Show 1 revoked hook' }).waitFor();
    expect(window.faults).toEqual([]);
  });
});

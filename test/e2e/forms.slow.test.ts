/** Forms when the service refuses or is slow, and what one click does to people and sessions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRow, Session } from '../../src/contract/dashboard-account.ts';
import type { CreatedInvitation, People } from '../../src/contract/dashboard-installation.ts';
import type { OpenSessions } from '../../src/contract/dashboard-people.ts';
import { openBrowser } from '../support/browser.ts';
import { createDemo, PASSWORD, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const NEW_USER = 'new.user@fernlight.example';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let operator: Window;
let account: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  service = await installation.start();
  operator = await browser.open(service.url, { as: PEOPLE.operator });
  const { accounts } = (await operator.api<Session>('GET', '/session')).body;
  account = accounts.find(({ name }) => name === 'Fernlight')?.id as string;
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

describe('a refusal', () => {
  it('about a field marks the field and takes the focus there', async () => {
    const owner = await browser.open(service.url, { as: PEOPLE.owner });
    const { page } = owner;
    await owner.go(`/accounts/${account}/people`);
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog');
    const email = dialog.getByLabel('Email');
    await email.fill(PEOPLE.member);
    await dialog.getByRole('button', { name: 'Create invite link' }).click();
    await dialog.getByText('is in this account already').waitFor();
    await expect.poll(() => email.evaluate((field) => field.matches(':focus'))).toBe(true);
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    // It is only at the field, not also above the buttons.
    expect(await dialog.getByRole('alert').count()).toBe(0);
    expect(await owner.barriers('dialog')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await owner.close();
  });

  it('that concerns no field is shown above the buttons, and keeps what was typed', async () => {
    const { page } = operator;
    await operator.follow('/operator');
    await page.getByRole('button', { name: 'Create account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Refused once');
    const creation = (url: URL) => url.pathname.endsWith('/operator/accounts');
    await page.route(creation, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Not now.' } } })
        : route.continue(),
    );
    await dialog.getByRole('button', { name: 'Create account' }).click();
    const note = dialog.getByRole('alert').getByText('Not now.');
    const [above, below] = await Promise.all([
      note.boundingBox(),
      dialog.getByRole('button', { name: 'Create account' }).boundingBox(),
    ]);
    expect(above?.y).toBeLessThan(below?.y as number);
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Refused once');
    await page.unroute(creation);
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Refused once/ }).waitFor();
  });
});

describe('an account', () => {
  it('is deleted after its name was typed; the dialog says first what else is deleted', async () => {
    const { page } = operator;
    await operator.api('POST', '/operator/accounts', { name: 'Short lived', plan: 'free' });
    await operator.follow('/operator');
    await page.getByRole('button', { name: 'Delete Short lived' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No user is deleted').waitFor();
    const remove = dialog.getByRole('button', { name: 'Delete account' });
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel('Type Short lived to confirm').fill('Short lived');
    expect(await operator.barriers('dialog')).toEqual([]);
    await remove.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Short lived/ }).waitFor({ state: 'detached' });
  });
});

describe('Escape', () => {
  it('closes a form at once, but not while it is being sent', async () => {
    const { page } = operator;
    await operator.follow(`/accounts/${account}/keys`);
    const open = async () => {
      await page.getByRole('button', { name: 'Actions for key Mobile app' }).click();
      await page.getByRole('menuitem', { name: 'Rename…' }).click();
      return page.getByRole('dialog');
    };
    let dialog = await open();
    await dialog.getByLabel('Name').fill('Typed and left');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    dialog = await open();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Mobile app');
    const held: (() => void)[] = [];
    const renaming = (url: URL) => /\/keys\/[^/]+$/.test(url.pathname);
    await page.route(renaming, async (route) => {
      await new Promise<void>((go) => held.push(go));
      await route.continue();
    });
    await dialog.getByLabel('Name').fill('Phone app');
    await dialog.getByRole('button', { name: 'Rename key' }).click();
    await expect.poll(() => held.length).toBe(1);
    await page.keyboard.press('Escape');
    await dialog.locator('button[data-loading="true"]', { hasText: 'Rename key' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    held[0]?.();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Phone app', { exact: true }).waitFor();
    await page.unroute(renaming);
  });
});

describe('a user', () => {
  beforeAll(async () => {
    const invitation = { email: NEW_USER, account_id: account, role: 'member' };
    const { body } = await operator.api<CreatedInvitation>('POST', '/operator/invitations', invitation);
    const joining = openBrowser(service.url);
    const secret = new URL(body.link).hash.slice(1);
    const joined = { secret, name: 'New User', password: PASSWORD };
    expect((await joining.send('POST', '/dashboard/api/invitations', joined)).status).toBeLessThan(300);
    joining.close();
  });

  /** A session of this user without a window. */
  const signIn = async () => {
    const session = openBrowser(service.url);
    expect((await session.signIn(NEW_USER, PASSWORD)).status).toBe(200);
    return session;
  };
  const act = async (item: string) => {
    const { page } = operator;
    await operator.follow('/operator/people');
    await page.getByRole('button', { name: `Actions for ${NEW_USER}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
    return page.getByRole('dialog');
  };

  it('is verified after a dialog that says what this means', async () => {
    const dialog = await act('Verify address…');
    expect(await dialog.innerText()).toContain('owns this address');
    await dialog.getByRole('button', { name: 'Verify address' }).click();
    await dialog.waitFor({ state: 'detached' });
    const isVerified = async () => {
      const { body } = await operator.api<People>('GET', '/operator/people');
      return body.users.find(({ email }) => email === NEW_USER)?.verified;
    };
    await expect.poll(isVerified).toBe(true);
    const row = operator.page.getByRole('row', { name: new RegExp(NEW_USER) });
    await expect.poll(() => row.innerText()).not.toContain('not verified');
  });

  it('is signed out everywhere by End sessions, after a dialog that says so', async () => {
    const theirs = await signIn();
    expect((await theirs.session()).status).toBe(200);
    const dialog = await act('End sessions…');
    expect(await dialog.innerText()).toContain('signed out');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await theirs.session()).status).toBe(200);
    await (await act('End sessions…')).getByRole('button', { name: 'End sessions' }).click();
    await expect.poll(async () => (await theirs.session()).status).toBe(401);
    theirs.close();
    const { body } = await operator.api<{ rows: AuditRow[] }>('GET', `/accounts/${account}/audit`);
    expect(body.rows[0]).toMatchObject({ target: NEW_USER, by: PEOPLE.operator });
  });

  it('ends one session of their own, then all the others', async () => {
    const here = await browser.open(service.url, { as: NEW_USER });
    const others = await Promise.all([signIn(), signIn()]);
    const { page } = here;
    const statuses = () => Promise.all(others.map(async (session) => (await session.session()).status));
    await here.go('/profile');
    const ends = page.getByRole('button', { name: /^End the session of / });
    await expect.poll(() => ends.count()).toBe(2);
    await ends.first().click();
    await expect.poll(() => ends.count()).toBe(1);
    expect((await statuses()).sort()).toEqual([200, 401]);
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await expect.poll(() => ends.count()).toBe(0);
    expect(await statuses()).toEqual([401, 401]);
    const left = (await here.api<OpenSessions>('GET', '/sessions')).body.sessions;
    expect(left.map(({ current }) => current)).toEqual([true]);
    expect(here.faults).toEqual([]);
    for (const session of others) session.close();
  });
});

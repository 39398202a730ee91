/** A session that ends in the middle of work, in a browser: what was typed stays for the same person, and for nobody else. */
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { ListEntryRow, Session } from '../../src/contract/dashboard-account.ts';
import { createDemo, PASSWORD, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const REASON = 'Three chargebacks, seen by Ada';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let window: Window;
let lists: string;

/** A half-filled dialog whose session has ended, and that was sent. */
beforeEach(async () => {
  installation ??= await createDemo();
  service ??= await installation.start();
  browser ??= await startBrowser();
  await window?.close();
  window = await browser.open(service.url, { as: PEOPLE.owner });
  const { page, go, api } = window;
  page.setDefaultTimeout(20_000);
  lists = `/accounts/${(await api<Session>('GET', '/session')).body.accounts[0]?.id}/lists`;
  await go(lists);
  await page.getByRole('button', { name: 'Block…' }).first().click();
  await page.getByLabel('Value').fill('chargeback.example');
  await page.getByLabel('Reason').fill(REASON);
  await page.context().clearCookies();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Add to/ })
    .click();
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

const again = () => window.page.getByRole('dialog', { name: 'Sign in again' });

async function signIn(email: string): Promise<void> {
  await again().getByLabel('Email').fill(email);
  await again().getByLabel('Password').first().fill(PASSWORD);
  await again().getByRole('button', { name: 'Sign in' }).click();
  await again().waitFor({ state: 'detached' });
}

it('says why, keeps the form through Escape, and sends it after signing in', async () => {
  const { page } = window;
  await page.keyboard.press('Escape');
  await again().getByText('Your session has ended').waitFor();
  expect(await again().getByLabel('Email').inputValue()).toBe(PEOPLE.owner);
  await signIn(PEOPLE.owner);
  expect(await page.getByLabel('Reason').inputValue()).toBe(REASON);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Add to/ })
    .click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { body } = await window.api<ListEntryRow[]>('GET', lists);
  expect(body.map(({ value, reason }) => [value, reason])).toContainEqual(['chargeback.example', REASON]);
});

it('shows nothing of it to another person', async () => {
  const { page } = window;
  await signIn(PEOPLE.member);
  await page.waitForURL((url) => !url.pathname.endsWith('/lists'));
  expect(await page.content()).not.toContain(REASON);
  expect(await page.getByRole('dialog').count()).toBe(0);
});

/** First run in a browser: the link makes one operator and works no more; signing out and in again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setupLink } from '../support/browser.ts';
import { startBrowser, type TestBrowser } from '../support/real-browser.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';

const PASSWORD = 'a long enough password';
const EMAIL = 'first@operator.example';

let installation: Installation;
let service: Service;
let browser: TestBrowser;
let link: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createInstallation(), startBrowser()]);
  service = await installation.start();
  link = setupLink(service);
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

describe('the first run', () => {
  it('leads whoever is not signed in to the sign-in page', async () => {
    const { page, faults, close } = await browser.open(service.url);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it('makes the first operator by the link of the start', async () => {
    const { page, faults, close } = await browser.open(service.url);
    await page.goto(new URL(link).pathname);
    await page.getByLabel('Name').fill('First Operator');
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create operator' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/accounts\/acc_\w+\/overview$/);
    expect(faults).toEqual([]);
    await close();
  });

  it('lets nobody else in by the same link', async () => {
    const { page, close } = await browser.open(service.url);
    await page.goto(new URL(link).pathname);
    await page.getByRole('heading', { name: 'This link does not work', exact: true }).waitFor();
    await close();
  });

  it('tells a wrong password and an unknown person the same', async () => {
    const told: string[] = [];
    for (const [email, password] of [
      [EMAIL, 'not the password'],
      ['nobody@operator.example', PASSWORD],
    ] as const) {
      const { page, close } = await browser.open(service.url);
      await page.goto('/sign-in');
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      told.push(await page.getByRole('alert').innerText());
      await close();
    }
    expect(told[0]).toContain('do not match');
    expect(told[1]).toBe(told[0]);
  });

  it('signs in where the person wanted to go, and out again', async () => {
    const { page, go, faults, close } = await browser.open(service.url);
    await page.goto('/profile');
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/profile');
    await go('/');
    await page.getByRole('button', { name: /First Operator|first@operator/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto('/profile');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});

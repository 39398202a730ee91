/** Single sign-on in a browser: from the button to the page Today, what a refusal says, and a page without passwords. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDemo, PASSWORD, PEOPLE } from '../support/demo-folder.ts';
import { freePort } from '../support/oidc-visit.ts';
import { CLIENT, type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts';
import { startBrowser, type TestBrowser } from '../support/real-browser.ts';
import type { Installation, Service } from '../support/service.ts';

const PERSON = { sub: 'ada', email: 'ada.sso@example.com', email_verified: true, name: 'Ada' };

let provider: OpenIdProvider;
let installation: Installation;
let service: Service;
let browser: TestBrowser;
let environment: Record<string, string>;
beforeAll(async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  provider = await startOpenIdProvider([`${publicUrl}/dashboard/oidc/callback`]);
  installation = await createDemo();
  environment = {
    PORT: String(port),
    GATEHOUSE_PUBLIC_URL: publicUrl,
    GATEHOUSE_OIDC_ISSUER: provider.issuer,
    GATEHOUSE_OIDC_CLIENT_ID: CLIENT.id,
    GATEHOUSE_OIDC_CLIENT_SECRET: CLIENT.secret,
    GATEHOUSE_OIDC_ROLES: 'fraud=analyst',
    GATEHOUSE_OIDC_LABEL: 'Example ID',
  };
  service = await installation.start(environment);
  browser = await startBrowser();
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await installation?.remove();
  await provider?.close();
});

it('leads from the button to the page Today, and back out', async () => {
  provider.person = { ...PERSON, groups: ['fraud'] };
  const window = await browser.open(service.url);
  const { page } = window;
  page.setDefaultTimeout(20_000);
  await window.go('/sign-in');
  expect(await window.barriers()).toEqual([]);
  await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await window.go('/profile');
  await page.getByText('You can sign in with Example ID.').waitFor();
  await page.getByRole('button', { name: 'Ada', exact: false }).first().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const leave = page.getByRole('link', { name: 'Sign out of Example ID, too' });
  expect(await leave.getAttribute('href')).toContain(`${provider.issuer}/session/end`);
  await window.close();
});

it('connects a person at their profile, after their password', async () => {
  provider.person = { ...PERSON, sub: 'owner', email: 'elsewhere@example.com', groups: [] };
  const window = await browser.open(service.url, { as: PEOPLE.owner });
  const { page } = window;
  page.setDefaultTimeout(20_000);
  await window.go('/profile?oidc=denied');
  await page.getByRole('alert').getByText('The provider did not sign you in.').waitFor();
  await page.getByRole('button', { name: 'Connect Example ID…' }).click();
  const card = page.locator('form', { hasText: 'nobody else at your screen' });
  await card.getByLabel('Current password').fill('not the password');
  await page.getByRole('button', { name: 'Continue to Example ID' }).click();
  await card.getByText('The current password is wrong.').waitFor();
  expect(await window.barriers()).toEqual([]);
  await card.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue to Example ID' }).click();
  await page.getByText('You can sign in with Example ID.').waitFor();
  await window.close();
});

it('says in one line why nobody was signed in, and nothing of what a link says', async () => {
  provider.person = { ...PERSON, sub: 'nobody', email: 'nobody@example.com', groups: [] };
  const window = await browser.open(service.url, { width: 390, dark: true });
  const { page } = window;
  page.setDefaultTimeout(20_000);
  await window.go('/sign-in');
  await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
  await page.getByRole('alert').getByText('None of your groups has a role here.').waitFor();
  expect(await window.barriers()).toEqual([]);
  await window.go('/sign-in?oidc=%3Cb%3Ecall%20me%3C/b%3E');
  await page.getByRole('button', { name: 'Sign in with Example ID' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await provider.down();
  await window.close();
  await provider.up();
});

it('shows no form where passwords are off, also to somebody who is invited', async () => {
  const owner = await browser.open(service.url, { as: PEOPLE.owner });
  const { body } = await owner.api<{ accounts: { id: string }[] }>('GET', '/session');
  const account_id = body.accounts[0]?.id;
  const invited = { email: 'invited@example.com', account_id, role: 'member' };
  const { link } = (await owner.api<{ link: string }>('POST', '/operator/invitations', invited)).body;
  await service.stop();
  service = await installation.start({ ...environment, GATEHOUSE_PASSWORDS: 'off' });
  const window = await browser.open(service.url);
  const { page } = window;
  page.setDefaultTimeout(20_000);
  await window.go('/sign-in');
  await page.getByRole('button', { name: 'Sign in with Example ID' }).waitFor();
  expect(await page.getByLabel('Password').count()).toBe(0);
  await window.go(new URL(link).pathname + new URL(link).hash);
  provider.person = { ...PERSON, sub: 'invited', email: 'invited@example.com', groups: [] };
  await page.getByRole('button', { name: 'Accept with Example ID' }).click();
  await page.waitForURL(/\/accounts\//);
  await window.go('/profile');
  expect(await page.getByLabel('Current password').count()).toBe(0);
  await owner.close();
  await window.close();
});

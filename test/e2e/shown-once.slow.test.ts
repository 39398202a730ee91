/** A secret in a browser that is shown only once: no hasty click loses it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../src/contract/dashboard-account.ts';
import { authenticatorCode } from '../support/browser.ts';
import { createDemo, PASSWORD, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

let installation: Installation;
let browser: TestBrowser;
let window: Window;
let path: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const { url } = await installation.start();
  window = await browser.open(url, { as: PEOPLE.owner });
  const { body } = await window.api<Session>('GET', '/session');
  path = `/accounts/${body.accounts[0]?.id}/keys`;
});

afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

describe('a secret that is shown once', () => {
  const shown = {
    async 'a key'({ page, follow }: Window) {
      await follow(path);
      await page.getByRole('button', { name: 'Create key' }).first().click();
      await page.getByLabel('Name').fill('kept in a browser');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    },
    async 'the link of an invitation'({ page, follow }: Window) {
      await follow(path.replace('keys', 'people'));
      await page.getByRole('button', { name: 'Invite a person' }).click();
      await page.getByLabel('Email').fill('somebody@fernlight.example');
      await page.getByRole('button', { name: 'Create invite link' }).click();
    },
    async 'the backup codes'({ page, follow }: Window) {
      await follow('/profile');
      await page.getByRole('button', { name: 'Set up 2FA' }).click();
      await page.getByLabel('Current password').first().fill(PASSWORD);
      await page.getByRole('button', { name: 'Continue' }).click();
      const link = page.getByRole('link', { name: 'Open in an authenticator' });
      const address = (await link.getAttribute('href')) as string;
      await page.getByLabel('Code it shows now').fill(authenticatorCode(address, Date.now()));
      await page.getByRole('button', { name: 'Turn on 2FA' }).click();
    },
  };

  it.each(Object.entries(shown))('survives Escape, ×, and a click outside: %s', async (_, show) => {
    const { page } = window;
    await show(window);
    const dialog = page.getByRole('dialog');
    const copy = dialog.getByRole('button', { name: /^Copy (?!and close)/ });
    await copy.waitFor();
    const ways = {
      Escape: () => page.keyboard.press('Escape'),
      cross: () => dialog.getByRole('button', { name: 'Close', exact: true }).click(),
      outside: () => page.mouse.click(5, 500),
    };
    for (const leave of Object.values(ways)) {
      await leave();
      await dialog.getByText('Close without copying?').waitFor();
      expect(await dialog.innerText()).toContain('shown only once');
      // A second hasty click does not count as an answer.
      await leave();
      await copy.waitFor();
    }
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await copy.click();
    await dialog.getByText('Copied').first().waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await dialog.locator('pre').innerText());
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(window.faults).toEqual([]);
  });

  it('survives Back, and closes only after a confirmation', async () => {
    const { page, follow } = window;
    await follow(path.replace('keys', 'lists'));
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByLabel('Name').fill('left in a browser');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const copy = dialog.getByRole('button', { name: /^Copy (?!and close)/ });
    await copy.waitFor();
    await page.evaluate('history.back()');
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await copy.waitFor();
    await page.evaluate('history.back()');
    await dialog.getByRole('button', { name: 'Close without copying' }).click();
    await page.getByRole('heading', { name: 'Lists' }).waitFor();
    expect(await dialog.count()).toBe(0);
  });
});

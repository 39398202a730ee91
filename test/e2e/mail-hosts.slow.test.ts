/** A mail host in a browser: looked up, never flagged, judged again and forgotten, each after a dialog that explains the effect. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/expectations.ts';
import { PASSWORD, type PlantedPerson, plantPerson } from '../support/person.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import { type Scene, startScene } from '../support/scene.ts';

let scene: Scene;
let browser: TestBrowser;
let operator: PlantedPerson;
let window: Window;

beforeAll(async () => {
  [scene, browser] = await Promise.all([startScene(), startBrowser()]);
  operator = await plantPerson(scene.installation, 'operator');
  scene.dns.set('mx.kind-harbour.com', { a: ['198.51.100.7'] });
  for (const domain of ['mailinator.com', 'yopmail.com', 'bakery-harbour.com']) {
    scene.dns.set(domain, { mx: ['10 mx.kind-harbour.com'] });
    await scene.live.assess({ email: `jo@${domain}` });
  }
  window = await browser.open(scene.service.url);
  const headers = { 'X-Gatehouse': 'dashboard', Origin: scene.service.url };
  const data = { email: operator.email, password: PASSWORD };
  await window.page.request.post('/dashboard/auth/sign-in/email', { headers, data });
});

afterAll(async () => {
  await browser?.close();
  await scene?.end();
});

it('is looked up, corrected and forgotten by an operator', async () => {
  const { page, go } = window;
  await go('/intelligence');
  await page.getByLabel('Mail host or IP address').fill('mx9.kind-harbour.com');
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByText('2 listed disposable domains and 1 ordinary domain were seen there').waitFor();
  const dialog = page.getByRole('dialog');
  const confirm = async (button: string, verb: string, says: string) => {
    await page.getByRole('button', { name: button }).click();
    await dialog.getByText(says).waitFor();
    await dialog.getByRole('button', { name: verb }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await confirm('Never flag this host…', 'Never flag', 'collects no more data about the host');
  await page.getByText('An operator decided that *.kind-harbour.com is never flagged').waitFor();
  await confirm('Allow flagging again…', 'Allow flagging', 'is judged by its data again');
  await confirm('Forget…', 'Forget host', 'This cannot be undone');
  await page.getByText('Nothing was seen at *.kind-harbour.com yet').waitFor();
  await until(async () => page.getByRole('button', { name: 'Forget…' }).isDisabled());
  expect(new URL(page.url()).searchParams.get('host')).toBe('mx9.kind-harbour.com');
});

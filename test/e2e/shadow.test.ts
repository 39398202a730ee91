/** A key in shadow mode in a browser: from the line of Today that calls for it to everybody, step by step, and back with one click. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyRow, Session } from '../../src/contract/dashboard-account.ts';
import type { Label } from '../../src/contract/dashboard-assessments.ts';
import type { ShadowReport } from '../../src/contract/dashboard-shadow.ts';
import { anAssessment } from '../support/an-assessment.ts';
import { countActions } from '../support/counted-actions.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { plantKey } from '../support/plant.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

const DAY_MS = 86_400_000;
const DAYS = 8.5;
const SIGNUPS = 600;
const READY = 'key_ready';
const LOOK = 'key_look';
const NEW = 'key_new';

let installation: Installation;
let browser: TestBrowser;
let owner: Window;
let account: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const accountId = await withStored(installation, async (store) => {
    const { accounts } = await store.changesSince(0);
    return accounts.find(({ name }) => name === 'Fernlight')?.id as string;
  });
  for (const [id, name] of [
    [READY, 'Ready form'],
    [LOOK, 'Harmful form'],
    [NEW, 'New form'],
  ] as const)
    await plantKey(installation, accountId, 'live', { id, name, enforcedShare: 0 });
  await plantObserved(accountId);
  const service = await installation.start();
  owner = await browser.open(service.url, { as: PEOPLE.owner, width: 1_440 });
  const { accounts } = (await owner.api<Session>('GET', '/session')).body;
  account = `/accounts/${accounts.find(({ name }) => name === 'Fernlight')?.id}`;
});
afterAll(async () => {
  await browser?.close();
  await installation?.remove();
});

/** 600 signups in eight days for each of two keys: every tenth would have been stopped, and people reported some. */
async function plantObserved(accountId: string): Promise<void> {
  await withStored(installation, async (store) => {
    const now = Date.now();
    const report = (requestId: string, outcome: Label) =>
      store.saveFeedback({ requestId, outcome, note: null, keyId: READY, at: now - 1_000 });
    for (const keyId of [READY, LOOK])
      for (let index = 0; index < SIGNUPS; index += 1) {
        const record = anAssessment({
          requestId: `req_${randomUUID()}`,
          accountId,
          keyId,
          shadow: true,
          at: now - 60_000 - Math.floor((index * DAYS * DAY_MS) / SIGNUPS),
          verdict: index % 10 === 0 ? 'block' : 'allow',
          facts: factsOf(index % 20 === 0 ? 'vpn' : 'ip_burst'),
        });
        await store.record(record);
        if (index === 10) await report(record.requestId, 'confirmed_fraud');
        if (keyId === LOOK && [0, 30, 50].includes(index)) await report(record.requestId, 'false_positive');
      }
  });
}

const factsOf = (detector: string) =>
  `[1,"a1","default-1",30,60,["${detector}",85,1],17984,0,0,0,4000,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,"France"]`;
const keyOf = async (id: string) =>
  (await owner.api<KeyRow[]>('GET', `${account}/keys`)).body.find((key) => key.id === id);
const card = (name: string) => owner.page.getByRole('region', { name, exact: true });
const readinessOf = (place: ReturnType<typeof card>) =>
  place.getByRole('region', { name: 'Ready to enforce?' });

describe('a key that has observed enough', () => {
  it('is enforced from Today in three clicks, for more in two, and only observes again with one', async () => {
    const { page } = owner;
    await owner.go(`${account}/today`);
    const begun = countActions(owner);
    await begun.click(page.getByRole('link', { name: '“Ready form” is ready to enforce' }));
    await readinessOf(card('Ready form')).getByText('Ready', { exact: true }).waitFor();
    await begun.click(card('Ready form').getByRole('button', { name: 'Enforce…' }));
    await begun.click(page.getByRole('dialog').getByRole('button', { name: 'Enforce for 10%' }));
    expect(begun.count).toBe(3);
    await card('Ready form').getByText('live key, enforces for 10% of people').waitFor();
    expect(await keyOf(READY)).toMatchObject({ shadow: true, enforced_share: 10 });

    const more = countActions(owner);
    for (const [step, words] of [
      ['50%', 'live key, enforces for 50% of people'],
      ['everybody', 'live key, enforces now'],
    ] as const) {
      await more.click(card('Ready form').getByRole('button', { name: 'Enforce for more…' }));
      await more.click(page.getByRole('dialog').getByRole('button', { name: `Enforce for ${step}` }));
      await card('Ready form').getByText(words).waitFor();
    }
    expect(more.count).toBe(4);
    expect(await keyOf(READY)).toMatchObject({ shadow: false, enforced_share: 100 });

    const back = countActions(owner);
    await back.click(page.getByRole('button', { name: 'Undo' }));
    await card('Ready form').getByText('live key, enforces for 50% of people').waitFor();
    await back.click(card('Ready form').getByRole('button', { name: 'Only observe again' }));
    await card('Ready form').getByText('live key, in shadow mode').waitFor();
    expect(back.count).toBe(2);
    expect(await keyOf(READY)).toMatchObject({ shadow: true, enforced_share: 0 });
    expect(owner.faults).toEqual([]);
  });

  it('is not set to a share over the change of a colleague that nobody has seen', async () => {
    const { page } = owner;
    await owner.follow(`${account}/shadow`);
    await card('Ready form').getByRole('button', { name: 'Enforce…' }).click();
    await owner.api('PATCH', `${account}/keys/${READY}`, { enforced_share: 20 });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Enforce for 10%' }).click();
    await dialog.getByText('set “Ready form” to enforced for 20%').waitFor();
    await dialog.getByRole('button', { name: 'Use theirs' }).click();
    expect(await keyOf(READY)).toMatchObject({ enforced_share: 20 });
    await owner.api('PATCH', `${account}/keys/${READY}`, { enforced_share: 0 });
  });
});

describe('a key that would have stopped good customers', () => {
  it('names them, their fraud, what they share and what helps first; the dialog has the figures of the page', async () => {
    const { page } = owner;
    await owner.follow(`${account}/shadow`);
    const shown = readinessOf(card('Harmful form'));
    await shown.getByText('Look at 3').waitFor();
    const onPage = await shown.innerText();
    for (const words of [
      '600 signups',
      'blocked 60',
      'harmed 3',
      'newly stopped 1',
      'Burst from one IP 2 of 3',
      'Shared office',
    ])
      expect(onPage).toContain(words);
    const { keys } = (await owner.api<ShadowReport>('GET', `${account}/shadow?period=7d`)).body;
    expect(keys.find(({ id }) => id === LOOK)?.readiness).toMatchObject({
      state: 'look',
      days: 8,
      causes: [
        { detector: 'ip_burst', good: 2, fraud: 1 },
        { detector: 'vpn', good: 1, fraud: 0 },
      ],
    });
    await card('Harmful form').getByRole('button', { name: 'Enforce…' }).click();
    const inDialog = readinessOf(page.getByRole('dialog'));
    await expect.poll(() => inDialog.innerText()).toBe(onPage);
    expect(await owner.barriers('dialog')).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await owner.barriers()).toEqual([]);
    await shown.getByRole('link', { name: 'Look at 3' }).click();
    await page.getByRole('heading', { name: 'Signups', exact: true }).waitFor();
    await page
      .getByText(/^3 signups/)
      .first()
      .waitFor();
  });

  it('is among what needs a person on Today, and leads to its figures', async () => {
    const { page } = owner;
    await owner.follow(`${account}/today`);
    await page
      .getByRole('link', { name: '“Harmful form” would have stopped 3 good customers' })
      .click({ timeout: 60_000 });
    await readinessOf(card('Harmful form')).getByText('Look at 3').waitFor();
    await owner.follow(`${account}/today`);
    await page.getByRole('link', { name: /“Ready form” is ready to enforce/ }).waitFor({ timeout: 60_000 });
    expect(await owner.barriers()).toEqual([]);
  });

  it('shows its state beside its name on Keys, as one that collects does', async () => {
    const { page } = owner;
    await owner.follow(`${account}/keys`);
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
    await row('Harmful form').getByRole('link', { name: 'Look at 3' }).waitFor();
    await row('Ready form').getByRole('link', { name: 'Ready', exact: true }).waitFor();
    const collecting = row('New form').getByRole('link', { name: 'Collecting' });
    expect(await collecting.getAttribute('title')).toBe('7 days and 500 signups more');
    expect(await owner.barriers()).toEqual([]);
  });
});

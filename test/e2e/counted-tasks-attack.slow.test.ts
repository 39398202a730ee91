/** Attacks in a browser, with at most as many actions as they should take: one of last week is blocked, and one that goes on now leads from its alert to its end. */
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ListEntryRow, Session } from '../../src/contract/dashboard-account.ts';
import type { AttackCard } from '../../src/contract/dashboard-attacks.ts';
import type { CampaignPageAnswer } from '../../src/contract/dashboard-campaigns.ts';
import { type Client, createClient } from '../support/client.ts';
import { countActions } from '../support/counted-actions.ts';
import { createDemo, PEOPLE } from '../support/demo-folder.ts';
import { startBrowser, type TestBrowser, type Window } from '../support/real-browser.ts';
import type { Installation } from '../support/service.ts';

const FIRST = ['anna', 'bert', 'carla', 'david', 'elena', 'frank', 'greta', 'hugo', 'irene', 'jonas'];
const LAST = ['meyer', 'schmidt', 'weber', 'fischer', 'becker', 'hoffmann', 'koch', 'richter'];
/** Watches look once a minute. */
const SEEN_MS = 150_000;

let installation: Installation;
let browser: TestBrowser;
let owner: Window;
let clients: Client[];
let account: string;

beforeAll(async () => {
  [installation, browser] = await Promise.all([createDemo(), startBrowser()]);
  const service = await installation.start();
  owner = await browser.open(service.url, { as: PEOPLE.owner });
  const id = (await owner.api<Session>('GET', '/session')).body.accounts[0]?.id as string;
  account = `/accounts/${id}`;
  clients = [];
  for (const name of ['web', 'app']) {
    const create = ['key', 'create', '--account', id, '--name', name, '--mode', 'live'];
    clients.push(createClient(service.url, (await installation.json<{ key: string }>(...create)).key));
  }
});
afterAll(async () => {
  for (const client of clients) client.close();
  await browser?.close();
  await installation?.remove();
});

const entries = async () => (await owner.api<ListEntryRow[]>('GET', `${account}/lists`)).body;
const cardOf = async (attack: string) =>
  (await owner.api<AttackCard>('GET', `${account}/attacks/${attack}`)).body;

/** The largest wave of a place, and what there is before anything is done about it. */
async function waveOf(place: string, state: 'open' | 'ended') {
  const path = `${account}/campaigns?state=${state}`;
  const { data } = (await owner.api<CampaignPageAnswer>('GET', path)).body;
  const [largest] = data.filter((wave) => wave.place === place).sort((a, b) => b.members - a.members);
  const id = largest?.id as string;
  return { id, before: { entries: await entries(), card: await cardOf(id) } };
}

async function undoAll(panel: ReturnType<Window['page']['getByRole']>): Promise<void> {
  await panel.getByRole('button', { name: 'Undo all' }).click();
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Undo all' }).click();
  await panel.getByText(/^Took .* back\.$/).waitFor();
}

/** Presses the button that blocks and lists, and reads the file that comes. */
async function blockAndList(
  actions: ReturnType<typeof countActions>,
  done: RegExp = /^Added .* to the Block list/,
): Promise<string[]> {
  const { page } = owner;
  const sheet = page.getByRole('dialog');
  await sheet.getByText(/^The suggested entries cover/).waitFor();
  expect(await owner.barriers('dialog')).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    actions.click(sheet.getByRole('button', { name: /^Block and list the/ })),
  ]);
  await page.getByText(done).waitFor();
  return (await text(await download.createReadStream())).trim().split('\r\n').slice(1);
}

it('blocks a wave of last week in three actions, and undoes all of it', async () => {
  const { page } = owner;
  const { id, before } = await waveOf('inboxfleet.net', 'ended');
  await owner.go(`${account}/today`);
  const actions = countActions(owner);
  await actions.click(page.getByRole('navigation').getByRole('link', { name: 'Waves' }));
  const row = page.getByRole('row').filter({ has: page.locator(`a[href*="${id}"]`) });
  await actions.click(row.getByRole('button', { name: 'Block…' }));
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('list', { name: 'Entries' }).waitFor();
  expect(await owner.barriers('dialog')).toEqual([]);
  await actions.click(sheet.getByRole('button', { name: /^Block/ }));
  await page.getByText(/^Added .* to the Block list/).waitFor();
  expect(actions.count).toBeLessThanOrEqual(3);
  const added = (await entries()).slice(0, -before.entries.length);
  expect(added.length).toBeGreaterThan(0);
  expect(added.every(({ action, expires_at }) => action === 'deny' && expires_at !== null)).toBe(true);
  await row.getByRole('link').first().click();
  const panel = page.getByRole('complementary', { name: 'Wave' });
  await panel.getByText('blocked it').waitFor();
  expect(await owner.barriers()).toEqual([]);
  await undoAll(panel);
  expect(await entries()).toEqual(before.entries);
  expect(owner.faults).toEqual([]);
});

it('confirms a wave that no place covers, lists who got in and labels them', async () => {
  const { page } = owner;
  const { id, before } = await waveOf('hotmail.com', 'open');
  expect(before.card.let_in).toBeGreaterThan(3);
  await owner.follow(`${account}/campaigns/${id}`);
  const panel = page.getByRole('complementary', { name: 'Wave' });
  const actions = countActions(owner);
  await actions.click(panel.getByRole('button', { name: 'Block…' }));
  const lines = await blockAndList(actions, /labelled .* as fraud/);
  expect(lines).toHaveLength(before.card.let_in);
  const { reports, unreported } = await cardOf(id);
  expect([reports.fraud >= before.card.unreported, unreported]).toEqual([true, 0]);
  await undoAll(panel);
  const after = await cardOf(id);
  expect({ ...after, timeline: [] }).toEqual({ ...before.card, timeline: [] });
  await panel.getByRole('link', { name: /^Who got in/ }).click();
  await page.getByText('one wave').waitFor();
  expect(owner.faults).toEqual([]);
});

it('leads from an alert to the end of the attack in three actions', { timeout: 300_000 }, async () => {
  const { page } = owner;
  const names = FIRST.flatMap((first) => LAST.map((last) => `${first}.${last}`));
  for (const [at, name] of names.entries())
    for (;;) {
      const ip = `45.12.${96 + (at % 4)}.${10 + at}`;
      const client = clients[at % clients.length] as Client;
      const { status } = await client.assess({ email: `${name}@gmail.com`, ip, session_id: 'sess_one' });
      if (status === 200) break;
      expect([401, 429]).toContain(status);
      await setTimeout(500);
    }
  await owner.go(`${account}/today`);
  const need = page
    .getByRole('region', { name: 'Needs you' })
    .getByRole('link', { name: /signups/i })
    .first();
  await need.waitFor({ timeout: SEEN_MS });
  const actions = countActions(owner);
  await actions.click(need);
  const panel = page.getByRole('complementary', { name: 'Alert' });
  await panel
    .getByText('45.12.96.0/22')
    .first()
    .waitFor()
    .catch(() => undefined);
  await actions.click(panel.getByRole('button', { name: 'Block…' }));
  const lines = await blockAndList(actions);
  expect(actions.count).toBeLessThanOrEqual(3);
  expect(lines.length).toBeGreaterThan(names.length / 2);
  const added = (await entries()).filter(
    ({ action, value }) => action === 'deny' && value.startsWith('45.12.9'),
  );
  expect(added.map(({ value }) => value)).toEqual(['45.12.96.0/22']);
  await expect
    .poll(async () => (await clients[0]?.assess({ email: 'a.b@gmail.com', ip: '45.12.97.3' }))?.json.verdict)
    .toBe('block');
  // Messages lead to the alert.
  const [id] = /alr_\w+/.exec(page.url()) ?? [];
  await owner.go(`${account}/alerts/${id}`);
  await panel.waitFor();
  expect(page.url()).toContain(`${account}/campaigns/${id}`);
  expect(owner.faults).toEqual([]);
});

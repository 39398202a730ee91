/** Attacks in the dashboard's API: the signups of a wave, the entries that end it, reports about who got in, and the undoing of all of it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditRow, ListEntryRow } from '../../src/contract/dashboard-account.ts';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import type { AttackCard, AttackDone, BlockProposal } from '../../src/contract/dashboard-attacks.ts';
import type { CampaignDetail, CampaignPageAnswer } from '../../src/contract/dashboard-campaigns.ts';
import type { ConnectionRow, TakeBackRow } from '../../src/contract/dashboard-take-back.ts';
import type { Assessment } from '../../src/contract/messages.ts';
import { type Browser, claimOperator, join } from '../support/browser.ts';
import { type Client, createClient } from '../support/client.ts';
import { problemOf } from '../support/expectations.ts';
import { type Planted, plant } from '../support/plant.ts';
import { startProviderServer } from '../support/provider-servers.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

const RANGE = '198.51.100';
const MEMBERS = 30;
/** Ids at the provider, which the sessions have as their names. */
const users = Array.from({ length: MEMBERS }, () => randomUUID());

const addressOf = (at: number) =>
  `${String.fromCharCode(97 + (at % 26))}kq${at}zxwvt${(at * 7919) % 9973}@hotmail.com`;

let installation: Installation;
let service: Service;
let account: Planted;
let owner: Browser;
let colleague: Browser;
let member: Browser;
let client: Client;
let wave: string;
let answers: Assessment[];

beforeAll(async () => {
  // The provider is on this machine.
  installation = await createInstallation({ GATEHOUSE_WEBHOOKS_PRIVATE: 'on' });
  account = await plant(installation);
  service = await installation.start();
  const operator = await claimOperator(service);
  const of = (email: string, role: 'owner' | 'analyst' | 'member') =>
    join(operator, service, { email, account: account.id, role });
  owner = await of('owner@example.com', 'owner');
  colleague = await of('an@example.com', 'analyst');
  member = await of('m@example.com', 'member');
  client = createClient(service.url, account.live);
  await client.assess({ email: 'somebody.else@gmail.com', ip: '203.0.113.7' });
  answers = [];
  for (let at = 0; at < MEMBERS; at += 1) {
    const email = addressOf(at);
    const ip = `${RANGE}.${64 + at}`;
    answers.push((await client.assess({ email, ip, session_id: users[at] })).json);
  }
});
afterAll(async () => {
  client?.close();
  await installation?.remove();
});

const API = '/dashboard/api';
const path = (rest: string) => `${API}/accounts/${account.id}/${rest}`;
const get = async <Answer>(rest: string, browser = owner) =>
  (await browser.send('GET', path(rest))).json as unknown as Answer;
const list = () => get<CampaignPageAnswer>('campaigns');
const card = () => get<AttackCard>(`attacks/${wave}`);
const entries = () => get<ListEntryRow[]>('lists');
const feedbackOf = async (filter = '') =>
  (await get<AssessmentSearchResult>(`assessments?attack=${wave}&limit=200${filter}`)).rows.map(
    ({ request_id, feedback }) => [request_id, feedback],
  );
const body = (fields: object = {}) => ({
  values: [`${RANGE}.64/27`],
  reason: 'A wave',
  expires_at: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  report: true,
  ...fields,
});

it('counts those from before it was found, and finds them by a filter', async () => {
  const found = async () => (await list()).data[0]?.id;
  await expect.poll(found, { interval: 50, timeout: 20_000 }).toBeDefined();
  wave = (await found()) as string;
  const { total, let_in, partial, timeline } = await card();
  expect([total, partial]).toEqual([MEMBERS, false]);
  expect(let_in).toBe(answers.filter(({ verdict }) => verdict === 'allow').length);
  expect(let_in).toBeGreaterThan(3);
  expect(timeline.map(({ what }) => what)).toEqual(expect.arrayContaining(['first', 'found', 'last']));
  expect(await feedbackOf()).toHaveLength(MEMBERS);
  expect(await feedbackOf('&let_in=true')).toHaveLength(let_in);
  const summary = await get<{ total: number }>(`assessments/summary?attack=${wave}`);
  expect(summary.total).toBe(MEMBERS);
  const csv = (await owner.send('GET', path(`assessments.csv?attack=${wave}&let_in=true`))).text;
  expect(csv.trim().split('\r\n')).toHaveLength(1 + let_in);
});

it('proposes the smallest range, and names no free-mail domain', async () => {
  const proposal = await get<BlockProposal>(`attacks/${wave}/block`);
  expect(proposal).toMatchObject({ total: MEMBERS, covered: MEMBERS, confirms: true });
  expect(proposal.places.filter(({ chosen }) => chosen)).toMatchObject([
    { value: `${RANGE}.64/27`, covers: MEMBERS, others: 0, good: 0, fraud: 0 },
  ]);
  expect(proposal.places.some(({ kind }) => kind === 'domain')).toBe(false);
  expect(problemOf(await member.send('GET', path(`attacks/${wave}/block`))).status).toBe(403);
});

it('blocks it and reports who got in; undo makes everything what it was', async () => {
  const before = { detail: await get<CampaignDetail>(`campaigns/${wave}`), marks: await feedbackOf() };
  expect(problemOf(await member.send('POST', path(`attacks/${wave}/block`), body())).status).toBe(403);
  const { let_in } = await card();
  const done = (await owner.send('POST', path(`attacks/${wave}/block`), body()))
    .json as unknown as AttackDone;
  expect(done).toEqual({ entries: 1, refused: [], confirmed: true, reported: let_in, left: 0 });
  expect(await entries()).toMatchObject([{ action: 'deny', value: `${RANGE}.64/27`, reason: 'A wave' }]);
  const after = await card();
  expect(after).toMatchObject({ unreported: 0, reports: { fraud: let_in, good: 0 } });
  expect(
    after.timeline.filter(({ by }) => by?.startsWith('owner@example.com')).map(({ what }) => what),
  ).toEqual(expect.arrayContaining(['campaign.block', 'campaign.confirm', 'campaign.report']));
  // Anybody who may do it can take it back.
  const undone = await colleague.send('POST', path(`attacks/${wave}/undo`));
  expect(undone.json).toEqual({ taken_back: 2 + let_in, changed: 0 });
  expect(await entries()).toEqual([]);
  expect(await feedbackOf()).toEqual(before.marks);
  expect(await get<CampaignDetail>(`campaigns/${wave}`)).toEqual(before.detail);
  expect(await card()).toMatchObject({ undoable: 0 });
  expect((await colleague.send('POST', path(`attacks/${wave}/undo`))).json).toEqual({
    taken_back: 0,
    changed: 0,
  });
  const rows = (await get<{ rows: readonly AuditRow[] }>('audit')).rows;
  expect(rows.find(({ action }) => action === 'campaign.undo')).toMatchObject({ target: wave });
});

it('shows who took back the accounts of those who got in; undo releases them, too', async () => {
  const provider = await startProviderServer('kratos');
  for (const user of users) provider.users.set(user, { state: 'active' });
  const states = () => new Set([...provider.users.values()].map(({ state }) => state));
  try {
    const { url, secret } = provider.settings;
    const connecting = { kind: 'kratos', name: 'shop', url, secret, session_is_user: true };
    const { id } = (await owner.send<ConnectionRow>('POST', path('connections'), connecting)).json;
    const choice = { connection_id: id, filter: { attack: wave, let_in: 'true' } };
    const job = (await owner.send<TakeBackRow>('POST', path('takeback'), choice)).json;
    expect(job).toMatchObject({ attack: wave, total: (await card()).let_in });
    const held = () => [...provider.users.values()].filter(({ state }) => state === 'inactive').length;
    await expect.poll(held, { timeout: 60_000 }).toBe(job.total);
    const { timeline, undoable } = await card();
    expect(undoable).toBe(1);
    expect(timeline.find(({ what }) => what === 'takeback.start')).toMatchObject({
      by: expect.stringMatching(/^owner@example\.com/),
      detail: expect.stringContaining(`${job.total} accounts to be held at kratos shop`),
    });
    const undone = await colleague.send('POST', path(`attacks/${wave}/undo`));
    expect(undone.json).toEqual({ taken_back: 1, changed: 0 });
    await expect.poll(states, { timeout: 60_000 }).toEqual(new Set(['active']));
    expect(await card()).toMatchObject({ undoable: 0 });
  } finally {
    await provider.close();
  }
});

it('leaves what others changed since, and says so', async () => {
  await owner.send('POST', path(`attacks/${wave}/block`), body());
  const { let_in } = await card();
  const [first] = (await feedbackOf('&let_in=true')).at(0) ?? [];
  await colleague.send('POST', path(`assessments/${first}/feedback`), { outcome: 'false_positive' });
  const undo = { taken_back: 2 + let_in - 1, changed: 1 };
  expect((await owner.send('POST', path(`attacks/${wave}/undo`))).json).toEqual(undo);
  expect(await feedbackOf('&let_in=true')).toContainEqual([first, 'false_positive']);
  await colleague.send('DELETE', path(`assessments/${first}/feedback`));
});

it('takes back that it is not an attack', async () => {
  const before = await get<CampaignDetail>(`campaigns/${wave}`);
  const { status } = await owner.send('POST', path(`campaigns/${wave}/decision`), { action: 'dismiss' });
  expect(status).toBe(200);
  // Its members may have another mark in common, and be a second wave.
  const dismissed = (await list()).data.find(({ id }) => id === wave);
  expect(dismissed).toMatchObject({ state: 'ended', decision: 'dismissed' });
  expect((await owner.send('POST', path(`attacks/${wave}/undo`))).json).toEqual({
    taken_back: 1,
    changed: 0,
  });
  expect((await get<CampaignDetail>(`campaigns/${wave}`)).campaign).toMatchObject({
    ...before.campaign,
    version: expect.any(String),
  });
});

it('keeps nothing of an erased person in what can be taken back', async () => {
  const done = await owner.send('POST', path(`attacks/${wave}/block`), body());
  const { reported } = done.json as unknown as AttackDone;
  const kept = () =>
    withStored(installation, async (store) => JSON.stringify(await store.attackActions(account.id)));
  const [erased] = (await feedbackOf('&let_in=true')).at(-1) ?? [];
  expect(await kept()).toContain(erased);
  const at = answers.findIndex(({ request_id }) => request_id === erased);
  const person = { email: addressOf(at) };
  expect((await owner.send('POST', path('privacy/erase'), person)).json).toMatchObject({ assessments: 1 });
  expect(await kept()).not.toContain(erased);
  const undone = await owner.send('POST', path(`attacks/${wave}/undo`));
  expect(undone.json).toEqual({ taken_back: 2 + reported - 1, changed: 0 });
});

it('knows no attack of another id', async () => {
  for (const id of ['cmp_none', 'alr_none', 'x'])
    expect(problemOf(await owner.send('GET', path(`attacks/${id}`))).status).toBe(404);
  expect(problemOf(await owner.send('GET', path('assessments?attack=x')))).toMatchObject({ param: 'attack' });
  expect(await get<AssessmentSearchResult>('assessments?attack=cmp_none')).toMatchObject({ rows: [] });
});

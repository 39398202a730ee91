/** Recall in the dashboard's API: asked for, counted by cause, found by a filter, exported, seen, and told on Today. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import type { RecallReport } from '../../src/contract/dashboard-recall.ts';
import type { TodayNeeds } from '../../src/contract/dashboard-today.ts';
import { type Browser, claimOperator, join } from '../support/browser.ts';
import { type Client, createClient } from '../support/client.ts';
import { problemOf } from '../support/expectations.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { type Planted, plant } from '../support/plant.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';

const GOT_IN = 5;
const SOON = { timeout: 60_000, interval: 100 };

let installation: Installation;
let service: Service;
let account: Planted;
let other: Planted;
let owner: Browser;
let member: Browser;
let stranger: Browser;
const clients: Client[] = [];
const ids: string[] = [];

beforeAll(async () => {
  installation = await createInstallation();
  [account, other] = [await plant(installation), await plant(installation)];
  service = await installation.start();
  const operator = await claimOperator(service);
  owner = await join(operator, service, { email: 'owner@example.com', account: account.id, role: 'analyst' });
  member = await join(operator, service, { email: 'm@example.com', account: account.id, role: 'member' });
  stranger = await join(operator, service, { email: 's@example.com', account: other.id, role: 'owner' });
  for (const { live } of [account, other]) {
    const client = createClient(service.url, live);
    clients.push(client);
    for (let at = 0; at < GOT_IN; at += 1) {
      const { json } = await client.assess({ email: `jo${at}@late-farm.com`, ip: `203.0.113.${at}` });
      expect(json.verdict).toBe('allow');
      if (live === account.live) ids.push(json.request_id);
    }
    await client.assess({ email: 'kim@elsewhere-firm.com', ip: '198.51.100.9' });
  }
});
afterAll(async () => {
  for (const client of clients) client.close();
  await installation?.remove();
});

const path = (rest: string, id = account.id) => `/dashboard/api/accounts/${id}/${rest}`;
const get = async <Answer>(rest: string, browser = owner, id = account.id) =>
  (await browser.send('GET', path(rest, id))).json as unknown as Answer;
const report = () => get<RecallReport>('recall');
const rowsOf = async (recalled: string) =>
  (await get<AssessmentSearchResult>(`assessments?recalled=${recalled}&limit=200`)).rows
    .map(({ request_id }) => request_id)
    .sort();
async function judgeAgain(): Promise<RecallReport> {
  const before = (await report()).run?.began_at;
  expect((await owner.send('POST', path('recall'))).status).toBe(204);
  await expect
    .poll(async () => {
      const { state, run } = await report();
      return state === 'ended' && run?.began_at !== before;
    }, SOON)
    .toBe(true);
  return report();
}

it('says that none was made, and finds nothing where nothing came to be known', async () => {
  expect(await report()).toMatchObject({
    days: 30,
    hour: 4,
    state: 'never',
    run: null,
    total: 0,
    causes: [],
  });
  const { total, run } = await judgeAgain();
  expect([total, run?.judged, run?.partial]).toEqual([0, GOT_IN + 1, false]);
});

it('counts by cause who would not come in now, and finds exactly these by the filter', async () => {
  const entry = { action: 'deny', value: 'late-farm.com', reason: 'a farm', expires_at: null };
  expect((await owner.send('POST', path('lists'), entry)).status).toBe(200);
  const found = await judgeAgain();
  expect(found).toMatchObject({ total: GOT_IN, block: GOT_IN, challenge: 0, seen: 0 });
  const [cause, ...rest] = found.causes;
  expect(rest).toEqual([]);
  expect(cause).toMatchObject({ cause: 'list', name: 'late-farm.com', total: GOT_IN, block: GOT_IN });
  const filters = ['all', 'block', 'list', cause?.filter.recalled as string];
  for (const filter of filters) expect(await rowsOf(filter)).toEqual([...ids].sort());
  expect(await rowsOf('challenge')).toEqual([]);
  expect(await rowsOf('feed:tor-exits')).toEqual([]);
  const summary = await get<{ total: number }>('assessments/summary?recalled=all');
  expect(summary.total).toBe(GOT_IN);
  const { text } = await owner.send('GET', path('assessments.csv?recalled=all'));
  const [head = [], ...lines] = parseCsv(text);
  const cell = (line: readonly string[], name: string) => line[head.indexOf(name)];
  expect(lines.map((line) => cell(line, 'request_id')).sort()).toEqual([...ids].sort());
  for (const line of lines)
    expect(['verdict', 'new_verdict', 'new_because'].map((name) => cell(line, name))).toEqual([
      'allow',
      'block',
      'your lists',
    ]);
  const whole = parseCsv((await owner.send('GET', path('assessments.csv'))).text).slice(1);
  expect(whole.filter((line) => cell(line, 'new_verdict') === '')).toHaveLength(1);
  const chosen = await owner.send('POST', path('assessments/export'), { request_ids: ids.slice(0, 2) });
  expect(chosen.text.match(/,block,\d+,your lists/g)).toHaveLength(2);
  expect(found.newest).toHaveLength(GOT_IN);
  expect(found.newest[0]).toMatchObject({ verdict: 'allow', new_verdict: 'block', new_finding: 'deny_list' });
});

it.each(['nothing', 'feed:', 'feed:a b', 'all:x'])('refuses the filter %j', async (filter) => {
  const answer = await owner.send('GET', path(`assessments?recalled=${encodeURIComponent(filter)}`));
  expect(problemOf(answer)).toMatchObject({ status: 400, code: 'invalid_value', param: 'recalled' });
});

it('shows another account nothing, and lets members read alone', async () => {
  const theirs = await get<RecallReport>('recall', stranger, other.id);
  expect(theirs).toMatchObject({ state: 'never', total: 0, causes: [], newest: [] });
  expect(await get<RecallReport>('recall', member)).toMatchObject({ total: GOT_IN });
  for (const rest of ['recall', 'recall/dismiss'])
    expect(problemOf(await member.send('POST', path(rest))).status).toBe(403);
  expect((await stranger.send('GET', path('recall'))).status).toBe(404);
});

it('is told on Today until somebody has seen it', async () => {
  const needs = async () =>
    (await get<TodayNeeds>('today/needs')).needs.filter(({ kind }) => kind === 'recalled');
  expect(await needs()).toEqual([{ kind: 'recalled', block: GOT_IN, challenge: 0 }]);
  expect((await owner.send('POST', path('recall/dismiss'))).json).toEqual({ dismissed: GOT_IN });
  expect(await needs()).toEqual([]);
  expect(await rowsOf('all')).toEqual([]);
  expect(await judgeAgain()).toMatchObject({ total: 0, seen: GOT_IN });
});

it('lets in again whom the entry does not stop any more', async () => {
  const [{ id }] = (await get<{ id: string }[]>('lists')) as [{ id: string }];
  await owner.send('DELETE', path(`lists/${id}`));
  expect(await judgeAgain()).toMatchObject({ total: 0, seen: 0 });
});

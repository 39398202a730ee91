/** Personal data in the dashboard: an owner exports and erases a person while the service runs, every count stays, and the person stays erased in an older backup. */
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UsagePage } from '../../src/contract/dashboard-account.ts';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import type { FoundPerson, PersonCounts } from '../../src/contract/dashboard-privacy.ts';
import type { Today } from '../../src/contract/dashboard-today.ts';
import { until } from '../support/expectations.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { createInstallation, type Environment, type Installation, type Service } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

const EMAIL = 'zoe.quandt@gmail.com';
const IP = '198.51.100.77';
const PERSON = { email: EMAIL, ip: IP, session_id: 'zoe-session' };
/** Everything that could identify her, and the ids of her signups. */
const TRACES = ['zoe.quandt', 'zoequandt', 'z***@gmail.com', IP, 'zoe-session', 'zoe phoned', 'zoe-user-7'];
const APPEAL = 'I only wanted to buy a lamp';

let installation: Installation;
let service: Service;
let owner: Person;
let key: string;
let account: string;
let ids: string[];
let backup: string;

beforeAll(async () => {
  installation = await createInstallation({ GATEHOUSE_STORE_EMAILS: 'on' });
  const { id, live } = await installation.account('business');
  [key, account] = [live, `/accounts/${id}`];
  const person = await plantPerson(installation, { account: id, role: 'owner' });
  service = await installation.start();
  owner = await signIn(service, person);
  ids = [];
  for (const body of [
    { email: EMAIL, ip: IP },
    { email: 'zoequandt+shop@gmail.com', session_id: 'zoe-session' },
    { email: 'kin@mailinator.com', ip: IP },
  ])
    ids.push((await api('/v1/assess', body)).request_id as string);
  for (const email of ['al.other@gmail.com', 'zoe@example.com'])
    await api('/v1/assess', { email, ip: '203.0.113.5' });
  await api('/v1/feedback', { request_id: ids[0], outcome: 'false_positive', note: 'zoe phoned us' });
  await owner.send('POST', `${account}/lists`, { action: 'deny', value: EMAIL, reason: 'test' });
  await owner.send('POST', `${account}/lists`, { action: 'deny', value: IP, reason: 'test' });
  await owner.get(`${account}/assessments.csv?ip=${IP}`);
  await appealAndHold(id);
  backup = join(installation.directory, 'before.backup');
  expect((await installation.run('backup', backup)).status).toBe(0);
}, 240_000);
afterAll(async () => {
  owner?.close();
  await installation?.remove();
});

/** She was stopped at her third signup and wrote about it, and the account of her first one was held. */
async function appealAndHold(accountId: string): Promise<void> {
  const [first, , third] = ids as [string, string, string];
  const { url } = await api('/v1/appeals', { request_id: third });
  const token = String(url).slice(String(url).indexOf('#') + 1);
  const answer = await api('/appeal/send', { token, text: APPEAL, contact: 'the shop next door' });
  expect(answer).toEqual({ status: 'received' });
  const at = Date.now();
  const job = { accountId, connectionId: null, name: 'a wave', attack: null, by: 'kim', createdAt: at };
  const held = {
    requestId: first,
    sessionId: 'zoe-session',
    at,
    userId: 'zoe-user-7',
    state: 'held',
  } as const;
  await withStored(installation, (store) =>
    store.saveTakeBack({ ...job, id: 'tkb_1', state: 'done' }, [held]),
  );
}

async function api(path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Record<string, unknown>;
}

/** The numbers behind charts, bills and reports. */
async function numbers() {
  const today = (await owner.get<Today>(`${account}/today?mode=live&period=7d`)).json;
  const usage = (await owner.get<UsagePage>(`${account}/usage`)).json;
  const { series, totals, latency } = today;
  return { series, totals, latency, used: usage.used, days: usage.days };
}
const log = async () =>
  (await owner.get<AssessmentSearchResult>(`${account}/assessments?mode=live`)).json.rows;

/** Files of a data folder that contain a trace; SQLite removes some files when it closes. */
function traced(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.flatMap(({ parentPath, name }) => {
    const content = readFileSync(join(parentPath, name));
    return [...TRACES, ...ids].filter((trace) => content.includes(trace)).map((trace) => `${name}: ${trace}`);
  });
}

describe('personal data', () => {
  it('are found by address, IP and session; other values are refused', async () => {
    const search = (body: object) => owner.send<PersonCounts>('POST', `${account}/privacy/search`, body);
    expect((await search({ email: ' Zoe.Quandt@GMAIL.com ' })).json).toMatchObject({
      assessments: 2,
      feedback: 1,
      list_entries: 1,
    });
    const { mailbox } = (await search({ email: EMAIL })).json as FoundPerson;
    const rows = await owner.get<AssessmentSearchResult>(`${account}/assessments?mailbox=${mailbox}`);
    expect(rows.json.rows).toHaveLength(2);
    expect(mailbox).not.toMatch(/zoe|@/i);
    const found = { assessments: 3, feedback: 1, list_entries: 2 };
    expect((await search(PERSON)).json).toMatchObject({ ...found, mailbox_addresses_stay_until: null });
    expect((await search({ email: 'nobody@example.net' })).json).toMatchObject({
      assessments: 0,
      list_entries: 0,
    });
    for (const [body, param] of [
      [{ email: 'zoe' }, 'email'],
      [{ email: EMAIL, ip: 'here' }, 'ip'],
    ] as const)
      expect(await search(body)).toMatchObject({
        status: 400,
        json: { error: { code: 'invalid_value', param } },
      });
  });

  it('are exported with their answers, and the audit log mentions it without a name', async () => {
    const { json } = await owner.send<Record<string, Record<string, unknown>[]>>(
      'POST',
      `${account}/privacy/export`,
      PERSON,
    );
    expect(json.assessments?.map(({ requestId }) => requestId).toSorted()).toEqual(ids.toSorted());
    expect(json.assessments?.[0]?.answer).toMatchObject({ verdict: expect.any(String) });
    expect(json.feedback).toMatchObject([{ requestId: ids[0], note: 'zoe phoned us' }]);
    expect(json.list_entries).toHaveLength(2);
    expect(json.appeals).toMatchObject([{ requestId: ids[2], text: APPEAL, contact: 'the shop next door' }]);
    expect(json.held_accounts).toEqual([
      { requestId: ids[0], userId: 'zoe-user-7', state: 'held', before: null },
    ]);
    const words = JSON.stringify(json.in_words);
    const parts = [EMAIL, IP, 'zoe-session', 'zoe phoned us', APPEAL, 'the shop next door', 'It is held'];
    for (const part of [...parts, 'Who can see it', 'How long it is kept']) expect(words).toContain(part);
    expect(json.in_words?.filter(({ title }) => String(title).startsWith('Your signup of'))).toHaveLength(3);
    // A person reads it: no names of fields, no ids, no hashes.
    expect(words).not.toMatch(/[a-z]_[a-z]|req_|acc_|[0-9a-f]{32}/);
    const { rows } = (await owner.get<{ rows: Record<string, string>[] }>(`${account}/audit`)).json;
    expect(rows[0]).toMatchObject({ action: 'privacy.export', target: 'a person' });
  });

  it('are erased while the service runs: every number stays, and no file has a trace', async () => {
    const before = await numbers();
    expect(traced(service.dataDir)).not.toEqual([]);
    const { json, status } = await owner.send<PersonCounts>('POST', `${account}/privacy/erase`, PERSON);
    expect({ status, json }).toMatchObject({
      status: 200,
      json: { assessments: 3, feedback: 1, list_entries: 2 },
    });
    expect(await numbers()).toEqual(before);
    const rows = await log();
    expect(rows).toHaveLength(5);
    expect(rows.filter(({ domain }) => domain === 'erased.invalid')).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toMatch(/quandt|198\.51|zoe-session/);
    for (const id of ids) {
      const answer = await fetch(`${service.url}/v1/assess/${id}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      expect(answer.status).toBe(400);
      expect((await owner.get(`${account}/assessments/${id}`)).status).toBe(404);
    }
    for (const row of rows.filter(({ domain }) => domain === 'erased.invalid'))
      expect((await owner.get(`${account}/assessments/${row.request_id}`)).status).toBe(200);
    const audit = JSON.stringify((await owner.get(`${account}/audit`)).json);
    expect(audit).toMatch(
      /"privacy\.erase","target":"a person","detail":"3 assessments, 2 list entries, \d mailbox addresses, 3 entries of this log"/,
    );
    expect(audit).not.toMatch(/quandt|198\.51|z\*\*\*/);
    // In the background.
    await until(() => traced(service.dataDir).length === 0);
    expect((await owner.send<PersonCounts>('POST', `${account}/privacy/search`, PERSON)).json).toMatchObject({
      assessments: 0,
      list_entries: 0,
    });
  });

  it('stay erased after a restart, in a new index, and in an older backup after any kind of restore', async () => {
    await service.stop();
    const data = service.dataDir;
    const list = join(installation.directory, 'erasures.jsonl');
    cpSync(join(data, 'erasures.jsonl'), list);
    expect(readFileSync(list, 'utf8')).not.toMatch(/zoe|quandt|198\.51/);
    rmSync(join(data, 'history'), { recursive: true });
    await expectGone({}, data);

    const restored = join(installation.directory, 'restored');
    const environment = { ...installation.environment, GATEHOUSE_DATA_DIR: restored };
    const run = await (await import('../support/command.ts')).gatehouse(
      ['restore', backup, '--erasures', list, '--json'],
      environment,
    );
    expect(JSON.parse(run.stdout)).toMatchObject({ erased_again: 3 });
    expect(traced(restored)).toEqual([]);
    await expectGone({ GATEHOUSE_DATA_DIR: restored }, restored);

    const other = join(installation.directory, 'other');
    const { gatehouse } = await import('../support/command.ts');
    const bare = { ...installation.environment, GATEHOUSE_DATA_DIR: other };
    expect((await gatehouse(['restore', backup], bare)).status).toBe(0);
    expect(traced(other)).not.toEqual([]);
    cpSync(list, join(other, 'erasures.jsonl'));
    await expectGone({ GATEHOUSE_DATA_DIR: other }, other, 'erasing again who was erased');
  });
});

/** Starts the service there and stops it again. */
async function expectGone(environment: Environment, folder: string, logged?: string): Promise<void> {
  service = await installation.start(environment);
  if (logged !== undefined) expect(service.output()).toContain(logged);
  owner.close();
  owner = await signIn(service, owner);
  const rows = await log();
  expect(rows).toHaveLength(5);
  expect(JSON.stringify(rows)).not.toMatch(/quandt|198\.51|zoe-session/);
  expect(rows.filter(({ domain }) => domain === 'erased.invalid')).toHaveLength(3);
  expect((await owner.get<unknown[]>(`${account}/lists`)).json).toEqual([]);
  await service.stop();
  expect(traced(folder)).toEqual([]);
}

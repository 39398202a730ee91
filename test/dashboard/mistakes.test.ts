/** The queue of mistakes: open and done, by cause, with what would help and its effect on both labels; closing is no label, and can be taken back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditLogRow } from '../../src/contract/dashboard-account.ts';
import type { AssessmentSearchResult } from '../../src/contract/dashboard-assessments.ts';
import type { BatchUndone } from '../../src/contract/dashboard-batches.ts';
import type { CustomerHelped } from '../../src/contract/dashboard-customer.ts';
import type { FeedbackPage, MistakeGroup, MistakesChanged } from '../../src/contract/dashboard-mistakes.ts';
import type { Assessment } from '../../src/contract/messages.ts';
import { until } from '../support/expectations.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';

let scene: Scene;
let owner: Person;
let analyst: Person;
let member: Person;
let account: string;
let count = 0;

beforeAll(async () => {
  scene = await startScene();
  account = `/accounts/${scene.account.id}`;
  const sign = async (role: 'owner' | 'analyst' | 'member') =>
    signIn(scene.service, await plantPerson(scene.installation, { account: scene.account.id, role }));
  [owner, analyst, member] = [await sign('owner'), await sign('analyst'), await sign('member')];
});
afterAll(async () => {
  for (const person of [owner, analyst, member]) person?.close();
  await scene?.end();
});

async function assess(email: string): Promise<Assessment> {
  count += 1;
  return (await scene.live.assess({ email, ip: `79.192.${Math.floor(count / 200)}.${(count % 200) + 1}` }))
    .json;
}
const report = (request_id: string, outcome: string, note?: string) =>
  scene.live.feedback({ request_id, outcome, ...(note !== undefined && { note }) });
const queueOf = async (query = '', by = analyst) =>
  (await by.get<FeedbackPage>(`${account}/feedback?period=24h${query}`)).json;
const groupOf = async (test: (group: MistakeGroup) => boolean) => (await queueOf()).queue.groups.find(test);
const rowOf = async (id: string, query = '') =>
  (await queueOf(query)).queue.rows.find(({ request_id }) => request_id === id);
const change = (state: string, reports: readonly object[], by = analyst, more = {}) =>
  by.send<MistakesChanged>('POST', `${account}/feedback/state`, { state, reports, ...more });
const undo = (token: string | null, by = analyst) =>
  by.send<BatchUndone>('POST', `${account}/undo`, { token });
const rows = async (filter: object) =>
  (
    await analyst.get<AssessmentSearchResult>(
      `${account}/assessments?${new URLSearchParams({ mode: 'live', period: '24h', limit: '200', ...filter })}`,
    )
  ).json.rows;

/** A reported signup as the page would close it. */
async function reported(email = 'jo@mailinator.com') {
  const { request_id } = await assess(email);
  await report(request_id, 'false_positive', 'she wrote');
  const at = (await rowOf(request_id))?.mark.at as string;
  return { request_id, at };
}

describe('closing', () => {
  it('moves reports to those that are done, says who, leaves the label, and is taken back', async () => {
    const [first, second] = [await reported(), await reported()];
    const { queue: before } = await queueOf();
    const closed = await change('done', [first, second], analyst, { reason: 'answered by mail' });
    expect(closed.json).toEqual({ changed: 2, unchanged: 0, undo: expect.any(String) });
    const after = await queueOf('&state=done');
    expect(after.queue).toMatchObject({ open: before.open - 2, done: before.done + 2 });
    expect(after.totals).toEqual((await queueOf()).totals);
    const row = await rowOf(first.request_id, '&state=done');
    expect(row).toMatchObject({
      feedback: 'false_positive',
      closed: { by: expect.any(String), until: null },
    });
    const { rows: audit } = (
      await owner.get<{ rows: AuditLogRow[] }>(`${account}/audit?action=feedback.close`)
    ).json;
    expect(audit[0]).toMatchObject({ target: '2 signups', detail: 'answered by mail' });
    expect((await undo(closed.json.undo, member)).status).toBe(409);
    expect((await undo(closed.json.undo)).json).toEqual({ taken_back: 2, changed: 0 });
    expect((await queueOf()).queue).toMatchObject({ open: before.open, done: before.done });
    expect((await undo(closed.json.undo)).status).toBe(409);
  });

  it('can be ended again, and ends when somebody reports again', async () => {
    const one = await reported();
    await change('done', [one]);
    expect((await change('open', [one])).json).toEqual({ changed: 1, unchanged: 0, undo: null });
    expect(await rowOf(one.request_id)).toBeDefined();
    await change('done', [one]);
    expect(await rowOf(one.request_id)).toBeUndefined();
    await report(one.request_id, 'false_positive', 'she wrote again');
    expect((await rowOf(one.request_id))?.mark.note).toBe('she wrote again');
    // The page showed the report before.
    expect((await change('done', [one])).json).toEqual({ changed: 0, unchanged: 1, undo: null });
  });

  it('is for analysts, of 1 to 100 reports that are of the account', async () => {
    const one = await reported();
    expect((await change('done', [one], member)).status).toBe(403);
    const unknown = { request_id: 'req_01jtwz3v6k0000000000000000', at: one.at };
    expect((await change('done', [unknown])).json).toEqual({ changed: 0, unchanged: 1, undo: null });
    for (const reports of [[], Array.from({ length: 101 }, (_, at) => ({ ...one, request_id: `req_${at}` }))])
      expect((await change('done', reports)).status).toBe(400);
    expect((await change('done', [{ ...one, at: 'yesterday' }])).status).toBe(400);
    expect((await change('maybe', [one])).status).toBe(400);
    expect((await change('done', [one], analyst, { reason: 'two\nlines' })).status).toBe(400);
  });
});

describe('a request of a member', () => {
  it('is closed by who lets the customer in, and open again when that is taken back', async () => {
    const { request_id } = await assess('ask.me@mailinator.com');
    const note = 'Asks to let this customer in.';
    const path = `${account}/assessments/${request_id}`;
    await member.send('POST', `${path}/feedback`, { outcome: 'false_positive', note });
    const row = await rowOf(request_id);
    expect(row).toMatchObject({ kind: 'request', closed: null });
    const body = { report: false, mailbox: true, days: 30 };
    const helped = await analyst.send<CustomerHelped>(
      'POST',
      `${path}/customer?version=${row?.version}`,
      body,
    );
    expect(helped.status).toBe(200);
    expect(await rowOf(request_id)).toBeUndefined();
    expect((await rowOf(request_id, '&state=done'))?.closed).toMatchObject({ until: expect.any(String) });
    expect((await undo(helped.json.undo)).status).toBe(204);
    expect(await rowOf(request_id)).toMatchObject({ kind: 'request', closed: null });
  });
});

describe('a cause', () => {
  it('is an entry of a list, whose removal helps and harms as many as its links find', async () => {
    const value = 'orchard-queue.com';
    await analyst.send('POST', `${account}/lists`, { action: 'deny', value, reason: 'chargebacks' });
    await until(async () => (await assess(`first@${value}`)).verdict === 'block');
    const ids: string[] = [];
    for (const name of ['ann', 'bea', 'cem', 'dov']) ids.push((await assess(`${name}@${value}`)).request_id);
    for (const id of ids.slice(0, 3)) await report(id, 'false_positive');
    await analyst.send('POST', `${account}/assessments/${ids[3]}/feedback`, { outcome: 'confirmed_fraud' });
    const group = await groupOf(({ title }) => title === 'Your Block list: chargebacks');
    expect(group).toMatchObject({
      side: 'good',
      count: 3,
      remedy: {
        change: { kind: 'entry', action: 'deny', value },
        effect: { helped: 3, harmed: 0, stopped: 0, let_in: 1 },
        labelled: { good: 3, fraud: 1 },
        right: { low: 30, high: 96 },
        carries: false,
      },
    });
    const filters = group?.remedy?.filters;
    expect(await rows(filters?.good ?? {})).toHaveLength(3);
    expect(await rows(filters?.fraud ?? {})).toHaveLength(1);
    const { queue } = await queueOf(`&cause=${group?.cause}`);
    expect(queue.rows.map(({ request_id }) => request_id).toSorted()).toEqual(ids.slice(0, 3).toSorted());
  });

  it('is a score exactly at a threshold: a change is proposed once the labels carry it', async () => {
    const { score } = await assess('probe@no-such-domain-for-mistakes.invalid');
    await owner.send('PUT', `${account}/thresholds`, { challenge: 30, block: score });
    const emails = Array.from(
      { length: 6 },
      (_, at) => `p${'abcdef'[at]}@no-such-${'abcdef'[at]}-mistakes.invalid`,
    );
    const ids: string[] = [];
    for (const email of emails) {
      let signup = await assess(email);
      await until(async () => {
        if (signup.score === score && signup.verdict === 'block') return true;
        signup = await assess(email);
        return false;
      });
      ids.push(signup.request_id);
    }
    const isGroup = ({ title }: MistakeGroup) => title === `Score exactly ${score}, where blocking starts`;
    for (const id of ids.slice(0, 2)) await report(id, 'false_positive');
    expect((await groupOf(isGroup))?.remedy).toMatchObject({
      carries: false,
      labelled: { good: 2, fraud: 0 },
    });
    for (const id of ids.slice(2)) await report(id, 'false_positive');
    const group = await groupOf(isGroup);
    expect(group).toMatchObject({
      count: 6,
      remedy: {
        change: { kind: 'thresholds', moves: 'block', from: score, to: score + 1 },
        effect: { helped: 6, let_in: 0 },
        carries: true,
      },
    });
    expect(await rows(group?.remedy?.filters.good ?? {})).toHaveLength(6);
  });
});

/** Appeals: a link that says nothing, a page that takes a few words a few times, and the queue where they are read, for the account alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssessmentDetail } from '../../src/contract/dashboard-assessments.ts';
import type { CustomerHelped } from '../../src/contract/dashboard-customer.ts';
import type { FeedbackPage, MistakesChanged } from '../../src/contract/dashboard-mistakes.ts';
import type { AppealResponse, Assessment } from '../../src/contract/messages.ts';
import { type Client, createClient } from '../support/client.ts';
import { problemOf, until } from '../support/expectations.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

const NOT_VALID = { status: 400, code: 'missing_field', param: 'token' };

let scene: Scene;
let analyst: Person;
let account: string;
/** A visitor from another network for each test: texts are counted by network. */
const visitors: Client[] = [];

beforeAll(async () => {
  scene = await startScene({ environment: { GATEHOUSE_TRUST_PROXY: '127.0.0.1/32' } });
  account = `/accounts/${scene.account.id}`;
  const planted = await plantPerson(scene.installation, { account: scene.account.id, role: 'analyst' });
  analyst = await signIn(scene.service, planted);
});
afterAll(async () => {
  for (const visitor of visitors) visitor.close();
  analyst?.close();
  await scene?.end();
});

const stopped = async (): Promise<Assessment> =>
  (await scene.live.assess({ email: 'jane.doe@mailinator.com', ip: '79.192.60.1' })).json;
const link = (body: object, by = scene.live) =>
  by.send<AppealResponse>({ method: 'POST', path: '/v1/appeals', body });
async function tokenOf({ request_id }: Assessment): Promise<string> {
  const { url } = (await link({ request_id })).json;
  return url.slice(url.indexOf('#') + 1);
}
function write(body: object, from = `198.18.${visitors.length}.1`) {
  const visitor = createClient(scene.service.url);
  visitors.push(visitor);
  const headers = { 'X-Forwarded-For': from };
  return visitor.send<{ status: string }>({ method: 'POST', path: '/appeal/send', body, headers });
}
const queueOf = async (query = '') =>
  (await analyst.get<FeedbackPage>(`${account}/feedback?period=24h${query}`)).json.queue;
const rowOf = async ({ request_id: id }: Assessment, query = '') =>
  (await queueOf(query)).rows.find((row) => row.request_id === id);

describe('a link', () => {
  it('is made for a signup that was stopped, without its address, account or id in it', async () => {
    const signup = await stopped();
    const { status, json } = await link({ request_id: signup.request_id });
    expect(status).toBe(200);
    expect(json.url).toMatch(new RegExp(`^${scene.service.url}/appeal/#v1\\.[\\w-]+$`));
    for (const secret of ['jane', 'mailinator', signup.request_id.slice(4), scene.account.id])
      expect(json.url).not.toContain(secret);
    const days = (Date.parse(json.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    const long = (await link({ request_id: signup.request_id, valid_days: 30 })).json;
    expect(Math.round((Date.parse(long.expires_at) - Date.now()) / 86_400_000)).toBe(30);
    expect((await link({ request_id: signup.request_id, valid_days: 31 })).status).toBe(400);
  });

  it('is not made for one that was allowed, is unknown, or belongs to live traffic of a sandbox key', async () => {
    const allowed = (await scene.live.assess({ email: 'ann.lee@example.com' })).json;
    const unknown = { status: 400, code: 'missing_field', param: 'request_id' };
    expect(problemOf(await link({ request_id: allowed.request_id }))).toEqual(unknown);
    expect(problemOf(await link({ request_id: 'req_01jtwz3v6k0000000000000000' }))).toEqual(unknown);
    const { request_id } = await stopped();
    expect(problemOf(await link({ request_id }, scene.sandbox))).toEqual(unknown);
  });
});

describe('what somebody writes', () => {
  it('is read in the queue as it was written, and is told nobody else', async () => {
    const signup = await stopped();
    const text = '<script>alert(1)</script>\nI am "real" ☃ \u0007';
    const answer = await write({ token: await tokenOf(signup), text, contact: ' jane@home.example ' });
    expect(answer).toMatchObject({ status: 200, json: { status: 'received' } });
    expect(answer.headers['set-cookie']).toBeUndefined();
    const row = await rowOf(signup);
    expect(row).toMatchObject({ kind: 'appeal', feedback: null, closed: null, mark: { by: 'the person' } });
    expect(row?.mark.note).toBe('<script>alert(1)</script>\nI am "real" ☃');
    const path = `${account}/assessments/${signup.request_id}`;
    const { appeal } = (await analyst.get<AssessmentDetail>(path)).json;
    expect(appeal).toMatchObject({ contact: 'jane@home.example', closed_by: null });
    // Stored texts are encrypted.
    const stored = await withStored(scene.installation, (store) =>
      store.findAppeal(scene.account.id, signup.request_id, Date.now()),
    );
    expect(stored?.text).not.toMatch(/real|home/);
  });

  it('is taken three times for a signup, and the newest is kept', async () => {
    const signup = await stopped();
    const token = await tokenOf(signup);
    for (const text of ['one', 'two', 'three']) expect((await write({ token, text })).status).toBe(200);
    expect(problemOf(await write({ token, text: 'four' }))).toEqual(NOT_VALID);
    expect((await rowOf(signup))?.mark.note).toBe('three');
  });

  it('is refused without a token that was made here and is not over', async () => {
    const token = await tokenOf(await stopped());
    const forged = [...token]
      .map((letter, at) => (at === 30 ? (letter === 'a' ? 'b' : 'a') : letter))
      .join('');
    for (const wrong of ['', 'v1.x', forged, token.slice(0, -2), `${token}a`, 'gcl.1.2.3'])
      expect(problemOf(await write({ token: wrong, text: 'hello' })), wrong).toEqual(NOT_VALID);
    expect((await write({ token, text: 'x'.repeat(1_001) })).status).toBe(400);
    expect((await write({ token, text: ' \n ' })).status).toBe(400);
  });

  it('is limited by network, whoever writes', async () => {
    const token = 'v1.made-up';
    const statuses: number[] = [];
    for (let at = 0; at < 14; at += 1)
      statuses.push((await write({ token, text: 'hello' }, '203.0.113.9')).status);
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 400));
    expect(statuses).toContain(429);
    expect((await write({ token, text: 'hello' }, '198.51.100.7')).status).toBe(400);
  });
});

describe('an appeal', () => {
  it('is approved as a real customer with one call, and is open again when that is taken back', async () => {
    const signup = await stopped();
    await write({ token: await tokenOf(signup), text: 'please' });
    const row = await rowOf(signup);
    const path = `${account}/assessments/${signup.request_id}/customer?version=${row?.version}`;
    const body = { report: true, mailbox: true, days: 30, reason: 'Appeal' };
    const helped = await analyst.send<CustomerHelped>('POST', path, body);
    expect(helped.json).toMatchObject({
      feedback: { outcome: 'false_positive' },
      entry: { action: 'allow' },
    });
    expect(await rowOf(signup)).toBeUndefined();
    expect((await rowOf(signup, '&state=done'))?.closed).toMatchObject({ by: expect.any(String) });
    await until(async () => (await stopped()).verdict === 'allow');
    const token = { token: helped.json.undo };
    expect((await analyst.send('POST', `${account}/undo`, token)).status).toBe(204);
    expect(await rowOf(signup)).toMatchObject({ kind: 'appeal', closed: null, feedback: null });
    await until(async () => (await stopped()).verdict === 'block');
  });

  it('is declined by closing, which labels nothing, and open again when she writes again', async () => {
    const signup = await stopped();
    const token = await tokenOf(signup);
    await write({ token, text: 'please' });
    const { request_id } = signup;
    const at = (await rowOf(signup))?.mark.at;
    const close = { state: 'done', reports: [{ request_id, at }] };
    const closed = await analyst.send<MistakesChanged>('POST', `${account}/feedback/state`, close);
    expect(closed.json).toMatchObject({ changed: 1, unchanged: 0 });
    expect(await rowOf(signup)).toBeUndefined();
    expect((await rowOf(signup, '&state=done'))?.feedback).toBeNull();
    await analyst.send('POST', `${account}/undo`, { token: closed.json.undo });
    expect(await rowOf(signup)).toBeDefined();
    await analyst.send('POST', `${account}/feedback/state`, close);
    await write({ token, text: 'really' });
    expect((await rowOf(signup))?.mark.note).toBe('really');
  });

  it('goes with the person who is erased, whose link is over', async () => {
    const email = 'erase.me@mailinator.com';
    const signup = (await scene.live.assess({ email, ip: '79.192.60.2' })).json;
    const token = await tokenOf(signup);
    await write({ token, text: 'erase this' });
    await scene.installation.json(
      'privacy',
      'erase',
      '--account',
      scene.account.id,
      '--email',
      email,
      '--yes',
      '--json',
    );
    expect(problemOf(await write({ token, text: 'again' }))).toEqual(NOT_VALID);
    expect(
      (await queueOf()).rows.filter(({ kind, mark }) => kind === 'appeal' && mark.note === 'erase this'),
    ).toEqual([]);
  });
});

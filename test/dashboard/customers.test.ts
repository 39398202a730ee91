/** Helping one person: her address is checked, she is reported and let in with one call, which can be taken back; support finds her in plain words. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListEntryRow } from '../../src/contract/dashboard-account.ts';
import type { AssessmentDetail } from '../../src/contract/dashboard-assessments.ts';
import type {
  AddressMatch,
  CustomerHelped,
  GivenMark,
  SupportAnswer,
} from '../../src/contract/dashboard-customer.ts';
import type { FeedbackPage } from '../../src/contract/dashboard-mistakes.ts';
import type { Assessment } from '../../src/contract/messages.ts';
import { until } from '../support/expectations.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

/** A throw-away domain: blocked, and allowed by an entry alone. */
const JANE = 'jane.doe@mailinator.com';

let scene: Scene;
let analyst: Person;
let member: Person;
let account: string;
beforeAll(async () => {
  scene = await startScene();
  account = `/accounts/${scene.account.id}`;
  const [first, second] = await Promise.all(
    (['analyst', 'member'] as const).map((role) =>
      plantPerson(scene.installation, { account: scene.account.id, role }),
    ),
  );
  analyst = await signIn(scene.service, first as { email: string });
  member = await signIn(scene.service, second as { email: string });
});
afterAll(async () => {
  analyst?.close();
  member?.close();
  await scene?.end();
});

const assess = async (email: string, more: object = {}): Promise<Assessment> =>
  (await scene.live.assess({ email, ip: '79.192.50.1', ...more })).json;
/** A signup that is blocked, once an entry of a test before no longer counts. */
async function stopped(): Promise<Assessment> {
  let signup = await assess(JANE);
  await until(async () => {
    signup = await assess(JANE);
    return signup.verdict === 'block';
  });
  return signup;
}
const pathOf = ({ request_id: id }: Assessment) => `${account}/assessments/${id}`;
const feedbackOf = async (of: Assessment) => (await member.get<AssessmentDetail>(pathOf(of))).json.feedback;
const lists = async () => (await analyst.get<ListEntryRow[]>(`${account}/lists`)).json;
const help = (of: Assessment, body: object, by = analyst) =>
  by.send<CustomerHelped>('POST', `${pathOf(of)}/customer`, body);
const undo = (token: string, by = analyst) => by.send('POST', `${account}/undo`, { token });

/** An analyst, and what changes the role. */
async function analystWhoLeaves(): Promise<[Person, (role: 'member' | 'analyst') => Promise<void>]> {
  const { id: accountId } = scene.account;
  const planted = await plantPerson(scene.installation, { account: accountId, role: 'analyst' });
  const changeRole = (role: 'member' | 'analyst') =>
    withStored(scene.installation, async (store) => {
      await store.changeRole({ userId: planted.id, accountId, role }, null);
    });
  return [await signIn(scene.service, planted), changeRole];
}

describe('the address of a signup', () => {
  it.each([
    [JANE, 'same'],
    [' Jane.Doe@Mailinator.com ', 'same'],
    ['jane.doe+news@mailinator.com', 'mailbox'],
    ['john.doe@mailinator.com', 'none'],
    ['not an address', 'none'],
  ])('is compared by its keyed hash: %s is %s', async (address, match) => {
    const signup = await assess(JANE);
    const answer = await member.send<AddressMatch>('POST', `${pathOf(signup)}/address`, { address });
    expect(answer.json).toEqual({ match });
  });
});

describe('a real customer', () => {
  it('is reported and let in with one call, and both are taken back with one', async () => {
    const signup = await stopped();
    expect(signup.verdict).toBe('block');
    const helped = (await help(signup, { report: true, address: 'jane.doe+a@mailinator.com', days: 30 }))
      .json;
    expect(helped.feedback?.outcome).toBe('false_positive');
    expect(helped.entry).toMatchObject({ action: 'allow', kind: 'mailbox', value: 'j***@mailinator.com' });
    const days = (Date.parse(helped.entry?.expires_at ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    expect(JSON.stringify(helped)).not.toContain('jane');
    await until(async () => (await assess(JANE)).verdict === 'allow');
    // Nobody else is let in by it.
    expect((await assess('john@mailinator.com')).verdict).toBe('block');

    expect((await undo(helped.undo, member)).status).toBe(409);
    expect((await undo(helped.undo)).status).toBe(204);
    expect(await feedbackOf(signup)).toBeNull();
    expect(await lists()).toEqual([]);
    await until(async () => (await assess(JANE)).verdict === 'block');
    expect((await undo(helped.undo)).status).toBe(409);
    expect((await undo('made up')).status).toBe(400);
  });

  it('is not let in by an address that is not the one of the signup', async () => {
    const signup = await stopped();
    const refused = await help(signup, { report: true, address: 'john@mailinator.com' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('not the address of this signup');
    expect(await feedbackOf(signup)).toBeNull();
    expect(await lists()).toEqual([]);
  });

  it('gets back what there was before: an earlier report, and an earlier entry', async () => {
    const signup = await stopped();
    const earlier = { outcome: 'confirmed_fraud', note: 'a chargeback' };
    await member.send('POST', `${pathOf(signup)}/feedback`, earlier);
    const entry = { action: 'allow', value: JANE, reason: 'a partner' };
    await analyst.send('POST', `${account}/lists`, entry);
    const [before] = await lists();
    const helped = (await help(signup, { report: true, address: JANE, days: 7 })).json;
    expect((await lists())[0]?.reason).toBe('Real customer');
    expect((await undo(helped.undo)).status).toBe(204);
    expect(await feedbackOf(signup)).toMatchObject(earlier);
    expect((await lists())[0]).toMatchObject({ reason: 'a partner', expires_at: null, id: before?.id });
    await analyst.send('DELETE', `${account}/lists/${before?.id}`);
  });

  it('keeps what somebody changed since', async () => {
    const signup = await stopped();
    const helped = (await help(signup, { report: true, address: JANE })).json;
    await member.send('POST', `${pathOf(signup)}/feedback`, { outcome: 'confirmed_fraud' });
    expect((await undo(helped.undo)).status).toBe(409);
    expect((await feedbackOf(signup))?.outcome).toBe('confirmed_fraud');
    expect(await lists()).toHaveLength(1);
    await analyst.send('DELETE', `${account}/lists/${helped.entry?.id}`);
  });

  it('stays let in where the person who did it may no longer decide that', async () => {
    const signup = await stopped();
    const [left, leaver] = await analystWhoLeaves();
    const helped = (await help(signup, { report: true, address: JANE }, left)).json;
    await leaver('member');
    expect((await undo(helped.undo, left)).status).toBe(403);
    expect(await lists()).toHaveLength(1);
    expect((await feedbackOf(signup))?.outcome).toBe('false_positive');
    await leaver('analyst');
    expect((await undo(helped.undo, left)).status).toBe(204);
    expect(await lists()).toEqual([]);
    left.close();
  });

  it('is neither reported nor let in where the reason cannot be used', async () => {
    const signup = await stopped();
    expect((await help(signup, { report: true, address: JANE, reason: 'two\nlines' })).status).toBe(400);
    expect(await feedbackOf(signup)).toBeNull();
    expect(await lists()).toEqual([]);
  });

  it('is asked for by support, who may not let anybody in but may take the report back', async () => {
    const signup = await stopped();
    expect((await help(signup, { report: true, address: JANE }, member)).status).toBe(403);
    const report = { outcome: 'false_positive', note: 'Asks to let this customer in.' };
    const given = (await member.send<GivenMark>('POST', `${pathOf(signup)}/feedback`, report)).json;
    const { json } = await analyst.get<FeedbackPage>(`${account}/feedback`);
    const row = json.queue.rows.find(({ request_id: id }) => id === signup.request_id);
    expect(row?.mark.note).toBe(report.note);
    expect((await undo(given.undo, member)).status).toBe(204);
    expect(await feedbackOf(signup)).toBeNull();
  });
});

describe('a person who looks up addresses', () => {
  it('has to wait after very many, whichever way', async () => {
    const signup = await assess(JANE);
    const planted = await plantPerson(scene.installation, { account: scene.account.id, role: 'member' });
    const tester = await signIn(scene.service, planted);
    const ways = [
      (text: string) => tester.send('POST', `${pathOf(signup)}/address`, { address: text }),
      (text: string) => tester.send('POST', `${account}/find`, { text, mode: 'live' }),
      (text: string) => tester.send('POST', `${account}/support`, { text }),
    ];
    const statuses: number[] = [];
    for (let number = 0; number < 400 && !statuses.includes(429); number += 1)
      for (const way of ways) statuses.push((await way(`tried${number}@mailinator.com`)).status);
    expect(statuses).toContain(429);
    expect(statuses.indexOf(429)).toBeGreaterThanOrEqual(100);
    for (const way of ways) {
      const answer = await way('jane.doe@mailinator.com');
      if (answer.status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    // Texts that are no address do not count, nor do look-ups by other people.
    expect((await ways[1]?.('mailinator.com'))?.status).toBe(200);
    expect((await member.send('POST', `${pathOf(signup)}/address`, { address: JANE })).status).toBe(200);
    tester.close();
  });
});

describe('support', () => {
  const ask = async (text: string) =>
    (await member.send<SupportAnswer>('POST', `${account}/support`, { text })).json;

  it('finds the person by address in any spelling, request id or session id, in plain words', async () => {
    const signup = await assess('maria@guerrillamail.com', { session_id: 'cart 4711' });
    await until(async () => (await ask('maria@guerrillamail.com')).signups.length === 1);
    const found = await ask(' Maria+x@guerrillamail.com ');
    expect(found).toMatchObject({ by: 'address', more: false });
    expect(await ask(signup.request_id)).toEqual({ ...found, by: 'request' });
    expect(await ask('cart 4711')).toEqual({ ...found, by: 'session' });
    expect(found.signups).toMatchObject([
      {
        request_id: signup.request_id,
        verdict: 'block',
        email: 'm***@guerrillamail.com',
        answer: expect.stringContaining('They were not let in, because the address is from a service'),
        advice: expect.stringContaining('Please sign up with the address that you use every day.'),
      },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/maria|disposable|"score"/i);
  });

  it('finds nobody rather than somebody else', async () => {
    expect((await ask('nobody@guerrillamail.com')).signups).toEqual([]);
    expect((await ask('req_01krhqx8r0aaaaaaaaaaaaaaaa')).signups).toEqual([]);
    const odd = await member.send('POST', `${account}/support`, { text: 'not@an@address' });
    expect(odd.status).toBe(400);
  });
});

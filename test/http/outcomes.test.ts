/** POST /v1/outcomes: what became of a signup is noted once, by id or by address, and said where it matters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssessmentDetail } from '../../src/contract/dashboard-assessments.ts';
import type { Assessment, OutcomeResponse } from '../../src/contract/messages.ts';
import { SIGNUP_OUTCOMES } from '../../src/model/outcome.ts';
import type { Client } from '../support/client.ts';
import { problemOf, schemaCheck } from '../support/expectations.ts';
import { type Person, plantPerson, signIn } from '../support/person.ts';
import { type Planted, plant } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

const UNKNOWN = { status: 400, code: 'missing_field', param: 'request_id' };
const NOBODY = 'req_01jtwz3v6k0000000000000000';

let scene: Scene;
let stranger: Planted;
let person: Person;
beforeAll(async () => {
  scene = await startScene({
    account: { plan: 'pro' },
    async prepare(installation) {
      stranger = await plant(installation);
    },
  });
  const planted = await plantPerson(scene.installation, { account: scene.account.id, role: 'member' });
  person = await signIn(scene.service, planted);
});
afterAll(async () => {
  person?.close();
  await scene?.end();
});

const send = (body: unknown, by: Client = scene.live, headers: Record<string, string> = {}) =>
  by.send<OutcomeResponse>({ method: 'POST', path: '/v1/outcomes', body: body as object, headers });
const outcomesOf = async (requestId: string) =>
  (await withStored(scene.installation, (store) => store.outcomesOf(requestId))).map(
    ({ outcome }) => outcome,
  );
const feedbackOf = (requestId: string) =>
  withStored(scene.installation, (store) => store.findFeedback(requestId));
const detailOf = async (requestId: string) =>
  (await person.get<AssessmentDetail>(`/accounts/${scene.account.id}/assessments/${requestId}`)).json;
const signUp = async (email: string): Promise<Assessment> => (await scene.live.assess({ email })).json;
let domains = 0;
/** A domain of its own, because many of one are challenged. */
function allowed(): Promise<Assessment> {
  domains += 1;
  return signUp(colleague('ann.lee', `harbour-${domains}-works.com`));
}
const blocked = () => signUp('jane.doe@mailinator.com');

describe('200', () => {
  it('notes every outcome once, however often it is sent, and shows it at the signup', async () => {
    const { request_id } = await allowed();
    const document = (await scene.live.send({ path: '/openapi.json' })).json;
    for (const outcome of [...SIGNUP_OUTCOMES, ...SIGNUP_OUTCOMES]) {
      const { status, json } = await send({ request_id, outcome });
      expect(status).toBe(200);
      expect(schemaCheck(document)('OutcomeResponse', json)).toEqual([]);
      expect(json).toMatchObject({ accepted: true, signups: 1, unmatched: [] });
    }
    expect((await outcomesOf(request_id)).sort()).toEqual([...SIGNUP_OUTCOMES].sort());
    const { outcomes } = await detailOf(request_id);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([...SIGNUP_OUTCOMES].sort());
    expect(outcomes.every(({ by }) => by === 'tests')).toBe(true);
  });

  it('finds the signups of an address by its keyed hash, in any spelling of the case, and no other address', async () => {
    const [first, other] = [await signUp(colleague('eva.klein')), await signUp(colleague('eva.gross'))];
    const second = await signUp(colleague('eva.klein'));
    const { json } = await send({ email: ' Eva.Klein@QUIET-harbour-works.com', outcome: 'verified' });
    expect(json).toMatchObject({ signups: 2, unmatched: [] });
    for (const { request_id } of [first, second]) expect(await outcomesOf(request_id)).toEqual(['verified']);
    expect(await outcomesOf(other.request_id)).toEqual([]);
    const none = await send({ email: 'never.came@quiet-harbour-works.com', outcome: 'bounced' });
    expect(none).toMatchObject({ status: 200, json: { signups: 0, unmatched: [0] } });
  });

  it('takes a hundred at once, and says which belong to no signup', async () => {
    const signups = await Promise.all(Array.from({ length: 8 }, allowed));
    const outcomes = Array.from({ length: 100 }, (_, place) => ({
      request_id: place % 10 === 3 ? NOBODY : signups[place % 8]?.request_id,
      outcome: SIGNUP_OUTCOMES[place % 6],
    }));
    const { status, json } = await send({ outcomes });
    expect(status).toBe(200);
    expect(json.unmatched).toEqual([3, 13, 23, 33, 43, 53, 63, 73, 83, 93]);
    expect(json.signups).toBe(8);
    expect(await outcomesOf(signups[0]?.request_id ?? '')).toEqual(
      expect.arrayContaining(['verified', 'bounced', 'paid']),
    );
  });

  it('gives the first answer again for the same Idempotency-Key, and refuses another body', async () => {
    const { request_id } = await allowed();
    const headers = { 'Idempotency-Key': `a ${request_id}`.replace(' ', '-') };
    const first = await send({ request_id, outcome: 'verified' }, scene.live, headers);
    const again = await send({ request_id, outcome: 'verified' }, scene.live, headers);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.json).toEqual(first.json);
    const other = await send({ request_id, outcome: 'banned' }, scene.live, headers);
    expect(problemOf(other)).toEqual({ status: 400, code: 'missing_field', param: 'Idempotency-Key' });
    expect(await outcomesOf(request_id)).toEqual(['verified']);
    // A key that failed may be used again.
    const failed = await send({ request_id: NOBODY, outcome: 'paid' }, scene.live, {
      'Idempotency-Key': 'later',
    });
    expect(problemOf(failed)).toEqual(UNKNOWN);
    expect(
      (await send({ request_id, outcome: 'paid' }, scene.live, { 'Idempotency-Key': 'later' })).status,
    ).toBe(200);
  });
});

describe('labels', () => {
  it.each([
    ['paid', allowed, undefined],
    ['paid', blocked, 'false_positive'],
    ['banned', allowed, 'false_negative'],
    ['banned', blocked, 'confirmed_fraud'],
    ['verified', blocked, undefined],
    ['never_verified', allowed, undefined],
    ['bounced', allowed, undefined],
    ['complained', allowed, undefined],
  ] as const)('%s: case %#', async (outcome, signup, label) => {
    const { request_id } = await signup();
    await send({ request_id, outcome });
    expect((await feedbackOf(request_id))?.outcome).toBe(label);
  });

  it('never replace what somebody said, and a ban stays one', async () => {
    const [reported, banned] = [await blocked(), await blocked()];
    await scene.live.feedback({
      request_id: reported.request_id,
      outcome: 'false_positive',
      note: 'a friend',
    });
    await send({ request_id: reported.request_id, outcome: 'banned' });
    expect(await feedbackOf(reported.request_id)).toMatchObject({
      outcome: 'false_positive',
      note: 'a friend',
    });
    for (const outcome of ['paid', 'banned', 'paid']) await send({ request_id: banned.request_id, outcome });
    expect((await feedbackOf(banned.request_id))?.outcome).toBe('confirmed_fraud');
  });
});

it.each([
  ['before', ['banned', 'paid']],
  ['after', ['paid', 'banned']],
] as const)('a ban %s money in one request makes no good mailbox', async (_, outcomes) => {
  const { request_id } = await allowed();
  await send({ outcomes: outcomes.map((outcome) => ({ request_id, outcome })) });
  expect((await feedbackOf(request_id))?.outcome).toBe('false_negative');
  const accountId = scene.account.id;
  const addresses = await withStored(scene.installation, async (store) => {
    const stored = await store.findStored(request_id, { accountId, mode: 'live' });
    return store.mailboxAddresses(accountId, [stored?.mailboxHash ?? '']);
  });
  expect(addresses.filter(({ isGood }) => isGood)).toEqual([]);
});

it('a bounce refuses nobody: the next person of the domain is answered as before', async () => {
  const domain = 'calm-bay-works.com';
  const before = await signUp(`ann.lee@${domain}`);
  for (const name of ['ann.lee', 'tom.fox', 'eva.may', 'ben.low']) {
    await signUp(`${name}@${domain}`);
    await send({ email: `${name}@${domain}`, outcome: 'bounced' });
  }
  const after = await signUp(`kim.day@${domain}`);
  expect([before.verdict, after.verdict]).toEqual(['allow', 'allow']);
  expect(after.score).toBe(before.score);
});

describe('400', () => {
  it.each([
    [{}, { param: 'outcome' }],
    [{ outcome: 'sold', request_id: NOBODY }, { param: 'outcome' }],
    [{ outcome: 'paid' }, { param: 'request_id' }],
    [{ outcome: 'paid', request_id: '' }, { param: 'request_id' }],
    [{ outcome: 'paid', request_id: NOBODY, email: 'a@b.example' }, { param: 'email' }],
    [
      { outcome: 'paid', email: 'nobody' },
      { param: 'email', code: 'invalid_email' },
    ],
    [
      { outcome: 'paid', email: 7 },
      { param: 'email', code: 'invalid_email' },
    ],
    [{ outcomes: [] }, { param: 'outcomes' }],
    [{ outcomes: 'paid' }, { param: 'outcomes' }],
    [{ outcomes: [{ outcome: 'paid', request_id: NOBODY }], outcome: 'paid' }, { param: 'outcome' }],
    [{ outcomes: [{ outcome: 'paid' }] }, { param: 'outcomes' }],
    [{ outcomes: [{ outcome: 'sold', request_id: NOBODY }] }, { param: 'outcomes' }],
    [{ outcomes: [{ outcome: 'paid', email: 'x' }] }, { param: 'outcomes', code: 'invalid_email' }],
  ])('%j', async (body, problem) => {
    expect(problemOf(await send(body))).toEqual({ status: 400, code: 'missing_field', ...problem });
  });

  it('more than a hundred', async () => {
    const outcomes = Array(101).fill({ outcome: 'paid', request_id: NOBODY });
    const answer = await send({ outcomes });
    expect(problemOf(answer)).toEqual({ status: 400, code: 'missing_field', param: 'outcomes' });
    expect(JSON.stringify(answer.json)).toContain('more than 100 entries');
  });

  it('names the place of what is wrong among many', async () => {
    const right = { request_id: NOBODY, outcome: 'paid' };
    const messageOf = async (wrong: object) =>
      ((await send({ outcomes: [right, wrong] })).json as unknown as { error: { message: string } }).error
        .message;
    expect(await messageOf({ ...right, outcome: 'sold' })).toContain('`outcomes[1].outcome`');
    expect(await messageOf({ request_id: NOBODY })).toContain('`outcomes[1].outcome`');
    expect(await messageOf({ outcome: 'paid' })).toContain('`outcomes[1].request_id`');
    expect(await messageOf({ outcome: 'paid', email: 'x' })).toContain('`outcomes[1].email`');
  });

  it('stores nothing of a request of which one outcome is wrong', async () => {
    const { request_id } = await allowed();
    await send({
      outcomes: [
        { request_id, outcome: 'paid' },
        { request_id, outcome: 'sold' },
      ],
    });
    expect(await outcomesOf(request_id)).toEqual([]);
  });
});

describe('visibility', () => {
  it('is that of assessments: another account sees none, a sandbox key only sandbox ones', async () => {
    const { request_id } = await allowed();
    const sandbox = (await scene.sandbox.assess({ email: colleague('eva.sand') })).json;
    const outcome = 'paid';
    expect(problemOf(await send({ request_id, outcome }, scene.sandbox))).toEqual(UNKNOWN);
    const by = (key: string) => ({ Authorization: `Bearer ${key}` });
    expect(problemOf(await send({ request_id, outcome }, scene.live, by(stranger.live)))).toEqual(UNKNOWN);
    const theirs = await send({ email: colleague('eva.klein'), outcome }, scene.live, by(stranger.live));
    expect(theirs.json.signups).toBe(0);
    expect((await send({ email: colleague('eva.sand'), outcome }, scene.live)).json.signups).toBe(0);
    expect((await send({ email: colleague('eva.sand'), outcome }, scene.sandbox)).json.signups).toBe(1);
    expect((await send({ request_id: sandbox.request_id, outcome })).json.signups).toBe(1);
    expect(problemOf(await send({ request_id, outcome }, scene.live, { Authorization: '' }))).toMatchObject({
      status: 401,
    });
  });
});

describe('a person’s data', () => {
  it('say what became of it, and leave with the person', async () => {
    const email = colleague('gone.soon');
    const { request_id } = await signUp(email);
    await send({ request_id, outcome: 'complained' });
    const privacy = (...args: string[]) =>
      scene.installation.run('privacy', ...args, '--account', scene.account.id, '--email', email, '--json');
    const told = JSON.parse((await privacy('export')).stdout);
    expect(told.outcomes).toMatchObject([{ requestId: request_id, outcome: 'complained' }]);
    expect(JSON.stringify(told.in_words)).toContain('a mail to the address was reported as spam');
    expect((await privacy('erase', '--yes')).status).toBe(0);
    expect(await outcomesOf(request_id)).toEqual([]);
    const from = Date.now() - 3_600_000;
    const kept = await withStored(scene.installation, (store) =>
      store.domainOutcomes(scene.account.id, from, 5_000),
    );
    expect(kept.some(({ requestId }) => requestId === request_id)).toBe(false);
  });
});

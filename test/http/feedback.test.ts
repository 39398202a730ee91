/** POST /v1/feedback: one record per assessment, the newest wins. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemOf, schemaCheck } from '../support/expectations.ts';
import { type Planted, plant, plantKey } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

const UNKNOWN = { status: 400, code: 'missing_field', param: 'request_id' };
const BAD_OUTCOME = { status: 400, code: 'missing_field', param: 'outcome' };

let scene: Scene;
let stranger: Planted;
let revoked: string;
let liveId: string;
let sandboxId: string;
beforeAll(async () => {
  scene = await startScene({
    account: { plan: 'free', requestsPerSecond: 5 },
    async prepare(installation) {
      stranger = await plant(installation);
      revoked = await plantKey(installation, stranger.id, 'live', { revokedAt: Date.now() });
    },
  });
  liveId = (await scene.live.assess({ email: colleague('jo') })).json.request_id;
  sandboxId = (await scene.sandbox.assess({ email: 'challenge@example.com' })).json.request_id;
});
afterAll(() => scene?.end());

const stored = (requestId: string) =>
  withStored(scene.installation, (store) => store.findFeedback(requestId));
const freshId = async () => (await scene.sandbox.assess({ email: 'block@example.com' })).json.request_id;

describe('200', () => {
  it('accepts both outcomes, and answers only with accepted and a message', async () => {
    const document = (await scene.live.send({ path: '/openapi.json' })).json;
    for (const outcome of ['false_positive', 'false_negative']) {
      const answer = await scene.live.feedback({ request_id: liveId, outcome });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
      expect(schemaCheck(document)('FeedbackResponse', answer.json)).toEqual([]);
      expect(Object.keys(answer.json)).toEqual(['accepted', 'message']);
      expect(answer.json.accepted).toBe(true);
      expect(answer.json.message).toMatch(/\w/);
    }
  });

  it('creates a record with the outcome and the note', async () => {
    const request_id = await freshId();
    expect(await stored(request_id)).toBeUndefined();
    await scene.sandbox.feedback({ request_id, outcome: 'false_positive', note: 'Customer called.' });
    expect(await stored(request_id)).toMatchObject({
      requestId: request_id,
      outcome: 'false_positive',
      note: 'Customer called.',
    });
  });

  it('updates the one record of an assessment when called again, the note included', async () => {
    const request_id = await freshId();
    await scene.sandbox.feedback({ request_id, outcome: 'false_positive', note: 'first' });
    await scene.live.feedback({ request_id, outcome: 'false_negative' });
    expect(await stored(request_id)).toMatchObject({ outcome: 'false_negative', note: null });
  });

  it.each([
    ['plain', 'Customer called; identity confirmed.'],
    ['empty', ''],
    ['padded', '  \n two lines \t'],
    ['of all planes', 'žluťoučký 🐎 \u202e שלום'],
    ['with controls and quotes', '"\\\u0000\u0007\u001b\u2028'],
    ['with a lone surrogate', 'a\ud800b'],
    ['that is long', 'n'.repeat(20_000)],
  ])('keeps a note verbatim that is %s', async (_name, note) => {
    const request_id = await freshId();
    expect((await scene.sandbox.feedback({ request_id, outcome: 'false_positive', note })).status).toBe(200);
    expect((await stored(request_id))?.note).toBe(note);
  });

  it.each([
    ['absent', {}],
    ['null', { note: null }],
  ])('keeps no note when it is %s', async (_name, note) => {
    const request_id = await freshId();
    await scene.sandbox.feedback({ request_id, outcome: 'false_negative', ...note });
    expect(await stored(request_id)).toMatchObject({ outcome: 'false_negative', note: null });
  });

  it('costs nothing and is not limited, whatever the plan', async () => {
    const before = (await scene.live.usage()).json.assessments_used;
    const answers = await Promise.all(
      Array.from({ length: 90 }, () =>
        scene.live.feedback({ request_id: liveId, outcome: 'false_positive' }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await scene.live.usage()).json.assessments_used).toBe(before);
  });

  it('does not change the stored answer of the assessment', async () => {
    const before = await scene.live.get(liveId);
    await scene.live.feedback({ request_id: liveId, outcome: 'false_negative', note: 'x' });
    expect((await scene.live.get(liveId)).text).toBe(before.text);
  });

  it('accepts a live key for a sandbox assessment, and ignores unknown members', async () => {
    const body = { request_id: sandboxId, outcome: 'false_positive', verdict: 'allow', at: 1 };
    expect((await scene.live.feedback(body)).status).toBe(200);
  });
});

describe('400', () => {
  it.each([
    ['no body', undefined],
    ['text that is not JSON', 'request_id=req_1'],
  ])('missing_field of no member for %s', async (_name, body) => {
    const { param: _, ...ofNone } = UNKNOWN;
    expect(problemOf(await scene.live.feedback(body))).toEqual(ofNone);
  });

  it.each([
    ['an array', []],
    ['null', 'null'],
    ['an empty object', {}],
    ['no request_id', { outcome: 'false_positive' }],
    ['a null request_id', { request_id: null, outcome: 'false_positive' }],
    ['an empty request_id', { request_id: '', outcome: 'false_positive' }],
    ['a number for a request_id', { request_id: 7, outcome: 'false_positive' }],
    ['an unknown request_id', { request_id: 'req_01k0q8y5m9x3w7v2n4b6c8d0zz', outcome: 'false_positive' }],
    ['a request_id with NUL', { request_id: 'req_\u0000', outcome: 'false_positive' }],
    ['a request_id with a lone surrogate', { request_id: 'req_\ud800', outcome: 'false_positive' }],
  ])('missing_field of request_id for %s', async (_name, body) => {
    expect(problemOf(await scene.live.feedback(body))).toEqual(UNKNOWN);
  });

  it.each([
    ['no outcome', {}],
    ['a null outcome', { outcome: null }],
    ['an empty outcome', { outcome: '' }],
    ['another word', { outcome: 'unsure' }],
    ['another case', { outcome: 'False_Positive' }],
    ['a padded outcome', { outcome: ' false_positive ' }],
    ['a number', { outcome: 1 }],
    ['an array', { outcome: ['false_positive'] }],
  ])('missing_field of outcome for %s', async (_name, body) => {
    expect(problemOf(await scene.live.feedback({ request_id: liveId, ...body }))).toEqual(BAD_OUTCOME);
  });

  it.each([7, true, {}, ['x']].map((note) => ({ note })))(
    'missing_field of note for $note',
    async ({ note }) => {
      const answer = await scene.live.feedback({ request_id: liveId, outcome: 'false_positive', note });
      expect(problemOf(answer)).toEqual({ status: 400, code: 'missing_field', param: 'note' });
    },
  );

  it('answers another account, and a sandbox key for a live assessment, as if it did not exist', async () => {
    const request_id = (await scene.live.assess({ email: colleague('al') })).json.request_id;
    const body = { request_id, outcome: 'false_positive' };
    const unknown = await scene.live.feedback({ ...body, request_id: 'req_01k0q8y5m9x3w7v2n4b6c8d0zz' });
    for (const key of [stranger.live, stranger.test, scene.account.test]) {
      const answer = await scene.live.feedback(body, key);
      expect(problemOf(answer)).toEqual(UNKNOWN);
      expect(answer.text).toBe(unknown.text);
    }
    expect(await stored(request_id)).toBeUndefined();
  });
});

describe('401', () => {
  const body = { request_id: 'req_x', outcome: 'nothing' };

  it('unauthorized without a key or with a wrong one, before anything is validated', async () => {
    for (const key of [null, `sk_test_${'0'.repeat(32)}`]) {
      expect(problemOf(await scene.live.feedback(body, key))).toEqual({ status: 401, code: 'unauthorized' });
    }
  });

  it('token_revoked with a revoked key', async () => {
    expect(problemOf(await scene.live.feedback(body, revoked))).toEqual({
      status: 401,
      code: 'token_revoked',
    });
  });
});

describe('413', () => {
  it('payload_too_large for a body above 64 KiB', async () => {
    const answer = await scene.live.feedback({
      request_id: liveId,
      outcome: 'false_positive',
      note: 'n'.repeat(64 * 1024),
    });
    expect(problemOf(answer)).toEqual({ status: 413, code: 'payload_too_large' });
  });
});

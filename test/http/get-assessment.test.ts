/** GET /v1/assess/{request_id}: the stored answer again, for those who may read it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { meterOf, problemOf } from '../support/expectations.ts';
import { type Planted, plant, plantKey } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';

const UNKNOWN = { status: 400, code: 'missing_field', param: 'request_id' };

let scene: Scene;
let stranger: Planted;
let revoked: string;
let liveId: string;
let sandboxId: string;
beforeAll(async () => {
  scene = await startScene({
    account: { plan: 'free' },
    async prepare(installation) {
      stranger = await plant(installation);
    },
  });
  const [live, sandbox] = [await scene.live.assess(SIGNUP), await scene.sandbox.assess(SIGNUP)];
  liveId = live.json.request_id;
  sandboxId = sandbox.json.request_id;
  revoked = await plantKey(scene.installation, scene.account.id, 'live', { revokedAt: Date.now() });
});
afterAll(() => scene?.end());

const SIGNUP = { email: colleague('jo'), ip: '79.192.0.1', session_id: 's "1" ž' };

describe('200', () => {
  it.each(['live', 'sandbox'] as const)(
    'repeats a %s answer byte for byte, any number of times',
    async (mode) => {
      const posted = await scene[mode].assess(SIGNUP);
      for (let count = 0; count < 3; count += 1) {
        const fetched = await scene[mode].get(posted.json.request_id);
        expect(fetched.status).toBe(200);
        expect(fetched.text).toBe(posted.text);
        expect(fetched.headers['content-type']).toBe(posted.headers['content-type']);
      }
    },
  );

  it('costs nothing: no credit, no rate, no velocity', async () => {
    const before = meterOf(await scene.live.get(liveId));
    const answers = await Promise.all(Array.from({ length: 60 }, () => scene.live.get(liveId)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const after = meterOf(answers.at(-1) as (typeof answers)[0]);
    expect(before).toMatchObject({ limit: 1, quota: 1_000 });
    expect(after.used).toBe(before.used);
    expect(after.remaining).toBeGreaterThanOrEqual(before.remaining);
    const next = await scene.live.assess(SIGNUP);
    expect(meterOf(next).used).toBe(before.used + 1);
    expect(next.json.signals.velocity.ip_signups_1h).toBe(before.used + 1);
  });

  it('lets a live key read the sandbox of its account', async () => {
    const answer = await scene.live.get(sandboxId);
    expect(answer.status).toBe(200);
    expect(answer.json.request_id).toBe(sandboxId);
  });

  it('lets a second live key of the account read it too', async () => {
    const key = await plantKey(scene.installation, scene.account.id, 'live');
    await expect.poll(async () => (await scene.live.get(liveId, key)).status).toBe(200);
  });
});

describe('400', () => {
  it.each(['/v1/assess/', '/v1/assess/?request_id=x'])('missing_field for an empty id: %s', async (path) => {
    expect(problemOf(await scene.live.send({ path }))).toEqual(UNKNOWN);
  });

  it.each([
    'req_01k0q8y5m9x3w7v2n4b6c8d0zz',
    'req_',
    'x',
    '%20',
    '%00',
    '%25',
    '%F0%9F%90%8E',
    '..%2f..%2fetc%2fpasswd',
    '__proto__',
    "'%20OR%20'1'='1",
    'req_%25',
    'x'.repeat(8_000),
  ])('missing_field for the unknown id %s', async (id) => {
    expect(problemOf(await scene.live.get(id))).toEqual(UNKNOWN);
  });

  it('missing_field for an id that is nearly right', async () => {
    for (const id of [liveId.slice(0, -1), `${liveId}0`, `${liveId}%20`, `%20${liveId}`, liveId.slice(4)]) {
      expect(problemOf(await scene.live.get(id))).toEqual(UNKNOWN);
    }
  });

  it('refuses an id that cannot be decoded', async () => {
    const { status } = problemOf(await scene.live.get('%ZZ'));
    expect([400, 404]).toContain(status);
  });

  it('answers another account exactly as if the assessment did not exist', async () => {
    const unknown = await scene.live.get('req_01k0q8y5m9x3w7v2n4b6c8d0zz', stranger.live);
    for (const key of [stranger.live, stranger.test]) {
      for (const id of [liveId, sandboxId]) {
        const answer = await scene.live.get(id, key);
        expect(problemOf(answer)).toEqual(UNKNOWN);
        expect(answer.text).toBe(unknown.text);
      }
    }
  });

  it('answers a sandbox key for a live assessment exactly as if it did not exist', async () => {
    const unknown = await scene.sandbox.get('req_01k0q8y5m9x3w7v2n4b6c8d0zz');
    expect((await scene.sandbox.get(sandboxId)).status).toBe(200);
    const answer = await scene.sandbox.get(liveId);
    expect(problemOf(answer)).toEqual(UNKNOWN);
    expect(answer.text).toBe(unknown.text);
  });
});

describe('401', () => {
  it('unauthorized without a key or with a wrong one, whether the assessment exists or not', async () => {
    for (const key of [null, `sk_live_${'0'.repeat(32)}`]) {
      for (const id of [liveId, 'req_unknown', '']) {
        expect(problemOf(await scene.live.get(id, key))).toEqual({ status: 401, code: 'unauthorized' });
      }
    }
  });

  it('token_revoked with a revoked key', async () => {
    await expect
      .poll(async () => problemOf(await scene.live.get(liveId, revoked)).code)
      .toBe('token_revoked');
  });
});

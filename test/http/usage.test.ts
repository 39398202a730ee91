/** GET /v1/usage: the month of the account that a key belongs to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAN_NAMES } from '../../src/contract/messages.ts';
import { meterOf, problemOf, schemaCheck } from '../support/expectations.ts';
import { type Planted, plant, plantKey } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';

const FACTS = {
  free: { rps: 1, limit: 1_000, rate: 0 },
  starter: { rps: 10, limit: 10_000, rate: 0.5 },
  pro: { rps: 50, limit: 100_000, rate: 0.4 },
  business: { rps: 200, limit: 1_000_000, rate: 0.3 },
};

let scene: Scene;
let onPlan: Record<(typeof PLAN_NAMES)[number], Planted>;
let small: Planted;
let revoked: string;
beforeAll(async () => {
  scene = await startScene({
    async prepare(installation) {
      const made = await Promise.all(
        PLAN_NAMES.map(async (plan) => [plan, await plant(installation, { plan })]),
      );
      onPlan = Object.fromEntries(made);
      small = await plant(installation, {
        plan: 'pro',
        overage: true,
        monthlyQuota: 2,
        requestsPerSecond: 7,
      });
      revoked = await plantKey(installation, small.id, 'live', { revokedAt: Date.now() });
    },
  });
});
afterAll(() => scene?.end());

describe('200', () => {
  it.each(PLAN_NAMES)('shows the limits and the price of plan %s, in the seven fields', async (plan) => {
    const document = (await scene.live.send({ path: '/openapi.json' })).json;
    const answer = await scene.live.usage(onPlan[plan].live);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
    expect(schemaCheck(document)('Usage', answer.json)).toEqual([]);
    const now = new Date();
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    const toText = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');
    expect(answer.json).toEqual({
      plan,
      period_start: toText(Date.UTC(year, month, 1)),
      period_end: toText(Date.UTC(year, month + 1, 1) - 1000),
      assessments_used: 0,
      assessments_limit: FACTS[plan].limit,
      overage_rate_per_1k: FACTS[plan].rate,
      reset_at: toText(Date.UTC(year, month + 1, 1)),
    });
    expect(meterOf(answer)).toMatchObject({ limit: FACTS[plan].rps, used: 0, quota: FACTS[plan].limit });
    expect(meterOf(answer).remaining).toBe(3 * FACTS[plan].rps);
  });

  it('counts every stored live assessment of the account, with all its live keys, but no sandbox call', async () => {
    const second = await plantKey(scene.installation, scene.account.id, 'live');
    await expect.poll(async () => (await scene.live.usage(second)).status).toBe(200);
    const email = colleague('jo');
    for (const key of [scene.account.live, second, scene.account.live])
      await scene.live.assess({ email }, key);
    for (let count = 0; count < 5; count += 1) await scene.sandbox.assess({ email });
    await scene.live.assess({ email: 'nobody' });
    for (const key of [scene.account.live, second, scene.account.test]) {
      const answer = await scene.live.usage(key);
      expect(answer.json.assessments_used).toBe(3);
      expect(meterOf(answer).used).toBe(3);
    }
  });

  it('continues past the limit if overage is allowed', async () => {
    const client = scene.live.as(small.live);
    for (let count = 0; count < 3; count += 1) {
      expect((await client.assess({ email: colleague('over') })).status).toBe(200);
    }
    const answer = await client.usage();
    expect(answer.json).toMatchObject({
      assessments_used: 3,
      assessments_limit: 2,
      overage_rate_per_1k: 0.4,
    });
    expect(meterOf(answer)).toMatchObject({ limit: 7, used: 3, quota: 2 });
    client.close();
  });

  it('is not limited and costs nothing, also on the free plan', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => scene.live.usage(onPlan.free.live)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers.every(({ json }) => json.assessments_used === 0)).toBe(true);
    expect((await scene.live.assess({ email: colleague('free') }, onPlan.free.live)).status).toBe(200);
  });
});

describe('401', () => {
  it('unauthorized without a key or with a wrong one', async () => {
    for (const key of [null, 'sk_live_', `sk_live_${'0'.repeat(32)}`, `${scene.account.live}0`]) {
      expect(problemOf(await scene.live.usage(key))).toEqual({ status: 401, code: 'unauthorized' });
    }
  });

  it('token_revoked with a revoked key, while the other keys of the account still work', async () => {
    expect(problemOf(await scene.live.usage(revoked))).toEqual({ status: 401, code: 'token_revoked' });
    expect((await scene.live.usage(small.live)).status).toBe(200);
  });
});

/** Rate limit and quota: exact under concurrency, counted per account, and shown in the headers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../src/store/store.ts';
import { type Answer, createClient } from '../support/client.ts';
import { meterOf, problemOf } from '../support/expectations.ts';
import { rounds } from '../support/long-version.ts';
import { type Planted, plant, plantKey } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';

const FREE_BURST = 15;
const STARTER_BURST = 150;
const FAST = 100_000;
/** Half a window of the rate limit: the next window admits calls again. */
const WITHIN_MS = 2_500;
/** Simultaneous calls: as many as a busy machine answers before a commit is late, or a window is over. */
const MANY = rounds(100, 500);
const BURST = rounds(25, 100);

/** Known to the service from its start; it would take up to a second to learn of each. */
const ACCOUNTS = {
  freeBurst: { plan: 'free' },
  starterBurst: { plan: 'starter' },
  ownRate: { plan: 'free', requestsPerSecond: 2 },
  badBodies: { plan: 'free' },
  bothUsedUp: { plan: 'free', monthlyQuota: 1 },
  headers: { plan: 'starter' },
  headersEverywhere: { plan: 'free', monthlyQuota: 1 },
  oneCreditLeft: { requestsPerSecond: FAST, monthlyQuota: 3 },
  manyCredits: { requestsPerSecond: FAST, monthlyQuota: 120 },
  noCredit: { monthlyQuota: 0 },
  shared: { monthlyQuota: 1 },
  stranger: { monthlyQuota: 1 },
  overage: { plan: 'starter', monthlyQuota: 1 },
  freeOverage: { plan: 'free', monthlyQuota: 1, overage: true },
} satisfies Record<string, Partial<Account>>;
type Name = keyof typeof ACCOUNTS;

let scene: Scene;
const known = {} as Record<Name, Planted>;
/** The second live key of each account. */
const second = {} as Record<Name, string>;
beforeAll(async () => {
  scene = await startScene({
    async prepare(installation) {
      for (const [name, fields] of Object.entries(ACCOUNTS) as [Name, Partial<Account>][]) {
        known[name] = await plant(installation, fields);
        second[name] = await plantKey(installation, known[name].id, 'live');
      }
    },
  });
});
afterAll(() => scene?.end());

const burst = (count: number, ...keys: string[]) =>
  Promise.all(
    Array.from({ length: count }, (_, at) =>
      scene.live.assess({ email: colleague(`jo${at}`) }, keys[at % keys.length]),
    ),
  );
/** A burst that takes longer proves nothing: a busy machine tries again, with another account. */
async function burstInWindow(name: Name, count: number) {
  let [account, other] = [known[name], second[name]];
  for (;;) {
    const started = performance.now();
    const answers = await burst(count, account.live, other);
    if (performance.now() - started < WITHIN_MS) return { live: account.live, answers };
    account = await plant(scene.installation, ACCOUNTS[name]);
    other = await plantKey(scene.installation, account.id, 'live');
    await expect.poll(async () => (await scene.live.usage(other)).status).toBe(200);
  }
}
const admitted = (answers: readonly Answer<unknown>[]) => answers.filter(({ status }) => status === 200);
const refused = (answers: readonly Answer<unknown>[]) => answers.filter(({ status }) => status !== 200);
const usedBy = async (key: string) => (await scene.live.usage(key)).json.assessments_used;

describe('the burst', () => {
  it('of plan free admits exactly 15 of many calls at once, charges only those, and resets at the announced time', async () => {
    const { live, answers } = await burstInWindow('freeBurst', BURST);
    expect(admitted(answers)).toHaveLength(FREE_BURST);
    expect(new Set(refused(answers).map((answer) => problemOf(answer).code))).toEqual(
      new Set(['rate_limit']),
    );
    expect(await usedBy(live)).toBe(FREE_BURST);
    const last = await scene.live.assess({ email: colleague('last') }, live);
    expect(last.status).toBe(429);
    await sleep(Math.max(0, meterOf(last).reset * 1000 - Date.now()));
    expect((await scene.live.assess({ email: colleague('again') }, live)).status).toBe(200);
  });

  it('of plan starter admits exactly 150 of many calls at once, over all live keys of the account', async () => {
    const { live, answers } = await burstInWindow('starterBurst', STARTER_BURST + BURST);
    expect(admitted(answers)).toHaveLength(STARTER_BURST);
    expect(await usedBy(live)).toBe(STARTER_BURST);
  });

  it('follows the account’s own requests per second if it has them', async () => {
    const { answers } = await burstInWindow('ownRate', 60);
    expect(admitted(answers)).toHaveLength(30);
  });
});

describe('the order of the checks', () => {
  it('counts an invalid body only for the rate limit, and reports the rate limit before the invalid body', async () => {
    const { live } = known.badBodies;
    const client = scene.live.as(live);
    const bad = () => client.assess({ email: 'nobody' });
    const unreadable = () => client.send({ method: 'POST', path: '/v1/assess', body: '{' });
    const codes: string[] = [];
    for (let count = 0; count < FREE_BURST; count += 1)
      codes.push(problemOf(await (count % 2 === 0 ? bad() : unreadable())).code);
    expect(new Set(codes)).toEqual(new Set(['invalid_email', 'missing_field']));
    expect([problemOf(await bad()).code, problemOf(await unreadable()).code]).toEqual([
      'rate_limit',
      'rate_limit',
    ]);
    expect(await usedBy(live)).toBe(0);
    client.close();
  });

  it('answers rate_limit once both are used up, and quota_exceeded before that', async () => {
    const { live } = known.bothUsedUp;
    const codes: string[] = [];
    for (let count = 0; count <= FREE_BURST; count += 1) {
      const answer = await scene.live.assess({ email: colleague('jo') }, live);
      codes.push(answer.status === 200 ? 'ok' : problemOf(answer).code);
    }
    expect(codes).toEqual(['ok', ...Array<string>(FREE_BURST - 1).fill('quota_exceeded'), 'rate_limit']);
  });
});

describe('the rate-limit headers', () => {
  it('show what the window still admits, at most as much as one second may take', async () => {
    const { live } = known.headers;
    const first = meterOf(await scene.live.assess({ email: colleague('jo') }, live));
    expect(first).toMatchObject({ limit: 10, remaining: 30 });
    expect(first.reset).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1000) - 1);
    expect(first.reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 1);
    await burst(STARTER_BURST - 11, live);
    const late = meterOf(await scene.live.assess({ email: colleague('jo') }, live));
    expect(late.remaining).toBe(9);
    await burst(9, live);
    const full = await scene.live.assess({ email: colleague('jo') }, live);
    expect(full.status).toBe(429);
    expect(meterOf(full)).toMatchObject({ limit: 10, remaining: 0 });
    expect(meterOf(await scene.live.usage(live)).remaining).toBe(0);
  });

  it('are in every 200 of assess and usage and in every 429', async () => {
    const { live } = known.headersEverywhere;
    const stored = await scene.live.assess({ email: colleague('jo') }, live);
    const answers = [
      stored,
      await scene.live.get(stored.json.request_id, live),
      await scene.live.usage(live),
      await scene.live.assess({ email: colleague('jo') }, live),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    for (const answer of answers) expect(meterOf(answer)).toMatchObject({ limit: 1, used: 1, quota: 1 });
  });
});

describe('the quota', () => {
  it('admits exactly one of many simultaneous calls when one credit is left, and charges exactly one', async () => {
    const { live } = known.oneCreditLeft;
    await burst(2, live);
    const answers = await burst(MANY, live);
    expect(admitted(answers)).toHaveLength(1);
    expect(new Set(refused(answers).map((answer) => problemOf(answer).code))).toEqual(
      new Set(['quota_exceeded']),
    );
    expect(meterOf(admitted(answers)[0] as Answer).used).toBe(3);
    expect(await usedBy(live)).toBe(3);
  });

  it('counts each stored assessment once under concurrency, and numbers them without a gap', async () => {
    const { live } = known.manyCredits;
    const answers = await burst(120 + BURST, live);
    const used = admitted(answers).map((answer) => meterOf(answer).used);
    expect(used.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
    expect(await usedBy(live)).toBe(120);
  });

  it('of 0 admits nothing', async () => {
    const { live } = known.noCredit;
    expect(problemOf(await scene.live.assess({ email: colleague('jo') }, live)).code).toBe('quota_exceeded');
  });

  it('is shared by the live keys of an account and by nobody else', async () => {
    const { live } = known.shared;
    const body = { email: colleague('jo') };
    expect((await scene.live.assess(body, live)).status).toBe(200);
    expect(problemOf(await scene.live.assess(body, second.shared)).code).toBe('quota_exceeded');
    expect((await scene.live.assess(body, known.stranger.live)).status).toBe(200);
  });
});

describe('overage', () => {
  it('allows calls past the cap once the command line enables it', async () => {
    const { id, live } = known.overage;
    const assess = async () => (await scene.live.assess({ email: colleague('jo') }, live)).status;
    expect([await assess(), await assess()]).toEqual([200, 429]);
    await scene.installation.json('account', 'set', id, '--overage', 'on');
    await expect.poll(assess, { interval: 100 }).toBe(200);
    expect(await assess()).toBe(200);
    expect((await scene.live.usage(live)).json).toMatchObject({ assessments_used: 3, assessments_limit: 1 });
    await scene.installation.json('account', 'set', id, '--overage', 'off');
    await expect.poll(assess, { interval: 100 }).toBe(429);
  });

  it('is refused for the free plan, by the command line and by the service', async () => {
    const { id, live } = known.freeOverage;
    const client = createClient(scene.service.url, live);
    expect((await client.assess({ email: colleague('jo') })).status).toBe(200);
    expect(problemOf(await client.assess({ email: colleague('jo') })).code).toBe('quota_exceeded');
    const { status, stderr } = await scene.installation.run('account', 'set', id, '--overage', 'on');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^gatehouse: .*free.*\n$/);
    client.close();
  });
});

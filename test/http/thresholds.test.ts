/** Thresholds: those of the key, else of its account, else 30 and 60; changed by the command line while the service runs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/contract/messages.ts';
import { patienceMs } from '../support/long-version.ts';
import { type Planted, plant, plantKey } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';

const HOLDS_WITHIN_MS = patienceMs(1_000);
const HOSTED_IP = '52.95.110.1';

let scene: Scene;
/** Scores of three signups: hosted, without MX, without domain. All are different. */
let low: number;
let middle: number;
let high: number;
beforeAll(async () => {
  scene = await startScene();
  scene.dns.set('mute-harbour.com', {});
  [low, middle, high] = await Promise.all([
    scoreOf({ email: 'jo@low-harbour.com', ip: HOSTED_IP }),
    scoreOf({ email: 'jo@mute-harbour.com' }),
    scoreOf({ email: 'jo@your-team.test' }),
  ]);
});
afterAll(() => scene?.end());

const scoreOf = async (body: object) => (await scene.live.assess(body)).json.score;

/** The verdicts on the three signups, from the lowest score to the highest. */
async function verdicts(key: string): Promise<Verdict[]> {
  const bodies = [
    { email: 'jo@low-harbour.com', ip: HOSTED_IP },
    { email: 'jo@mute-harbour.com' },
    { email: 'jo@your-team.test' },
  ];
  const found: Verdict[] = [];
  for (const body of bodies) {
    const { json } = await scene.live.assess(body, key);
    found.push(json.verdict);
  }
  return found;
}

const account = (challenge: number, block: number): Promise<Planted> =>
  plant(scene.installation, { thresholds: { challenge, block } });

async function known(key: string): Promise<string> {
  await expect.poll(async () => (await scene.live.usage(key)).status).toBe(200);
  return key;
}

describe('the default thresholds', () => {
  it('allow below 30, challenge from 30, block from 60', async () => {
    expect(low).toBeGreaterThanOrEqual(25);
    expect(low).toBeLessThan(30);
    expect(middle).toBeGreaterThanOrEqual(30);
    expect(middle).toBeLessThan(60);
    expect(high).toBeGreaterThanOrEqual(60);
    expect(await verdicts(scene.account.live)).toEqual(['allow', 'challenge', 'block']);
  });
});

describe('the thresholds of an account', () => {
  it('are the lowest scores that are challenged and blocked', async () => {
    const exact = await account(low, middle);
    const above = await account(low + 1, middle + 1);
    expect(await verdicts(await known(exact.live))).toEqual(['challenge', 'block', 'block']);
    expect(await verdicts(await known(above.live))).toEqual(['allow', 'challenge', 'block']);
  });

  it('may be equal, so that nothing is challenged', async () => {
    const { live } = await account(high, high);
    expect(await verdicts(await known(live))).toEqual(['allow', 'allow', 'block']);
  });

  it('do not change the score', async () => {
    const { live } = await account(1, 1);
    await known(live);
    expect((await scene.live.assess({ email: 'jo@mute-harbour.com' }, live)).json).toMatchObject({
      score: middle,
      verdict: 'block',
    });
    const clean = await scene.live.assess({ email: 'jo@clean-harbour.com' }, live);
    expect(clean.json).toMatchObject({ score: 0, verdict: 'allow' });
  });
});

describe('the thresholds of a key', () => {
  it('are used before those of its account, whose other keys keep theirs', async () => {
    const strict = await account(1, 2);
    const lenient = await plantKey(scene.installation, strict.id, 'live', {
      thresholds: { challenge: 99, block: 100 },
    });
    expect(await verdicts(await known(lenient))).toEqual(['allow', 'allow', 'allow']);
    expect(await verdicts(strict.live)).toEqual(['block', 'block', 'block']);
  });
});

describe('a change by the command line', () => {
  it('of an account, and then of one of its keys, takes effect within a second', async () => {
    const { installation } = scene;
    const { id, live } = await installation.account('pro');
    const key = await installation.key(id, 'live', '--challenge', '99', '--block', '100');
    await known(live);
    await known(key.key);
    expect(await verdicts(live)).toEqual(['allow', 'challenge', 'block']);
    expect(await verdicts(key.key)).toEqual(['allow', 'allow', 'allow']);

    const expectSoon = (secret: string) =>
      expect.poll(() => verdicts(secret), { timeout: HOLDS_WITHIN_MS, interval: 20 });
    await installation.json('account', 'set', id, '--challenge', '1', '--block', '2');
    await expectSoon(live).toEqual(['block', 'block', 'block']);
    expect(await verdicts(key.key)).toEqual(['allow', 'allow', 'allow']);
    await installation.json('key', 'set', key.id, '--challenge', '1', '--block', '100');
    await expectSoon(key.key).toEqual(['challenge', 'challenge', 'challenge']);
    expect(await verdicts(live)).toEqual(['block', 'block', 'block']);
  });

  it('that creates or revokes a key takes effect within a second', async () => {
    const made = await scene.installation.key(scene.account.id, 'live');
    const status = async () => (await scene.live.usage(made.key)).status;
    const expectSoon = () => expect.poll(status, { timeout: HOLDS_WITHIN_MS, interval: 20 });
    await expectSoon().toBe(200);
    await scene.installation.json('key', 'revoke', made.id);
    await expectSoon().toBe(401);
    expect((await scene.live.usage(made.key)).json).toMatchObject({ error: { code: 'token_revoked' } });
  });
});

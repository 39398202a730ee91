/** Mails of challenges: the service counts them for each challenge and each mailbox, however many requests come at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Gatehouse } from '../../client/src/gatehouse.ts';
import type { ChallengeResponse } from '../../src/contract/messages.ts';
import { problemOf } from '../support/expectations.ts';
import { type Scene, startScene } from '../support/scene.ts';

const USED = { status: 400, code: 'challenge_mails_used', param: 'confirm' };

let scene: Scene;
beforeAll(async () => {
  scene = await startScene({ account: { thresholds: { challenge: 0, block: 100 } } });
});
afterAll(() => scene?.end());

const redeem = (body: unknown, { live } = scene) =>
  live.send<ChallengeResponse>({ method: 'POST', path: '/v1/challenges', body });
const challenged = async (email: string) => (await scene.live.assess({ email })).json.request_id;

describe('a challenge', () => {
  it('has three mails with the same code, and its code and link work after that', async () => {
    const token = await challenged('anna@quiet-harbour-works.com');
    const orders = [];
    for (let at = 0; at < 3; at += 1) orders.push((await redeem({ token, confirm: {} })).json.confirmation);
    expect(new Set(orders.map((order) => JSON.stringify(order))).size).toBe(1);
    const refused = await redeem({ token, confirm: {} });
    expect(problemOf(refused)).toEqual(USED);
    expect(refused.text).toContain('gets no more mails');
    expect((await redeem({ token })).json.status).toBe('pending');
    expect((await redeem({ token, code: orders[0]?.code })).json).toMatchObject({ status: 'passed' });
  });

  it('has three mails also where twenty are ordered at once', async () => {
    const token = await challenged('bert@quiet-harbour-works.com');
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem({ token, confirm: {} })));
    expect(answers.filter(({ json }) => json.confirmation !== undefined)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 400).map(problemOf)).toEqual(Array(17).fill(USED));
  });

  it('uses up no mail by reading it, nor by a proof of work', async () => {
    const token = await challenged('cleo@quiet-harbour-works.com');
    for (let at = 0; at < 4; at += 1) {
      await redeem({ token });
      await redeem({ token, proof: { return_url: 'https://app.example.com/' } });
    }
    expect((await redeem({ token, confirm: {} })).json.confirmation).toBeDefined();
  });

  it('says so by the client', async () => {
    const gatehouse = new Gatehouse({ url: scene.service.url, key: scene.account.live });
    const token = await challenged('dora@quiet-harbour-works.com');
    for (let at = 0; at < 3; at += 1) await gatehouse.redeemChallenge({ token, confirm: {} });
    await expect(gatehouse.redeemChallenge({ token, confirm: {} })).rejects.toMatchObject({
      name: 'InvalidRequestError',
      code: 'challenge_mails_used',
    });
  });
});

describe('a mailbox', () => {
  it('gets six mails an hour, however many challenges and spellings there are', async () => {
    const spellings = ['eve', 'eve+1', 'EVE+2', 'eve+3', 'eve+4', 'eve+5', 'eve+6', 'eve+7'];
    const tokens = await Promise.all(spellings.map((name) => challenged(`${name}@quiet-harbour-works.com`)));
    const answers = await Promise.all([...tokens, ...tokens].map((token) => redeem({ token, confirm: {} })));
    expect(answers.filter(({ json }) => json.confirmation !== undefined)).toHaveLength(6);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused && problemOf(refused).code).toMatch(/^challenge_(mails_used|mailbox_full)$/);
    const late = await challenged('eve+8@quiet-harbour-works.com');
    expect(problemOf(await redeem({ token: late, confirm: {} }))).toEqual({
      ...USED,
      code: 'challenge_mailbox_full',
    });
    expect(problemOf(await redeem({ token: late, code: '123456' }))).toMatchObject({
      code: 'challenge_code_wrong',
    });
    const other = await challenged('frida@quiet-harbour-works.com');
    expect((await redeem({ token: other, confirm: {} })).status).toBe(200);
  });

  it('of the sandbox has no limit, for every fixture has the same one', async () => {
    for (let at = 0; at < 8; at += 1) {
      const { json } = await scene.sandbox.assess({ email: 'challenge@example.com' });
      const body = { token: json.request_id, confirm: {} };
      const answer = await scene.sandbox.send({ method: 'POST', path: '/v1/challenges', body });
      expect(answer.status).toBe(200);
    }
  });
});

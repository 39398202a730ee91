/** POST /v1/challenges: the token of a challenged signup is redeemed once, by its own account, in time. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../client/src/errors.ts';
import { Gatehouse } from '../../client/src/gatehouse.ts';
import type { ChallengeResponse } from '../../src/contract/messages.ts';
import { type ChallengeTokens, createChallengeTokens } from '../../src/signup/challenges/challenge-tokens.ts';
import { problemOf, schemaCheck } from '../support/expectations.ts';
import { type Planted, plant } from '../support/plant.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

const MINUTES = 30;
const INVALID = { status: 400, code: 'challenge_invalid', param: 'token' };

let scene: Scene;
let stranger: Planted;
let tokens: ChallengeTokens;
beforeAll(async () => {
  scene = await startScene({
    environment: { GATEHOUSE_CHALLENGE_MINUTES: String(MINUTES) },
    account: { thresholds: { challenge: 0, block: 100 } },
    prepare: async (installation) => {
      stranger = await plant(installation);
    },
  });
  const { GATEHOUSE_DATA_DIR: folder = '' } = scene.installation.environment;
  const secret = await readFile(join(folder, 'secret.key'), 'utf8');
  tokens = createChallengeTokens(Buffer.from(secret.trim(), 'hex'));
});
afterAll(() => scene?.end());

/** @param by the `Idempotency-Key`, which names the redeemer */
const redeem = (body: unknown, key = scene.account.test, by?: string) =>
  scene.live.send<ChallengeResponse>({
    method: 'POST',
    path: '/v1/challenges',
    key,
    body,
    headers: by === undefined ? {} : { 'idempotency-key': by },
  });
const redeemBy = (by: string | undefined, body: unknown) => redeem(body, scene.account.test, by);
const REDEEMED = { status: 409, code: 'challenge_redeemed', param: 'outcome' };
async function challenged() {
  const { json } = await scene.sandbox.assess({ email: 'challenge@example.com' });
  return { requestId: json.request_id, token: json.challenge?.token ?? '' };
}
const feedbackOf = (requestId: string) =>
  withStored(scene.installation, (store) => store.findFeedback(requestId));

describe('the token', () => {
  it('comes only with the verdict challenge, live and sandbox, and expires at its announced time', async () => {
    const live = (await scene.live.assess({ email: colleague('kim') })).json;
    const sandbox = (await scene.sandbox.assess({ email: 'challenge@example.com' })).json;
    for (const { verdict, challenge, assessed_at } of [live, sandbox]) {
      expect(verdict).toBe('challenge');
      const expires = Date.parse(assessed_at) + MINUTES * 60_000;
      expect(Date.parse(challenge?.expires_at ?? '')).toBe(expires);
    }
    for (const email of ['allow@example.com', 'block@example.com'])
      expect((await scene.sandbox.assess({ email })).json).not.toHaveProperty('challenge');
  });

  it('is the same when the answer is read again, and when the request is repeated', async () => {
    const sending = { method: 'POST', path: '/v1/assess', body: { email: colleague('lou') } };
    const headers = { 'idempotency-key': 'signup-lou' };
    const first = await scene.live.send({ ...sending, headers });
    const again = await scene.live.send({ ...sending, headers });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
    expect((await scene.live.get(String(first.json.request_id))).text).toBe(first.text);
    expect(first.text).toContain('"challenge":{"token":"gct.');
  });
});

describe('redeeming', () => {
  it.each([
    ['passed', 'false_positive'],
    ['failed', 'confirmed_fraud'],
  ] as const)('stores %s once, as feedback', async (outcome, label) => {
    const document = (await scene.live.send({ path: '/openapi.json' })).json;
    const { requestId, token } = await challenged();
    expect((await redeem({ token })).json).toEqual({
      request_id: requestId,
      status: 'pending',
      expires_at: expect.any(String),
    });
    const first = await redeemBy('a', { token, outcome });
    expect(first.status).toBe(200);
    expect(schemaCheck(document)('ChallengeResponse', first.json)).toEqual([]);
    expect(first.json).toMatchObject({ request_id: requestId, status: outcome, method: 'application' });
    for (const body of [{ token, outcome }, { token }])
      expect((await redeemBy('a', body)).text).toBe(first.text);
    expect((await redeem({ token })).text).toBe(first.text);
    const other = outcome === 'passed' ? 'failed' : 'passed';
    for (const by of ['a', 'b', undefined])
      expect(problemOf(await redeemBy(by, { token, outcome: other }))).toEqual(REDEEMED);
    expect(await feedbackOf(requestId)).toMatchObject({ outcome: label, keyId: 'challenge' });
  });

  it('works for live signups with a live key', async () => {
    const { json } = await scene.live.assess({ email: colleague('max') });
    const token = json.challenge?.token;
    expect((await redeem({ token, outcome: 'passed' }, scene.account.live)).json.status).toBe('passed');
  });

  it('works by the client, whose errors do not show the token', async () => {
    const { requestId, token } = await challenged();
    const gatehouse = new Gatehouse({ url: scene.service.url, key: scene.account.test });
    const redeemed = () =>
      gatehouse.redeemChallenge({ token, outcome: 'passed' }, { idempotencyKey: 'signup-1' });
    const answer = await redeemed();
    expect(answer).toMatchObject({ request_id: requestId, status: 'passed', meta: { replayed: false } });
    expect(await redeemed()).toMatchObject({ status: 'passed', meta: { replayed: true } });
    await expect(gatehouse.redeemChallenge({ token, outcome: 'passed' })).rejects.toThrow('redeemed before');
    const failed = await gatehouse.redeemChallenge({ token, outcome: 'failed' }).catch((error) => error);
    expect(failed).toBeInstanceOf(InvalidRequestError);
    expect(failed).toMatchObject({ code: 'challenge_redeemed', status: 409 });
    expect(JSON.stringify(failed)).not.toContain(token);
  });

  it.each([
    ['by one redeemer is told to it each time', ['a', 'a', 'a'], 3],
    ['by several is told to one of them', ['a', 'b', 'c'], 1],
    ['without a name is told once', [undefined, undefined, undefined], 1],
  ] as const)('at once %s, and one answer is the first', async (_name, by, told) => {
    const { token } = await challenged();
    const body = { token, outcome: 'passed' };
    const answers = await Promise.all(by.map((each) => redeemBy(each, body)));
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(told);
    expect(new Set(passed.map(({ text }) => text)).size).toBe(1);
    expect(passed.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    for (const each of answers.filter(({ status }) => status !== 200))
      expect(problemOf(each)).toEqual(REDEEMED);
    const read = await redeem({ token });
    expect([read.text, read.headers['idempotent-replayed']]).toEqual([passed[0]?.text, 'true']);
  });

  it('by a code is told once too, and reading what is pending repeats nothing', async () => {
    const { token } = await challenged();
    const { json, headers } = await redeem({ token, confirm: {} });
    expect(headers).not.toHaveProperty('idempotent-replayed');
    expect((await redeem({ token })).headers).not.toHaveProperty('idempotent-replayed');
    const body = { token, code: json.confirmation?.code };
    const answers = await Promise.all(['a', 'a', 'b', undefined].map((by) => redeemBy(by, body)));
    const passed = answers.filter((answer) => answer.json.status === 'passed');
    expect(passed.filter((answer) => answer.headers['idempotent-replayed'] !== 'true')).toHaveLength(1);
    const refused = answers.filter((answer) => answer.status !== 200).map(problemOf);
    expect([1, 2]).toContain(passed.length);
    expect(refused).toEqual(refused.map(() => ({ ...REDEEMED, param: 'code' })));
  });

  it('what the visitor has confirmed tells one redeemer, in time or later', async () => {
    const { requestId, token } = await challenged();
    const { json } = await redeem({ token, confirm: {} });
    const link = json.confirmation?.link.split('#')[1];
    const confirm = { method: 'POST', path: '/challenge/confirm', body: { token: link } };
    for (const _ of [1, 2]) expect((await scene.live.send({ ...confirm, key: null })).status).toBe(200);
    for (const _ of [1, 2]) expect((await redeem({ token })).json).toMatchObject({ method: 'link' });
    const subject = { requestId, accountId: scene.account.id, mode: 'test' } as const;
    const late = tokens.issue(subject, Date.now() - 1);
    const body = { token: late, outcome: 'passed' };
    expect(problemOf(await redeemBy('z', { ...body, outcome: 'failed' }))).toEqual(REDEEMED);
    const answers = await Promise.all(['a', 'b', 'c'].map((by) => redeemBy(by, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const told = ['a', 'b', 'c'][answers.findIndex(({ status }) => status === 200)];
    const again = await redeemBy(told, body);
    expect(again.json).toMatchObject({ status: 'passed', method: 'link' });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect((await scene.live.send({ ...confirm, key: null })).status).toBe(200);
  });

  it('with an unusable key is refused before anything is stored', async () => {
    const { token } = await challenged();
    const refused = problemOf(await redeemBy('a b', { token, outcome: 'passed' }));
    expect(refused).toEqual({ status: 400, code: 'missing_field', param: 'Idempotency-Key' });
    expect((await redeem({ token })).json.status).toBe('pending');
  });

  it('makes a link to the service itself, and none to a host that the caller names', async () => {
    const linkFor = async (host: string) => {
      const body = { token: (await challenged()).token, confirm: {} };
      const sending = { method: 'POST', path: '/v1/challenges', key: scene.account.test, body };
      const { status, json, text } = await scene.live.send<ChallengeResponse>({
        ...sending,
        headers: { host },
      });
      return { status, link: json.confirmation?.link, text };
    };
    for (const host of ['127.0.0.1:8080', 'localhost', 'LOCALHOST:1', '[::1]:8080']) {
      const { link = '' } = await linkFor(host);
      expect(new URL(link).host).toBe(host.toLowerCase());
    }
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '203.0.113.7',
      'gatehouse',
    ]) {
      const { status, text } = await linkFor(host);
      expect(status, host).toBe(400);
      expect(text).toContain('GATEHOUSE_PUBLIC_URL');
      expect(text).not.toContain(host);
    }
  });

  it('has one result if both outcomes arrive at once', async () => {
    const { token } = await challenged();
    const outcomes = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? 'passed' : 'failed'));
    const answers = await Promise.all(outcomes.map((outcome) => redeem({ token, outcome })));
    const { status } = (await redeem({ token })).json;
    const told = answers.flatMap((answer, at) => (answer.status === 200 ? [outcomes[at]] : []));
    expect(told).toEqual([status]);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 409]));
  });
});

describe('a token that cannot be redeemed', () => {
  it('was forged or changed, or is not a token', async () => {
    const { token } = await challenged();
    for (const wrong of ['', 'gct', 'req_1', `${token}x`, token.replace('gct', 'gcl'), token.toUpperCase()])
      expect(problemOf(await redeem({ token: wrong, outcome: 'passed' }))).toEqual(INVALID);
  });

  it('belongs to another account, or to the other kind of key', async () => {
    const { token } = await challenged();
    expect(problemOf(await redeem({ token, outcome: 'passed' }, stranger.test))).toEqual(INVALID);
    const answer = await redeem({ token, outcome: 'passed' }, scene.account.live);
    expect(problemOf(answer)).toEqual(INVALID);
    expect(answer.text).toContain('sk_test_');
    expect((await redeem({ token })).json.status).toBe('pending');
  });

  it('has expired; an earlier result can still be read', async () => {
    const { requestId, token } = await challenged();
    const subject = { requestId, accountId: scene.account.id, mode: 'test' } as const;
    const late = tokens.issue(subject, Date.now() - 1);
    const expired = { status: 400, code: 'challenge_expired', param: 'token' };
    for (const body of [{ token: late }, { token: late, outcome: 'passed' }])
      expect(problemOf(await redeem(body))).toEqual(expired);
    expect(await feedbackOf(requestId)).toBeUndefined();
    await redeemBy('a', { token, outcome: 'passed' });
    for (const body of [{ token: late }, { token: late, outcome: 'passed' }])
      expect((await redeemBy('a', body)).json.status).toBe('passed');
  });

  it('has no assessment', async () => {
    const subject = {
      requestId: `req_${'0'.repeat(26)}`,
      accountId: scene.account.id,
      mode: 'test',
    } as const;
    const token = tokens.issue(subject, Date.now() + 60_000);
    expect(problemOf(await redeem({ token, outcome: 'passed' }))).toEqual(INVALID);
  });

  it('comes with an unknown outcome, without a token or without a key', async () => {
    const { token } = await challenged();
    const answer = await redeem({ token, outcome: 'maybe' });
    expect(problemOf(answer)).toEqual({ status: 400, code: 'missing_field', param: 'outcome' });
    expect(answer.text).toContain('Send `passed` or `failed`.');
    expect(problemOf(await redeem({ outcome: 'passed' }))).toMatchObject({ param: 'token' });
    const path = '/v1/challenges';
    const unknown = await scene.live.send({ method: 'POST', path, key: null, body: { token } });
    expect(problemOf(unknown)).toMatchObject({ code: 'unauthorized' });
  });
});

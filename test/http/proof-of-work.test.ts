/** A proof of work in the format of ALTCHA: made for one signup, solved by anybody's widget, passed once, refused where anything was changed. */
import { type Challenge, createChallenge, type Payload, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { createChallenge as createFirstVersion } from 'altcha-lib/v1';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChallengeResponse } from '../../src/contract/messages.ts';
import { type Client, createClient } from '../support/client.ts';
import { problemOf } from '../support/expectations.ts';
import { type Planted, plant } from '../support/plant.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

const RETURN_URL = 'https://app.example.com/welcome';
const WRONG = { status: 400, code: 'challenge_proof_wrong', param: 'altcha' };
const EASY = { GATEHOUSE_PROOF_WORK: '0.1' };

let scene: Scene;
let visitor: Client;
let other: Client;
beforeAll(async () => {
  let account: Planted | undefined;
  scene = await startScene({
    environment: EASY,
    async prepare(installation) {
      account = await plant(installation);
    },
  });
  visitor = createClient(scene.service.url);
  other = createClient(scene.service.url, account?.test);
});
afterAll(async () => {
  visitor?.close();
  other?.close();
  await scene?.end();
});

/** @param by the `Idempotency-Key`, which names the redeemer */
const redeem = (body: unknown, by?: string, client = scene.sandbox) =>
  client.send<ChallengeResponse>({
    method: 'POST',
    path: '/v1/challenges',
    body,
    headers: by === undefined ? {} : { 'idempotency-key': by },
  });
const confirm = (body: unknown) => visitor.send({ method: 'POST', path: '/challenge/confirm', body });

async function challenged(client = scene.sandbox) {
  const { json } = await client.assess({ email: 'challenge@example.com' });
  return json.request_id;
}

/** A challenge as the widget gets it. */
async function proofFor(token: string, client = scene.sandbox): Promise<Challenge> {
  const { json } = await redeem({ token, proof: {} }, undefined, client);
  return JSON.parse(json.proof?.challenge ?? '') as Challenge;
}
const solve = async (challenge: Challenge): Promise<Payload> => {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (solution === null) throw new Error('nobody solved it');
  return { challenge, solution };
};
const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64');
const solved = async (token: string) => encode(await solve(await proofFor(token)));
const statusOf = async (token: string) => (await redeem({ token })).json.status;

describe('with nothing set', () => {
  it('an answer has no token, and its request id asks for the proof and redeems it once', async () => {
    const { json } = await scene.sandbox.assess({ email: 'challenge@example.com' });
    expect(json.challenge).toBeUndefined();
    const token = json.request_id;
    const asked = await redeem({ token, proof: {} });
    expect(asked.json).toEqual({
      request_id: token,
      status: 'pending',
      expires_at: expect.any(String),
      proof: { challenge: expect.any(String) },
    });
    const altcha = await solved(token);
    const first = await redeem({ token, altcha }, 'signup-1');
    expect(first.json).toMatchObject({ status: 'passed', method: 'altcha' });
    const again = await redeem({ token, altcha }, 'signup-1');
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    for (const by of ['signup-2', undefined])
      expect(problemOf(await redeem({ token, altcha }, by))).toEqual({
        status: 409,
        code: 'challenge_redeemed',
        param: 'altcha',
      });
  });

  it('expires half an hour after the assessment', async () => {
    const token = await challenged();
    const { json } = await redeem({ token });
    const stored = await withStored(scene.installation, (store) =>
      store.findStored(token, { accountId: scene.account.id, mode: 'test' }),
    );
    expect(Date.parse(json.expires_at)).toBe(Math.floor((stored?.at ?? 0) / 1000) * 1000 + 1_800_000);
  });

  it('is no feedback, because a program solves it as well as a person', async () => {
    const token = await challenged();
    await redeem({ token, altcha: await solved(token) });
    expect(await statusOf(token)).toBe('passed');
    expect(await withStored(scene.installation, (store) => store.findFeedback(token))).toBeUndefined();
  });

  it.each(['allow', 'block'])('a signup with the verdict %s has no challenge', async (verdict) => {
    const { json } = await scene.sandbox.assess({ email: `${verdict}@example.com` });
    expect(json.verdict).toBe(verdict);
    for (const body of [{ proof: {} }, { outcome: 'passed' }, { altcha: 'eyJ9' }, {}]) {
      const answer = await redeem({ token: json.request_id, ...body });
      expect(problemOf(answer)).toEqual({ status: 400, code: 'challenge_invalid', param: 'token' });
      expect(answer.text).toContain('This signup was not challenged.');
    }
  });

  it('a request id of another account, another kind of key or of nobody redeems nothing', async () => {
    const token = await challenged();
    const body = { token, outcome: 'passed' };
    for (const client of [other, scene.live])
      expect(problemOf(await redeem(body, undefined, client))).toMatchObject({ code: 'challenge_invalid' });
    expect(problemOf(await redeem({ ...body, token: 'req_nothing' }))).toMatchObject({
      code: 'challenge_invalid',
    });
    expect(await statusOf(token)).toBe('pending');
  });
});

describe('the challenge of a proof', () => {
  it('is for one signup and one deadline, and does not say the score', async () => {
    const token = await challenged();
    const { parameters, signature } = await proofFor(token);
    const { json } = await redeem({ token });
    expect(parameters).toEqual({
      algorithm: 'PBKDF2/SHA-256',
      cost: 5_000,
      data: { request_id: token },
      expiresAt: Date.parse(json.expires_at) / 1000,
      keyLength: 32,
      keyPrefix: expect.stringMatching(/^[0-9a-f]{32}$/),
      keySignature: expect.stringMatching(/^[0-9a-f]{64}$/),
      nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
      salt: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(signature).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is the same again on a node, so that reading it costs no work', async () => {
    const token = await challenged();
    expect(await proofFor(token)).toEqual(await proofFor(token));
  });

  it('is made no more after the result', async () => {
    const token = await challenged();
    await redeem({ token, altcha: await solved(token) });
    const { json } = await redeem({ token, proof: { return_url: RETURN_URL } });
    expect(json).toMatchObject({ status: 'passed', method: 'altcha' });
    expect(json.proof).toBeUndefined();
  });
});

describe('a response is refused', () => {
  type Change = (payload: Payload) => unknown;
  const withParameters =
    (changed: object): Change =>
    ({ challenge, solution }) => ({
      challenge: { ...challenge, parameters: { ...challenge.parameters, ...changed } },
      solution,
    });
  const CHANGED = 'was changed, or is not of this account';
  const UNSOLVED = 'is not solved';
  const UNREADABLE = 'not that of an ALTCHA widget of version 3';

  it.each<[string, Change, string]>([
    ['an easier prefix', withParameters({ keyPrefix: '00' }), CHANGED],
    ['less work in each attempt', withParameters({ cost: 1 }), CHANGED],
    ['another algorithm', withParameters({ algorithm: 'SHA-256' }), CHANGED],
    ['an algorithm that nobody knows', withParameters({ algorithm: 'none' }), CHANGED],
    ['a later deadline', withParameters({ expiresAt: 4_000_000_000 }), CHANGED],
    ['no deadline', withParameters({ expiresAt: undefined }), CHANGED],
    ['no signature of the key', withParameters({ keySignature: undefined }), CHANGED],
    ['another signup in its data', withParameters({ data: { request_id: 'req_other' } }), CHANGED],
    ['more in its data', withParameters({ data: { request_id: 'req_other', more: 1 } }), CHANGED],
    [
      'a signature of zeros',
      ({ challenge, ...rest }) => ({ ...rest, challenge: { ...challenge, signature: '0'.repeat(64) } }),
      CHANGED,
    ],
    [
      'no signature',
      ({ challenge: { parameters }, solution }) => ({ challenge: { parameters }, solution }),
      UNREADABLE,
    ],
    [
      'a signature that is no text',
      ({ challenge, ...rest }) => ({ ...rest, challenge: { ...challenge, signature: ['0'] } }),
      UNREADABLE,
    ],
    [
      'the key of zeros',
      ({ challenge }) => ({ challenge, solution: { counter: 1, derivedKey: '0'.repeat(64) } }),
      UNSOLVED,
    ],
    [
      'only the prefix of the key',
      ({ challenge }) => ({
        challenge,
        solution: { counter: 1, derivedKey: challenge.parameters.keyPrefix },
      }),
      UNSOLVED,
    ],
    [
      'a key that is no text',
      ({ challenge }) => ({ challenge, solution: { counter: 1, derivedKey: 7 } }),
      UNSOLVED,
    ],
    [
      'a counter below zero',
      ({ challenge, solution }) => ({ challenge, solution: { ...solution, counter: -1 } }),
      UNSOLVED,
    ],
    ['no solution', ({ challenge }) => ({ challenge }), UNSOLVED],
    ['no challenge', ({ solution }) => ({ solution }), UNREADABLE],
    ['nothing', () => null, UNREADABLE],
    ['a list', () => [1], UNREADABLE],
    ['a text', () => 'passed', UNREADABLE],
  ])('with %s', async (_name, change, message) => {
    const token = await challenged();
    const payload = await solve(await proofFor(token));
    const answer = await redeem({ token, altcha: encode(change(payload)) });
    expect(problemOf(answer)).toEqual(WRONG);
    expect(answer.text).toContain(message);
    expect(await statusOf(token)).toBe('pending');
    expect((await redeem({ token, altcha: encode(payload) })).json.status).toBe('passed');
  });

  it.each(['not base64!', 'e30', 'bnVsbA==', 'W10='])('that is %s', async (altcha) => {
    const token = await challenged();
    expect(problemOf(await redeem({ token, altcha }))).toEqual(WRONG);
  });

  it('for another signup of the account, also where that one has passed', async () => {
    const [mine, another] = await Promise.all([challenged(), challenged()]);
    const altcha = await solved(another);
    for (const _ of [1, 2]) {
      const answer = await redeem({ token: mine, altcha });
      expect(problemOf(answer)).toEqual(WRONG);
      expect(answer.text).toContain('for another signup');
      await redeem({ token: another, altcha });
    }
  });

  it('of another account, and of another kind of key', async () => {
    const token = await challenged();
    const foreign = await challenged(other);
    const altcha = encode(await solve(await proofFor(foreign, other)));
    const answer = await redeem({ token, altcha });
    expect(problemOf(answer)).toEqual(WRONG);
    expect(answer.text).toContain(CHANGED);
  });

  it('to a challenge that somebody else signed', async () => {
    const token = await challenged();
    const { parameters } = await proofFor(token);
    const challenge = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: 1,
      data: parameters.data ?? {},
      expiresAt: parameters.expiresAt ?? 0,
      deriveKey,
      counter: 1,
      hmacSignatureSecret: 'theirs',
      hmacKeySignatureSecret: 'theirs too',
    });
    const answer = await redeem({ token, altcha: encode(await solve(challenge)) });
    expect(problemOf(answer)).toEqual(WRONG);
    expect(answer.text).toContain(CHANGED);
  });

  it('of the protocol of the widget before version 3', async () => {
    const { algorithm, challenge, salt, signature } = await createFirstVersion({ hmacKey: 'any', number: 7 });
    const altcha = encode({ algorithm, challenge, number: 7, salt, signature, took: 1 });
    const answer = await redeem({ token: await challenged(), altcha });
    expect(problemOf(answer)).toEqual(WRONG);
    expect(answer.text).toContain(UNREADABLE);
  });

  it('together with another way to redeem', async () => {
    const token = await challenged();
    const answer = await redeem({ token, altcha: await solved(token), outcome: 'passed' });
    expect(problemOf(answer)).toMatchObject({ code: 'missing_field', param: 'altcha' });
  });
});

describe('a result of another method', () => {
  it('keeps a proof from being redeemed, and a proof keeps another from it', async () => {
    const [first, second] = await Promise.all([challenged(), challenged()]);
    await redeem({ token: first, outcome: 'failed' });
    expect(problemOf(await redeem({ token: first, altcha: 'eyJ9' }))).toEqual({
      status: 409,
      code: 'challenge_redeemed',
      param: 'altcha',
    });
    await redeem({ token: second, altcha: await solved(second) });
    expect(problemOf(await redeem({ token: second, outcome: 'failed' }))).toMatchObject({
      code: 'challenge_redeemed',
    });
  });
});

describe('the page of Gatehouse', () => {
  async function opened() {
    const token = await challenged();
    const { json } = await redeem({ token, proof: { return_url: RETURN_URL } });
    const page = json.proof?.page ?? '';
    return { token, page, fragment: page.slice(page.indexOf('#') + 1) };
  }
  const challengeOf = (token: unknown) =>
    visitor.send<Challenge>({ method: 'POST', path: '/challenge/proof', body: { token } });

  it('has the same challenge, takes the response, and continues to the application, which redeems it once', async () => {
    const { token, page, fragment } = await opened();
    expect(page).toMatch(new RegExp(`^${scene.service.url}/challenge/#gcw\\.`));
    const { json: challenge } = await challengeOf(fragment);
    expect(challenge).toEqual(await proofFor(token));
    const altcha = encode(await solve(challenge));
    for (const _ of [1, 2])
      expect((await confirm({ token: fragment, altcha })).json).toEqual({
        status: 'passed',
        return_url: RETURN_URL,
      });
    expect((await redeem({ token })).json).toMatchObject({ status: 'passed', method: 'altcha' });
    expect((await redeem({ token, outcome: 'passed' }, 'signup-1')).json.status).toBe('passed');
    expect(problemOf(await redeem({ token, altcha }, 'signup-2'))).toMatchObject({
      code: 'challenge_redeemed',
    });
  });

  it('confirms nothing without the response, or with that of another signup', async () => {
    const { token, fragment } = await opened();
    expect(problemOf(await confirm({ token: fragment }))).toEqual({
      status: 400,
      code: 'missing_field',
      param: 'altcha',
    });
    const altcha = await solved(await challenged());
    expect(problemOf(await confirm({ token: fragment, altcha }))).toEqual(WRONG);
    expect(await statusOf(token)).toBe('pending');
  });

  it('gives no challenge for a token of a mail, a changed one, or after another result', async () => {
    const { token, fragment } = await opened();
    const { json } = await redeem({ token, confirm: {} });
    const { link = '', page = '' } = json.confirmation ?? {};
    for (const wrong of [link, page].map((url) => url.slice(url.indexOf('#') + 1)))
      expect(problemOf(await challengeOf(wrong))).toMatchObject({ code: 'challenge_invalid' });
    for (const wrong of [fragment.slice(0, -1), fragment.replace('gcw', 'gcl'), token, ''])
      expect(problemOf(await challengeOf(wrong))).toMatchObject({ code: 'challenge_invalid' });
    await redeem({ token, outcome: 'failed' });
    expect(problemOf(await challengeOf(fragment))).toMatchObject({ code: 'challenge_redeemed' });
  });

  it('needs a page to continue at that a browser can open', async () => {
    const answer = await redeem({ token: await challenged(), proof: { return_url: 'javascript:alert(1)' } });
    expect(problemOf(answer)).toEqual({ status: 400, code: 'missing_field', param: 'return_url' });
  });
});

it('counts the proofs that were made, passed and refused', async () => {
  const count = async (outcome: string) => {
    const { text } = await visitor.send({ method: 'GET', path: '/metrics' });
    return Number(
      new RegExp(`^gatehouse_proofs_of_work_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1] ??
        0,
    );
  };
  const before = await Promise.all(['made', 'passed', 'refused'].map(count));
  const token = await challenged();
  const altcha = await solved(token);
  await redeem({ token, altcha: 'e30' });
  await redeem({ token, altcha });
  expect(await Promise.all(['made', 'passed', 'refused'].map(count))).toEqual(before.map((n) => n + 1));
});

/** POST /v1/challenges with a CAPTCHA response: its provider decides. If the provider does not answer, this does not count against the signup. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAPTCHAS, type ChallengeResponse } from '../../src/contract/messages.ts';
import {
  CAPTCHA_SECRET,
  captchaSettings,
  startCaptchaServer,
  type TestCaptchaServer,
} from '../support/captcha-server.ts';
import { type Client, createClient } from '../support/client.ts';
import { problemOf } from '../support/expectations.ts';
import { type Scene, startScene } from '../support/scene.ts';
import { withStored } from '../support/stored.ts';

let provider: TestCaptchaServer;
let scene: Scene;
beforeAll(async () => {
  provider = await startCaptchaServer();
  scene = await startScene({ environment: settings() });
});
const settings = () => captchaSettings(provider);
afterAll(async () => {
  await scene?.end();
  await provider?.close();
});

async function challenged() {
  const { json } = await scene.sandbox.assess({ email: 'challenge@example.com' });
  return { requestId: json.request_id, token: json.challenge?.token ?? '' };
}
/** @param by the `Idempotency-Key`, which names the redeemer */
const redeem = (body: unknown, by?: string) =>
  scene.sandbox.send<ChallengeResponse>({
    method: 'POST',
    path: '/v1/challenges',
    body,
    headers: by === undefined ? {} : { 'idempotency-key': by },
  });
const feedbackOf = (requestId: string) =>
  withStored(scene.installation, (store) => store.findFeedback(requestId));

describe.each([...CAPTCHAS])('%s', (captcha) => {
  it('passes a visitor once, without a second question to the provider', async () => {
    const { requestId, token } = await challenged();
    const countBefore = provider.requests.length;
    const body = { token, [captcha]: `passed ${requestId}`, ip: '203.0.113.7' };
    const first = await redeem(body, 'signup-1');
    expect(first.json).toMatchObject({ status: 'passed', method: captcha });
    const again = await redeem(body, 'signup-1');
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    const redeemed = { status: 409, code: 'challenge_redeemed', param: captcha };
    for (const other of ['signup-2', undefined])
      expect(problemOf(await redeem(body, other))).toEqual(redeemed);
    expect(provider.requests.slice(countBefore)).toEqual([
      { secret: CAPTCHA_SECRET, response: `passed ${requestId}`, remoteip: '203.0.113.7' },
    ]);
    expect(await feedbackOf(requestId)).toMatchObject({ note: `Challenge passed (${captcha}).` });
  });

  it('fails an invented response', async () => {
    const { requestId, token } = await challenged();
    expect((await redeem({ token, [captcha]: 'invalid-input-response' })).json.status).toBe('failed');
    expect(await feedbackOf(requestId)).toMatchObject({ outcome: 'confirmed_fraud' });
    expect(problemOf(await redeem({ token, outcome: 'passed' }))).toMatchObject({
      code: 'challenge_redeemed',
    });
  });

  it('lets the visitor try again after a response that was used before', async () => {
    const { requestId, token } = await challenged();
    const used = `passed used ${requestId}`;
    await redeem({ token: (await challenged()).token, [captcha]: used });
    const again = await redeem({ token, [captcha]: used });
    expect(again.json).toMatchObject({ status: 'pending', detail: expect.stringContaining('widget') });
    expect(await feedbackOf(requestId)).toBeUndefined();
    expect((await redeem({ token, [captcha]: `passed ${requestId}` })).json.status).toBe('passed');
  });

  it.each(['missing-input-secret', 'invalid-input-secret', 'internal-error'])(
    'says nothing about the visitor when it answers %s',
    async (code) => {
      const { requestId, token } = await challenged();
      const { status, json } = await redeem({ token, [captcha]: code });
      expect({ status, state: json.status }).toEqual({ status: 200, state: 'unknown' });
      expect(await feedbackOf(requestId)).toBeUndefined();
    },
  );
});

it.each([500, 503, 'not json', '[]', '{"success":"yes"}', 'null', 'x'.repeat(70_000), 'hang'])(
  'a provider that is down (%.20s) accuses nobody, and the challenge stays open',
  async (misbehaviour) => {
    const { requestId, token } = await challenged();
    provider.misbehaviour = misbehaviour;
    const { status, json } = await redeem({ token, turnstile: `passed ${requestId}` });
    provider.misbehaviour = undefined;
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: 'unknown', detail: 'Turnstile gave no verdict.' });
    expect(await feedbackOf(requestId)).toBeUndefined();
    expect((await redeem({ token, turnstile: `passed again ${requestId}` })).json.status).toBe('passed');
  },
);

it.each([
  ['score:0.9', 'passed'],
  ['score:0.5', 'passed'],
  ['score:0.3', 'failed'],
])('reCAPTCHA v3 with %s has %s', async (response, status) => {
  const { requestId, token } = await challenged();
  expect((await redeem({ token, recaptcha: `${response} ${requestId}` })).json.status).toBe(status);
});

describe('one response of a widget', () => {
  const ACCEPTS_ALL = '{"success":true}';

  it.each([...CAPTCHAS])(
    'passes one of several challenges, also at once and where the provider accepts it for all (%s)',
    async (captcha) => {
      const challenges = await Promise.all([1, 2, 3, 4].map(challenged));
      const response = `passed ${challenges[0]?.requestId} for all`;
      provider.misbehaviour = ACCEPTS_ALL;
      const answers = await Promise.all(
        challenges.map(({ token }) => redeem({ token, [captcha]: response })),
      );
      const { token } = await challenged();
      const later = await redeem({ token, [captcha]: response });
      provider.misbehaviour = undefined;
      const statuses = [...answers, later].map(({ json }) => json.status);
      expect(statuses.toSorted()).toEqual(['passed', 'pending', 'pending', 'pending', 'pending']);
      const again = { status: 'pending', detail: expect.stringContaining('was used before') };
      expect(later.json).toMatchObject(again);
      expect((await redeem({ token, [captcha]: `passed ${token}` })).json.status).toBe('passed');
    },
  );

  it.each([
    ['one redeemer', ['a', 'a', 'a'], ['passed', 'passed', 'passed']],
    ['three redeemers', ['a', 'b', 'c'], ['challenge_redeemed', 'challenge_redeemed', 'passed']],
    [
      'nobody who says who it is',
      [undefined, undefined, undefined],
      ['challenge_redeemed', 'challenge_redeemed', 'passed'],
    ],
    ['two, one of them twice', ['a', 'a', undefined], undefined],
  ] as const)(
    'is asked about once for three redemptions of one challenge at once, by %s',
    async (name, by, expected) => {
      const { requestId, token } = await challenged();
      const countBefore = provider.requests.length;
      const body = { token, turnstile: `passed ${requestId} by ${name}` };
      const answers = await Promise.all(by.map((each) => redeem(body, each)));
      const heard = answers.map(
        ({ json }) => json.status ?? (json as { error?: { code: string } }).error?.code,
      );
      if (expected !== undefined) expect(heard.toSorted()).toEqual(expected);
      const passed = answers.flatMap(({ json }, at) => (json.status === 'passed' ? [by[at]] : []));
      expect(new Set(passed).size).toBe(1);
      const isFirst = ({ status, headers }: (typeof answers)[number]) =>
        status === 200 && headers['idempotent-replayed'] !== 'true';
      expect(answers.filter(isFirst)).toHaveLength(1);
      expect(provider.requests.slice(countBefore)).toHaveLength(1);
    },
  );

  it('is used up after a restart too, and its redeemer still hears the result', async () => {
    const other = await startScene({ environment: settings() });
    let restarted: Client | undefined;
    try {
      const tokenOf = async () =>
        (await other.sandbox.assess({ email: 'challenge@example.com' })).json.challenge?.token;
      const [first, second] = [await tokenOf(), await tokenOf()];
      const sending = (token: unknown) => ({
        method: 'POST',
        path: '/v1/challenges',
        body: { token, turnstile: `passed ${first} before the restart` },
        headers: { 'idempotency-key': 'a' },
      });
      provider.misbehaviour = ACCEPTS_ALL;
      const before = await other.sandbox.send<ChallengeResponse>(sending(first));
      await other.service.stop();
      restarted = createClient((await other.installation.start()).url, other.account.test);
      expect((await restarted.send<ChallengeResponse>(sending(second))).json.status).toBe('pending');
      expect((await restarted.send(sending(first))).text).toBe(before.text);
      expect(before.json.status).toBe('passed');
    } finally {
      provider.misbehaviour = undefined;
      restarted?.close();
      await other.end();
    }
  });

  it('serves again after an answer that used nothing up', async () => {
    const [first, second] = [await challenged(), await challenged()];
    const response = `passed ${first.requestId} later`;
    provider.misbehaviour = 'not json';
    expect((await redeem({ token: first.token, turnstile: response })).json.status).toBe('unknown');
    provider.misbehaviour = undefined;
    expect((await redeem({ token: second.token, turnstile: response })).json.status).toBe('passed');
  });
});

it('a request that redeems in two ways, or with an invalid address, is refused', async () => {
  const { token } = await challenged();
  const two = await redeem({ token, outcome: 'passed', turnstile: 'passed' });
  expect(problemOf(two)).toEqual({ status: 400, code: 'missing_field', param: 'turnstile' });
  const ip = await redeem({ token, turnstile: 'passed', ip: 'localhost' });
  expect(problemOf(ip)).toEqual({ status: 400, code: 'invalid_ip', param: 'ip' });
  expect(problemOf(await redeem({ token, hcaptcha: '' }))).toMatchObject({ param: 'hcaptcha' });
});

it('without its secret, a CAPTCHA is refused with the setting to set', async () => {
  const other = await startScene({ environment: { GATEHOUSE_CHALLENGE_MINUTES: '30' } });
  try {
    const { json } = await other.sandbox.assess({ email: 'challenge@example.com' });
    const body = { token: json.challenge?.token, hcaptcha: 'passed' };
    const answer = await other.sandbox.send({ method: 'POST', path: '/v1/challenges', body });
    expect(problemOf(answer)).toEqual({ status: 400, code: 'missing_field', param: 'hcaptcha' });
    expect(answer.text).toContain('GATEHOUSE_HCAPTCHA_SECRET');
  } finally {
    await other.end();
  }
});

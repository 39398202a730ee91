/** Challenges on several nodes: one solved CAPTCHA or proof of work lets one signup in, whichever nodes hear of it, and a retry hears the same on any. */
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChallengeResponse } from '../../src/contract/messages.ts';
import { captchaSettings, startCaptchaServer, type TestCaptchaServer } from '../support/captcha-server.ts';
import type { Client } from '../support/client.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';

const NODES = 2;
const PATIENCE_MS = 180_000;

let provider: TestCaptchaServer;
let cluster: Cluster;
let key: string;
beforeAll(async () => {
  provider = await startCaptchaServer();
  const environment = captchaSettings(provider);
  cluster = await startCluster({ nodes: NODES, program: PATIENT_SERVICE, environmentOf: () => environment });
  key = (await cluster.account()).test;
}, PATIENCE_MS);
afterAll(async () => {
  await cluster?.end();
  await provider?.close();
});

const clientOf = (at: number) => cluster.clients[at % NODES] as Client;
const challenged = async () =>
  (await clientOf(0).assess({ email: 'challenge@example.com' }, key)).json.challenge?.token ?? '';
/** @param by the `Idempotency-Key`, which names the redeemer */
const redeem = (at: number, body: unknown, by?: string) =>
  clientOf(at).send<ChallengeResponse & { readonly error?: { readonly code: string } }>({
    method: 'POST',
    path: '/v1/challenges',
    key,
    body,
    headers: by === undefined ? {} : { 'idempotency-key': by },
  });
type Answer = Awaited<ReturnType<typeof redeem>>;
const heard = (answers: readonly Answer[]) =>
  answers.map(({ json }) => json.error?.code ?? json.status).toSorted();
const isFirst = ({ status, headers }: Answer) => status === 200 && headers['idempotent-replayed'] !== 'true';

describe('one response of a widget, on two nodes', () => {
  it('passes one of four challenges at once, also where the provider accepts it for all', async () => {
    const challenges = await Promise.all([0, 1, 2, 3].map(challenged));
    const turnstile = `passed ${challenges[0]} for all`;
    provider.misbehaviour = '{"success":true}';
    const answers = await Promise.all(challenges.map((token, at) => redeem(at, { token, turnstile })));
    const later = await Promise.all(
      [0, 1].map(async (at) => redeem(at, { token: await challenged(), turnstile })),
    );
    provider.misbehaviour = undefined;
    expect(heard(answers)).toEqual(['passed', 'pending', 'pending', 'pending']);
    expect(heard(later)).toEqual(['pending', 'pending']);
  });

  it.each([
    ['one redeemer', ['a', 'a', 'a', 'a'], ['passed', 'passed', 'passed', 'passed']],
    ['four redeemers', ['a', 'b', 'c', 'd'], [...Array(3).fill('challenge_redeemed'), 'passed']],
    [
      'nobody who says who it is',
      Array(4).fill(undefined),
      [...Array(3).fill('challenge_redeemed'), 'passed'],
    ],
  ])(
    'is asked about once for four redemptions of one challenge at once, by %s',
    async (name, by, expected) => {
      const token = await challenged();
      const body = { token, hcaptcha: `passed ${token} by ${name}` };
      const countBefore = provider.requests.length;
      const answers = await Promise.all(by.map((each, at) => redeem(at, body, each)));
      expect(heard(answers)).toEqual(expected);
      expect(answers.filter(isFirst)).toHaveLength(1);
      expect(provider.requests.slice(countBefore)).toHaveLength(1);
      const passed = answers.filter(({ status }) => status === 200);
      expect(new Set(passed.map(({ text }) => text)).size).toBe(1);
    },
  );
});

it('a retry of a lost answer hears the same on the other node, and nobody else does', async () => {
  const token = await challenged();
  const body = { token, outcome: 'passed' };
  const first = await redeem(0, body, 'a');
  const again = await redeem(1, body, 'a');
  expect([again.text, isFirst(first), isFirst(again)]).toEqual([first.text, true, false]);
  for (const by of ['b', undefined])
    expect((await redeem(1, body, by)).json.error?.code).toBe('challenge_redeemed');
});

describe('a proof of work that a node made', () => {
  async function proved() {
    const token = (await clientOf(0).assess({ email: 'challenge@example.com' }, key)).json.request_id;
    const { json } = await redeem(0, { token, proof: {} });
    const challenge = JSON.parse(json.proof?.challenge ?? '') as Challenge;
    const solution = await solveChallenge({ challenge, deriveKey });
    return { token, altcha: Buffer.from(JSON.stringify({ challenge, solution })).toString('base64') };
  }

  it('passes once, on either node, also where all redeem at once', async () => {
    for (const by of [['a', 'b', 'c', 'd', 'e', 'f'], Array<undefined>(6).fill(undefined)]) {
      const body = await proved();
      const answers = await Promise.all(by.map((each, at) => redeem(at, body, each)));
      expect(heard(answers)).toEqual([...Array(5).fill('challenge_redeemed'), 'passed']);
      expect(answers.filter(isFirst)).toHaveLength(1);
    }
  });

  it('is heard again by a retry on the other node, and by nobody else', async () => {
    const body = await proved();
    const first = await redeem(1, body, 'a');
    const again = await redeem(0, body, 'a');
    expect([first.json.status, again.text, isFirst(again)]).toEqual(['passed', first.text, false]);
    expect((await redeem(0, body, 'b')).json.error?.code).toBe('challenge_redeemed');
  });

  it('passes no second signup, on either node', async () => {
    const [mine, other] = await Promise.all([proved(), proved()]);
    for (const at of [0, 1])
      expect((await redeem(at, { token: mine.token, altcha: other.altcha })).json.error?.code).toBe(
        'challenge_proof_wrong',
      );
    expect((await redeem(1, other)).json.status).toBe('passed');
  });
});

describe('mails of challenges, ordered on two nodes at once', () => {
  const outcomes = (answers: readonly Answer[]) =>
    answers.map(({ json }) => json.error?.code ?? String(json.confirmation !== undefined)).toSorted();
  const orders = (count: number, used: number, code: string) => [
    ...Array(used - count).fill(code),
    ...Array(count).fill('true'),
  ];

  it('are three for one challenge', async () => {
    const token = await challenged();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => redeem(at, { token, confirm: {} })),
    );
    expect(outcomes(answers)).toEqual(orders(3, 20, 'challenge_mails_used'));
  });

  it('are six for one mailbox within an hour, over all its challenges', async () => {
    const { live } = await cluster.account({ thresholds: { challenge: 0, block: 100 } });
    const order = async (at: number, email: string) => {
      const { json } = await clientOf(at).assess({ email }, live);
      const body = { token: json.request_id, confirm: {} };
      return clientOf(at).send<Answer['json']>({ method: 'POST', path: '/v1/challenges', key: live, body });
    };
    const attempts = Array.from({ length: 20 }, (_, at) => order(at, `victim+${at}@quiet-harbour-works.com`));
    expect(outcomes(await Promise.all(attempts))).toEqual(orders(6, 20, 'challenge_mailbox_full'));
    expect(outcomes([await order(0, 'somebody@quiet-harbour-works.com')])).toEqual(['true']);
  });
});

/** Challenges on several nodes: one solved CAPTCHA lets one signup in, whichever nodes hear of it, and a retry hears the same on any. */
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

/** Challenges in the dashboard: the state of one signup, and how many passed in a period. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AssessmentDetail } from '../../src/contract/dashboard-assessments.ts';
import type { Today } from '../../src/contract/dashboard-today.ts';
import { type Browser, claimOperator } from '../support/browser.ts';
import { type Scene, startScene } from '../support/scene.ts';

let scene: Scene;
let operator: Browser;
beforeAll(async () => {
  scene = await startScene({ environment: { GATEHOUSE_CHALLENGE_MINUTES: '30' } });
  operator = await claimOperator(scene.service);
});
afterAll(async () => {
  operator?.close();
  await scene?.end();
});

const get = async <T>(path: string) =>
  (await operator.send<T>('GET', `/dashboard/api/accounts/${scene.account.id}/${path}`)).json;
const stateOf = async (requestId: string) =>
  (await get<AssessmentDetail>(`assessments/${requestId}`)).challenge;
const challenged = async () => (await scene.sandbox.assess({ email: 'challenge@example.com' })).json;

it('shows the state of a challenge with its signup, and counts results', async () => {
  const [passed, failed, open] = [await challenged(), await challenged(), await challenged()];
  const redeem = (token: unknown, outcome: string) =>
    scene.sandbox.send({ method: 'POST', path: '/v1/challenges', body: { token, outcome } });
  await redeem(passed.challenge?.token, 'passed');
  await redeem(failed.challenge?.token, 'failed');
  const at = expect.any(String);
  expect(await stateOf(passed.request_id)).toEqual({ status: 'passed', method: 'application', at });
  expect(await stateOf(failed.request_id)).toEqual({ status: 'failed', method: 'application', at });
  const expiresAt = open.challenge?.expires_at;
  expect(await stateOf(open.request_id)).toEqual({ status: 'open', method: null, at: expiresAt });
  const allowed = (await scene.sandbox.assess({ email: 'allow@example.com' })).json;
  expect(await stateOf(allowed.request_id)).toBeNull();
  expect((await get<Today>('today?mode=test')).challenges).toEqual({ passed: 1, failed: 1 });
  expect((await get<Today>('today?mode=live')).challenges).toEqual({ passed: 0, failed: 0 });
});

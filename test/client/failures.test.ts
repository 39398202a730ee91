/** The client with the real service: its result for each answer, and what it does when the service is slow, refuses, fails, is gone and comes back. */
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  AuthenticationError,
  CircuitOpenError,
  ConnectionError,
  Gatehouse,
  type GatehouseError,
  type GatehouseOptions,
  InvalidRequestError,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  type SignupDecision,
  TimeoutError,
} from '../../client/src/index.ts';
import { plant } from '../support/plant.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';
import { serveRoutes } from '../support/serve-routes.ts';
import { createInstallation } from '../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/** For calls that must get an answer, however busy the machine is. */
const PATIENT_MS = 60_000;
const REQUEST = { headers: {}, socket: { remoteAddress: '203.0.113.7' } };

let scene: Scene;
let poor: { readonly live: string };
let free: { readonly live: string };
/** Between client and service. */
let proxy: TcpProxy;
beforeAll(async () => {
  scene = await startScene({
    async prepare(installation) {
      poor = await plant(installation, { monthlyQuota: 1 });
      free = await plant(installation, { plan: 'free' });
    },
  });
  proxy = await startTcpProxy(`127.0.0.1:${scene.service.port}`);
});
afterAll(async () => {
  await proxy?.close();
  await scene?.end();
});

function clientOf(options: Partial<GatehouseOptions> = {}): Gatehouse {
  return new Gatehouse({
    key: scene.account.live,
    url: scene.service.url,
    timeoutMs: PATIENT_MS,
    ...options,
  });
}

const throughProxy = (options: Partial<GatehouseOptions> = {}) =>
  clientOf({ url: `http://127.0.0.1:${proxy.port}`, ...options });

/** Signs up, and keeps what `onError` got. */
async function signUp(
  client: Gatehouse,
  input: object = {},
): Promise<SignupDecision & { reported: string[] }> {
  const reported: string[] = [];
  const onError = ({ code }: GatehouseError) => reported.push(code);
  const decision = await client.protectSignup(REQUEST, { email: colleague('jo'), onError, ...input });
  return { ...decision, reported };
}

describe('the client', () => {
  it('assesses, reads again, reports, and gives the remaining limits', async () => {
    const client = clientOf();
    const email = colleague('first');
    const assessment = await client.assess({ email, ip: '203.0.113.9', session_id: 's-1' });
    expect(assessment).toMatchObject({ verdict: 'allow', session_id: 's-1', ip_status: 'ok' });
    expect(assessment.meta).toMatchObject({ tries: 1, replayed: false, rateLimit: { limit: 200 } });
    expect(assessment.meta.quota).toEqual({ used: expect.any(Number), limit: 1_000_000 });
    const again = await client.getAssessment(assessment.request_id);
    expect(JSON.stringify(again)).toBe(JSON.stringify(assessment));
    const { request_id } = assessment;
    expect(await client.feedback({ request_id, outcome: 'false_positive', note: null })).toMatchObject({
      accepted: true,
    });
    expect(await client.usage()).toMatchObject({ plan: 'business', assessments_limit: 1_000_000 });
  });

  it('names what is wrong with a request or a key', async () => {
    const client = clientOf();
    const invalid = client.assess({ email: 'nobody' });
    await expect(invalid).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(invalid).rejects.toMatchObject({ code: 'invalid_email', status: 400, param: 'email' });
    await expect(client.assess({ email: colleague('jo'), ip: '300.1.1.1' })).rejects.toMatchObject({
      code: 'invalid_ip',
    });
    await expect(client.getAssessment('req_nothing')).rejects.toMatchObject({
      code: 'missing_field',
      param: 'request_id',
    });
    const stranger = clientOf({ key: 'sk_live_of_another_installation' }).usage();
    await expect(stranger).rejects.toBeInstanceOf(AuthenticationError);
    await expect(stranger).rejects.toMatchObject({ code: 'unauthorized', resolution: expect.any(String) });
    await expect(clientOf({ url: `${scene.service.url}/nowhere` }).usage()).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('does not retry when the quota is spent, and the signup continues', async () => {
    const client = clientOf({ key: poor.live });
    expect((await client.assess({ email: colleague('jo') })).meta.quota).toEqual({ used: 1, limit: 1 });
    const refused = client.assess({ email: colleague('jo') });
    await expect(refused).rejects.toBeInstanceOf(QuotaExceededError);
    await expect(refused).rejects.toMatchObject({ status: 429, tries: 1, quota: { used: 1, limit: 1 } });
    expect(await signUp(client)).toMatchObject({
      decision: 'allow',
      failedOpen: true,
      reported: ['quota_exceeded'],
    });
  });

  it('says when the rate limit allows the next request', async () => {
    const hurried = clientOf({ key: free.live, maxRetries: 0 });
    const results = await Promise.allSettled(
      Array.from({ length: 25 }, (_, at) => hurried.assess({ email: colleague(`jo${at}`) })),
    );
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) {
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error.retryAfterMs).toBeGreaterThan(0);
    }
  });

  it('gives up after its timeout if nobody answers', async () => {
    proxy.stall();
    const client = throughProxy({ timeoutMs: 200 });
    await expect(client.usage()).rejects.toBeInstanceOf(TimeoutError);
    expect(await signUp(client)).toMatchObject({
      decision: 'allow',
      assessment: null,
      ip: '203.0.113.7',
      failedOpen: true,
      error: { code: 'timeout' },
      reported: ['timeout'],
    });
    proxy.flow();
  });

  it('retries over a new connection when one is lost', async () => {
    proxy.drop();
    const client = throughProxy({
      async fetch(url, init) {
        try {
          return await fetch(url, init);
        } catch (error) {
          proxy.flow();
          throw error;
        }
      },
    });
    expect(await client.assess({ email: colleague('again') })).toMatchObject({
      verdict: 'allow',
      meta: { tries: 2 },
    });
  });

  it('retries an internal error as often as allowed, then reports it', async () => {
    let requests = 0;
    const broken = await serveRoutes((routes) =>
      routes.add('GET', '/v1/usage', () => {
        requests += 1;
        throw new Error('out of order');
      }),
    );
    const failed = clientOf({ url: broken.url, maxRetries: 1 }).usage();
    await expect(failed).rejects.toBeInstanceOf(ServerError);
    await expect(failed).rejects.toMatchObject({ code: 'internal_error', status: 500, tries: 2 });
    expect(requests).toBe(2);
    await broken.close();
  });
});

describe('a signup form on Node.js', () => {
  it('is protected with the client address from its proxy', async () => {
    const decisions: SignupDecision[] = [];
    const client = clientOf({ trustedProxies: ['loopback'] });
    const form = createServer(async (request, response) => {
      decisions.push(await client.protectSignup(request, { email: 'someone@mailinator.com' }));
      response.end();
    }).listen(0, '127.0.0.1');
    await once(form, 'listening');
    const headers = { 'x-forwarded-for': '192.0.2.66, 203.0.113.20' };
    const { port } = form.address() as AddressInfo;
    const [answer] = await once(httpRequest({ port, host: '127.0.0.1', headers }).end(), 'response');
    answer.resume();
    form.close();
    expect(decisions).toMatchObject([
      { decision: 'block', ip: '203.0.113.20', assessment: { signals: { ip: { address: '203.0.113.20' } } } },
    ]);
    expect(await signUp(client, { email: 'someone@mailinator.com', mode: 'observe' })).toMatchObject({
      decision: 'allow',
      assessment: { verdict: 'block' },
      failedOpen: false,
    });
    const unreadable = await signUp(client, { email: '"a b"@mailinator.com' });
    expect(unreadable).toMatchObject({
      decision: 'invalid',
      failedOpen: false,
      error: { code: 'invalid_email' },
      reported: [],
    });
  });
});

describe('a service that stops', () => {
  it('stops no signup, gets no requests for a while, and is used again when it is back', async () => {
    const installation = await createInstallation();
    onTestFinished(() => installation.remove());
    const { live: key } = await plant(installation);
    const first = await installation.spawn({}, PATIENT_SERVICE);
    const breaker = { failures: 2, openMs: 1 };
    const client = clientOf({ key, url: first.url, breaker, maxRetries: 0 });
    expect(await signUp(client)).toMatchObject({ decision: 'allow', failedOpen: false });
    await first.stop();

    await expect(client.usage()).rejects.toBeInstanceOf(ConnectionError);
    expect(await signUp(client)).toMatchObject({ failedOpen: true, reported: ['connection_failed'] });
    expect(await signUp(client, { onFailure: 'challenge' })).toMatchObject({
      decision: 'challenge',
      failedOpen: false,
    });
    await expect(signUp(client, { onFailure: 'throw' })).rejects.toBeInstanceOf(Error);

    const patient = clientOf({ url: first.url, breaker: { failures: 1, openMs: PATIENT_MS }, maxRetries: 0 });
    await expect(patient.usage()).rejects.toBeInstanceOf(ConnectionError);
    const refused = patient.usage();
    await expect(refused).rejects.toBeInstanceOf(CircuitOpenError);
    await expect(refused).rejects.toMatchObject({ tries: 0, retryAfterMs: expect.any(Number) });
    expect(await signUp(patient)).toMatchObject({ failedOpen: true, reported: ['circuit_open'] });

    await installation.spawn({ PORT: String(first.port) }, PATIENT_SERVICE);
    await expect.poll(async () => (await signUp(client)).error).toBeNull();
  });
});

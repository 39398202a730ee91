/** The access log and ids of callers, with both readers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/expectations.ts';
import { type Scene, startScene } from '../support/scene.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

interface Line {
  readonly msg: string;
  readonly path?: string;
  readonly [member: string]: unknown;
}

describe.each([
  ['the strict reader', true],
  ["Node's reader", false],
])('with %s', (_reader, strictReader) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene({ strictReader, environment: { GATEHOUSE_ACCESS_LOG: 'on' } });
  });
  afterAll(() => scene?.end());

  const lines = () =>
    scene.service
      .output()
      .split('\n')
      .filter((text) => text.includes('"answered"'))
      .map((text) => JSON.parse(text) as Line);
  const key = () => scene.account.live.slice(0, 12);
  const headers = (more: Record<string, string>) => ({
    authorization: `Bearer ${scene.account.live}`,
    ...more,
  });
  const assess = (more: Record<string, string>) =>
    scene.live.send<{ request_id: string }>({
      method: 'POST',
      path: '/v1/assess',
      body: { email: 'jo.doe@gmail.com', ip: '79.192.50.1', session_id: 'session-77' },
      headers: headers(more),
    });

  it('logs each answer once, by its route, without personal data', async () => {
    const { json } = await assess({});
    await scene.live.send({
      path: `/v1/assess/${json.request_id}?email=jo.doe@gmail.com`,
      headers: headers({}),
    });
    await scene.live.send({ path: '/v1/usage', headers: headers({ authorization: 'Bearer sk_live_wrong' }) });
    await scene.live.send({ path: '/no/such/jo.doe@gmail.com', headers: headers({}) });
    await until(async () => lines().length === 4);
    const caller = { account: scene.account.id, key: key() };
    expect(lines()).toMatchObject([
      {
        level: 'info',
        request_id: json.request_id,
        method: 'POST',
        path: '/v1/assess',
        operation: 'assessSignup',
        status: 200,
        ms: expect.any(Number),
        verdict: 'allow',
        ...caller,
      },
      { method: 'GET', path: '/v1/assess/{request_id}', status: 200, ...caller },
      { method: 'GET', path: '/v1/usage', status: 401 },
      { method: 'GET', path: '*', status: 404 },
    ]);
    expect(lines()[2]).not.toHaveProperty('account');
    const text = JSON.stringify(lines());
    for (const personal of ['jo.doe', '79.192.50.1', 'session-77', scene.account.live])
      expect(text).not.toContain(personal);
  });

  it("repeats the caller's id, and logs it with the trace", async () => {
    const answer = await assess({ 'x-request-id': 'mine/7?a=b', traceparent: TRACEPARENT });
    expect(answer.headers['x-request-id']).toBe('mine/7?a=b');
    expect(answer.json.request_id).toMatch(/^req_/);
    await until(async () => lines().some(({ caller_request_id: id }) => id === 'mine/7?a=b'));
    const line = lines().find(({ caller_request_id: id }) => id === 'mine/7?a=b');
    expect(line).toMatchObject({
      request_id: answer.json.request_id,
      trace_id: TRACE_ID,
      traceparent: TRACEPARENT,
    });
  });

  it('has them in the line of a refusal too', async () => {
    const sent = {
      authorization: 'Bearer sk_live_wrong',
      'x-request-id': 'refused-1',
      traceparent: TRACEPARENT,
    };
    const answer = await assess(sent);
    expect([answer.status, answer.headers['x-request-id']]).toEqual([401, 'refused-1']);
    await until(async () => scene.service.output().includes('"msg":"request refused"'));
    expect(scene.service.output()).toMatch(
      /"caller_request_id":"refused-1","trace_id":"[^\n]*"request refused"/,
    );
  });

  it.each(['x'.repeat(129), 'two words', 'é', '\u00a0', ''])('does not repeat %j', async (id) => {
    const answer = await assess({ 'x-request-id': id });
    expect(answer.headers['x-request-id']).toBe(answer.json.request_id);
  });

  it.each([
    '00-zz-1-01',
    // Version 255, a trace and a parent of zeros, and more than version 00 has: the standard forbids them.
    TRACEPARENT.replace(/^00/, 'ff'),
    TRACEPARENT.replace(TRACE_ID, '0'.repeat(32)),
    TRACEPARENT.replace(/-[\da-f]{16}-/, `-${'0'.repeat(16)}-`),
    `${TRACEPARENT}-00`,
    TRACEPARENT.toUpperCase(),
  ])('keeps the longest id, and ignores a trace that is none: %s', async (traceparent) => {
    const id = traceparent.padEnd(128, '~');
    const answer = await assess({ 'x-request-id': id, traceparent });
    expect(answer.headers['x-request-id']).toBe(id);
    await until(async () => lines().some(({ caller_request_id: logged }) => logged === id));
    expect(lines().find(({ caller_request_id: logged }) => logged === id)).not.toHaveProperty('traceparent');
  });

  it('keeps a trace of a later version with whatever follows', async () => {
    const traceparent = `${TRACEPARENT.replace(/^00/, '01')}-what_follows.there`;
    await assess({ 'x-request-id': 'later', traceparent });
    await until(async () => lines().some(({ caller_request_id: logged }) => logged === 'later'));
    const line = lines().find(({ caller_request_id: logged }) => logged === 'later');
    expect(line).toMatchObject({ trace_id: TRACE_ID, traceparent });
  });
});

it('is written at debug without the setting, and not at info', async () => {
  for (const [level, count] of [
    ['debug', 1],
    ['info', 0],
  ] as const) {
    const scene = await startScene({ environment: { GATEHOUSE_LOG_LEVEL: level } });
    await scene.live.assess({ email: 'jo.doe@gmail.com' });
    await scene.live.send({ path: '/no-such' });
    await until(async () =>
      scene.service.output().includes(level === 'debug' ? '"path":"*"' : 'request refused'),
    );
    expect(scene.service.output().split('"path":"/v1/assess"').length - 1).toBe(count);
    await scene.end();
  }
});

/** Connections that send slowly: cut off within 15 seconds while all others are served, and counted at the right time. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timeOfId } from '../../src/store/request-time.ts';
import { expectWithin } from '../support/long-version.ts';
import { colleague, type Scene, startScene } from '../support/scene.ts';

const CUT_OFF_MS = 15_000;
const TRICKLE_MS = 500;
/** Long enough that a wrong time shows in every figure. */
const LATE_MS = 2_500;

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene?.end());

/** Sends `start`, then the bytes of `rest` one at a time; resolves to the answer once the service has closed. */
function trickle(start: string, rest: string): Promise<{ text: string; milliseconds: number }> {
  return new Promise((resolve) => {
    const began = performance.now();
    const socket = connect(scene.service.port, '127.0.0.1');
    let text = '';
    let sent = 0;
    const timer = setInterval(() => {
      if (sent < rest.length && socket.writable) socket.write(rest.charAt(sent));
      sent += 1;
    }, TRICKLE_MS);
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    // A reset also counts as an end.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve({ text, milliseconds: performance.now() - began });
    });
    socket.write(start);
  });
}

describe('a connection is cut off within 15 s, without an answer or with status 408', () => {
  const request = () =>
    `POST /v1/assess HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${scene.account.live}\r\n`;
  const body = JSON.stringify({ email: colleague('slow') }).padEnd(500);

  it.concurrent.each([
    { name: 'says nothing', send: () => ['', ''] },
    { name: 'sends its request line slowly', send: () => ['', request()] },
    { name: 'sends its headers slowly', send: () => [request(), `X-Slow: ${'x'.repeat(500)}`] },
    { name: 'announces a body and sends none', send: () => [`${request()}Content-Length: 500\r\n\r\n`, ''] },
    { name: 'sends its body slowly', send: () => [`${request()}Content-Length: 500\r\n\r\n`, body] },
    {
      name: 'sends a chunked body slowly',
      send: () => [`${request()}Transfer-Encoding: chunked\r\n\r\n1f4\r\n`, body],
    },
    {
      name: 'has no key and sends its body slowly',
      send: () => ['POST /v1/assess HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n', body],
    },
  ])('when it $name', { timeout: 90_000 }, async ({ send }) => {
    const [start, rest] = send() as [string, string];
    const { text, milliseconds } = await trickle(start, rest);
    expectWithin(milliseconds, CUT_OFF_MS);
    const answers = [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
    expect(
      answers.every((status) => status === '408' || status === '401'),
      text,
    ).toBe(true);
    expect(answers.length === 0 || text.includes('"resolution"')).toBe(true);
  });

  it.concurrent('and others are served meanwhile, without charge for the slow ones', {
    timeout: 90_000,
  }, async () => {
    const slow = [trickle('', request()), trickle(`${request()}Content-Length: 500\r\n\r\n`, body)];
    for (let count = 0; count < 20; count += 1) expect((await scene.live.usage()).status).toBe(200);
    await Promise.all(slow);
    expect((await scene.live.usage()).json.assessments_used).toBe(0);
  });
});

describe('a body that comes later than its headers', () => {
  it('is assessed and counted when it arrives', { timeout: 90_000 }, async () => {
    const body = JSON.stringify({ email: 'allow@example.com' });
    const socket = connect(scene.service.port, '127.0.0.1');
    const answer = new Promise<string>((resolve) => socket.setEncoding('utf8').once('data', resolve));
    socket.write(
      `POST /v1/assess HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${scene.account.test}\r\n` +
        `Content-Length: ${body.length}\r\n\r\n`,
    );
    await sleep(LATE_MS);
    const sent = Date.now();
    socket.write(body);
    const text = await answer;
    socket.destroy();
    const { request_id, processed_ms, assessed_at } = JSON.parse(text.slice(text.indexOf('{')));
    expect(processed_ms).toBeLessThan(LATE_MS);
    expect(Date.parse(assessed_at)).toBeGreaterThanOrEqual(sent - 1_000);
    expect(Number(/X-RateLimit-Reset: (\d+)/.exec(text)?.[1]) * 1_000).toBeGreaterThanOrEqual(sent);
    expect(/X-Request-Id: (\S+)/.exec(text)?.[1]).toBe(request_id);
    expect(timeOfId(request_id)).toBeGreaterThanOrEqual(sent);
  });
});

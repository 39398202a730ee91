import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it } from 'vitest';
import { ask, openKept } from '../../../test/support/kept-connection.ts';
import { exchange } from '../../../test/support/raw-exchange.ts';
import { request } from '../../../test/support/raw-requests.ts';
import { createListener } from './listener.ts';
import { createLoadShedder, type ShedCause } from './load-shedder.ts';

it.each([true, false])(
  'refuses requests but keeps the connection open, with the strict reader: %s',
  async (strictReader) => {
    const shed: ShedCause[] = [];
    const shedder = createLoadShedder({
      isBehind: () => true,
      maxTurnMs: 200,
      onShed: (cause) => shed.push(cause),
      makeId: () => 'req_1',
    });
    const handleRequest = shedder.before((_request, response) => response.end('handled'));
    const { refusal } = shedder;
    const server = createListener({ handleRequest, refusal, maxConnections: 10, strictReader });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const body = Buffer.from('{"email":"someone@example.com"}');
    const headers = [
      'Host: x',
      'Authorization: Bearer none',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    const assess = request('POST /v1/assess HTTP/1.1', headers, body);
    const { answers } = await exchange(port, { bytes: Buffer.concat([assess, assess, assess]), answers: 3 });
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(answers.map(({ headers: sent }) => [sent.get('retry-after'), sent.get('x-request-id')])).toEqual(
      Array.from({ length: 3 }, () => ['1', 'req_1']),
    );
    expect(answers.map(({ body: text }) => JSON.parse(text).error.code)).toContain('unavailable');
    expect(shed).toEqual(['commit', 'commit', 'commit']);
    const health = await exchange(port, { bytes: request('GET /healthz HTTP/1.1', ['Host: x']), answers: 1 });
    expect(health.answers.map(({ body: text }) => text)).toEqual(['handled']);
    server.closeAllConnections();
    server.close();
  },
);

it.each([true, false])(
  'asks for the load once a request, with the strict reader: %s',
  async (strictReader) => {
    let asked = 0;
    const { before, refusal } = createLoadShedder({
      isBehind() {
        asked += 1;
        return false;
      },
      maxTurnMs: 200,
      onShed: () => {},
      makeId: () => 'req_1',
    });
    const handleRequest = before((_request, response) =>
      response.writeHead(200, { 'Content-Length': 0 }).end(),
    );
    const server = createListener({ handleRequest, refusal, maxConnections: 10, strictReader });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const head = ['Host: x', 'Content-Length: 2'];
    const whole = request('POST /v1/assess HTTP/1.1', head, Buffer.from('{}'));
    const [connection] = (await openKept(port, 1)) as [Socket];
    for (const sent of [1, 2, 3]) {
      expect((await ask(connection, whole)).status).toBe(200);
      expect(asked).toBe(sent);
    }
    // In two parts, and several in one part: what the strict reader leaves to others is asked about there.
    connection.write(whole.subarray(0, 30));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await ask(connection, whole.subarray(30))).status).toBe(200);
    expect(asked).toBe(4);
    await exchange(port, { bytes: Buffer.concat([whole, whole]), answers: 2 });
    expect(asked).toBe(6);
    server.closeAllConnections();
    server.close();
  },
);

it('handles requests on a refused connection once nothing is refused any more', async () => {
  let isBehind = true;
  const shedder = createLoadShedder({
    isBehind: () => isBehind,
    maxTurnMs: 200,
    onShed: () => {},
    makeId: () => 'req_1',
  });
  const handleRequest = shedder.before((message, response) => {
    let bytes = 0;
    message.on('data', (part: Buffer) => {
      bytes += part.length;
    });
    message.on('end', () =>
      response.writeHead(200, ['Content-Length', '5'] as never).end(`${bytes}`.padStart(5)),
    );
  });
  const { refusal } = shedder;
  const server = createListener({ handleRequest, refusal, maxConnections: 10, strictReader: true });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const [small, large, ending] = (await openKept(port, 3)) as [Socket, Socket, Socket];
  const assess = (length: number) =>
    request('POST /v1/assess HTTP/1.1', ['Host: x', `Content-Length: ${length}`], Buffer.alloc(length, 'a'));
  for (const connection of [small, large, ending])
    expect((await ask(connection, assess(10))).status).toBe(503);
  isBehind = false;
  const answers = [ask(small, assess(20)), ask(large, assess(60_000)), ask(ending, assess(30))];
  ending.end();
  expect((await Promise.all(answers)).map(({ status, body }) => [status, body])).toEqual([
    [200, '   20'],
    [200, '60000'],
    [200, '   30'],
  ]);
  expect((await ask(small, assess(40))).body).toBe('   40');
  server.closeAllConnections();
  server.close();
});

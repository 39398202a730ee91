import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { exchange } from '../../test/support/raw-exchange.ts';
import { request } from '../../test/support/raw-requests.ts';
import { createListener } from './listener.ts';
import { createLoadShedder, type ShedCause } from './load-shedder.ts';

it.each([true, false])(
  'refuses on a connection that stays open, with the strict reader: %s',
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

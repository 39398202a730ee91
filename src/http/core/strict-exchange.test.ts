import type { Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { StrictRequest, StrictResponse } from './strict-exchange.ts';

const KEEP_ALIVE = 'Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n';
const DATE = /Date: [^\r]*/;

afterEach(() => {
  vi.useRealTimers();
});

function newRequest(): StrictRequest {
  const head = { method: 'POST', url: '/v1/assess', headers: {}, rawHeaders: [] };
  return new StrictRequest({} as Socket, head as unknown as ConstructorParameters<typeof StrictRequest>[1]);
}

/** The text of an answer to a request of its own. */
function answerOf(headers: readonly (string | number)[], body = '{}'): string {
  const request = newRequest();
  let sent = '';
  const send = (text: string) => {
    sent = text;
  };
  new StrictResponse(request, send, KEEP_ALIVE).writeHead(200, headers).end(body);
  return sent;
}

const withValue = (value: string | number) =>
  `HTTP/1.1 200 OK\r\nX-Tried: ${value}\r\nX-Fixed: same\r\nContent-Length: 2\r\nDate: …\r\n${KEEP_ALIVE}\r\n{}`;

it('has the values of this answer, whatever the answers before had', () => {
  for (const value of ['a', 'a', 'a', 'b', 'a', 1, 1, '1', 1, 0, '', '', 'a', 'a'])
    expect(answerOf(['X-Tried', value, 'X-Fixed', 'same']).replace(DATE, 'Date: …')).toBe(withValue(value));
});

it('has the headers of this answer in their order', () => {
  const [fixed, tried] = [
    ['X-Fixed', 'same'],
    ['X-Tried', 'same'],
  ];
  for (const headers of [[fixed, tried], [tried, fixed], [tried], [fixed, tried], [fixed]])
    expect(answerOf(headers.flat())).toContain(
      `OK\r\n${headers.map((pair) => pair.join(': ')).join('\r\n')}\r\nContent-Length`,
    );
});

it('gives all parts of a body, those that came before somebody asked, too', () => {
  const [first, second] = [newRequest(), newRequest()];
  for (const request of [first, second]) for (const part of ['a', 'b']) request.push(Buffer.from(part));
  for (const request of [first, second]) {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part;
    });
    request.push(Buffer.from('c'));
    expect(body).toBe('abc');
  }
});

it('refuses a value that would begin another header', () => {
  for (const name of ['X-Tried', 'X-Request-Id'])
    for (const bad of ['bad\r\nX-Other: 1', 'bad\n', 'ü'])
      expect(() => answerOf([name, bad])).toThrow(`${name} cannot be sent`);
});

it('says when it is sent, and whether its connection is kept', () => {
  vi.useFakeTimers();
  const closed = ['Connection', 'close'];
  for (const [second, headers, end] of [
    [0, [], KEEP_ALIVE],
    [0, closed, ''],
    [0, [], KEEP_ALIVE],
    [1, [], KEEP_ALIVE],
    [1, closed, ''],
    [2, closed, ''],
  ] as const) {
    vi.setSystemTime(Date.UTC(2026, 0, 1, 0, 0, second));
    expect(answerOf(headers)).toContain(
      `\r\nContent-Length: 2\r\nDate: Thu, 01 Jan 2026 00:00:0${second} GMT\r\n${end}\r\n{}`,
    );
  }
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ServedRoutes, type ServeOptions, serveRoutes } from '../../../test/support/serve-routes.ts';
import type { Handle, Routes } from './request-handler.ts';

let served: ServedRoutes;
afterEach(() => served.close());

/** Serves `register`; `statuses` are the counted ones, `lines` the logged ones. */
async function serve(register: (routes: Routes) => void, options: ServeOptions = {}) {
  const statuses: number[] = [];
  const lines: string[] = [];
  served = await serveRoutes(register, {
    ...options,
    log: pino({}, { write: (line) => void lines.push(line) }),
    onAnswer: (_about, status) => void statuses.push(status),
  });
  return { statuses, lines };
}

/** Sends bytes; resolves to everything that came back before the service closed the connection. */
async function send(bytes: string): Promise<string> {
  const socket = connect(served.port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

describe('an answer in chunks', () => {
  const streamOf =
    (chunks: () => AsyncIterable<string>): Handle =>
    (context) =>
      context.stream(200, 'text/csv', chunks());

  it('that the client cancels counts with its sent status, and is not logged', async () => {
    let ended = false;
    async function* endless() {
      try {
        for (;;) yield 'x'.repeat(65_536);
      } finally {
        ended = true;
      }
    }
    const { statuses, lines } = await serve((routes) => routes.add('GET', '/', streamOf(endless)));
    const client = connect(served.port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(client, 'data');
    client.resetAndDestroy();
    await vi.waitFor(() => expect(statuses).toEqual([200]));
    expect(lines).toEqual([]);
    await vi.waitFor(() => expect(ended).toBe(true));
  });

  it('is cut off if a chunk fails, counted as 500 and logged', async () => {
    async function* failing() {
      yield 'first';
      throw new Error('the disk is gone');
    }
    const { statuses, lines } = await serve((routes) => routes.add('GET', '/', streamOf(failing)));
    const response = await fetch(served.url);
    await expect(response.text()).rejects.toThrow();
    await vi.waitFor(() => expect(statuses).toEqual([500]));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('the disk is gone');
  });
});

describe('a request', () => {
  const ok: Handle = async (context) => context.send(200, 'text/plain', 'ok');

  it.each([
    ['with one Host', 200, 'Host: a\r\n'],
    ['without a Host', 400, ''],
    ['with two Hosts', 400, 'Host: a\r\nhost: b\r\n'],
    ['with the same Host twice', 400, 'Host: a\r\nHost: a\r\n'],
  ])('%s is answered %i', async (_what, status, hosts) => {
    await serve((routes) => routes.add('GET', '/', ok));
    const answer = await send(`GET / HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('whose body arrives after the stop began gets an answer that closes the connection', async () => {
    let stopping = false;
    await serve((routes) => routes.add('POST', '/', ok), { stopping: () => stopping });
    const socket = connect(served.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nab');
    // The interim answer: the headers were read.
    await once(socket, 'data');
    stopping = true;
    socket.write('cd');
    const [answer] = await once(socket.setEncoding('utf8'), 'data');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('\r\nConnection: close\r\n');
  });
});

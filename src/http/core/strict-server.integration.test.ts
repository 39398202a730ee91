import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readBody } from './body.ts';
import { createListener } from './listener.ts';
import { StrictRequest } from './strict-exchange.ts';

/** More than the buffers of a connection take. */
const LARGE = 'x'.repeat(16 * 1024 * 1024);
const post = (body: string, ...headers: string[]) =>
  ['POST /v1/assess HTTP/1.1', 'Host: a', ...headers, `Content-Length: ${body.length}`, '', body].join(
    '\r\n',
  );

let server: Server;
/** Bodies of requests, in order of completion, with their reader. */
let read: string[];
/** Answers that the test sends. */
let held: ServerResponse[];
let sockets: Socket[];
/** A promise that a request waits for before its body is read; by default it is read at once. */
let beforeReading: Promise<void> | undefined;
beforeEach(async () => {
  [read, held, sockets, beforeReading] = [[], [], [], undefined];
  server = createListener({
    handleRequest: (request, response) => void handle(request, response),
    maxConnections: 100,
    strictReader: true,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  if (server.listening) server.close();
});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (beforeReading !== undefined) await beforeReading;
  const body = (await readBody(request)).toString();
  read.push(`${(request as unknown) instanceof StrictRequest ? 'strict' : 'node'} ${body}`);
  if (body === 'held') held.push(response);
  else reply(response, body === 'large' ? LARGE : `<${body}>`);
}

function reply(response: ServerResponse, text: string, ...more: string[]): void {
  response.writeHead(200, ['Content-Length', text.length, ...more] as never).end(text);
}

/** A connection, with the text received so far. */
function open({ reading = true } = {}): { socket: Socket; text: () => string; closed: Promise<unknown> } {
  const socket = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  const chunks: string[] = [];
  socket.setEncoding('utf8').on('error', () => {});
  socket.on('data', (chunk: string) => chunks.push(chunk));
  if (!reading) socket.pause();
  sockets.push(socket);
  const closed = Promise.race([once(socket, 'end'), once(socket, 'close')]);
  return { socket, text: () => chunks.join(''), closed };
}

const seen = (...expected: string[]) => vi.waitFor(() => expect(read).toEqual(expected));
const answers = (text: string) => text.match(/<[^>]*>/g) ?? [];

describe('a connection of plain requests', () => {
  it('is always read by the strict reader, whether bodies come with their heads or later', async () => {
    const { socket, text } = open();
    socket.write(post('one'));
    await seen('strict one');
    const second = post('second');
    for (const at of [second.indexOf('second'), second.length - 3, second.length - 2]) {
      socket.write(second.slice(socket.bytesWritten - post('one').length, at));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    socket.write('nd');
    await seen('strict one', 'strict second');
    socket.write(post(''));
    await seen('strict one', 'strict second', 'strict ');
    await vi.waitFor(() => expect(answers(text())).toEqual(['<one>', '<second>', '<>']));
  });

  it('keeps bodies that are read later, although other connections send meanwhile', async () => {
    let goOn = () => {};
    beforeReading = new Promise((resolve) => {
      goOn = resolve;
    });
    const bodies = Array.from({ length: 20 }, (_, number) => String(number).repeat(50));
    for (const body of bodies) open().socket.write(post(body));
    const whole = post('in two parts');
    const { socket } = open();
    socket.write(whole.slice(0, -5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.write(whole.slice(-5));
    for (const body of bodies) open().socket.write(post(`again ${body}`));
    await new Promise((resolve) => setTimeout(resolve, 50));
    goOn();
    const expected = [...bodies, 'in two parts', ...bodies.map((body) => `again ${body}`)];
    await vi.waitFor(() =>
      expect(read.toSorted()).toEqual(expected.map((body) => `strict ${body}`).toSorted()),
    );
  });

  it.each(['', 'plain', 'caf\u00e9', '\u20ac \u{1f600}', '\ud800'])(
    'measures the answer %j if nobody did',
    async (body) => {
      const { socket, text } = open();
      for (const times of [1, 2]) {
        socket.write(post('held'));
        await vi.waitFor(() => expect(held).toHaveLength(times));
        (held[times - 1] as ServerResponse).writeHead(200, ['X-Body', 'one'] as never).end(body);
        const answer = `X-Body: one\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
        await vi.waitFor(() => expect(text().split(answer)).toHaveLength(times + 1));
        await vi.waitFor(() => expect(text().endsWith(`\r\n\r\n${Buffer.from(body)}`)).toBe(true));
      }
      await seen('strict held', 'strict held');
    },
  );

  it('answers pipelined requests in order, which Node reads', async () => {
    const { socket, text } = open();
    socket.write(post('held') + post('two') + post('three').slice(0, -2));
    await seen('strict held');
    socket.write('ee');
    reply(held[0] as ServerResponse, '<one>');
    await seen('strict held', 'node two', 'node three');
    await vi.waitFor(() => expect(answers(text())).toEqual(['<one>', '<two>', '<three>']));
  });

  it('stays with Node after another kind of request', async () => {
    const { socket, text } = open();
    for (const [number, request] of [post('a'), post('b', 'X-Other: 1'), post('c')].entries()) {
      socket.write(request);
      await vi.waitFor(() => expect(answers(text()).length).toBe(number + 1));
    }
    expect(read).toEqual(['strict a', 'node b', 'node c']);
  });

  it('reads the next request only after the client has read the answer', async () => {
    const { socket, text } = open({ reading: false });
    socket.write(post('large'));
    await seen('strict large');
    socket.write(post('next'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(read).toEqual(['strict large']);
    socket.resume();
    await seen('strict large', 'node next');
    await expect.poll(() => text().endsWith('<next>')).toBe(true);
  });

  it('closes after the answer if the client closed its half', async () => {
    const { socket, text, closed } = open();
    socket.end(post('held'));
    await seen('strict held');
    reply(held[0] as ServerResponse, '<late>');
    await closed;
    expect(answers(text())).toEqual(['<late>']);
  });

  it('closes after an answer with Connection: close, and does not read what follows', async () => {
    const { socket, text, closed } = open();
    socket.write(post('held') + post('behind'));
    await seen('strict held');
    reply(held[0] as ServerResponse, '<last>', 'Connection', 'close');
    await closed;
    expect(text()).toMatch(/Connection: close\r\nDate: [^\r]+\r\n\r\n<last>$/);
    expect(read).toEqual(['strict held']);
  });

  it('is answered 400 if it ends within a body', async () => {
    const { socket, text, closed } = open();
    socket.end(post('cut off').slice(0, -1));
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"bad_request"/);
    expect(read).toEqual([]);
  });

  it('is forgotten if the client resets it', async () => {
    const [whole, half] = [open(), open()];
    whole.socket.write(post('held'));
    half.socket.write(post('half').slice(0, -1));
    await seen('strict held');
    for (const { socket } of [whole, half]) socket.resetAndDestroy();
    const count = () => new Promise((resolve) => server.getConnections((_error, open) => resolve(open)));
    await vi.waitFor(async () => expect(await count()).toBe(0));
    reply(held[0] as ServerResponse, '<nobody>');
  });
});

describe('time limits', () => {
  it.each([
    ['says nothing', ''],
    ['does not send its body', post('body').slice(0, -1)],
  ])('close a connection that %s, with 408', async (_what, bytes) => {
    server.requestTimeout = 500;
    const { socket, text, closed } = open();
    socket.write(bytes);
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"request_timeout"/);
  });

  it('close an idle connection, but none that waits for its answer', async () => {
    server.keepAliveTimeout = 500;
    server.requestTimeout = 500;
    const [idle, waiting] = [open(), open()];
    waiting.socket.write(post('held'));
    idle.socket.write(post('once'));
    await idle.closed;
    reply(held[0] as ServerResponse, '<late>');
    await vi.waitFor(() => expect(answers(waiting.text())).toEqual(['<late>']));
  });

  it('close a connection that does not read its answer', async () => {
    server.timeout = 500;
    const { socket } = open({ reading: false });
    socket.write(post('large'));
    await seen('strict large');
    const count = () => new Promise((resolve) => server.getConnections((_error, open) => resolve(open)));
    await vi.waitFor(async () => expect(await count()).toBe(0), 20_000);
  });
});

describe('a server that closes', () => {
  it('ends idle connections at once, and others after their answers', async () => {
    const [idle, waiting] = [open(), open()];
    idle.socket.write(post('once'));
    waiting.socket.write(post('held'));
    await vi.waitFor(() => expect(read).toHaveLength(2));
    const closed = once(server, 'close');
    server.close();
    await idle.closed;
    expect(waiting.socket.readableEnded).toBe(false);
    reply(held[0] as ServerResponse, '<last>', 'Connection', 'close');
    await closed;
    await vi.waitFor(() => expect(answers(waiting.text())).toEqual(['<last>']));
  });
});

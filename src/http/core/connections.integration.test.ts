import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { admitRequest, limitConnections } from './connections.ts';
import { createListener } from './listener.ts';
import { readStrictly } from './strict-server.ts';

const MAX = 5;
/** More than the buffers of a connection take. */
const LARGE = 'x'.repeat(32 * 1024 * 1024);

let server: Server;
/** Answers that wait until the test sends them. */
let held: ServerResponse[];
let sockets: Socket[];
let large: number;
/** Milliseconds that have passed for the limit. */
let elapsed: number;
/** A request whose answer the server delays, makes large, or sends at once. */
type Kind = 'held' | 'large' | 'quick';
/** In the form that the strict reader accepts; otherwise Node's parser reads the same. */
const requestOf = (kind: Kind, body = '', length = body.length) =>
  `POST /v1/assess HTTP/1.1\r\nHost: x\r\nUser-Agent: ${kind}\r\nContent-Length: ${length}\r\n\r\n${body}`;

async function start(strictly: boolean): Promise<void> {
  [held, sockets, large, elapsed] = [[], [], 0, 0];
  server = createServer((request, response) => {
    noteUse(request.socket);
    admitRequest(request, response, () => {
      const kind = request.headers['user-agent'];
      if (kind === 'held') held.push(response);
      else if (kind === 'large') large += 1;
      if (kind !== 'held') {
        const text = kind === 'large' ? LARGE : 'ok';
        response.writeHead(200, ['Content-Length', text.length] as never).end(text);
      }
    });
  });
  if (strictly) readStrictly(server);
  const { noteUse } = limitConnections(server, MAX, () => elapsed);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
  server.closeAllConnections();
});

async function open(request?: Kind): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  sockets.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  if (request !== undefined) await ask(socket, request);
  return socket;
}

/** Sends a request; one without a delay is answered when this resolves. */
async function ask(socket: Socket, kind: Kind): Promise<void> {
  const before = held.length;
  const answered = new Promise((resolve) => socket.once('data', resolve));
  socket.write(requestOf(kind));
  if (kind === 'held') await vi.waitFor(() => expect(held.length).toBe(before + 1));
  else await answered;
}

const closed = (socket: Socket) =>
  vi.waitFor(() => expect(socket.destroyed || socket.readableEnded).toBe(true));

async function expectIdleLongestClosed(): Promise<void> {
  const [first, second] = [await open('quick'), await open('quick')];
  await Promise.all([open('quick'), open('quick'), open('quick')]);
  await ask(first, 'quick');
  const last = await open('quick');
  await closed(second);
  expect([first.destroyed, last.destroyed]).toEqual([false, false]);
}

describe.each([
  ['the strict reader', true],
  ["Node's parser", false],
])('a full server read by %s', (_reader, strictly) => {
  beforeEach(() => start(strictly));

  it('closes the connection that has been idle longest', expectIdleLongestClosed);

  it('closes a connection that sends its request slowly rather than one that waits for an answer', async () => {
    const waiting = await open('held');
    const slow: Socket[] = [];
    for (let at = 1; at < MAX; at += 1) {
      const socket = await open();
      socket.write(requestOf('held', 'half', 9));
      slow.push(socket);
    }
    await vi.waitFor(() => expect(held.length).toBe(MAX));
    await open('quick');
    await closed(slow[0] as Socket);
    expect([waiting, ...slow.slice(1)].map(({ destroyed }) => destroyed)).toEqual(Array(MAX - 1).fill(false));
  });

  it('keeps a new connection without a request, and closes one with half a request after a second', async () => {
    const half: Socket[] = [];
    for (let at = 1; at < MAX; at += 1) {
      const socket = await open();
      socket.write(requestOf('held', 'half', 9));
      half.push(socket);
    }
    await vi.waitFor(() => expect(held.length).toBe(MAX - 1));
    elapsed += 1_001;
    const honest = await open();
    await open('quick');
    await closed(half[0] as Socket);
    await ask(honest, 'quick');
    expect([honest, ...half.slice(1)].map(({ destroyed }) => destroyed)).toEqual(Array(MAX - 1).fill(false));
  });

  it('closes a connection that sends no request for a second', async () => {
    const silent = await open();
    const half = await open();
    half.write(requestOf('held', 'half', 9));
    for (let at = 2; at < MAX; at += 1) await open('held');
    elapsed += 1_001;
    await open('quick');
    await closed(silent);
    expect(half.destroyed).toBe(false);
  });

  it('closes a connection that does not read its answer before it refuses a new one', async () => {
    const waiting = await open('held');
    for (let at = 1; at < MAX; at += 1) {
      const socket = await open();
      socket.pause();
      socket.write(requestOf('large'));
    }
    await expect.poll(() => large).toBe(MAX - 1);
    await open('quick');
    expect(waiting.destroyed).toBe(false);
  });

  it('closes a connection with pipelined requests before it refuses a new one', async () => {
    const ahead = await open('held');
    ahead.write(requestOf('held'));
    const waiting: Socket[] = [];
    for (let at = 1; at < MAX; at += 1) waiting.push(await open('held'));
    await open('quick');
    await closed(ahead);
    expect(waiting.map(({ destroyed }) => destroyed)).toEqual(Array(MAX - 1).fill(false));
  });

  it('refuses a new connection if all others wait for an answer, and closes none of those', async () => {
    const waiting: Socket[] = [];
    for (let at = 0; at < MAX; at += 1) waiting.push(await open('held'));
    await closed(await open());
    expect(waiting.map(({ destroyed }) => destroyed)).toEqual(Array(MAX).fill(false));
    held[2]?.end('late');
    await new Promise((resolve) => waiting[2]?.once('data', resolve));
    await open('quick');
    await closed(waiting[2] as Socket);
  });
});

describe('pipelining', () => {
  beforeEach(() => start(false));

  const HELD = requestOf('held');

  it('is answered in order up to a limit, one request after the other', async () => {
    const socket = await open();
    const text: string[] = [];
    socket.setEncoding('utf8').on('data', (chunk: string) => text.push(chunk));
    socket.write(HELD.repeat(64));
    for (let at = 0; at < 64; at += 1) {
      await vi.waitFor(() => expect(held.length).toBe(at + 1), { interval: 1 });
      held[at]?.end(`<${at}>`);
    }
    await vi.waitFor(() => expect(text.join('').match(/<\d+>/g)?.length).toBe(64));
    expect(text.join('').match(/<\d+>/g)).toEqual(Array.from({ length: 64 }, (_, at) => `<${at}>`));
  });

  it('above the limit closes the connection, and none of the waiting requests begins', async () => {
    const socket = await open();
    socket.write(HELD.repeat(200));
    await closed(socket);
    held[0]?.end('late');
    await sleep(10);
    expect(held.length).toBe(1);
    await ask(await open(), 'quick');
  });

  it('gives other connections a turn between two requests', async () => {
    const order: string[] = [];
    server.prependListener('request', (_request, response) => {
      const writeHead = response.writeHead.bind(response);
      response.writeHead = ((...args: Parameters<typeof writeHead>) => {
        order.push('answer');
        setImmediate(() => order.push('turn'));
        return writeHead(...args);
      }) as typeof writeHead;
    });
    const socket = await open();
    socket.write(requestOf('quick').repeat(20));
    await vi.waitFor(() => expect(order.length).toBe(40));
    const runs = order.join('').match(/(?:answer)+/g) ?? [];
    // A request that is answered before the next one is read needs no turn.
    expect(Math.max(...runs.map((run) => run.length / 'answer'.length))).toBeLessThanOrEqual(3);
  });

  it('counts waiting requests over several writes', async () => {
    const socket = await open();
    for (let at = 0; at < 64; at += 1) {
      socket.write(HELD);
      if (at % 16 === 0) await sleep(1);
    }
    await ask(await open(), 'quick');
    expect(socket.destroyed).toBe(false);
    socket.write(HELD);
    await closed(socket);
    expect(held.length).toBe(1);
  });

  it('begins no request after an answer that closes the connection, or after the client has gone', async () => {
    const [answered, gone] = [await open(), await open()];
    answered.write(HELD.repeat(3));
    await vi.waitFor(() => expect(held.length).toBe(1));
    held[0]?.setHeader('Connection', 'close').end('the last');
    await closed(answered);
    gone.write(HELD.repeat(3));
    await vi.waitFor(() => expect(held.length).toBe(2));
    gone.destroy();
    await new Promise((resolve) => held[1]?.once('close', resolve));
    held[1]?.end('late');
    await sleep(10);
    expect(held.length).toBe(2);
  });
});

it.each([true, false])(
  'a full listener closes the connection idle longest (strict reader: %s)',
  async (strictReader) => {
    [held, sockets] = [[], []];
    server = createListener({
      handleRequest: (_request, response) =>
        response.writeHead(200, ['Content-Length', 2] as never).end('ok'),
      maxConnections: MAX,
      strictReader,
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await expectIdleLongestClosed();
  },
);

import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { admitRequest, limitConnections } from './connections.ts';

const MAX = 5;

let server: Server;
/** Answers that wait until a test sends them. */
let held: ServerResponse[];
let sockets: Socket[];
beforeEach(async () => {
  [held, sockets] = [[], []];
  server = createServer((request, response) => {
    if (!admitRequest(request, response)) return;
    if (request.url === '/held') held.push(response);
    else response.end('ok');
  });
  limitConnections(server, MAX);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
  server.closeAllConnections();
});

async function open(request = ''): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  sockets.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  if (request !== '') await ask(socket, request);
  return socket;
}

/** Sends a request; one that is not held is answered when this resolves. */
async function ask(socket: Socket, path: string): Promise<void> {
  const before = held.length;
  const answered = new Promise((resolve) => socket.once('data', resolve));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  if (path === '/held') await vi.waitFor(() => expect(held.length).toBe(before + 1));
  else await answered;
}

const closed = (socket: Socket) =>
  vi.waitFor(() => expect(socket.destroyed || socket.readableEnded).toBe(true));

describe('a full house', () => {
  it('lets the connection go that has been idle longest', async () => {
    const [first, second] = [await open('/'), await open('/')];
    await Promise.all([open('/'), open('/'), open('/')]);
    await ask(first, '/');
    const last = await open('/');
    await closed(second);
    expect([first.destroyed, last.destroyed]).toEqual([false, false]);
  });

  it('lets a connection go that sends its request slowly, before one that waits for an answer', async () => {
    const waiting = await open('/held');
    const slow: Socket[] = [];
    for (let at = 1; at < MAX; at += 1) {
      const socket = await open();
      socket.write('POST /held HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf');
      slow.push(socket);
    }
    await vi.waitFor(() => expect(held.length).toBe(MAX));
    await open('/');
    await closed(slow[0] as Socket);
    expect([waiting, ...slow.slice(1)].map(({ destroyed }) => destroyed)).toEqual(Array(MAX - 1).fill(false));
  });

  it('refuses a newcomer where everybody waits for an answer, and lets nobody go who does', async () => {
    const waiting: Socket[] = [];
    for (let at = 0; at < MAX; at += 1) waiting.push(await open('/held'));
    await closed(await open());
    expect(waiting.map(({ destroyed }) => destroyed)).toEqual(Array(MAX).fill(false));
    held[2]?.end('late');
    await new Promise((resolve) => waiting[2]?.once('data', resolve));
    await open('/');
    await closed(waiting[2] as Socket);
  });
});

describe('asking ahead', () => {
  it('is answered in order up to a bound', async () => {
    const socket = await open();
    const text: string[] = [];
    socket.setEncoding('utf8').on('data', (chunk: string) => text.push(chunk));
    socket.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(64));
    await vi.waitFor(() => expect(held.length).toBe(64));
    for (const [at, response] of held.entries()) response.end(`<${at}>`);
    await vi.waitFor(() => expect(text.join('').match(/<\d+>/g)?.length).toBe(64));
    expect(text.join('').match(/<\d+>/g)).toEqual(Array.from({ length: 64 }, (_, at) => `<${at}>`));
  });

  it('ends the connection beyond it, and answers nothing that came in one go with it', async () => {
    const socket = await open();
    socket.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200));
    await closed(socket);
    await sleep(10);
    expect(held.length).toBe(64);
  });
});

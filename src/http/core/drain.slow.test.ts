import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it, type TestContext, vi } from 'vitest';
import { createListener, type Listener } from './listener.ts';

/** More than the buffers of a connection take. */
const LARGE = 'x'.repeat(16 * 1024 * 1024);
const GET = 'GET /quick HTTP/1.1\r\nHost: x\r\n\r\n';
const headOf = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
/** Anything but the plain form goes to Node's parser. */
const UPGRADE =
  'GET /held HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
/** The first record of a TLS connection begins so. */
const CLIENT_HELLO = '\x16\x03\x01\x02\x00\x01\x00';

interface Started {
  readonly server: Listener;
  /** Answers that wait until the test sends them. */
  readonly held: ServerResponse[];
  open(bytes?: string, options?: { reading: boolean }): Promise<Socket>;
}

async function start(strictReader: boolean, { onTestFinished }: TestContext): Promise<Started> {
  const held: ServerResponse[] = [];
  const sockets: Socket[] = [];
  const server = createListener({
    handleRequest: (request, response) => void answer(request, response, held),
    maxConnections: 100,
    strictReader,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
  });
  return {
    server,
    held,
    async open(bytes = '', { reading } = { reading: true }) {
      const { port } = server.address() as AddressInfo;
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => {});
      if (reading) socket.resume();
      else socket.pause();
      sockets.push(socket);
      await new Promise((resolve) => socket.once('connect', resolve));
      if (bytes !== '') socket.write(bytes, 'latin1');
      return socket;
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, held: ServerResponse[]) {
  const send = (text: string) => response.writeHead(200, ['Content-Length', text.length] as never).end(text);
  if (request.url === '/early') {
    send('no');
    return;
  }
  await new Promise<void>((resolve) => {
    request.on('data', () => {});
    request.on('end', resolve);
  });
  if (request.url === '/held') held.push(response);
  else send(request.url === '/large' ? LARGE : 'ok');
}

/** A byte now and then, for as long as the connection is open. */
function drip(socket: Socket): void {
  const dripping = setInterval(() => socket.write('x'), 100);
  socket.once('close', () => clearInterval(dripping));
}

/** Ways in which a client holds its connection. */
const HOLDERS: [string, (started: Started) => Promise<unknown>][] = [
  ['no byte', ({ open }) => open()],
  ['a kept connection', ({ open }) => open(GET)],
  ['half a head', ({ open }) => open('POST /v1/assess HTTP/1.1\r\nHost: x\r\nConten')],
  ['half a head after a whole request', ({ open }) => open(`${GET}GET /quick HTTP/1.1\r\nHo`)],
  ['a head that drips', async ({ open }) => drip(await open('GET /quick HTTP/1.1\r\nX-Long: '))],
  ['a line that drips', async ({ open }) => drip(await open('G'))],
  ['half a body', ({ open }) => open(`${headOf('/quick', 9)}half`)],
  ['a head without its body', ({ open }) => open(headOf('/quick', 9))],
  ['a body that drips', async ({ open }) => drip(await open(headOf('/quick', 60_000)))],
  [
    'half a chunked body',
    ({ open }) => open('POST /quick HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal'),
  ],
  [
    'a body that is waited for',
    ({ open }) =>
      open('POST /quick HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n'),
  ],
  ['half a body that was answered already', ({ open }) => open(`${headOf('/early', 9)}half`)],
  ['half a body after a whole request', ({ open }) => open(`${GET}${headOf('/quick', 9)}half`)],
  ['half a head to upgrade', ({ open }) => open(UPGRADE)],
  ['an upgrade that is not answered', ({ open }) => open(`${UPGRADE}\r\n`)],
  ['a tunnel', ({ open }) => open('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')],
  ['half a TLS handshake', ({ open }) => open(CLIENT_HELLO)],
  ['an answer that is not read', ({ open }) => open(headOf('/large', 0), { reading: false })],
  [
    'answers to a pipeline that are not read',
    ({ open }) => open(headOf('/large', 0).repeat(20), { reading: false }),
  ],
  ['an answer that never comes', ({ open }) => open(headOf('/held', 0))],
];

describe.each([
  ['the strict reader', true],
  ["Node's parser", false],
])('a listener that stops, read by %s', (_reader, strictly) => {
  it.concurrent.for(HOLDERS)('does not wait for a client with %s', async ([, hold], test) => {
    const started = await start(strictly, test);
    await hold(started);
    // It has arrived, as all before it.
    const probe = await started.open(GET);
    await new Promise((resolve) => probe.once('data', resolve));
    await started.server.drain();
    expect(started.server.listening).toBe(false);
  });

  it.concurrent('answers a complete request, also after it has cut off one that is not', async (test) => {
    const { server, held, open } = await start(strictly, test);
    const half = await open(`${headOf('/quick', 9)}half`);
    const whole = await open(`${headOf('/held', 4)}body`);
    let text = '';
    whole.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    await vi.waitFor(() => expect(held).toHaveLength(1));
    const drained = server.drain();
    await new Promise((resolve) => half.once('end', resolve).once('close', resolve));
    held[0]?.writeHead(200, ['Content-Length', 4, 'Connection', 'close'] as never).end('late');
    await drained;
    await vi.waitFor(() => expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*late$/));
  });

  it('sends the whole of a large answer to a client that reads it late', async (test) => {
    const { server, open } = await start(strictly, test);
    const slow = await open(headOf('/large', 0), { reading: false });
    const probe = await open(GET);
    await new Promise((resolve) => probe.once('data', resolve));
    await new Promise((resolve) => slow.once('readable', resolve));
    const drained = server.drain();
    await new Promise((resolve) => probe.once('end', resolve).once('close', resolve));
    let bytes = 0;
    slow.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    slow.resume();
    await drained;
    await vi.waitFor(() => expect(bytes).toBeGreaterThan(LARGE.length));
  });

  it.concurrent('lets a request end that has begun', async (test) => {
    const { server, open } = await start(strictly, test);
    const slow = await open(`${headOf('/quick', 4)}bo`);
    const probe = await open(GET);
    await new Promise((resolve) => probe.once('data', resolve));
    const drained = server.drain();
    const answered = new Promise((resolve) => slow.once('data', resolve));
    slow.write('dy');
    expect(String(await answered)).toMatch(/^HTTP\/1\.1 200 /);
    await drained;
  });
});

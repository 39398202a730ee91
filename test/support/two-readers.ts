/** Sends the same bytes to a listener with the strict reader and to one without, and returns what each saw and answered. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import type { Problem } from '../../src/contract/problem.ts';
import { readBody } from '../../src/http/core/body.ts';
import { createListener } from '../../src/http/core/listener.ts';
import { StrictRequest } from '../../src/http/core/strict-exchange.ts';

/** Turns of the event loop between two packets, so that the effects of each come before the next. */
const TURNS = 12;

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

export interface TwoReaders {
  /** The answers to the packets and to the end of the connection, and everything seen of each request. */
  compare(packets: readonly Buffer[]): Promise<{ strict: string; node: string }>;
  /** Requests that the strict reader has recognised so far. */
  recognised(): number;
  close(): void;
}

export async function startTwoReaders(): Promise<TwoReaders> {
  let recognised = 0;
  const onRecognised = () => {
    recognised += 1;
  };
  const servers = await Promise.all([true, false].map((strict) => startReader(strict, onRecognised)));
  const [strictly, plainly] = servers as [Server, Server];
  return {
    async compare(packets) {
      const [strict, node] = await Promise.all([send(strictly, packets), send(plainly, packets)]);
      return { strict, node };
    },
    recognised: () => recognised,
    close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

async function startReader(strict: boolean, onRecognised: () => void): Promise<Server> {
  const server = createListener({
    handleRequest(request, response) {
      if ((request as unknown) instanceof StrictRequest) onRecognised();
      void answer(request, response);
    },
    maxConnections: 100_000,
    strictReader: strict,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Answers with what was read: before the body if there is no key, as the service does; for some clients in a later turn of the event loop. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, httpVersion, headers, rawHeaders } = request;
  const reply = (status: number, more: object, last = false) => {
    const text = JSON.stringify({ method, url, httpVersion, headers, rawHeaders, ...more });
    const length = ['Content-Length', Buffer.byteLength(text), ...(last ? ['Connection', 'close'] : [])];
    response.writeHead(status, ['X-Seen', 'yes', ...length] as never).end(text);
  };
  if (headers.authorization === undefined) {
    // By then, faults in the body are known, however many requests were pipelined.
    if (!request.complete) for (let turn = 0; turn < 2; turn += 1) await nextTurn();
    return reply(401, {});
  }
  try {
    const body = await readBody(request);
    if (headers['user-agent'] === 'late') await nextTurn();
    reply(200, { body: body.toString('latin1'), ü: 'ü' }, headers['user-agent'] === 'last');
  } catch (error) {
    reply((error as Problem).status, {}, true);
  }
}

/** A client's end of a connection: the bytes that it sends packet by packet, and what comes back. */
class Connection extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  readonly received: Buffer[] = [];

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.received.push(chunk);
    done();
  }

  setTimeout(): this {
    return this;
  }

  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else this.end(() => this.destroy());
  }
}

async function send(server: Server, packets: readonly Buffer[]): Promise<string> {
  const connection = new Connection({ allowHalfOpen: true });
  const ended = new Promise((resolve) => connection.once('finish', resolve).once('close', resolve));
  server.emit('connection', connection);
  for (const packet of packets) {
    connection.push(packet);
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
    if (connection.destroyed) break;
  }
  if (!connection.destroyed) connection.push(null);
  await ended;
  return Buffer.concat(connection.received)
    .toString('utf8')
    .replace(/^Date: .*\r\n/gm, '');
}

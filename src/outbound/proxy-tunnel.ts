/** Decides how a connection through an HTTP proxy begins: a tunnel (CONNECT) to an `https:` server, with TLS to that server inside it. */
import { request as http, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as https, type RequestOptions } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { nameOf } from './proxy-choice.ts';
import { hostOf, portOf } from './public-address.ts';

/** A request that failed at the proxy, before its target was asked. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  /** The status that the proxy answered with; `undefined`: none. */
  readonly status: number | undefined;

  constructor(proxy: URL, why: string, status?: number) {
    super(`the proxy ${nameOf(proxy)} ${why}`);
    this.status = status;
  }
}

type Connected = (error: Error | null, stream: Duplex) => void;

/** A proxy that connects to nobody within this time is left alone. */
const OPEN_MS = 10_000;
const OK = 200;
const WHY: Readonly<Record<number, string>> = {
  403: 'does not allow this target (403)',
  407: 'wants a user and password (407): write them into its URL',
};

/** Options of requests to the proxy itself, and what it needs to know from us. */
export function proxyOptions(proxy: URL) {
  const { username, password } = proxy;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return {
    host: hostOf(proxy),
    port: portOf(proxy),
    headers: {
      'user-agent': 'gatehouse',
      ...(username === '' && password === '' ? {} : { 'proxy-authorization': authorization }),
    },
  };
}

export function refusalOf(proxy: URL, status: number): ProxyError {
  return new ProxyError(proxy, WHY[status] ?? `answered ${status}`, status);
}

/** An agent for `https:` targets. */
export class TunnelAgent extends HttpsAgent {
  readonly #proxy: URL;
  /** Sockets to the proxy that are no tunnel yet. */
  readonly #opening = new Set<{ destroy(error?: Error): unknown }>();

  constructor(proxy: URL, idleMs: number) {
    super({ keepAlive: true, timeout: idleMs });
    this.#proxy = proxy;
  }

  /** Called by Node.js for each new connection. */
  override createConnection(target: RequestOptions, callback: Connected = () => {}): undefined {
    const { host, port = 443 } = target as ConnectionOptions;
    const authority = `${isIP(host ?? '') === 6 ? `[${host}]` : host}:${port}`;
    const { headers, ...options } = proxyOptions(this.#proxy);
    const ask = this.#proxy.protocol === 'https:' ? https : http;
    const opening = ask({
      ...options,
      method: 'CONNECT',
      path: authority,
      headers: { ...headers, host: authority },
      agent: false,
    });
    // Without an error there is always a stream.
    const fail = callback as (error: Error) => void;
    const end = () => opening.destroy(new Error(`no answer within ${OPEN_MS / 1_000} s`));
    const deadline = setTimeout(end, OPEN_MS);
    const settle = () => {
      clearTimeout(deadline);
      this.#opening.delete(opening);
    };
    this.#opening.add(opening);
    opening.once('error', (error) => {
      settle();
      fail(unusable(this.#proxy, error));
    });
    opening.once('connect', ({ statusCode = 0 }: IncomingMessage, socket: Socket, head: Buffer) => {
      settle();
      if (statusCode !== OK) {
        socket.destroy();
        fail(refusalOf(this.#proxy, statusCode));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      callback(null, connectTls({ ...(target as ConnectionOptions), socket }));
    });
    opening.end();
    return undefined;
  }

  override destroy(): void {
    for (const opening of this.#opening) opening.destroy(new Error('closed'));
    super.destroy();
  }
}

/** @param error of the connection to the proxy */
export function unusable(proxy: URL, error: Error): ProxyError {
  // The error of a name with several addresses has no message of its own.
  const errors: readonly Error[] = error instanceof AggregateError ? error.errors : [error];
  return new ProxyError(proxy, `cannot be used: ${errors.map(({ message }) => message).join(', ')}`);
}

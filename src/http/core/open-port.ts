/** Opens a port or a Unix socket for a server, and knows how many connections it may have. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer as createRelay, type Server } from 'node:net';
import { socketPathOf, socketUrl } from '../../model/listen-address.ts';
import type { Listener } from './listener.ts';
import { listenOnSocket } from './unix-socket.ts';

/** Descriptors that the store, DNS (two clients of 256 queries), feeds and the counters may need beside the connections. */
const RESERVED_DESCRIPTORS = 1_024;
/** Limit that is assumed where the limit of descriptors cannot be read. */
const USUAL_DESCRIPTORS = 1_024;
/** More would only be memory: a proxy in front uses few, and a node answers thousands of requests a second on each. */
const MAX_CONNECTIONS = 16_384;

/** Connections that wait to be accepted; the system may allow fewer. A wave of more than Node's 511 would make others wait a second to be let in. */
const BACKLOG = 4_096;

/** A port on which a server listens. */
export interface OpenPort {
  readonly url: string;
  close(): Promise<void>;
}

/** `host`: also `unix:` and a path. @throws when it cannot listen, with the address and the setting to change */
export async function listen(
  server: Listener,
  { host, port }: { readonly host: string; readonly port: number },
  setting = 'PORT',
): Promise<OpenPort> {
  const path = socketPathOf(host);
  if (path !== undefined) {
    await listenOnSocket(server, path, BACKLOG).catch((error: Error) => {
      throw new Error(`cannot listen on ${host} (HOST): ${error.message}`);
    });
    return { url: socketUrl(path), close: () => server.drain() };
  }
  await bind(server, host, port).catch((error: NodeJS.ErrnoException) => {
    const remedy = error.code === 'EADDRINUSE' ? `; set ${setting} to another` : '';
    throw new Error(`cannot listen on ${host}:${port}: ${error.message}${remedy}`);
  });
  const bound = server.address() as AddressInfo;
  const others = host === 'localhost' ? await openOtherListeners(server, bound) : [];
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`,
    close() {
      for (const other of others) other.close();
      return server.drain();
    },
  };
}

/** `localhost` may have two addresses, and clients try either first; an address that cannot be used is left out. */
async function openOtherListeners(server: Listener, { address, port }: AddressInfo): Promise<Server[]> {
  const found = await lookup('localhost', { all: true }).catch(() => []);
  const others = new Set(found.map((each) => each.address).filter((other) => other !== address));
  const listeners: Server[] = [];
  for (const other of others) {
    const listener = createRelay({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit('connection', socket),
    );
    await bind(listener, other, port).then(
      () => listeners.push(listener),
      () => {},
    );
  }
  return listeners;
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  server.listen({ host, port, backlog: BACKLOG });
  await once(server, 'listening');
}

/** Max. connections that may be open at once, so that none of them takes a descriptor that the service itself needs. */
export async function readMaxConnections(file = '/proc/self/limits'): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [, limit] = /^Max open files\s+(\d+|unlimited)/m.exec(text) ?? [];
  const descriptors = limit === 'unlimited' ? Infinity : Number(limit ?? USUAL_DESCRIPTORS);
  return Math.min(MAX_CONNECTIONS, Math.max(Math.floor(descriptors / 2), descriptors - RESERVED_DESCRIPTORS));
}

/** Opens a port of the service, and closes it when its connections have been answered. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { type AddressInfo, createServer as createDoor, type Server as Door } from 'node:net';
import type { Config } from './config.ts';

const DRAIN_MS = 50;
/** Descriptors that the store, DNS (two clients of 256 queries), feeds and the counters may need beside the connections. */
const RESERVED_DESCRIPTORS = 1_024;
/** Where the limit of descriptors cannot be read. */
const USUAL_DESCRIPTORS = 1_024;
/** More would only be memory: a proxy in front uses few, and a node answers thousands of requests a second on each. */
const MAX_CONNECTIONS = 16_384;

export interface OpenPort {
  readonly url: string;
  /** Connections that are busy are closed as each falls idle. */
  close(): Promise<void>;
}

/** @throws when it cannot listen, with the address and the setting to change */
export async function listen(
  server: Server,
  { host, port }: Pick<Config, 'host' | 'port'>,
  setting = 'PORT',
): Promise<OpenPort> {
  await bind(server, host, port).catch((error: NodeJS.ErrnoException) => {
    const remedy = error.code === 'EADDRINUSE' ? `; set ${setting} to another` : '';
    throw new Error(`cannot listen on ${host}:${port}: ${error.message}${remedy}`);
  });
  const bound = server.address() as AddressInfo;
  const doors = host === 'localhost' ? await openOtherDoors(server, bound) : [];
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`,
    close: () => closeDrained(server, doors),
  };
}

/** `localhost` may have two addresses, and clients try either first; one that cannot be had is left out. */
async function openOtherDoors(server: Server, { address, port }: AddressInfo): Promise<Door[]> {
  const found = await lookup('localhost', { all: true }).catch(() => []);
  const others = new Set(found.map((each) => each.address).filter((other) => other !== address));
  const doors: Door[] = [];
  for (const other of others) {
    const door = createDoor({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit('connection', socket),
    );
    await bind(door, other, port).then(
      () => doors.push(door),
      () => {},
    );
  }
  return doors;
}

async function bind(server: Door, host: string, port: number): Promise<void> {
  server.listen({ host, port });
  await once(server, 'listening');
}

async function closeDrained(server: Server, doors: readonly Door[]): Promise<void> {
  for (const door of doors) door.close();
  const closed = once(server, 'close');
  server.close();
  const draining = setInterval(() => server.closeIdleConnections(), DRAIN_MS);
  await closed.finally(() => clearInterval(draining));
}

/** How many connections may be open at once, so that none of them takes a descriptor that the service itself needs. */
export async function readMaxConnections(file = '/proc/self/limits'): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [, limit] = /^Max open files\s+(\d+|unlimited)/m.exec(text) ?? [];
  const descriptors = limit === 'unlimited' ? Infinity : Number(limit ?? USUAL_DESCRIPTORS);
  return Math.min(MAX_CONNECTIONS, Math.max(Math.floor(descriptors / 2), descriptors - RESERVED_DESCRIPTORS));
}

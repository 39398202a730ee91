/** Opens the service's port, and closes it when its connections have been answered. */
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';

const DRAIN_MS = 50;
/** Descriptors that the store, DNS (two clients of 256 queries), feeds and the counters may need beside the connections. */
const RESERVED_DESCRIPTORS = 1_024;
/** Where the limit of descriptors cannot be read. */
const USUAL_DESCRIPTORS = 1_024;
/** More would only be memory: a proxy in front uses few, and a node answers thousands of requests a second on each. */
const MOST_CONNECTIONS = 16_384;

/** Returns the URL. @throws when it cannot, with the address */
export async function listen(
  app: FastifyInstance,
  { host, port }: Pick<Config, 'host' | 'port'>,
  setting = 'PORT',
): Promise<string> {
  await app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    const remedy = error.code === 'EADDRINUSE' ? `; set ${setting} to another` : '';
    throw new Error(`cannot listen on ${host}:${port}: ${error.message}${remedy}`);
  });
  const address = app.server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
}

/** Connections that were busy when the stop began are closed as each falls idle. */
export async function closeDrained(app: FastifyInstance): Promise<void> {
  const draining = setInterval(() => app.server.closeIdleConnections(), DRAIN_MS);
  await app.close().finally(() => clearInterval(draining));
}

/** How many connections may be open at once, so that none of them takes a descriptor that the service itself needs. */
export async function readMaxConnections(file = '/proc/self/limits'): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [, limit] = /^Max open files\s+(\d+|unlimited)/m.exec(text) ?? [];
  const descriptors = limit === 'unlimited' ? Infinity : Number(limit ?? USUAL_DESCRIPTORS);
  return Math.min(
    MOST_CONNECTIONS,
    Math.max(Math.floor(descriptors / 2), descriptors - RESERVED_DESCRIPTORS),
  );
}

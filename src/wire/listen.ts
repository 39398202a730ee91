/** Opens the service's port, and closes it when its connections have been answered. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

const DRAIN_MS = 50;

/** Returns the URL. @throws when it cannot, with the address */
export async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  await app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    const remedy = error.code === 'EADDRINUSE' ? '; set PORT to another' : '';
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

/**
 * Starts the servers that the tests of a run share, each when the first test requests it, and stops them after the last test.
 * Vitest's main process owns them, because only it outlives every file; workers request them on loopback.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { createDatabase, type PostgresRelease, startPostgresServer } from './postgres-server.ts';
import { startRedis } from './redis-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL at which workers request a server. */
    sharedServers: string;
  }
}

interface Running {
  readonly url: string;
  close(): Promise<void>;
}

interface SharedServers {
  readonly address: string;
  /** Test projects of this run that may still request a server. */
  projects: number;
  close(): Promise<void>;
}

/** Every test project loads this file separately; the servers belong to the process. */
const KEY = Symbol.for('gatehouse.test.shared-servers');
const ofProcess = globalThis as { [KEY]?: Promise<SharedServers> | undefined };

/** @param urlOf of what another path starts */
type Start = (urlOf: (path: string) => Promise<string>) => Promise<Running>;

const STARTERS: Readonly<Record<string, Start>> = {
  '/postgres/newest': () => startPostgresServer({ release: 'newest' }),
  '/postgres/oldest': () => startPostgresServer({ release: 'oldest' }),
  '/postgres/newest/migrated': async (urlOf) => migrated(await urlOf('/postgres/newest')),
  '/postgres/oldest/migrated': async (urlOf) => migrated(await urlOf('/postgres/oldest')),
  '/redis': () => startRedis(),
};

/** A template database for copies. It is removed with its server. */
async function migrated(serverUrl: string): Promise<Running> {
  const url = await createDatabase(serverUrl);
  await migrate(url);
  return { url, close: async () => {} };
}

/** Vitest calls this once for each test project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  ofProcess[KEY] ??= listen();
  const shared = await ofProcess[KEY];
  shared.projects += 1;
  project.provide('sharedServers', shared.address);
  return async () => {
    shared.projects -= 1;
    if (shared.projects > 0) return;
    ofProcess[KEY] = undefined;
    await shared.close();
  };
}

/** URL of the run's PostgreSQL, of the release that the project tests. */
export function sharedPostgresUrl(): Promise<string> {
  return ask(`/postgres/${release()}`);
}

const release = (): PostgresRelease =>
  process.env.GATEHOUSE_TEST_POSTGRES === 'oldest' ? 'oldest' : 'newest';

/** URL of a fresh, empty database there. */
export async function newDatabase(): Promise<string> {
  return createDatabase(await sharedPostgresUrl());
}

/** The same with our schema: a copy takes a fraction of the time of the migrations. */
export async function newMigratedDatabase(): Promise<string> {
  const [server, template] = [await sharedPostgresUrl(), await ask(`/postgres/${release()}/migrated`)];
  return createDatabase(server, new URL(template).pathname.slice(1));
}

/** URL of the run's Redis or Valkey. @throws with the reason if there is none: no test that needs it may pass without it */
export function sharedRedisUrl(): Promise<string> {
  return ask('/redis');
}

async function ask(path: string): Promise<string> {
  const answer = await fetch(new URL(path, inject('sharedServers')));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

async function listen(): Promise<SharedServers> {
  const running = new Map<string, Promise<Running>>();
  async function urlOf(path: string): Promise<string> {
    const start = STARTERS[path];
    if (start === undefined) throw new Error(`no such server: ${path}`);
    let starting = running.get(path);
    if (starting === undefined) {
      starting = start(urlOf);
      running.set(path, starting);
    }
    return (await starting).url;
  }
  const server = createServer((request, response) => {
    urlOf(request.url ?? '').then(
      (url) => response.end(url),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    projects: 0,
    close: () => closeAll(server, running),
  };
}

async function closeAll(server: Server, running: ReadonlyMap<string, Promise<Running>>): Promise<void> {
  const started = await Promise.allSettled(running.values());
  await Promise.all(started.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)));
  server.closeAllConnections();
  server.close();
}

/**
 * Starts the servers that the tests of one run share, each when the first test asks for it, and stops them after the last.
 * Vitest's main process keeps them; workers ask it on loopback, because only it outlives every file.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { createDatabase, type PostgresRelease, startPostgresServer } from './postgres-server.ts';
import { startRedis } from './redis-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where workers ask for a server of the run. */
    sharedServers: string;
  }
}

interface Running {
  readonly url: string;
  close(): Promise<void>;
}

interface SharedServers {
  readonly address: string;
  /** Projects of this run that may still ask. */
  projects: number;
  close(): Promise<void>;
}

/** Every project loads this file for itself; the servers are the process's. */
const KEY = Symbol.for('gatehouse.test.shared-servers');
const ofProcess = globalThis as { [KEY]?: Promise<SharedServers> | undefined };

const STARTERS: Readonly<Record<string, () => Promise<Running>>> = {
  '/postgres/newest': () => startPostgresServer({ release: 'newest' }),
  '/postgres/oldest': () => startPostgresServer({ release: 'oldest' }),
  '/redis': () => startRedis(),
};

/** Vitest calls this once a project. */
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
  const release: PostgresRelease = process.env.GATEHOUSE_TEST_POSTGRES === 'oldest' ? 'oldest' : 'newest';
  return ask(`/postgres/${release}`);
}

/** URL of a fresh, empty database there. */
export async function newDatabase(): Promise<string> {
  return createDatabase(await sharedPostgresUrl());
}

/** URL of the run's Redis or Valkey. @throws with the reason where there is none: nothing that needs it may pass without it */
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
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const start = STARTERS[path];
    if (start === undefined) return void response.writeHead(404).end(`no such server: ${path}`);
    let starting = running.get(path);
    if (starting === undefined) {
      starting = start();
      running.set(path, starting);
    }
    starting.then(
      ({ url }) => response.end(url),
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

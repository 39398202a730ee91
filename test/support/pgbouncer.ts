/** A throw-away PgBouncer in front of a test's database, in each of its modes; installed from the system's packages if missing. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { find, install } from '../../scripts/system-package.mjs';
import { serverUser } from './postgres-server.ts';
import { freePort } from './redis-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Why there is no PgBouncer, if it is missing. */
    noPgBouncer: string;
  }
}

export interface PgBouncer {
  /** URL of the database through the pooler, in a mode. */
  url(mode: PoolMode): string;
  close(): Promise<void>;
}

export type PoolMode = (typeof MODES)[number];

const MODES = ['session', 'transaction', 'statement'] as const;
const PROGRAM = 'pgbouncer';
const READY_MS = 90_000;
const POLL_MS = 20;

/**
 * @param settings PgBouncer settings that differ from the defaults
 * @param processes number of processes that share the port, each with its own pool
 * @throws if PgBouncer is missing
 */
export async function startPgBouncer(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
  processes = 1,
): Promise<PgBouncer> {
  const path = program();
  const { hostname, port: serverPort, username, pathname } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pgbouncer-'));
  const port = await freePort();
  const target = `host=${hostname} port=${serverPort} dbname=${pathname.slice(1)}`;
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(folder, 'users.txt'),
    ...(processes > 1 && { so_reuseport: '1' }),
    ...settings,
  };
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(join(folder, 'users.txt'), `"${username}" ""\n`);
  writeFileSync(
    file,
    [
      '[databases]',
      ...MODES.map((mode) => `${mode} = ${target} pool_mode=${mode}`),
      '[pgbouncer]',
      ...Object.entries(lines).map(([name, value]) => `${name} = ${value}`),
      '',
    ].join('\n'),
  );
  chmodSync(folder, 0o755);
  // Like PostgreSQL, it refuses to run as root.
  let errorOutput = '';
  const children = Array.from({ length: processes }, () => {
    const child = spawn(path, [file], { ...serverUser(), stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (chunk) => {
      errorOutput = `${errorOutput}${chunk}`.slice(-2_000);
    });
    return child;
  });
  const url = (mode: PoolMode) => `postgres://${username}@127.0.0.1:${port}/${mode}`;
  await untilReady(url('session'), children, () => errorOutput);
  return {
    url,
    async close() {
      for (const child of children.filter(({ exitCode }) => exitCode === null)) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Vitest calls this once before the tests: two installations at once would disturb each other. */
export function setup(project: TestProject): void {
  const failure = find([PROGRAM]) === undefined ? install(PROGRAM) : undefined;
  project.provide('noPgBouncer', failure ?? '');
}

function program(): string {
  const path = find([PROGRAM]);
  if (path === undefined)
    throw new Error(
      `there is no PgBouncer, and none could be installed; install pgbouncer\n${inject('noPgBouncer')}`,
    );
  return path;
}

async function untilReady(
  url: string,
  children: readonly ChildProcess[],
  errorOutput: () => string,
): Promise<void> {
  const until = performance.now() + READY_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('SELECT 1');
      await client.end();
      return;
    } catch (error) {
      if (children.some(({ exitCode }) => exitCode !== null) || performance.now() > until)
        throw new Error(`PgBouncer did not start: ${(error as Error).message}\n${errorOutput()}`);
    }
    await wait(POLL_MS);
  }
}

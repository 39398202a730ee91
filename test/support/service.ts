/** Starts the built service as a user would, on a free port and a folder of its own, and runs its command line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BIN, type CommandResult, gatehouse, ROOT } from './command.ts';
import { newDatabase, sharedRedisUrl } from './shared-servers.ts';

/** Nothing depends on it: it ends what hangs. */
const START_MS = 60_000;

export type Environment = Record<string, string>;

export interface Service {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  /** Everything printed so far, both streams. */
  output(): string;
  /** Asks it to stop; resolves to its exit status. */
  stop(): Promise<number | null>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

/** A data folder with the environment that points there: services and commands share it. */
export interface Installation {
  readonly directory: string;
  readonly environment: Environment;
  /** `program`: another than ours, or by another Node.js. */
  start(environment?: Environment, program?: readonly string[]): Promise<Service>;
  /** Runs `gatehouse …args`, in this process. */
  run(...args: string[]): Promise<CommandResult>;
  /** Runs a command that must succeed, and reads its JSON. */
  json<T = Record<string, unknown>>(...args: string[]): Promise<T>;
  /** Makes an account and a key of it; extra arguments go to `account create`. */
  account(plan: string, ...args: string[]): Promise<{ id: string; live: string; test: string }>;
  /** Makes a key; extra arguments go to `key create`. */
  key(account: string, mode: 'live' | 'test', ...args: string[]): Promise<{ id: string; key: string }>;
  /** Stops what was started here and removes the folder. */
  remove(): Promise<void>;
}

/**
 * Settings default to the quietest that touch no outside host: RDAP and feeds off, and a resolver that nobody runs.
 * Give `GATEHOUSE_DNS_SERVERS` and `GATEHOUSE_RDAP_BOOTSTRAP_URL` of loopback servers to change that.
 */
export async function createInstallation(settings: Environment = {}): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const environment: Environment = {
    ...(process.env.GATEHOUSE_TEST_ON === 'servers' ? await onServers() : {}),
    PATH: process.env.PATH ?? '',
    PORT: '0',
    GATEHOUSE_DATA_DIR: join(directory, 'data'),
    GATEHOUSE_RDAP_BOOTSTRAP_URL: 'off',
    GATEHOUSE_FEEDS: 'off',
    GATEHOUSE_DNS_SERVERS: '127.0.0.1:9',
    // The servers of most tests deny every name that was not set, on purpose.
    GATEHOUSE_CANARY_DOMAINS: 'off',
    ...settings,
  };
  const services: Service[] = [];
  const run = (...args: string[]) => gatehouse(args, environment);
  const json = async <T>(...args: string[]): Promise<T> => {
    const { status, stdout, stderr } = await run(...args, '--json');
    if (status !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${status}: ${stderr}`);
    return JSON.parse(stdout) as T;
  };
  const key: Installation['key'] = (account, mode, ...args) =>
    json('key', 'create', '--account', account, '--mode', mode, '--name', `a ${mode} key`, ...args);

  return {
    directory,
    environment,
    run,
    json,
    key,
    async start(more = {}, program = [process.execPath, BIN]) {
      const service = await startService({ ...environment, ...more }, program);
      services.push(service);
      return service;
    },
    async account(plan, ...args) {
      const { id } = await json<{ id: string }>(
        'account',
        'create',
        '--name',
        'tests',
        '--plan',
        plan,
        ...args,
      );
      const [live, test] = await Promise.all([key(id, 'live'), key(id, 'test')]);
      return { id, live: live.key, test: test.key };
    },
    async remove() {
      await Promise.all(services.map((service) => service.kill()));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL and Valkey or Redis of this run, for the suites that run on them as well. */
async function onServers(): Promise<Environment> {
  return { DATABASE_URL: await newDatabase(), REDIS_URL: await sharedRedisUrl() };
}

async function startService(environment: Environment, program: readonly string[]): Promise<Service> {
  const [file = '', ...args] = program;
  const child = spawn(file, [...args, 'start'], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = await untilListening(child, () => output, ended);
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid as number,
    dataDir: environment.GATEHOUSE_DATA_DIR as string,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function untilListening(
  child: ChildProcess,
  output: () => string,
  ended: Promise<unknown>,
): Promise<string> {
  const deadline = Date.now() + START_MS;
  let stopped = false;
  void ended.then(() => {
    stopped = true;
  });
  while (!stopped && Date.now() < deadline) {
    const url = /"url":"([^"]+)"[^\n]*"msg":"listening"/.exec(output())?.[1];
    if (url !== undefined) return url;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  child.kill('SIGKILL');
  throw new Error(`the service did not start:\n${output()}`);
}

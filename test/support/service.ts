/**
 * Starts the built service on a free port with its own folder, and runs its command line: in this process, because
 * a separate process takes five times as long to start; or as a separate process if the test is about the process.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type CommandResult, gatehouse, ROOT } from './command.ts';
import { spawnService, startService } from './running-service.ts';
import { newMigratedDatabase, sharedRedisUrl } from './shared-servers.ts';

export type Environment = Record<string, string>;

export interface Service {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** Everything printed so far. */
  output(): string;
  /** Sends it a stop signal; resolves to its exit status. */
  stop(): Promise<number | null>;
}

export interface ServiceProcess extends Service {
  readonly pid: number;
  /** Its exit status, when it has ended. */
  readonly ended: Promise<number | null>;
  /** Kills it, like a power cut. */
  kill(): Promise<void>;
}

/** A data folder with the environment that points there: services and commands share it. */
export interface Installation {
  readonly directory: string;
  readonly environment: Environment;
  /** Starts the service in this process. `strictReader`: whether the strict reader gets each connection first; default: as in most tests. */
  start(environment?: Environment, strictReader?: boolean): Promise<Service>;
  /** Starts it as a process, for tests about signals, crashes and the start. `program`: another program or another Node.js. */
  spawn(environment?: Environment, program?: readonly string[]): Promise<ServiceProcess>;
  /** Runs `gatehouse …args`, in this process. */
  run(...args: string[]): Promise<CommandResult>;
  /** Runs a command that must succeed, and reads its JSON. */
  json<T = Record<string, unknown>>(...args: string[]): Promise<T>;
  /** Creates an account and a key for it; extra arguments go to `account create`. */
  account(plan: string, ...args: string[]): Promise<{ id: string; live: string; test: string }>;
  /** Creates a key; extra arguments go to `key create`. */
  key(account: string, mode: 'live' | 'test', ...args: string[]): Promise<{ id: string; key: string }>;
  /** Stops what was started here and removes the folder. */
  remove(): Promise<void>;
}

/**
 * By default no setting uses an outside host: RDAP and feeds are off, and the resolver does not exist.
 * To change that, set `GATEHOUSE_DNS_SERVERS` and `GATEHOUSE_RDAP_BOOTSTRAP_URL` to loopback servers.
 * @param build the folder of the build that it runs; default: ours
 */
export async function createInstallation(
  settings: Environment = {},
  build: string = ROOT,
): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const environment: Environment = {
    ...(process.env.GATEHOUSE_TEST_ON === 'servers' ? await onServers() : {}),
    PATH: process.env.PATH ?? '',
    PORT: '0',
    GATEHOUSE_DATA_DIR: join(directory, 'data'),
    GATEHOUSE_RDAP_BOOTSTRAP_URL: 'off',
    GATEHOUSE_FEEDS: 'off',
    GATEHOUSE_DNS_SERVERS: '127.0.0.1:9',
    // Most tests' servers deny unknown names on purpose.
    GATEHOUSE_CANARY_DOMAINS: 'off',
    ...settings,
  };
  const services: Service[] = [];
  const processes: ServiceProcess[] = [];
  const run = (...args: string[]) => gatehouse(args, environment, build);
  const json = async <T>(...args: string[]): Promise<T> => {
    const { status, stdout, stderr } = await run(...args, '--json');
    if (status !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${status}: ${stderr}`);
    return JSON.parse(stdout) as T;
  };
  let keys = 0;
  const key: Installation['key'] = (account, mode, ...args) => {
    keys += 1;
    // Keys of one account and mode differ in their names.
    const name = `a ${mode} key ${keys}`;
    return json('key', 'create', '--account', account, '--mode', mode, '--name', name, ...args);
  };

  return {
    directory,
    environment,
    run,
    json,
    key,
    async start(more = {}, strictReader) {
      const options = { build, ...(strictReader !== undefined && { strictReader }) };
      const service = await startService({ ...environment, ...more }, options);
      services.push(service);
      return service;
    },
    async spawn(more = {}, program = [process.execPath, resolve(build, 'bin/gatehouse.js')]) {
      const service = await spawnService({ ...environment, ...more }, program);
      processes.push(service);
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
      await Promise.all(services.map((service) => service.stop()));
      await Promise.all(processes.map((service) => service.kill()));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL and Valkey or Redis of this run, for suites that also run on them. */
async function onServers(): Promise<Environment> {
  return { DATABASE_URL: await newMigratedDatabase(), REDIS_URL: await sharedRedisUrl() };
}

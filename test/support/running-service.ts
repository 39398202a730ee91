/** Runs the built service, in this process or as a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { beginService } from '../../src/cli/start.ts';
import type { readConfig } from '../../src/config/config.ts';
import type { createLogger } from '../../src/platform/logger.ts';
import type { IndexingLimits } from '../../src/store/history-index/history-indexing.ts';
import type { wireService } from '../../src/wiring/app.ts';
import { BIN, DELETION_GRACE_MS, ROOT } from './command.ts';
import type { Environment, Service, ServiceProcess } from './service.ts';

/** Only ends a service that hangs. */
const START_MS = 180_000;

/** The program of `spawn` for tests that need a process, but not its deadlines. */
export const PATIENT_SERVICE = [process.execPath, resolve(ROOT, 'test/support/patient-service.mjs')];

/** The same for tests of the deadlines of counting. */
export const PATIENT_STORE = [...PATIENT_SERVICE, 'store'];

/** Long deadlines: a busy machine may pause this process with the service. Tests of the deadlines start a process. */
const PATIENT = { waitMs: START_MS, answerMs: START_MS, lockMs: START_MS };
/** Callers share this event loop, so a long turn refuses no request unless a test says so. */
const NEVER_OVERLOADED = { GATEHOUSE_SHED_AFTER_MS: 'off' };

interface Built {
  readonly wireService: typeof wireService;
  readonly createLogger: typeof createLogger;
  readonly beginService: typeof beginService;
  readonly readConfig: typeof readConfig;
}

export interface StartOptions {
  /** The folder of another build. */
  readonly build?: string;
  /** Whether the strict reader gets each connection first. Default: yes, except in the project `servers`. */
  readonly strictReader?: boolean;
  /** How much is indexed at a time and waited for; default: as in production. */
  readonly indexing?: Partial<IndexingLimits>;
}

/** The service that `gatehouse start` runs, without the process: no signals, no terminal, no warnings about settings. */
export async function startService(
  environment: Environment,
  { build = ROOT, strictReader = process.env.GATEHOUSE_TEST_PARSER !== 'node', indexing }: StartOptions = {},
): Promise<Service> {
  const { wireService, createLogger, beginService, readConfig } = await loadBuild(build);
  let output = '';
  const write = (line: string) => {
    output += line;
    return true;
  };
  const config = readConfig({ ...NEVER_OVERLOADED, ...environment });
  const log = createLogger(config, { isTTY: false, write });
  const storage = { deadlines: PATIENT, indexing: { patienceMs: START_MS, ...indexing } };
  const forTests = { storage, deletionGraceMs: DELETION_GRACE_MS, strictReader };
  const service = await wireService(config, log, { forTests });
  const begun = beginService(service, config, log, { terminal: false, json: false, log });
  const url = await begun.catch(async (error) => {
    await service.close();
    throw error;
  });
  let stopped: Promise<number> | undefined;
  return {
    url,
    port: Number(new URL(url).port),
    dataDir: config.dataDir,
    output: () => output,
    stop() {
      stopped ??= service.close().then(() => 0);
      return stopped;
    },
  };
}

/** Loads the build, not the sources: threads load compiled modules, and each module must exist only once. */
async function loadBuild(build: string): Promise<Built> {
  const files = ['wiring/app.js', 'platform/logger.js', 'cli/start.js', 'config/config.js'];
  const modules = files.map((file) => import(pathToFileURL(resolve(build, 'dist', file)).href));
  return Object.assign({}, ...(await Promise.all(modules)));
}

/** @param program runs the command line; default: ours, by this Node.js. @param cwd the folder it starts in */
export async function spawnService(
  environment: Environment,
  program: readonly string[] = [process.execPath, BIN],
  cwd: string = ROOT,
): Promise<ServiceProcess> {
  const [file = '', ...args] = program;
  const child = spawn(file, [...args, 'start'], {
    cwd,
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
    ended,
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

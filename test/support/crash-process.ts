/** Runs `gatehouse start` until it exits, which should be soon, and limits the file size of a running one. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { BIN, ROOT } from './command.ts';
import { HANG_MS } from './long-version.ts';
import type { Environment } from './service.ts';

export interface ProcessResult {
  /** Exit status; `null` where it was ended by force. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LaunchOptions {
  readonly environment: Environment;
  /** Of `gatehouse start`. */
  readonly args?: readonly string[];
  /** Killed after this. The default is long: only a hanging process needs it. */
  readonly killAfterMs?: number;
  /** Killed as soon as it has written this to standard output. */
  readonly killAt?: string;
  /** No file may grow beyond this, as on a full disk. */
  readonly fileLimitBytes?: number;
}

const START = [process.execPath, BIN, 'start'];

export function launch(options: LaunchOptions): Promise<ProcessResult> {
  const { environment, args: more = [], killAfterMs = HANG_MS, killAt, fileLimitBytes } = options;
  const limit = fileLimitBytes === undefined ? [] : ['prlimit', `--fsize=${fileLimitBytes}`];
  const [command = '', ...args] = [...limit, ...START, ...more];
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => {
      stdout += text;
      if (killAt !== undefined && stdout.includes(killAt)) child.kill('SIGKILL');
    });
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    child.once('error', reject);
    child.once('close', (status) => {
      clearTimeout(timer);
      resolve({ status, stdout, stderr });
    });
  });
}

/** Why file sizes cannot be limited on this machine, and what to install; `undefined` if they can. */
export function noFileLimits(): string | undefined {
  const { error, status } = spawnSync('prlimit', ['--fsize=1048576', 'true']);
  if (error === undefined && status === 0) return undefined;
  return `files that may not grow: install util-linux, for prlimit (${error?.message ?? `it ended with ${status}`})`;
}

/** Lets no file of a running process grow beyond `bytes`; `undefined` lifts the limit. */
export function limitFiles(pid: number, bytes?: number): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes ?? 'unlimited'}:unlimited`]);
}

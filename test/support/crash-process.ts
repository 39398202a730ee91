/** Runs `gatehouse start` until it exits, which should be soon, and limits the file size of a running one. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { BIN, ROOT } from './command.ts';
import { HANG_MS } from './long-version.ts';
import type { Environment } from './service.ts';

export interface ProcessResult {
  /** Exit status; `null` if it was killed. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LaunchOptions {
  readonly environment: Environment;
  /** Arguments of `gatehouse start`. */
  readonly args?: readonly string[];
  /** The process is killed after this time. The default is long: only a hanging process reaches it. */
  readonly killAfterMs?: number;
  /** The process is killed as soon as it has written this to standard output. */
  readonly killAt?: string;
  /** No file may become larger than this, as on a full disk. */
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

/** Limits every file of a running process to `bytes`; `undefined` removes the limit. */
export function limitFiles(pid: number, bytes?: number): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes ?? 'unlimited'}:unlimited`]);
}

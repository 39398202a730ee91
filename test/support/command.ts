/**
 * Runs `gatehouse` commands of the build. In this process, one after the other: loading Node.js and the modules takes
 * longer than most commands. In a separate process if the test is about that.
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import type { runCli } from '../../src/cli/cli.ts';
import { IS_LONG } from './long-version.ts';
import type { Environment } from './service.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
export const BIN = resolve(ROOT, 'bin/gatehouse.js');
/** No test depends on it: it only ends a command that hangs. */
const MAX_MS = 60_000;

/** Short, because no other process serves the account in these tests: tests of several nodes spawn the command. */
export const DELETION_GRACE_MS = 500;

export interface CommandResult {
  /** `null` if it was killed. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** As a shell runs it, in a process of its own. */
export function spawnGatehouse(args: readonly string[], environment: Environment): Promise<CommandResult> {
  return new Promise((done) => {
    const options = { cwd: ROOT, env: environment, timeout: MAX_MS, killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, [BIN, ...args], options, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      done({ status, stdout, stderr });
    });
  });
}

let last: Promise<unknown> = Promise.resolve();

/** In this process. A service, which ends by signals, has one of its own. @param build the folder of another build */
export function gatehouse(
  args: readonly string[],
  environment: Environment,
  build: string = ROOT,
): Promise<CommandResult> {
  if (args[0] === 'start') return spawnGatehouse(args, environment);
  return inTurn(args, environment, build);
}

/**
 * `gatehouse start` where it cannot be: in this process, which it leaves as it ends. One that can be goes on, and the
 * test ends by its limit. The long version runs a process each.
 */
export function refusedStart(environment: Environment): Promise<CommandResult> {
  return IS_LONG ? spawnGatehouse(['start'], environment) : inTurn(['start'], environment, ROOT);
}

function inTurn(args: readonly string[], environment: Environment, build: string): Promise<CommandResult> {
  const result = last.then(() => runHere(args, environment, build));
  last = result.catch(() => {});
  return result;
}

/** The environment and both streams are the process's, so no two commands may run at once. */
async function runHere(
  args: readonly string[],
  environment: Environment,
  build: string,
): Promise<CommandResult> {
  const cli: { runCli: typeof runCli } = await import(pathToFileURL(resolve(build, 'dist/cli/cli.js')).href);
  const { env, stdout, stderr } = process;
  const printed = { stdout: '', stderr: '' };
  const restore = [
    capture(stdout, (text) => (printed.stdout += text)),
    capture(stderr, (text) => (printed.stderr += text)),
  ];
  process.env = { ...environment };
  try {
    const status = await cli.runCli(args, { deletionGraceMs: DELETION_GRACE_MS });
    return { status, ...printed };
  } finally {
    process.env = env;
    for (const back of restore) back();
  }
}

/** Redirects output to `onText`, as to a pipe. Returns a function that stops it. */
function capture(stream: NodeJS.WriteStream, onText: (text: string) => void): () => void {
  const { write, isTTY } = stream;
  stream.write = ((text: string | Uint8Array) => {
    onText(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'));
    return true;
  }) as typeof write;
  stream.isTTY = false;
  return () => {
    stream.write = write;
    stream.isTTY = isTTY;
  };
}

/** Checks that a command failed as commands do, and returns its one line without the name before it. */
export function failureOf({ status, stdout, stderr }: CommandResult, expected: 1 | 2): string {
  expect({ status, stdout }).toEqual({ status: expected, stdout: '' });
  expect(stderr).toMatch(/^gatehouse: [^\n]+\n$/);
  return stderr.slice('gatehouse: '.length, -1);
}

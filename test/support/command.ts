/**
 * Runs `gatehouse` commands of the build, by default in this process, in sequence: loading Node.js and the modules takes
 * longer than most commands. In a separate process if the test is about the process.
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
/** Only ends a command that hangs; no test depends on it. */
const MAX_MS = 240_000;

/** Short, because no other process serves the account in these tests. Tests with several nodes spawn the command. */
export const DELETION_GRACE_MS = 2_000;

export interface CommandResult {
  /** `null` if it was killed. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** In a separate process, as from a shell. */
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

/** In this process. A service ends by signals, so it gets a separate process. @param build the folder of another build */
export function gatehouse(
  args: readonly string[],
  environment: Environment,
  build: string = ROOT,
): Promise<CommandResult> {
  if (args[0] === 'start') return spawnGatehouse(args, environment);
  return inTurn(args, environment, build);
}

/**
 * `gatehouse start` that must fail: in this process, from which it returns. If it does start, it keeps running and the
 * test ends at its time limit. The long version starts a process each time.
 */
export function refusedStart(environment: Environment): Promise<CommandResult> {
  return IS_LONG ? spawnGatehouse(['start'], environment) : inTurn(['start'], environment, ROOT);
}

function inTurn(args: readonly string[], environment: Environment, build: string): Promise<CommandResult> {
  const result = last.then(() => runHere(args, environment, build));
  last = result.catch(() => {});
  return result;
}

/** The environment and both streams belong to the process, so only one command may run at a time. */
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

/** Redirects output to `onText`, as to a pipe. Returns a function that ends the redirection. */
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

/** Checks that a command failed with a single line, and returns that line without the command's name. */
export function failureOf({ status, stdout, stderr }: CommandResult, expected: 1 | 2): string {
  expect({ status, stdout }).toEqual({ status: expected, stdout: '' });
  expect(stderr).toMatch(/^gatehouse: [^\n]+\n$/);
  return stderr.slice('gatehouse: '.length, -1);
}

/** Runs the `gatehouse` command as a shell would, and ends it when it does not end by itself. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import type { Environment } from './service.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
const BIN = resolve(ROOT, 'bin/gatehouse.js');
const PATIENCE_MS = 20_000;

export interface Ended {
  /** `null` when it had to be ended. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function gatehouse(args: readonly string[], environment: Environment): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: environment, timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, [BIN, ...args], options, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ status, stdout, stderr });
    });
  });
}

/** Checks that a command failed as commands do, and returns its one line without the name before it. */
export function failureOf({ status, stdout, stderr }: Ended, expected: 1 | 2): string {
  expect({ status, stdout }).toEqual({ status: expected, stdout: '' });
  expect(stderr).toMatch(/^gatehouse: [^\n]+\n$/);
  return stderr.slice('gatehouse: '.length, -1);
}

#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** With these, signups take less time of the processor, and wait less (docs/performance.md). `npm start` and the container pass them. */
const OPTIONS = [
  '--single-threaded-gc',
  '--max-semi-space-size=32',
  '--no-allocation-site-pretenuring',
  '--heap-growing-percent=100',
];

if (process.argv[2] === 'start') addOptions();

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write('gatehouse: dist is missing: run `npm ci --include=dev`, which builds it\n');
  process.exitCode = 1;
}

/** Starts this process again with the options that it was not given, under the same process id, where that is possible. */
function addOptions() {
  const given = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(' ')].map(nameOf);
  const missing = OPTIONS.filter((option) => !given.includes(nameOf(option)));
  if (missing.length === 0 || !canRestart()) return;
  // A later Node.js may have removed one of them, and would not start.
  const trial = spawnSync(process.execPath, [...missing, '--eval', ''], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  if (trial.status !== 0) return;
  const [node, ...args] = process.argv;
  process.execve(node, [node, ...missing, ...process.execArgv, ...args], process.env);
}

/**
 * Not before Node.js 22.15 or on Windows; nor with the permission model, which lets no process start; nor where a parent
 * process has a channel to this one, which would end.
 */
function canRestart() {
  const { execve, platform, permission, channel } = process;
  return execve !== undefined && platform !== 'win32' && permission === undefined && channel === undefined;
}

/** The same for `--name`, `--no-name` and `--name=value`. */
function nameOf(option) {
  return option
    .replace(/^--no-/, '--')
    .replace(/=.*/, '')
    .replaceAll('_', '-');
}

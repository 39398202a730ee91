// Cleans up after a bench, however it ends: kills its processes, also suspended ones, and removes its folders.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const children = new Set();
const directories = new Set();
let isWatching = false;

/** A child process that is killed when this process ends. */
export function ownChild(child) {
  watchEnd();
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** A new folder that is removed when this process ends, or before by `removeDirectory`. */
export function makeDirectory(name) {
  watchEnd();
  const directory = mkdtempSync(join(tmpdir(), `gatehouse-bench-${name}-`));
  directories.add(directory);
  return directory;
}

export function removeDirectory(directory) {
  directories.delete(directory);
  removeForGood(directory);
}

const TRIES = 50;
const PAUSE_MS = 20;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** A process that was just killed may still finish its last system call, which may create a file here. */
export function removeForGood(directory) {
  for (let tries = 0; tries < TRIES && existsSync(directory); tries += 1) {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    Atomics.wait(sleeper, 0, 0, PAUSE_MS);
  }
}

function watchEnd() {
  if (isWatching) return;
  isWatching = true;
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
    for (const directory of directories) removeForGood(directory);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
}

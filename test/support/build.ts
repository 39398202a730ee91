/** Builds the service once before the tests, so that tests that start it run the current code. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { makeSmallBuild } from './small-build.ts';

/** Every test project loads this file and calls this; only one of them builds. */
const KEY = Symbol.for('gatehouse.test.build');
const ofProcess = globalThis as { [KEY]?: Promise<void> };

export function setup(): Promise<void> {
  ofProcess[KEY] ??= build();
  return ofProcess[KEY];
}

async function build(): Promise<void> {
  execFileSync(process.execPath, ['scripts/build.mjs'], {
    cwd: resolve(import.meta.dirname, '../..'),
    stdio: 'inherit',
  });
  await makeSmallBuild();
}

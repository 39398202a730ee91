/** Copies the examples that a run tests to a folder and installs the packed client there, as a user would from the registry. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { ROOT } from '../../test/support/command.ts';
import { npmEnvironment } from '../../test/support/npm-environment.ts';
import { packClient } from '../../test/support/pack-client.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where copies of the examples are, beside the packed client. */
    examplesFolder: string;
  }
}

const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
/** What a developer's own installation and build leave in an example. */
const LEFTOVERS = ['node_modules', '.next', 'dist'];
const run = promisify(execFile);

/** Vitest calls this once before the tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-examples-'));
  renameSync(await packClient(folder), join(folder, 'gatehouse-client.tgz'));
  project.provide('examplesFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}

/**
 * Installs one example from its lockfile, checks its types against those of the framework, and builds it if it has a build.
 * @returns its folder
 */
export async function installExample(name: string): Promise<string> {
  const folder = join(inject('examplesFolder'), name);
  cpSync(join(ROOT, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !LEFTOVERS.includes(basename(path)),
  });
  const options = { cwd: folder, env: npmEnvironment() };
  await succeed(run('npm', ['ci'], options));
  if (existsSync(join(folder, 'tsconfig.json')))
    await succeed(run(process.execPath, [COMPILER, '--noEmit', '-p', folder], options));
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (scripts.build !== undefined) await succeed(run('npm', ['run', 'build'], options));
  return folder;
}

/** @throws with all that the command printed */
async function succeed(command: Promise<unknown>): Promise<void> {
  await command.catch((error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
  });
}

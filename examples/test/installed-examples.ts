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
/** Files in an example from a developer's own installation and build. */
const LEFTOVERS = ['node_modules', '.next', 'dist'];
const HERE = import.meta.dirname;
const run = promisify(execFile);

/** Vitest calls this once before the tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-examples-'));
  renameSync(await packClient(folder), join(folder, 'gatehouse-client.tgz'));
  project.provide('examplesFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}

/** An example to install, as it is or with other packages. */
export interface InstallOptions {
  /** Its folder. */
  readonly name: string;
  /** A folder of `packages` with the package.json and lockfile of another release of the framework. */
  readonly packages?: string | undefined;
  /** The name of the new folder, if several tests install the same example. */
  readonly copy?: string | undefined;
}

/**
 * Installs an example from its lockfile, builds it if it has a build, and checks its types against those of the framework.
 * @returns the new folder
 */
export async function installExample({ name, packages, copy }: InstallOptions): Promise<string> {
  const target = join(inject('examplesFolder'), copy ?? packages ?? name);
  cpSync(join(ROOT, 'examples', name), target, {
    recursive: true,
    filter: (path) => !LEFTOVERS.includes(basename(path)),
  });
  if (packages !== undefined) cpSync(join(HERE, 'packages', packages), target, { recursive: true });
  const types = join(HERE, 'types', `${name}.ts`);
  if (existsSync(types)) cpSync(types, join(target, 'types.ts'));
  const options = { cwd: target, env: npmEnvironment() };
  await succeed(run('npm', ['ci'], options));
  const { scripts = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
  if (scripts.build !== undefined) await succeed(run('npm', ['run', 'build'], options));
  // After the build, which may write types.
  if (existsSync(join(target, 'tsconfig.json')))
    await succeed(run(process.execPath, [COMPILER, '--noEmit', '-p', target], options));
  return target;
}

/** @throws with the complete output of the command */
async function succeed(command: Promise<unknown>): Promise<void> {
  await command.catch((error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
  });
}

/** Copies the examples that a run tests to a folder and installs the packed client there, as a user would from the registry. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { ROOT } from '../../test/support/command.ts';
import { findNode } from '../../test/support/node-binary.ts';
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
const LEFTOVERS = [
  'node_modules',
  '.astro',
  '.next',
  '.nuxt',
  '.output',
  '.react-router',
  '.svelte-kit',
  'build',
  'dist',
];
const HERE = import.meta.dirname;
/** For frameworks that need a newer Node.js than the one that runs the tests. */
const NEWER_NODE = '24';
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
 * @throws if its Node.js is missing
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
  const options = { cwd: target, env: { ...npmEnvironment(), ...(await nodeFor(target)) } };
  await succeed(run('npm', ['ci'], options));
  const { scripts = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
  if (scripts.build !== undefined) await succeed(run('npm', ['run', 'build'], options));
  // After the build, which may write types. Nuxt's own `tsconfig.json` names others alone.
  const checked = ['.nuxt/tsconfig.server.json', 'tsconfig.json'].find((name) =>
    existsSync(join(target, name)),
  );
  if (checked !== undefined)
    await succeed(run(process.execPath, [COMPILER, '--noEmit', '-p', join(target, checked)], options));
  return target;
}

/**
 * The Node.js of an example: the one that runs the tests, or a newer one where its framework needs that.
 * @returns what the environment of its processes needs
 * @throws if npm has none
 */
export async function nodeFor(folder: string): Promise<{ readonly PATH?: string }> {
  const { engines } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (isAtLeast(process.versions.node, engines.node.replace('>=', ''))) return {};
  const found = await findNode(NEWER_NODE);
  if ('missing' in found) throw new Error(`Node.js ${NEWER_NODE}: ${found.missing}`);
  const programs = join(inject('examplesFolder'), `node-${NEWER_NODE}`);
  mkdirSync(programs, { recursive: true });
  if (!existsSync(join(programs, 'node'))) symlinkSync(found.path, join(programs, 'node'));
  return { PATH: `${programs}:${process.env.PATH}` };
}

function isAtLeast(version: string, least: string): boolean {
  const [own = [], other = []] = [version, least].map((text) => text.split('.').map(Number));
  const at = other.findIndex((part, index) => part !== (own[index] ?? 0));
  return at === -1 || (own[at] ?? 0) > (other[at] ?? 0);
}

/** @throws with the complete output of the command */
async function succeed(command: Promise<unknown>): Promise<void> {
  await command.catch((error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
  });
}

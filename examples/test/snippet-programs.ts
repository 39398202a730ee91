/** Programs that the snippets in other languages need. Root installs missing programs from Debian's packages; for other users the tests are skipped. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram, type Runtime } from '../../test/support/runtime-program.ts';

export const RUNTIMES = {
  keycloak: { packages: ['default-jdk-headless'], programs: ['javac'], check: ['-version'] },
} satisfies Record<string, Runtime>;

/** @returns the program, or `undefined` if its tests are skipped. @throws in CI if it is missing */
export function findRuntime(name: keyof typeof RUNTIMES): string | undefined {
  return findProgram(RUNTIMES[name], `examples/snippets/${name}`);
}

/** Compiles the form action with the stand-ins of Keycloak's interfaces. @returns the folder of the classes */
export function compileKeycloak(javac: string, folder: string, harnesses: string): string {
  const sources = join(folder, 'stand-ins');
  const text = readFileSync(join(harnesses, 'keycloak-stand-ins.txt'), 'utf8');
  const files = [...text.matchAll(/^\/\/ (\S+)\n([\s\S]*?)(?=^\/\/ |(?![\s\S]))/gm)].map(
    ([, name = '', code = '']) => {
      const file = join(sources, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, code);
      return file;
    },
  );
  const own = readdirSync(folder).filter((name) => name.endsWith('.java'));
  const classes = join(folder, 'classes');
  const all = [...files, ...own.map((name) => join(folder, name)), join(harnesses, 'Harness.java')];
  const { status, stderr } = spawnSync(javac, ['-Xlint:all', '-Werror', '-d', classes, ...all], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return classes;
}

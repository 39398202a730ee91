/**
 * Finds tests that need a missing program which this user may not install. They are skipped, with a line that says what to install. If CI is set, nothing is skipped that can be installed: those tests fail with the reason.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findChromium } from '../../scripts/find-chromium.mjs';
import { find } from '../../scripts/system-package.mjs';

interface Program {
  readonly isThere: () => boolean;
  /** Name of the program to install. */
  readonly packages: string;
  /** The system's packages have it not, so the tests cannot install it: they are skipped where CI is set, too. */
  readonly isForeign?: boolean;
  /** The function that a test file calls if it needs the program. */
  readonly calls: RegExp;
}

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = ['src', 'test'];
const PROGRAMS = {
  redis: {
    isThere: () => find(['valkey-server', 'redis-server']) !== undefined,
    packages: 'valkey-server or redis-server',
    calls: /\b(?:sharedRedisUrl|startRedis\w*|startCluster)\(/,
  },
  pgbouncer: {
    isThere: () => find(['pgbouncer']) !== undefined,
    packages: 'pgbouncer',
    calls: /\bstartPgBouncer\(/,
  },
  chromium: {
    isThere: () => findChromium() !== undefined,
    packages: 'chromium, or set CHROMIUM_PATH to one',
    calls: /real-browser\.ts/,
  },
  helm: {
    isThere: () => find(['helm']) !== undefined,
    packages: 'helm, from helm.sh',
    isForeign: true,
    calls: /\brenderChart\(/,
  },
} satisfies Record<string, Program>;
const isCi = !['', '0', 'false', undefined].includes(process.env.CI);
/** Root installs programs before the tests. */
const mayInstall = process.getuid?.() === 0;
const missing = (Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[]).filter((name) => {
  const { isThere, isForeign = false }: Program = PROGRAMS[name];
  return (isForeign || (!mayInstall && !isCi)) && !isThere();
});

/** Whether tests that need a program are skipped. */
export const isMissing = (name: keyof typeof PROGRAMS): boolean => missing.includes(name);

/** Test files that need a missing program, as paths from the root of the repository. Prints the lines. */
export function filesWithoutTheirPrograms(): string[] {
  return missing.flatMap((name) => {
    const { packages, calls } = PROGRAMS[name];
    const files = testFiles().filter((file) => calls.test(readFileSync(join(ROOT, file), 'utf8')));
    reportSkip(`${files.length} test files: install ${packages}`);
    return files;
  });
}

/** Whether tests are skipped; the reason names them and says what to install. Prints the line. @throws in CI */
export function isSkipped(reason: string | undefined): boolean {
  if (reason === undefined) return false;
  if (isCi) throw new Error(`nothing is skipped where CI is set: ${reason}`);
  reportSkip(reason);
  return true;
}

/** Like `isSkipped`, for what nobody can install: a kernel or a container forbids it. Skipped in CI, too. Prints the line. */
export function isImpossible(reason: string | undefined): boolean {
  if (reason !== undefined) reportSkip(reason);
  return reason !== undefined;
}

/** Every test project loads the configuration and this file separately. */
const KEY = Symbol.for('gatehouse.test.skipped');
const ofProcess = globalThis as { [KEY]?: Set<string> };

/** Once per process. */
function reportSkip(reason: string): void {
  ofProcess[KEY] ??= new Set();
  if (ofProcess[KEY].has(reason)) return;
  ofProcess[KEY].add(reason);
  process.stderr.write(`skipped: ${reason}\n`);
}

function testFiles(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  );
}

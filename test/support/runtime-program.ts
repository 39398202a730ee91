/** Finds the program of another language. Root installs what is missing from Debian's packages; for other users its tests are skipped. */
import { spawnSync } from 'node:child_process';
import { install } from '../../scripts/system-package.mjs';
import { isSkipped } from './missing-programs.ts';

export interface Runtime {
  /** Debian's packages. */
  readonly packages: readonly string[];
  /** Possible paths of the program: the first with everything that is needed is used. */
  readonly programs: readonly string[];
  /** Arguments with which it succeeds if everything is there. */
  readonly check: readonly string[];
}

/**
 * @param subject of the tests that need it, for the line that says they are skipped
 * @returns the program, or `undefined` if these tests are skipped. @throws in CI if it is missing
 */
export function findProgram({ packages, programs, check }: Runtime, subject: string): string | undefined {
  const find = () => programs.find((program) => spawnSync(program, check, { stdio: 'ignore' }).status === 0);
  const found = find();
  if (found !== undefined) return found;
  const failure = install(...packages);
  const installed = find();
  if (installed !== undefined) return installed;
  isSkipped(`${subject}: install ${packages.join(', ')}${failure ? ` (${failure})` : ''}`);
  return undefined;
}

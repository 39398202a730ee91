/** Moves the wall clock of one process back and ahead with libfaketime. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from '../../scripts/system-package.mjs';
import type { Environment } from './service.ts';

const LIBRARIES = '/usr/lib';
const FILE = 'faketime/libfaketimeMT.so.1';

/** The path of the library, installed if possible; otherwise the reason why it is missing. */
export function findFakeTime(): { library: string } | { reason: string } {
  if (process.platform !== 'linux')
    return { reason: 'a clock that is set: libfaketime is used on Linux only' };
  const found = locate();
  if (found !== undefined) return { library: found };
  const failure = install('libfaketime');
  const library = locate();
  return library === undefined
    ? { reason: `a clock that is set: install libfaketime (${failure})` }
    : { library };
}

function locate(): string | undefined {
  return readdirSync(LIBRARIES)
    .map((folder) => join(LIBRARIES, folder, FILE))
    .find((path) => existsSync(path));
}

export interface FakeClock {
  /** The environment of a process with this clock. */
  readonly environment: Environment;
  /** Sets the offset from the real clock: `-1h`, `+60d`, `+0`. */
  set(offset: string): void;
}

/** @param file contains the offset for the process; in a folder that the test removes */
export function createFakeClock(library: string, file: string): FakeClock {
  const set = (offset: string) => writeFileSync(file, `${offset}\n`);
  set('+0');
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // A step does not change the monotonic clock, as on a real machine.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
  };
}

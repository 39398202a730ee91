// Moves the wall clock of a measured service with libfaketime; the monotonic clock stays as it is, as on a real machine.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from '../scripts/system-package.mjs';

/** `file` holds the offset; the caller removes it. `set`: an offset from the real clock, `-1h`, `+60d` or in seconds. `env`: of the service. */
export function createFakeClock(file) {
  const set = (offset) => writeFileSync(file, `${offset}\n`);
  set('+0');
  const env = {
    LD_PRELOAD: findLibrary(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
  return { set, env };
}

function findLibrary() {
  const locate = () =>
    readdirSync('/usr/lib')
      .map((folder) => join('/usr/lib', folder, 'faketime/libfaketimeMT.so.1'))
      .find((path) => existsSync(path));
  if (locate() === undefined) install('libfaketime');
  const library = locate();
  if (library === undefined) throw new Error('install libfaketime first: `apt-get install libfaketime`');
  return library;
}

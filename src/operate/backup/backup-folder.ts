/** Decides which files of a folder are scheduled backups, which of them are good, and which are old enough to be removed. */
import { constants } from 'node:fs';
import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toTimestamp } from '../../platform/timestamp.ts';
import { withoutOtherBackup } from './backup.ts';
import { readBackupEnd } from './backup-file.ts';

/** A backup whose end is whole; it got its name only after everything in it was checked. */
export interface GoodBackup {
  readonly name: string;
  /** Time of its data, milliseconds since the epoch. */
  readonly at: number;
  readonly bytes: number;
}

const CLOCKS_DIFFER_MS = 3_600_000;
const NAME = /^gatehouse-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/;
const UNFINISHED = /^gatehouse-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup\.partial$/;

/** Name that sorts by time, without characters that some file systems refuse. */
export function backupNameAt(at: number): string {
  const second = toTimestamp(at).replace(/\.\d+Z$/, 'Z');
  return `gatehouse-${second.replaceAll(':', '-')}.backup`;
}

/**
 * Good backups, the newest first. Half or damaged files are none, and neither are those from the future: they were made
 * while the clock was wrong, and say nothing about how old they are. `now`: milliseconds since the epoch.
 * @throws when the folder cannot be read or written
 */
export async function goodBackups(folder: string, now: number): Promise<GoodBackup[]> {
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const found: GoodBackup[] = [];
  for (const name of await namesIn(folder)) {
    const end = await readBackupEnd(join(folder, name)).catch(() => undefined);
    const at = Date.parse(end?.manifest.at ?? '');
    // NaN is no time of the past.
    if (end !== undefined && at - now <= CLOCKS_DIFFER_MS) found.push({ name, at, bytes: end.bytes });
  }
  return found;
}

/** Removes what is older than the newest `keep` good ones. Fewer are never left, and none from the future is removed. @returns the removed names */
export async function removeOldBackups(folder: string, keep: number, now: number): Promise<string[]> {
  const oldestKept = (await goodBackups(folder, now))[keep - 1];
  if (oldestKept === undefined) return [];
  const old = (await namesIn(folder)).filter((name) => name < oldestKept.name);
  for (const name of old) await rm(join(folder, name), { force: true });
  return old;
}

/** Removes what killed backups left, which would fill the disk: each had a name of its own. */
export async function removeUnfinished(folder: string, dataDir: string): Promise<void> {
  await withoutOtherBackup(dataDir, async () => {
    for (const name of await readdir(folder))
      if (UNFINISHED.test(name)) await rm(join(folder, name), { force: true });
  });
}

/** Names of scheduled backups, the newest first. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => NAME.test(name))
    .sort()
    .reverse();
}

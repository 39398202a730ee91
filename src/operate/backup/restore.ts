/** Restores a backup into an empty data folder: checked before anything is written, and unusable until everything is there. */
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { RESTORING, refuseBesideService } from '../../installation/data-folder.ts';
import { type FileLock, openFileLock } from '../../platform/file-lock.ts';
import { megabytes } from '../../platform/megabytes.ts';
import { syncFolder } from '../../platform/sync-folder.ts';
import { newestSchema } from '../../store/sqlite/migrate.ts';
import { makeFolder } from '../../store/sqlite-connection.ts';
import { type BackupManifest, checkBackup, type OnBackupProgress, readBackup } from './backup-file.ts';

export interface RestoreOptions {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl'>;
  readonly file: string;
  readonly onProgress: OnBackupProgress;
}

const LOCK = 'restore.lock';
/** The names at the top of the folder that a backup brings, in the order in which they take their place: the database last. */
const NAMES = ['intel', 'feeds.json', 'secret.key', 'gatehouse.db'] as const;
/** Folders that a disk of its own has. */
const IGNORED = ['lost+found'];
const SPARE_BYTES = 16 * 2 ** 20;

/** @throws in one line if this Gatehouse cannot restore from the file; nothing is written */
export function checkRestorable(file: string, onProgress: OnBackupProgress): BackupManifest {
  const manifest = checkBackup(resolve(file), onProgress);
  const known = newestSchema();
  if (manifest.schema > known)
    throw new Error(
      `the backup is from Gatehouse ${manifest.version} and has schema ${manifest.schema}, newer than this one knows (${known}): install that version or a newer one`,
    );
  return manifest;
}

/** @throws in one line; then no service starts on the folder before a restore into it succeeds, or the folder is as it was */
export function restoreInstallation({ config, file, onProgress }: RestoreOptions): BackupManifest {
  const { dataDir } = config;
  if (config.databaseUrl !== null)
    throw new Error(
      'DATABASE_URL is set: a backup is restored into a data folder; unset it, or restore PostgreSQL with pg_restore, as docs/backup.md says',
    );
  refuseBesideService(dataDir);
  refuseUsed(dataDir);
  const manifest = checkRestorable(file, onProgress);
  checkRoom(dataDir, manifest);
  makeFolder(dataDir);
  const stage = join(dataDir, RESTORING);
  const isFirst = !existsSync(stage);
  const lock = takeLock(stage);
  try {
    refuseStarted(dataDir, stage, isFirst);
    for (const name of [...NAMES, ...NAMES.map((name) => join(RESTORING, name))])
      rmSync(join(dataDir, name), { recursive: true, force: true });
    writeParts(resolve(file), manifest, stage, onProgress);
    for (const name of NAMES) {
      if (existsSync(join(stage, name))) renameSync(join(stage, name), join(dataDir, name));
      syncFolder(dataDir);
    }
  } finally {
    lock.close();
  }
  rmSync(stage, { recursive: true, force: true });
  syncFolder(dataDir);
  return manifest;
}

/** Refuses a folder in use. While the stage is there, all else in it came from a restore that did not end. */
function refuseUsed(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  const names = readdirSync(dataDir).filter((name) => !IGNORED.includes(name));
  const allowed: readonly string[] = names.includes(RESTORING) ? [RESTORING, ...NAMES] : [];
  const others = names.filter((name) => !allowed.includes(name));
  // The most telling one: a lock or a journal says nothing about what is at stake.
  const other = NAMES.findLast((name) => others.includes(name)) ?? others[0];
  if (other !== undefined)
    throw new Error(
      `the data folder ${dataDir} is not empty (${other}): nothing was changed; set GATEHOUSE_DATA_DIR to an empty or new folder`,
    );
}

/** A service that starts makes its files first, and looks for the stage then: one of both notices the other. */
function refuseStarted(dataDir: string, stage: string, isFirst: boolean): void {
  try {
    refuseUsed(dataDir);
  } catch (error) {
    if (isFirst) rmSync(stage, { recursive: true, force: true });
    throw error;
  }
}

function takeLock(stage: string): FileLock {
  mkdirSync(stage, { recursive: true, mode: 0o700 });
  const lock = openFileLock(join(stage, LOCK));
  if (lock.tryTake()) return lock;
  lock.close();
  throw new Error('another restore into this folder is running: wait until it has ended');
}

function writeParts(
  file: string,
  manifest: BackupManifest,
  stage: string,
  onProgress: OnBackupProgress,
): void {
  const folders = new Set<string>([stage]);
  const owner = process.getuid?.() === 0 ? statSync(dirname(stage)) : undefined;
  const own = (path: string) => owner !== undefined && chownSync(path, owner.uid, owner.gid);
  const makeFolders = (folder: string) => {
    if (folders.has(folder)) return;
    makeFolders(dirname(folder));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    own(folder);
    folders.add(folder);
  };
  readBackup(
    file,
    manifest,
    ({ path }) => {
      const target = join(stage, ...path.split('/'));
      makeFolders(dirname(target));
      const handle = openSync(target, 'wx', 0o600);
      own(target);
      return {
        add(chunk) {
          for (let from = 0; from < chunk.length; ) from += writeSync(handle, chunk, from);
        },
        end() {
          fsyncSync(handle);
          closeSync(handle);
        },
      };
    },
    onProgress,
  );
  for (const folder of folders) syncFolder(folder);
}

function checkRoom(dataDir: string, { parts }: BackupManifest): void {
  const needed = parts.reduce((sum, { bytes }) => sum + bytes, SPARE_BYTES);
  let folder = dataDir;
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < needed)
    throw new Error(
      `the backup needs ${megabytes(needed)}, and the disk of ${dataDir} has ${megabytes(bavail * bsize)} free: nothing was changed`,
    );
}

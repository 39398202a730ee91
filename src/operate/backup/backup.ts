/** Writes a backup of an embedded installation, also while its service runs: one file, whole and checked or not there at all. */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import { createFolderLock, isAnythingKept } from '../../intel/repository-files.ts';
import { openFileLock } from '../../platform/file-lock.ts';
import { megabytes } from '../../platform/megabytes.ts';
import { syncFolder } from '../../platform/sync-folder.ts';
import { toTimestamp } from '../../platform/timestamp.ts';
import { readVersion } from '../../platform/version.ts';
import { checkOf } from '../../store/secret-use.ts';
import { copyDatabase, estimateCopyBytes } from '../../store/sqlite/copy-database.ts';
import { findSecret } from '../../store/sqlite/secret-file.ts';
import {
  type BackupManifest,
  type BackupPart,
  checkBackup,
  digestOf,
  digestOfRange,
  footerOf,
  type OnBackupProgress,
} from './backup-file.ts';

export interface BackupOptions {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'feeds' | 'feedsFile'>;
  /** Must not exist yet. */
  readonly file: string;
  readonly clock: () => number;
  readonly onProgress: OnBackupProgress;
  /** Space that stays free on the disk of the file. Default: 16 MB. */
  readonly leftFreeBytes?: number;
}

export interface WrittenBackup {
  readonly bytes: number;
  readonly manifest: BackupManifest;
}

interface AttachedFile {
  readonly path: string;
  readonly content: Buffer;
}

const DATABASE = 'gatehouse.db';
const BACKUP_LOCK = 'backup.lock';
/** Space that stays free beside the copy, for the manifest and for the growth of the database meanwhile. */
const SPARE_BYTES = 16 * 2 ** 20;
/** A round of the feeds fetches for some thirty seconds. */
const FEEDS_WAIT_MS = 180_000;
const POLL_MS = 100;

/** @throws in one line; then there is no file, and the installation is unchanged */
export async function backUpInstallation(options: BackupOptions): Promise<WrittenBackup> {
  const { config } = options;
  const file = resolve(options.file);
  if (config.databaseUrl !== null)
    throw new Error(
      'everything is in PostgreSQL (DATABASE_URL): back it up with pg_dump, as docs/backup.md says',
    );
  if (existsSync(file))
    throw new Error(`${file} exists already: choose another name; no backup is overwritten`);
  const lock = openFileLock(join(config.dataDir, BACKUP_LOCK));
  try {
    if (!lock.tryTake())
      throw new Error('another backup of this installation is running: wait until it has ended');
    return await writeBackup({ ...options, file });
  } finally {
    lock.close();
  }
}

/** Does something that a running backup must not see; does nothing while one runs. */
export async function withoutOtherBackup(dataDir: string, work: () => void | Promise<void>): Promise<void> {
  const lock = openFileLock(join(dataDir, BACKUP_LOCK));
  try {
    if (lock.tryTake()) await work();
  } finally {
    lock.close();
  }
}

async function writeBackup(options: BackupOptions): Promise<WrittenBackup> {
  const { file, config, onProgress } = options;
  const draft = `${file}.partial`;
  checkRoom(file, join(config.dataDir, DATABASE), options.leftFreeBytes ?? 0);
  // The rest of an interrupted backup; the lock says that none runs.
  rmSync(draft, { force: true });
  const handle = open(draft);
  try {
    const manifest = await fill(handle, draft, options);
    fsyncSync(handle);
    checkBackup(draft, onProgress);
    publish(draft, file);
    return { bytes: fstatSync(handle).size, manifest };
  } catch (error) {
    throw new Error(explain(error as Error & { code?: string }, file));
  } finally {
    closeSync(handle);
    rmSync(draft, { force: true });
  }
}

async function fill(handle: number, draft: string, options: BackupOptions): Promise<BackupManifest> {
  const { config, clock, onProgress } = options;
  const source = join(config.dataDir, DATABASE);
  const secret = findSecret(config.dataDir);
  if (secret === undefined)
    throw new Error(`secret.key is missing in ${config.dataDir}: without it a backup could not be used`);
  const at = toTimestamp(clock());
  const copied = await copyDatabase({
    source,
    target: draft,
    onProgress: (work, done, total) => onProgress({ work, done, total }),
  });
  if (copied.secretCheck !== undefined && !checkOf(secret).equals(copied.secretCheck))
    throw new Error(`secret.key in ${config.dataDir} is not the secret that this database is used with`);
  const { size } = fstatSync(handle);
  const database: BackupPart = {
    path: DATABASE,
    bytes: size,
    sha256: digestOfRange(handle, 0, size, (done) => onProgress({ work: 'checked', done, total: size })),
  };
  const attached = [...ownFiles(config), ...(await feedFiles(config.dataDir))];
  let end = size;
  const append = (bytes: Uint8Array) => {
    for (let from = 0; from < bytes.length; )
      from += writeSync(handle, bytes, from, bytes.length - from, end + from);
    end += bytes.length;
  };
  for (const { content } of attached) append(content);
  const manifest: BackupManifest = {
    version: readVersion(),
    schema: copied.schema,
    at,
    assessments: copied.assessments,
    settings: settingsOf(config),
    parts: [
      database,
      ...attached.map(({ path, content }) => ({ path, bytes: content.length, sha256: digestOf(content) })),
    ],
  };
  const text = Buffer.from(JSON.stringify(manifest));
  append(text);
  append(Buffer.from(footerOf(text)));
  return manifest;
}

function settingsOf({ feeds, feedsFile }: BackupOptions['config']): BackupManifest['settings'] {
  return {
    GATEHOUSE_FEEDS: feeds ? 'on' : 'off',
    ...(feedsFile !== null && { GATEHOUSE_FEEDS_FILE: feedsFile }),
  };
}

/** The secret, and the operator's file of feeds. */
function ownFiles({ dataDir, feedsFile }: BackupOptions['config']): AttachedFile[] {
  const secret = { path: 'secret.key', content: readFileSync(join(dataDir, 'secret.key')) };
  return feedsFile === null ? [secret] : [secret, { path: 'feeds.json', content: readFileSync(feedsFile) }];
}

/** The versions of feeds, and which of them is active, between two rounds. Snapshots are compiled from them again. */
async function feedFiles(dataDir: string): Promise<AttachedFile[]> {
  if (!isAnythingKept(dataDir)) return [];
  const lock = createFolderLock(join(dataDir, 'intel'));
  const until = performance.now() + FEEDS_WAIT_MS;
  for (;;) {
    const files = await lock.tryHold(async () => readFeedFolders(join(dataDir, 'intel', 'feeds')));
    if (files !== undefined) return files;
    if (performance.now() > until)
      throw new Error('the feeds are still being updated: run this again in a minute');
    await sleep(POLL_MS);
  }
}

function readFeedFolders(folder: string): AttachedFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((id) =>
    readdirSync(join(folder, id))
      .filter((name) => !name.endsWith('.tmp'))
      .map((name) => ({ path: `intel/feeds/${id}/${name}`, content: readFileSync(join(folder, id, name)) })),
  );
}

function checkRoom(file: string, database: string, leftFreeBytes: number): void {
  const copied = estimateCopyBytes(database);
  const needed = copied + Math.max(SPARE_BYTES, leftFreeBytes);
  let free: number;
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    free = bavail * bsize;
  } catch (error) {
    throw new Error(`cannot write ${file}: ${(error as Error).message}`);
  }
  if (free < needed)
    throw new Error(
      `the backup needs about ${megabytes(copied)} and leaves ${megabytes(needed - copied)} free, but the disk of ${file} has only ${megabytes(free)}: free space there, or choose another disk`,
    );
}

function open(draft: string): number {
  try {
    return openSync(draft, 'wx+', 0o600);
  } catch (error) {
    throw new Error(`cannot write ${draft}: ${(error as Error).message}`);
  }
}

/** Gives it its name, never over another file. */
function publish(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || existsSync(file))
      throw new Error(`${file} exists already: choose another name; no backup is overwritten`);
    // Some file systems, such as those of USB disks, have no hard links.
    renameSync(draft, file);
  }
  syncFolder(dirname(file));
}

function explain({ code, message }: Error & { code?: string }, file: string): string {
  if (code === 'ENOSPC' || code === 'SQLITE_FULL' || /disk is full/.test(message))
    return `the disk of ${file} is full: free space there, or choose another disk; no backup was written`;
  if (code === 'EFBIG' || code?.startsWith('SQLITE_IOERR') || /disk I\/O error/.test(message))
    return `reading the database or writing ${file} failed (${message}): check both disks, quotas and \`ulimit -f\`; no backup was written`;
  if (
    code?.startsWith('SQLITE_CORRUPT') ||
    code === 'SQLITE_NOTADB' ||
    /malformed|not a database/.test(message)
  )
    return `the database is damaged (${message}): no backup was written; \`gatehouse doctor\` says more`;
  return message;
}

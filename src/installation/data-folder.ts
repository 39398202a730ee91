/** Decides which service, migration or erasure may use a data folder: the one that started first, as long as it runs. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type FileLock, openFileLock } from '../platform/file-lock.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import { makeFolder } from '../store/sqlite-connection.ts';

/** Another process uses the data folder. */
export class FolderInUse extends Error {
  /** Use that the other process makes of it. */
  readonly by: FolderUse;

  constructor(message: string, by: FolderUse) {
    super(message);
    this.by = by;
  }
}

export interface DataFolder {
  /** The previous service, if it did not shut down: killed, without memory, by a crash or a power cut. */
  readonly cutOff: { readonly pid: number; readonly since: string } | undefined;
  /** Writes the URL of the service for commands. */
  noteUrl(url: string): void;
  release(): void;
}

/** Why a process has exclusive use of a data folder. */
export type FolderUse = 'service' | 'migration' | 'erasure';

/** Owner of the folder, for the message to a process that is refused; the lock alone decides. */
interface FolderOwner {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
  readonly use: FolderUse;
  /** Set once it listens. */
  readonly url?: string;
}

/** A folder that is there while a backup is restored, and after a restore that did not end. */
export const RESTORING = 'restoring';
const LOCK_FILE = 'service.lock';
const OWNER_FILE = 'service.json';
/** Time for a predecessor to end, and for a new owner to write who it is. */
const PATIENCE_MS = 500;
const POLL_MS = 50;

/**
 * Creates the folder if it does not exist. Two services on one folder would each count velocity and rate limits alone.
 * Commands do not take the lock: they work beside a service.
 * @throws naming the other process, and what it does, when one already uses it
 */
export async function lockDataFolder(
  dataDir: string,
  clock: () => number,
  use: FolderUse = 'service',
): Promise<DataFolder> {
  refuseHalfRestored(dataDir);
  makeFolder(dataDir);
  const ownerFile = join(dataDir, OWNER_FILE);
  const lock = openLock(dataDir);
  const until = performance.now() + PATIENCE_MS;
  while (!lock.tryTake()) {
    if (performance.now() > until) {
      lock.close();
      const owner = readOwner(ownerFile);
      throw new FolderInUse(refusal(dataDir, use, owner), owner?.use ?? 'service');
    }
    await sleep(POLL_MS);
  }
  try {
    // Once more: a restore looks for the lock after it has begun.
    refuseHalfRestored(dataDir);
  } catch (error) {
    lock.close();
    throw error;
  }
  const before = readOwner(ownerFile);
  const owner: FolderOwner = { pid: process.pid, host: hostname(), since: toTimestamp(clock()), use };
  writeOwner(ownerFile, owner);
  return {
    // A process that ends in order removes the file; a start that was refused has no URL in it.
    cutOff: before?.url === undefined ? undefined : { pid: before.pid, since: before.since },
    noteUrl: (url) => writeOwner(ownerFile, { ...owner, url }),
    release() {
      rmSync(ownerFile, { force: true });
      lock.close();
    },
  };
}

/** @throws while only a part of a backup is in the folder */
export function refuseHalfRestored(dataDir: string): void {
  if (existsSync(join(dataDir, RESTORING)))
    throw new Error(
      `a restore into the data folder ${dataDir} has not ended: wait for it; if it was interrupted, run \`gatehouse restore\` again`,
    );
}

function openLock(dataDir: string): FileLock {
  try {
    return openFileLock(join(dataDir, LOCK_FILE));
  } catch (error) {
    throw new Error(`cannot lock the data folder (GATEHOUSE_DATA_DIR): ${(error as Error).message}`);
  }
}

function refusal(dataDir: string, use: FolderUse, owner: FolderOwner | undefined): string {
  const host = owner === undefined || owner.host === hostname() ? '' : ` on host ${owner.host}`;
  const who = owner === undefined ? '' : ` (process ${owner.pid}${host}, since ${owner.since})`;
  const other = owner?.use ?? 'service';
  if (other === 'service')
    return `${use === 'service' ? 'another' : 'a'} service${who} uses the data folder ${dataDir}: stop it, or set GATEHOUSE_DATA_DIR to another folder`;
  const what = other === 'migration' ? 'a migration' : 'an erasure';
  return `${what}${who} uses the data folder ${dataDir}: wait until it has ended`;
}

/** @throws naming the service that uses the folder now, if one does */
export function refuseBesideService(dataDir: string): void {
  const file = join(dataDir, LOCK_FILE);
  if (!existsSync(file)) return;
  const lock = openLock(dataDir);
  try {
    if (lock.tryTake()) return;
  } finally {
    lock.close();
  }
  const owner = readOwner(join(dataDir, OWNER_FILE));
  throw new FolderInUse(refusal(dataDir, 'migration', owner), owner?.use ?? 'service');
}

/** Writes who owns the folder. On a full disk the file is missing, but the lock still counts. */
function writeOwner(file: string, owner: FolderOwner): void {
  try {
    writeFileSync(file, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
  } catch {
    rmSync(file, { force: true });
  }
}

function readOwner(file: string): FolderOwner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as FolderOwner;
  } catch {
    return undefined;
  }
}

/** The URL on which the service of a data folder listens; `undefined` if none runs. */
export function readServiceUrl(dataDir: string): string | undefined {
  return readOwner(join(dataDir, OWNER_FILE))?.url;
}

/** Says in the log that the previous service did not shut down. */
export function reportCutOff({ cutOff }: DataFolder, log: Logger): void {
  if (cutOff === undefined) return;
  log.warn(
    cutOff,
    'the last run did not end by itself: killed, out of memory, a crash, a power cut, or a stop that took too long; what it acknowledged is kept',
  );
}

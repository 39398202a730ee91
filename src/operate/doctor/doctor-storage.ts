/** Decides what `gatehouse doctor` says about the place where an installation stores everything. */
import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { DoctorCheck } from '../../model/doctor-check.ts';
import { megabytes } from '../../platform/megabytes.ts';
import { checkOf } from '../../store/secret-use.ts';
import { type ExaminedFile, examineFile } from '../../store/sqlite/examine.ts';
import { findSecret } from '../../store/sqlite/secret-file.ts';
import { judgeServer } from './doctor-server.ts';
import { type DoctorVerdict, judgeNewer, toCheck } from './to-check.ts';

/** A clock, and how far it is ahead of this machine's. */
export interface OtherClock {
  readonly name: string;
  readonly aheadMs: number;
}

export interface ExaminedStorage {
  readonly checks: readonly DoctorCheck[];
  readonly clocks: readonly OtherClock[];
  /** Time of the newest assessment, milliseconds since the epoch. */
  readonly newestAt: number | null;
  /** Whether feeds can be read there. */
  readonly isUsable: boolean;
}

type StorageConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'secret'>;

/** Commits fail when there is nothing left; the service needs some for its log and index. */
const MIN_FREE_BYTES = 100_000_000;
const AMPLE_BYTES = 1_000_000_000;
const RESTORE = 'restore the latest backup into an empty folder: docs/backup.md';

export async function examineStorage(config: StorageConfig): Promise<ExaminedStorage> {
  return config.databaseUrl === null ? examineEmbedded(config) : examineShared(config, config.databaseUrl);
}

function examineEmbedded({ dataDir, secret }: StorageConfig): ExaminedStorage {
  const file = join(dataDir, 'gatehouse.db');
  let examined: ExaminedFile;
  try {
    examined = examineFile(file);
  } catch (error) {
    const advice = `check that this user may read ${file}; if it is damaged, ${RESTORE}`;
    const database = toCheck('database', ['failed', (error as Error).message, advice]);
    return { checks: [database, freeSpace(dataDir, 0)], clocks: [], newestAt: null, isUsable: true };
  }
  const checks = [
    toCheck('database', judgeFile(examined)),
    toCheck('secret', judgeSecret(dataDir, secret, examined)),
    freeSpace(dataDir, examined.bytes),
  ];
  return { checks, clocks: [], newestAt: examined.newestAt, isUsable: true };
}

function judgeFile({ fault, schema, known, bytes }: ExaminedFile): DoctorVerdict {
  if (fault !== null)
    return ['failed', `damaged: ${fault.replace(/\s+/g, ' ')}`, `stop the service and ${RESTORE}`];
  const size = `SQLite, ${megabytes(bytes)}, every page is sound`;
  if (schema > known) return judgeNewer(schema, known);
  if (schema < known)
    return ['ok', `${size}; schema ${schema} of an older version: the next start updates it to ${known}`];
  return ['ok', `${size}, schema ${schema}`];
}

function judgeSecret(
  dataDir: string,
  configured: Buffer | null,
  { secretCheck }: ExaminedFile,
): DoctorVerdict {
  const advice = 'restore secret.key from a backup; docs/data.md says what is lost without it';
  try {
    const found = findSecret(dataDir);
    const secret = configured ?? found;
    if (secret === undefined) return ['failed', `secret.key is missing in ${dataDir}`, advice];
    if (configured !== null && found !== undefined && !found.equals(configured))
      return [
        'failed',
        'GATEHOUSE_SECRET and secret.key differ',
        'unset GATEHOUSE_SECRET, or set it to the file’s content',
      ];
    if (secretCheck !== null && !checkOf(secret).equals(secretCheck))
      return ['failed', 'it is not the secret that the database is used with', advice];
    return ['ok', 'it belongs to the database'];
  } catch (error) {
    return ['failed', (error as Error).message, advice];
  }
}

async function examineShared({ dataDir, secret }: StorageConfig, url: string): Promise<ExaminedStorage> {
  const { examineServer } = await import('../../store/postgres/examine.ts');
  try {
    const server = await examineServer(url);
    return {
      checks: [...judgeServer(server, secret), freeSpace(dataDir, 0)],
      clocks: [{ name: 'PostgreSQL', aheadMs: server.aheadMs }],
      newestAt: null,
      isUsable: server.schema === server.known,
    };
  } catch (error) {
    const database = toCheck('database', ['failed', (error as Error).message, 'correct what the line names']);
    return { checks: [database, freeSpace(dataDir, 0)], clocks: [], newestAt: null, isUsable: false };
  }
}

/** Checks the space on the disk of the data folder. PostgreSQL's own disk cannot be seen from here. */
function freeSpace(dataDir: string, needed: number): DoctorCheck {
  let free: number;
  try {
    if (!statSync(dataDir).isDirectory()) throw new Error('it is no folder');
    const { bavail, bsize } = statfsSync(dataDir);
    free = bavail * bsize;
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isAbsent) return toCheck('free space', ['ok', `no data folder ${dataDir} yet`]);
    return toCheck('free space', ['failed', (error as Error).message, 'set GATEHOUSE_DATA_DIR to a folder']);
  }
  const found = `${megabytes(free)} free in ${dataDir}`;
  if (free < MIN_FREE_BYTES)
    return toCheck('free space', [
      'failed',
      found,
      'free space: on a full disk no signup can be stored, and nobody can sign in',
    ]);
  if (free < Math.max(AMPLE_BYTES, needed))
    return toCheck('free space', ['warning', found, 'free space, or move the folder to a larger disk']);
  return toCheck('free space', ['ok', found]);
}

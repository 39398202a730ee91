/** Opens the index of the history, and makes a new one if it is damaged, outdated, or of another database. */
import { chmodSync, closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { openSqlite } from '../../sqlite-driver.ts';
import { inTransaction, type SqliteConnection } from './connection.ts';
import { NEWEST_UNDONE } from './jobs.ts';

const SCHEMA = new URL('./history-index.sql', import.meta.url);
/** Increases when the content of the index changes; an index of another version is replaced by a new one. */
const VERSION = 1;
const BUSY_TIMEOUT_MS = 10_000;
const CACHE_KIB = 32_768;
/** Codes may have an addition, such as `SQLITE_CORRUPT_INDEX`. `SQLITE_ERROR`: a table is missing. */
const AT_FAULT = /^SQLITE_(?:CORRUPT(?:_|$)|NOTADB$|ERROR$)/;
const READ_NEWEST_UP_TO = `SELECT
  (SELECT request_id FROM assessments WHERE seq <= ? ORDER BY seq DESC LIMIT 1) AS id,
  max((SELECT coalesce(max(seq), 0) FROM assessments),
    coalesce((SELECT value FROM installation WHERE name = '${NEWEST_UNDONE}'), 0)) AS newest`;

export function openIndex(file: string, log: SqliteConnection): SqliteConnection {
  try {
    const index = connect(file);
    if (isOf(index, log)) return index;
    index.close();
  } catch (error) {
    if (!isIndexAtFault(error as Error)) throw error;
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  return connect(file);
}

/** Whether the file itself is damaged. Errors of the disk, a lock or the system say nothing about it. */
export function isIndexAtFault(error: Error): boolean {
  const { code } = error as { code?: string };
  return code === undefined || AT_FAULT.test(code);
}

function connect(file: string): SqliteConnection {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const index = openSqlite(file);
  index.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  index.pragma('journal_mode = WAL');
  // What a crash loses is indexed again.
  index.pragma('synchronous = NORMAL');
  index.pragma(`cache_size = -${CACHE_KIB}`);
  inTransaction(index, () => {
    if (versionOf(index) !== 0) return;
    index.exec(readFileSync(SCHEMA, 'utf8'));
    index.exec(`PRAGMA user_version = ${VERSION}`);
  });
  return index;
}

function isOf(index: SqliteConnection, log: SqliteConnection): boolean {
  if (versionOf(index) !== VERSION) return false;
  const progress = index.prepare('SELECT seq, request_id FROM progress').get() as {
    seq: number;
    request_id: string;
  };
  if (progress.seq === 0) return true;
  // The record with that number may have been undone. An index ahead of all numbers would miss the next records.
  const stored = log.prepare(READ_NEWEST_UP_TO).get(progress.seq) as { id: string | null; newest: number };
  return progress.seq <= stored.newest && (stored.id ?? '') === progress.request_id;
}

function versionOf(index: SqliteConnection): number {
  return (index.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

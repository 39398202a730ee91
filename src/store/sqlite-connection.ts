/** Opens connections to the database file, with the settings that make a commit durable, and makes its folder. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { openSqlite, type SqliteConnection } from '../platform/sqlite-driver.ts';

export type { SqliteConnection };

/** Time for which a command, or a start, waits for a lock: on a busy machine another process may need some seconds. */
export const PATIENT_LOCK_MS = 15_000;
const PAUSE_MS = 20;
/**
 * Bytes of a page of new databases. Each commit writes a few pages whole, however little of them it changes, and each
 * page costs calls of the system: smaller pages cost more CPU, larger ones more of the disk. Databases that exist keep
 * theirs.
 */
const PAGE_BYTES = 2_048;
/**
 * Length of the WAL from which the writer checkpoints. The checkpoint thread empties it all the time, but only a writer
 * that finds it empty can start a new one: at this length the writer checkpoints what little is left.
 */
const CHECKPOINT_BYTES = 32 * 2 ** 20;

/** @param lockMs how long it waits for a lock that another connection has */
export function openConnection(file: string, lockMs = PATIENT_LOCK_MS): SqliteConnection {
  const connection = openSqlite(file);
  connection.pragma(`busy_timeout = ${PATIENT_LOCK_MS}`);
  connection.pragma(`page_size = ${PAGE_BYTES}`);
  enterWal(connection);
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  // Also a page that becomes free is overwritten: another row of the same transaction may use only its first part.
  connection.pragma('secure_delete = ON');
  const [{ page_size: pageBytes }] = connection.pragma('page_size') as [{ page_size: number }];
  connection.pragma(`wal_autocheckpoint = ${Math.ceil(CHECKPOINT_BYTES / pageBytes)}`);
  connection.pragma(`busy_timeout = ${lockMs}`);
  return connection;
}

/** Mode of the file. On a new one this takes a lock that SQLite does not wait for: another process may be making the same database. */
function enterWal(connection: SqliteConnection): void {
  const until = performance.now() + PATIENT_LOCK_MS;
  for (;;) {
    try {
      connection.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = (error as NodeJS.ErrnoException).code?.startsWith('SQLITE_BUSY') === true;
      if (!isBusy || performance.now() > until) throw error;
      pause(PAUSE_MS);
    }
  }
}

/** Blocks this thread, as a wait for a lock does. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Runs `work` in one write transaction; rolls back and rethrows when it throws. */
export function inTransaction<T>(connection: SqliteConnection, work: () => T): T {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

/** Makes the data folder and its parents where they do not exist, readable by their owner only. @throws with the path and the setting when it cannot */
export function makeFolder(path: string): void {
  try {
    make(path);
  } catch (error) {
    throw new Error(`cannot make the data folder (GATEHOUSE_DATA_DIR): ${(error as Error).message}`);
  }
}

function make(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    // One level at a time: Node's own recursion never ends below a folder that pretends to take new ones.
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    make(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}

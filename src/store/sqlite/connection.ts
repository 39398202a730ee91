/** Opens one connection to the database file, with the settings that make a commit durable. */
import Database from 'libsql';

export type SqliteConnection = Database.Database;

/** How long a command, or a start, waits for a lock. */
export const PATIENT_LOCK_MS = 5_000;
/**
 * 32 MiB of log. The checkpoint thread empties it all the time, but only a writer that finds it empty can start a
 * new one: at this length the writer checkpoints what little is left.
 */
const CHECKPOINT_PAGES = 8_000;

/** @param lockMs how long it waits for a lock that another connection has */
export function openConnection(file: string, lockMs = PATIENT_LOCK_MS): SqliteConnection {
  const connection = new Database(file);
  connection.pragma(`busy_timeout = ${PATIENT_LOCK_MS}`);
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  connection.pragma(`busy_timeout = ${lockMs}`);
  return connection;
}

/** Runs `work` in one write transaction; rolls back and rethrows when it throws. */
export function inTransaction<T>(connection: SqliteConnection, work: () => T): T {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Removes records that no caller got an answer about: frees their credits, then takes them out of the log's index, while they can be read, then out of the database. */
import type { SqlStatement } from '../sql-database.ts';
import type { SqliteCommitter } from './committer.ts';
import type { SqliteConnection } from './connection.ts';
import { NEWEST_UNDONE } from './jobs.ts';

export interface UndoRecordsOptions {
  readonly reads: SqliteConnection;
  readonly removeFromIndex: (requestIds: readonly string[]) => Promise<void>;
  readonly committer: Pick<SqliteCommitter, 'submit'>;
}

/** Before the name of a row in `installation` for each record whose credit is free, and which is still stored. */
const BEGUN = 'undo:';
/** What a repeated request was answered with since stays. */
const FORGET_KEY = "DELETE FROM idempotency WHERE request_id = ? AND state <> 'replayed'";
const IS_UNDONE = 'NOT EXISTS (SELECT 1 FROM idempotency WHERE request_id = ?1)';
/** Once, however often it is tried. */
const FREE_CREDIT = `UPDATE credits SET used = used - 1 WHERE (account_id, month) =
  (SELECT account_id, strftime('%Y-%m', at / 1000, 'unixepoch') FROM assessments
    WHERE request_id = ?1 AND mode = 'live'
      AND NOT EXISTS (SELECT 1 FROM installation WHERE name = '${BEGUN}' || ?1) AND ${IS_UNDONE})`;
const BEGIN = `INSERT INTO installation (name, value)
  SELECT '${BEGUN}' || request_id, 1 FROM assessments
  WHERE request_id = ?1 AND ${IS_UNDONE} ON CONFLICT (name) DO NOTHING`;
const END = `DELETE FROM installation WHERE name = '${BEGUN}' || ?`;
/** Kept in the database: a writer that starts later must not give the number again either. */
const KEEP_NUMBER = `INSERT INTO installation (name, value)
  SELECT '${NEWEST_UNDONE}', seq FROM assessments WHERE request_id = ?
  ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`;
const REMOVE_DOCUMENTS =
  'DELETE FROM assessment_documents WHERE seq = (SELECT seq FROM assessments WHERE request_id = ?)';
const REMOVE_RECORD = 'DELETE FROM assessments WHERE request_id = ?';

export interface UndoRecords {
  (requestIds: readonly string[]): Promise<void>;
  /** Those that were begun, perhaps by an earlier process, and are still stored. */
  begun(): readonly string[];
}

export function createUndoRecords({ reads, removeFromIndex, committer }: UndoRecordsOptions): UndoRecords {
  const isStored = reads.prepare('SELECT 1 FROM assessments WHERE request_id = ?');
  const isBegun = reads.prepare(`SELECT 1 FROM installation WHERE name = '${BEGUN}' || ?`);
  const readBegun = reads.prepare(
    `SELECT substr(name, ${BEGUN.length + 1}) AS id FROM installation WHERE name >= '${BEGUN}' AND name < 'undo;'`,
  );
  const run = (requestIds: readonly string[], ...sqls: string[]) => {
    const statements = requestIds.flatMap((id) => sqls.map((sql): SqlStatement => ({ sql, values: [id] })));
    return committer.submit({ statements });
  };

  async function undo(requestIds: readonly string[]): Promise<void> {
    const stored = requestIds.filter((requestId) => isStored.get(requestId) !== undefined);
    if (stored.length === 0) return;
    // Whatever becomes of the index, nothing is charged for nothing.
    await run(stored, FORGET_KEY, FREE_CREDIT, BEGIN);
    const undone = stored.filter((requestId) => isBegun.get(requestId) !== undefined);
    if (undone.length === 0) return;
    await removeFromIndex(undone);
    await run(undone, KEEP_NUMBER, REMOVE_DOCUMENTS, REMOVE_RECORD, END);
  }

  const begun = () => (readBegun.all() as { id: string }[]).map(({ id }) => id);
  return Object.assign(undo, { begun });
}

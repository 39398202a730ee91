/** Removes records that no caller got an answer about: frees their credits, then takes them out of the history's index, while they can be read, then out of the database. */
import { monthOf } from '../../platform/month.ts';
import type { SqlStatement } from '../sql-database.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { JobQueue } from '../sqlite-jobs.ts';
import type { NumberedAssessment } from '../stored-assessment.ts';
import { endOfRange } from './batch-rows.ts';
import type { RecordSource } from './record-source.ts';

export interface UndoRecordsOptions {
  readonly reads: SqliteConnection;
  readonly source: Pick<RecordSource, 'findById'>;
  readonly removeFromIndex: (requestIds: readonly string[]) => Promise<void>;
  readonly committer: JobQueue;
}

/** Beginning of the name of a row in `installation` for each record whose credit is free, and which is still stored. */
const BEGUN = 'undo:';
/** Keeps a key whose answer a repeated request got since. */
const FORGET_KEY = "DELETE FROM idempotency WHERE request_id = ?1 AND state <> 'replayed'";
/** It is stored, and no repeated request was answered with it. `?2` is the end of where it can be. */
const IS_UNDONE = `NOT EXISTS (SELECT 1 FROM idempotency WHERE request_id = ?1)
  AND EXISTS (SELECT 1 FROM assessment_batches
    WHERE last_id >= ?1 AND last_id < ?2 AND first_id <= ?1 AND instr(ids, ?1) > 0)`;
/** Frees a credit once, however often it is tried. */
const FREE_CREDIT = `UPDATE credits SET used = used - 1 WHERE account_id = ?3 AND month = ?4
  AND NOT EXISTS (SELECT 1 FROM installation WHERE name = '${BEGUN}' || ?1) AND ${IS_UNDONE}`;
const BEGIN = `INSERT INTO installation (name, value)
  SELECT '${BEGUN}' || ?1, 1 WHERE ${IS_UNDONE} ON CONFLICT (name) DO NOTHING`;
const END = `DELETE FROM installation WHERE name = '${BEGUN}' || ?1`;

export interface UndoRecords {
  (requestIds: readonly string[]): Promise<void>;
  /** Ids whose undo was begun, perhaps by an earlier process, and that are still stored. */
  listBegun(): readonly string[];
}

export function createUndoRecords(options: UndoRecordsOptions): UndoRecords {
  const { reads, source, removeFromIndex, committer } = options;
  const isBegun = reads.prepare(`SELECT 1 FROM installation WHERE name = '${BEGUN}' || ?`);
  const readBegun = reads.prepare(
    `SELECT substr(name, ${BEGUN.length + 1}) AS id FROM installation WHERE name >= '${BEGUN}' AND name < 'undo;'`,
  );

  async function undo(requestIds: readonly string[]): Promise<void> {
    const stored = requestIds.flatMap((requestId) => source.findById(requestId) ?? []);
    if (stored.length === 0) return;
    // The credit is freed first: whatever becomes of the index, an undone signup costs nothing.
    await committer.submit({ statements: stored.flatMap(freeCredit) });
    const undone = stored
      .map(({ requestId }) => requestId)
      .filter((requestId) => isBegun.get(requestId) !== undefined);
    if (undone.length === 0) return;
    await removeFromIndex(undone);
    const statements = undone.map((requestId) => ({ sql: END, values: [requestId] }));
    await committer.submit({ erased: undone, statements });
  }

  const listBegun = () => (readBegun.all() as { id: string }[]).map(({ id }) => id);
  return Object.assign(undo, { listBegun });
}

function freeCredit({ requestId, accountId, mode, at }: NumberedAssessment): SqlStatement[] {
  const place = [requestId, endOfRange(requestId)];
  const free = { sql: FREE_CREDIT, values: [...place, accountId, monthOf(at)] };
  return [
    { sql: FORGET_KEY, values: [requestId] },
    ...(mode === 'live' ? [free] : []),
    { sql: BEGIN, values: place },
  ];
}

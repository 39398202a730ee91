/** Removes assessments that are older than the retention, with their feedback and challenges: a few rows at a time, in the background. */
import type { Prune } from '../pruner.ts';
import { firstIdAt, timeOfId } from '../request-time.ts';
import { createPatience, keptFrom, type Retention } from '../retention.ts';
import type { SqlStatement } from '../sql-database.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { StatementsJob } from '../sqlite-jobs.ts';

export interface RemoveOldOptions {
  readonly reads: SqliteConnection;
  readonly submit: (job: StatementsJob) => Promise<unknown>;
  /** Removes all before an instant (milliseconds since the epoch) from the index of the history; it is still stored then. */
  readonly removeFromHistory: (at: number) => Promise<void>;
  readonly retention: Retention;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Called once for each new beginning of what is kept, before anything is removed. */
  readonly onRemoving: (keptFrom: number) => void;
}

/** Each has at most 32 assessments: about a millisecond of the writer. */
const BATCHES_A_STEP = 16;
const ROWS_A_STEP = 200;
const REMOVE_BATCHES = `DELETE FROM assessment_batches WHERE seq IN
  (SELECT seq FROM assessment_batches WHERE last_id < ?1 ORDER BY last_id LIMIT ${BATCHES_A_STEP})`;
/** Tables with rows about an assessment, by its id. */
const TABLES = ['feedback', 'challenges'] as const;
const removeRows = (table: string) => `DELETE FROM ${table} WHERE request_id IN
  (SELECT request_id FROM ${table} WHERE request_id < ?1 ORDER BY request_id LIMIT ${ROWS_A_STEP})`;
const ANY_OLD = `SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM assessment_batches WHERE last_id < ?1)
  ${TABLES.map((table) => `OR EXISTS (SELECT 1 FROM ${table} WHERE request_id < ?1)`).join(' ')}`;

/**
 * The newest assessment is never removed, so numbers are not given again. A step that is interrupted leaves whole rows,
 * which the next start removes.
 */
export function createRemoveOld(options: RemoveOldOptions): Prune {
  const { reads, submit, removeFromHistory, retention, clock, onRemoving } = options;
  const readNewest = reads.prepare('SELECT max(last_id) AS id FROM assessment_batches');
  const readNewestAt = () => timeOfId((readNewest.get() as { id: string | null }).id ?? '');
  const mayRemove = createPatience(readNewestAt(), clock);
  const findOld = reads.prepare(ANY_OLD);
  let removedBefore = Number.NEGATIVE_INFINITY;

  return async (maxPruned) => {
    const newestAt = readNewestAt();
    if (newestAt === undefined || !mayRemove(newestAt)) return 0;
    const from = keptFrom(retention, Math.min(newestAt, clock()));
    const firstId = firstIdAt(from);
    if (findOld.get(firstId) === undefined) return 0;
    if (removedBefore < from) {
      onRemoving(from);
      // First: nobody finds in the index what is not stored any more.
      await removeFromHistory(from);
      removedBefore = from;
    }
    await submit({ statements: stepsOf(firstId) });
    return findOld.get(firstId) === undefined ? 0 : maxPruned;
  };
}

function stepsOf(firstId: string): SqlStatement[] {
  return [REMOVE_BATCHES, ...TABLES.map(removeRows)].map((sql) => ({ sql, values: [firstId] }));
}

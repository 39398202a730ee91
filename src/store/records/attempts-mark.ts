/** Decides whether the stored attempts are still those that this process knows: the ones from before it, and what it stored itself. */
import type { SqliteConnection } from '../sqlite-connection.ts';
import { NEWEST_SEQ } from './record-source.ts';

export interface AttemptsMark {
  /** Reads `AssessmentStore.attemptsMark`: two processes that read the same, one after the other, count the same attempts. */
  read(): string | undefined;
}

/** Ids have random parts: another database has others. */
const READ = `SELECT (${NEWEST_SEQ}) AS seq,
  (SELECT value FROM meta WHERE name = 'erasures_version') AS erasures,
  (SELECT first_id || ' ' || last_id FROM assessment_batches ORDER BY seq DESC LIMIT 1) AS ids`;

interface Row {
  readonly seq: number;
  readonly erasures: number;
  readonly ids: string | null;
}

/** @param storedHere how many records this process has stored */
export function createAttemptsMark(connection: SqliteConnection, storedHere: () => number): AttemptsMark {
  const readRow = connection.prepare(READ);
  /** State when it was read first. */
  let first: Pick<Row, 'seq' | 'erasures'> | undefined;
  return {
    read() {
      const { seq, erasures, ids } = readRow.get() as Row;
      first ??= { seq: seq - storedHere(), erasures };
      const isOwn = seq === first.seq + storedHere() && erasures === first.erasures;
      return isOwn ? `${seq} ${erasures} ${ids ?? ''}` : undefined;
    },
  };
}

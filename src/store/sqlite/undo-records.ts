/** Removes records that nobody was told of: first from the log's index, while they can be read, then with their credits from the database. */
import type { Committer } from './committer.ts';
import type { Connection } from './connection.ts';
import type { AskLog } from './history-ask.ts';
import { NEWEST_UNDONE, type Statement } from './jobs.ts';

export interface UndoRecordsOptions {
  readonly reads: Connection;
  readonly log: Pick<AskLog, 'ask'>;
  readonly committer: Pick<Committer, 'submit'>;
}

const FREE_CREDIT = `UPDATE credits SET used = used - 1 WHERE (account_id, month) =
  (SELECT account_id, strftime('%Y-%m', at / 1000, 'unixepoch') FROM assessments WHERE request_id = ? AND mode = 'live')`;
/** Kept in the database: a writer that starts later must not give the number again either. */
const KEEP_NUMBER = `INSERT INTO installation (name, value)
  SELECT '${NEWEST_UNDONE}', seq FROM assessments WHERE request_id = ?
  ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`;
const REMOVE_DOCUMENTS =
  'DELETE FROM assessment_documents WHERE seq = (SELECT seq FROM assessments WHERE request_id = ?)';
const REMOVE_RECORD = 'DELETE FROM assessments WHERE request_id = ?';

export function createUndoRecords({ reads, log, committer }: UndoRecordsOptions) {
  const isStored = reads.prepare('SELECT 1 FROM assessments WHERE request_id = ?');
  return async (requestIds: readonly string[]): Promise<void> => {
    const stored = requestIds.filter((requestId) => isStored.get(requestId) !== undefined);
    if (stored.length === 0) return;
    await log.ask('remove', stored);
    const statements = stored.flatMap((requestId) => {
      return [FREE_CREDIT, KEEP_NUMBER, REMOVE_DOCUMENTS, REMOVE_RECORD].map((sql): Statement => {
        return { sql, values: [requestId] };
      });
    });
    await committer.submit({ statements });
  };
}

/** Reads what velocity counts at a start, all of one moment, for a thread that counts while the service opens its store. */
import { openSqlite } from '../../platform/sqlite-driver.ts';
import { createLiveAttempts } from '../records/live-attempts.ts';
import { PATIENT_LOCK_MS } from '../sqlite-connection.ts';
import type { AssessmentStore } from '../store.ts';
import { isNewestSchema } from './migrate.ts';

export interface AttemptsSnapshot extends Pick<AssessmentStore, 'attemptsToCount'> {
  /** Mark of the attempts that this snapshot reads, like `AssessmentStore.attemptsMark`. */
  readonly mark: string | undefined;
  close(): void;
}

/**
 * Writes nothing. What other connections commit meanwhile is not in it.
 * @returns `undefined` where the database must be migrated first @throws when it cannot be read, or is of a newer version
 */
export function openAttemptsSnapshot(file: string): AttemptsSnapshot | undefined {
  const connection = openSqlite(file, { readOnly: true });
  const close = () => {
    connection.rollback();
    connection.close();
  };
  try {
    connection.pragma(`busy_timeout = ${PATIENT_LOCK_MS}`);
    if (!isNewestSchema(connection)) {
      close();
      return undefined;
    }
    connection.exec('BEGIN');
    const { attemptsToCount, attemptsMark } = createLiveAttempts(connection, () => 0);
    return { mark: attemptsMark(), attemptsToCount, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Removes the assessments of an account that is being deleted: first from the index, then from the batches, a few at a time. */
import type { AccountDeletionStore } from '../account-deletion-store.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { StatementsJob } from '../sqlite-jobs.ts';
import { type Blob, toBytes } from './batch-checksum.ts';
import { readGroups } from './batch-text.ts';

export interface RemoveAccountOptions {
  readonly reads: SqliteConnection;
  readonly committer: { submit(job: StatementsJob): Promise<unknown> };
  /** Removes all of an account from the index, also what comes later. */
  readonly history: { removeAccount(accountId: string): Promise<void> };
}

interface Step {
  readonly ids: readonly string[];
  /** Number of the last batch that was looked through. */
  readonly last: number;
  readonly isOver: boolean;
}

interface Row {
  readonly seq: number;
  readonly ids: Blob;
  readonly attempts: Blob;
}

/** Number of batches without the wide column: some hundred kilobytes. */
const BATCHES_A_READ = 64;
/** Records of 16 full batches, or of all small ones that are read: some milliseconds of the writer. */
const RECORDS_A_STEP = 512;
const READ = `SELECT seq, CAST(ids AS BLOB) AS ids, CAST(attempts AS BLOB) AS attempts
  FROM assessment_batches WHERE seq > ? ORDER BY seq LIMIT ${BATCHES_A_READ}`;

/** Batches are not searched by account: a pass reads all of them. */
export function createRemoveAccount({
  reads,
  committer,
  history,
}: RemoveAccountOptions): AccountDeletionStore['removeAccountAssessments'] {
  const read = reads.prepare(READ);
  /** Accounts whose pass is not over, with the last batch that was looked through. */
  const passes = new Map<string, number>();

  function findStep(accountId: string, after: number): Step {
    const ids: string[] = [];
    let last = after;
    const rows = read.all(after) as Row[];
    for (const row of rows) {
      const own = idsOf(row, accountId);
      if (ids.length + own.length > RECORDS_A_STEP) return { ids, last, isOver: false };
      ids.push(...own);
      last = row.seq;
    }
    return { ids, last, isOver: rows.length < BATCHES_A_READ };
  }

  return async (accountId) => {
    const after = passes.get(accountId);
    // First: nobody finds in the index what is not stored any more.
    if (after === undefined) await history.removeAccount(accountId);
    const { ids, last, isOver } = findStep(accountId, after ?? 0);
    if (ids.length > 0) await committer.submit({ erased: ids, statements: [] });
    if (isOver) passes.delete(accountId);
    else passes.set(accountId, last);
    return isOver;
  };
}

/** The ids of an account's records in a batch. */
function idsOf({ ids, attempts }: Row, accountId: string): string[] {
  const [header = '', ...lines] = toBytes(attempts).toString().split('\n');
  const groups = readGroups(header);
  if (!groups.some((group) => group.accountId === accountId)) return [];
  return toBytes(ids)
    .toString()
    .split(' ')
    .filter(
      (id, place) =>
        id !== '' && groups[Number.parseInt(lines[place] as string, 10)]?.accountId === accountId,
    );
}

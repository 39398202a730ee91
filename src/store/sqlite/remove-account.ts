/** Removes the assessments of an account that is being deleted: first from the index, then from the batches, a few at a time. */
import type { AccountDeletionStore } from '../account-deletion-store.ts';
import { type Blob, toBytes } from './batch-checksum.ts';
import { readGroups } from './batch-text.ts';
import type { SqliteConnection } from './connection.ts';
import type { StatementsJob } from './jobs.ts';

export interface RemoveAccountOptions {
  readonly reads: SqliteConnection;
  readonly committer: { submit(job: StatementsJob): PromiseLike<unknown> };
  /** Removes all of an account from the index, also what comes later. */
  readonly history: { removeAccount(accountId: string): Promise<void> };
}

/** Up to which number each table was looked through. */
interface Pass {
  old: number;
  batches: number;
}

interface Step {
  readonly ids: readonly string[];
  /** The pass after this step. */
  readonly next: Pass;
  readonly isOver: boolean;
}

interface Row {
  readonly seq: number;
  readonly ids: Blob;
  readonly attempts: Blob;
}

/** Without the wide column: some hundred kilobytes. */
const BATCHES_A_READ = 64;
/** Of 16 batches if they are full, of as many as are read if they are small: some milliseconds of the writer. */
const RECORDS_A_STEP = 512;
const OLD_A_STEP = 200;
const READ_OLD = `SELECT seq, request_id AS id, account_id AS account FROM assessments WHERE seq > ? ORDER BY seq LIMIT ${OLD_A_STEP}`;
const READ_BATCHES = `SELECT seq, CAST(ids AS BLOB) AS ids, CAST(attempts AS BLOB) AS attempts
  FROM assessment_batches WHERE seq > ? ORDER BY seq LIMIT ${BATCHES_A_READ}`;

/** No table is searched by account: a pass reads all of both, those of older versions first, because these move. */
export function createRemoveAccount({
  reads,
  committer,
  history,
}: RemoveAccountOptions): AccountDeletionStore['removeAccountAssessments'] {
  const readOld = reads.prepare(READ_OLD);
  const readBatches = reads.prepare(READ_BATCHES);
  const passes = new Map<string, Pass>();

  function findOld(accountId: string, pass: Pass): Step | undefined {
    const rows = readOld.all(pass.old) as { seq: number; id: string; account: string }[];
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    const ids = rows.filter(({ account }) => account === accountId).map(({ id }) => id);
    return { ids, next: { ...pass, old: last.seq }, isOver: false };
  }

  function findInBatches(accountId: string, pass: Pass): Step {
    const ids: string[] = [];
    let { batches } = pass;
    const rows = readBatches.all(batches) as Row[];
    for (const row of rows) {
      const own = idsOf(row, accountId);
      if (ids.length + own.length > RECORDS_A_STEP) return { ids, next: { ...pass, batches }, isOver: false };
      ids.push(...own);
      batches = row.seq;
    }
    return { ids, next: { ...pass, batches }, isOver: rows.length < BATCHES_A_READ };
  }

  return async (accountId) => {
    let pass = passes.get(accountId);
    if (pass === undefined) {
      // First: nobody finds in the index what is not stored any more.
      await history.removeAccount(accountId);
      pass = { old: 0, batches: 0 };
    }
    const { ids, next, isOver } = findOld(accountId, pass) ?? findInBatches(accountId, pass);
    if (ids.length > 0) await committer.submit({ erased: ids, statements: [] });
    if (isOver) passes.delete(accountId);
    else passes.set(accountId, next);
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

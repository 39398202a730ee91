/** Removes the assessments of an account that is being deleted: some at a time, on one node at a time. */
import type { AccountDeletionStore } from '../account-deletion-store.ts';
import type { Database } from './database.ts';
import { lockName } from './sql-database.ts';

const ROWS_A_STEP = 200;
const FIND = `SELECT request_id AS id FROM assessments WHERE account_id = $1 ORDER BY at LIMIT ${ROWS_A_STEP}`;
const REMOVE = 'DELETE FROM assessments WHERE request_id = ANY ($1)';

export function createRemoveAccount({
  transaction,
}: Pick<Database, 'transaction'>): AccountDeletionStore['removeAccountAssessments'] {
  return (accountId) =>
    transaction(async (run) => {
      await lockName(run, 'account deletion');
      const found = await run<{ id: string }>(FIND, [accountId]);
      const ids = found.map(({ id }) => id);
      await run(REMOVE, [ids]);
      // Sums of what is gone.
      if (ids.length === 0) await run('DELETE FROM tallies WHERE account_id = $1', [accountId]);
      return ids.length === 0;
    });
}

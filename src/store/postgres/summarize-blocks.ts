/** Summarizes the new pages of assessments in the index of blocks: until then, every search by a property reads them. */
import { type Database, isLocked } from './database.ts';

/** Any number of nodes may do it. Left to a vacuum, which does it too, while that has the table. @throws when it fails */
export type SummarizeBlocks = () => Promise<void>;

/** The server ends an autovacuum that another statement has waited for longer than its `deadlock_timeout`, which is 1 s. */
const LOCK_WAIT_MS = 200;
/** Summarizes the newest months. The others get no new pages, but for a few that a vacuum summarizes. */
const SUMMARIZE = `SELECT brin_summarize_new_values(index.oid) FROM pg_inherits
  JOIN pg_class AS index ON index.oid = inhrelid JOIN pg_index ON indexrelid = index.oid
  WHERE inhparent = 'assessments_by_block'::regclass ORDER BY indrelid::regclass::text DESC LIMIT 3`;

export function createSummarizeBlocks({ transaction }: Pick<Database, 'transaction'>): SummarizeBlocks {
  return async () => {
    const summarizing = transaction(async (query) => {
      await query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
      await query(SUMMARIZE);
    });
    await summarizing.catch((error: unknown) => {
      if (!isLocked(error)) throw error;
    });
  };
}

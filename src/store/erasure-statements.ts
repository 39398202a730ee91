/** What goes with an assessment that is erased: the report about it, the result of its challenge, and its idempotency keys. */
import type { SqlStatement } from './sql-database.ts';

const TABLES = ['feedback', 'challenges', 'idempotency'];

/** @param more tables whose rows have the id, too */
export function erasureStatements(
  requestIds: readonly string[],
  more: readonly string[] = [],
): SqlStatement[] {
  return requestIds.flatMap((requestId) =>
    [...TABLES, ...more].map((table) => ({
      sql: `DELETE FROM ${table} WHERE request_id = $1`,
      values: [requestId],
    })),
  );
}

/** What people changed, in PostgreSQL: written once, in the transaction of the change, never changed. */
import { type AuditRecord, auditValues, toAuditPage } from '../audit-row.ts';
import type { AuditEntries, AuditStore } from '../dashboard-store.ts';
import type { Database, PostgresValue, Query } from './database.ts';

const APPEND =
  'INSERT INTO audit (at, actor, account_id, action, target, detail) VALUES ($1, $2, $3, $4, $5, $6)';
const readPage = (whose: string) =>
  `SELECT * FROM audit WHERE ${whose} AND seq < $1 ORDER BY seq DESC LIMIT $2`;

/** In the transaction that `query` belongs to. */
export async function appendAudit(query: Query, entries: AuditEntries): Promise<void> {
  for (const entry of entries) await query(APPEND, auditValues(entry));
}

/** Runs a statement and, in the same transaction, keeps the entries unless it returned no row: then nothing was changed. */
export function changeAudited<Row extends object>(
  { query, transaction }: Pick<Database, 'query' | 'transaction'>,
  entries: AuditEntries,
  sql: string,
  values: readonly PostgresValue[],
): Promise<Row[]> {
  if (entries.length === 0) return query<Row>(sql, values);
  return transaction(async (run) => {
    const rows = await run<Row>(sql, values);
    if (rows.length > 0) await appendAudit(run, entries);
    return rows;
  });
}

export function createAuditStore({ query }: Pick<Database, 'query'>): AuditStore {
  return {
    async audit(entry) {
      await query(APPEND, auditValues(entry));
    },
    async auditEntries(accountId, after, limit) {
      const asked = [after ?? Number.MAX_SAFE_INTEGER, limit + 1];
      const rows =
        accountId === null
          ? await query<AuditRecord>(readPage('account_id IS NULL'), asked)
          : await query<AuditRecord>(readPage('account_id = $3'), [...asked, accountId]);
      return toAuditPage(rows, limit);
    },
  };
}

/** The history of list entries in the audit log of both databases: reads it and erases it. */
import { type StoredAuditRow, toAuditEntry } from './audit-search.ts';
import type { ListHistoryStore } from './dashboard-store.ts';
import type { SqlDatabase } from './sql-database.ts';
import { encodeText } from './text.ts';

const OF_LISTS = "account_id = $1 AND action IN ('list.allow', 'list.deny', 'list.office', 'list.remove')";
const MAX_ROWS = 500;

export function createListHistoryStore({
  query,
  change,
}: Pick<SqlDatabase, 'query' | 'change'>): ListHistoryStore {
  const shownSo = (shown: readonly string[]) =>
    `target IN (${shown.map((_, at) => `$${at + 2}`).join(', ')})`;
  return {
    async listHistory(accountId, shown) {
      if (shown.length === 0) return [];
      const sql = `SELECT * FROM audit WHERE ${OF_LISTS} AND ${shownSo(shown)} ORDER BY seq DESC LIMIT ${MAX_ROWS}`;
      return (await query<StoredAuditRow>(sql, [accountId, ...shown.map(encodeText)])).map(toAuditEntry);
    },
    async eraseListHistory(accountId, shown, ...audit) {
      if (shown.length === 0) return;
      const sql = `UPDATE audit SET target = 'erased', detail = '', subject = NULL WHERE ${OF_LISTS} AND ${shownSo(shown)} RETURNING seq`;
      await change(audit, { sql, values: [accountId, ...shown.map(encodeText)] });
    },
  };
}

/** What people changed, in PostgreSQL: written once, never changed. */
import type { AuditStore } from '../../dashboard-store.ts';
import { type AuditRow, auditValues, toAuditPage } from '../../rows/audit-row.ts';
import type { Database } from '../database.ts';

const APPEND =
  'INSERT INTO audit (at, actor, account_id, action, target, detail) VALUES ($1, $2, $3, $4, $5, $6)';
const readPage = (whose: string) =>
  `SELECT * FROM audit WHERE ${whose} AND seq < $1 ORDER BY seq DESC LIMIT $2`;

export function createAuditStore({ query }: Pick<Database, 'query'>): AuditStore {
  return {
    async audit(entry) {
      await query(APPEND, auditValues(entry));
    },
    async auditEntries(accountId, after, limit) {
      const asked = [after ?? Number.MAX_SAFE_INTEGER, limit + 1];
      const rows =
        accountId === null
          ? await query<AuditRow>(readPage('account_id IS NULL'), asked)
          : await query<AuditRow>(readPage('account_id = $3'), [...asked, accountId]);
      return toAuditPage(rows, limit);
    },
  };
}

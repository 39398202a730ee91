/** What people changed, in SQLite: written once, never changed. */
import type { AuditStore } from '../../dashboard-store.ts';
import { type AuditRow, auditValues, toAuditPage } from '../../rows/audit-row.ts';
import type { Committer } from '../committer.ts';
import type { Connection } from '../connection.ts';

const APPEND = 'INSERT INTO audit (at, actor, account_id, action, target, detail) VALUES (?, ?, ?, ?, ?, ?)';

export function createAuditStore(reads: Connection, { submit }: Committer): AuditStore {
  const readPage = reads.prepare(
    'SELECT * FROM audit WHERE account_id IS ? AND seq < ? ORDER BY seq DESC LIMIT ?',
  );
  return {
    async audit(entry) {
      await submit({ statements: [{ sql: APPEND, values: auditValues(entry) }] });
    },
    async auditEntries(accountId, after, limit) {
      const rows = readPage.all(accountId, after ?? Number.MAX_SAFE_INTEGER, limit + 1) as AuditRow[];
      return toAuditPage(rows, limit);
    },
  };
}

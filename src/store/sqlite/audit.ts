/** What people changed, in SQLite: written once, in the job of the change, never changed. */
import { type AuditRecord, auditValues, toAuditPage } from '../audit-row.ts';
import type { AuditEntries, AuditStore } from '../dashboard-store.ts';
import type { SqliteCommitter } from './committer.ts';
import type { SqliteConnection } from './connection.ts';
import type { Statement } from './jobs.ts';

const APPEND = 'INSERT INTO audit (at, actor, account_id, action, target, detail) VALUES (?, ?, ?, ?, ?, ?)';
const APPEND_IF_CHANGED =
  'INSERT INTO audit (at, actor, account_id, action, target, detail) SELECT ?, ?, ?, ?, ?, ? WHERE changes() > 0';

/** Go right behind the statement of a job that decides whether anything was changed. */
export function auditStatements(entries: AuditEntries): Statement[] {
  return entries.map((entry) => ({ sql: APPEND_IF_CHANGED, values: auditValues(entry) }));
}

export function createAuditStore(reads: SqliteConnection, { submit }: SqliteCommitter): AuditStore {
  const readPage = reads.prepare(
    'SELECT * FROM audit WHERE account_id IS ? AND seq < ? ORDER BY seq DESC LIMIT ?',
  );
  return {
    async audit(entry) {
      await submit({ statements: [{ sql: APPEND, values: auditValues(entry) }] });
    },
    async auditEntries(accountId, after, limit) {
      const rows = readPage.all(accountId, after ?? Number.MAX_SAFE_INTEGER, limit + 1) as AuditRecord[];
      return toAuditPage(rows, limit);
    },
  };
}

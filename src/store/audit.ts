/** The audit log in both databases: an entry is written once, in the transaction of the change; only an erasure takes a person out of its texts. */
import { createSearchAudit, readAuditPage, type StoredAuditRow, toAuditEntry } from './audit-search.ts';
import type { AuditEntry, AuditStore } from './dashboard-store.ts';
import type { ErasureStore } from './erasure-store.ts';
import type { SqlDatabase, SqlStatement } from './sql-database.ts';
import { encodeText } from './text.ts';

export function createAuditStore({ query, change }: SqlDatabase): AuditStore {
  return {
    async audit(entry) {
      await change([], appendEntry(entry));
    },
    auditEntries: createSearchAudit(query),
  };
}

const REDACT = 'UPDATE audit SET target = $2, detail = $3 WHERE seq = $1 RETURNING seq';
const REDACTED_AT_ONCE = 500;

export function createRedactAudit({
  query,
  change,
}: Pick<SqlDatabase, 'query' | 'change'>): ErasureStore['redactAudit'] {
  return async (accountId, redact) => {
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const rows = await query<StoredAuditRow>(readAuditPage('account_id = $3'), [
        before,
        REDACTED_AT_ONCE,
        accountId,
      ]);
      for (const row of rows) {
        const entry = toAuditEntry(row);
        const { target, detail } = redact(entry);
        if (target === entry.target && detail === entry.detail) continue;
        await change([], { sql: REDACT, values: [row.seq, encodeText(target), encodeText(detail)] });
      }
      if (rows.length < REDACTED_AT_ONCE) return;
      before = (rows.at(-1) as StoredAuditRow).seq;
    }
  };
}

/** @param condition for SQLite, which decides within the statement whether to store it */
export function appendEntry(
  { at, by, accountId, action, target, detail }: AuditEntry,
  condition = 'true',
): SqlStatement {
  const [actor, ...texts] = [by, action, target, detail].map(encodeText);
  return {
    sql: `INSERT INTO audit (at, actor, account_id, action, target, detail)
      SELECT $1, $2, $3, $4, $5, $6 WHERE ${condition} RETURNING seq`,
    values: [at, actor as string, accountId, ...texts],
  };
}

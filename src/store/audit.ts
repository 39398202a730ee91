/** The audit log in both databases: an entry is written once, in the transaction of the change; afterwards only an erasure takes a person out of its texts (and `list-history.ts` the values of a list entry). */
import { createSearchAudit, readAuditPage, type StoredAuditRow, toAuditEntry } from './audit-search.ts';
import type { AuditEntry, AuditStore } from './audit-store.ts';
import type { ErasureStore } from './erasure-store.ts';
import type { SqlDatabase, SqlStatement } from './sql-database.ts';
import { encodeText } from './text.ts';

export function createAuditStore({ query, change }: SqlDatabase): AuditStore {
  return {
    async audit(entry) {
      const { undo, ...rest } = entry;
      if (undo !== undefined) throw new Error('an entry without a change has nothing to take back');
      await change([], appendEntry(rest));
    },
    auditEntries: createSearchAudit(query),
  };
}

const REDACT = 'UPDATE audit SET target = $2, detail = $3, subject = $4 WHERE seq = $1 RETURNING seq';
const REDACTED_AT_ONCE = 500;

export function createRedactAudit({
  query,
  change,
}: Pick<SqlDatabase, 'query' | 'change'>): ErasureStore['redactAudit'] {
  return async (accountId, redact) => {
    let before = Number.MAX_SAFE_INTEGER;
    let changed = 0;
    for (;;) {
      const rows = await query<StoredAuditRow>(readAuditPage('account_id = $3'), [
        before,
        REDACTED_AT_ONCE,
        accountId,
      ]);
      for (const row of rows) {
        const redacted = redact({
          ...toAuditEntry(row),
          ...(row.subject !== null && { subject: row.subject }),
        });
        if (redacted === undefined) continue;
        const { target, detail, subject = null } = redacted;
        const values = [row.seq, encodeText(target), encodeText(detail), subject];
        await change([], { sql: REDACT, values });
        changed += 1;
      }
      if (rows.length < REDACTED_AT_ONCE) return changed;
      before = (rows.at(-1) as StoredAuditRow).seq;
    }
  };
}

/** @param condition for SQLite, which decides within the statement whether to store it */
export function appendEntry(
  { at, by, accountId, action, target, detail, subject }: AuditEntry,
  condition = 'true',
): SqlStatement {
  const [actor, ...texts] = [by, action, target, detail].map(encodeText);
  return {
    sql: `INSERT INTO audit (at, actor, account_id, action, target, detail, subject)
      SELECT $1, $2, $3, $4, $5, $6, $7 WHERE ${condition} RETURNING seq`,
    values: [at, actor as string, accountId, ...texts, subject ?? null],
  };
}

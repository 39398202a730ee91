/** The audit log in both databases: an entry is written once, in the transaction of the change; only an erasure takes a person out of its texts. */
import type { AuditEntry, AuditStore } from './dashboard-store.ts';
import type { ErasureStore } from './erasure-store.ts';
import type { SqlDatabase, SqlStatement } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';

export interface StoredAuditRow {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly account_id: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: string;
}

const readPage = (condition: string) =>
  `SELECT * FROM audit WHERE seq < $1 AND ${condition} ORDER BY seq DESC LIMIT $2`;

export function createAuditStore({ query, change }: SqlDatabase): AuditStore {
  return {
    async audit(entry) {
      await change([], appendEntry(entry));
    },
    async auditEntries(accountId, after, limit) {
      const values = [after ?? Number.MAX_SAFE_INTEGER, limit + 1];
      const rows =
        accountId === null
          ? await query<StoredAuditRow>(readPage('account_id IS NULL'), values)
          : await query<StoredAuditRow>(readPage('account_id = $3'), [...values, accountId]);
      const entries = rows.slice(0, limit);
      return {
        entries: entries.map(toAuditEntry),
        next: rows.length > limit ? (entries.at(-1) as StoredAuditRow).seq : null,
      };
    },
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
      const rows = await query<StoredAuditRow>(readPage('account_id = $3'), [
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

export function toAuditEntry(row: StoredAuditRow): AuditEntry {
  return {
    at: row.at,
    by: decodeText(row.actor),
    accountId: row.account_id,
    action: decodeText(row.action),
    target: decodeText(row.target),
    detail: decodeText(row.detail),
  };
}

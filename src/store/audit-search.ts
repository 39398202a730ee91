/** Searches the audit log in both databases, newest first, by a filter. */
import { setImmediate } from 'node:timers/promises';
import type { AuditEntry, AuditFilter, AuditStore } from './audit-store.ts';
import type { SqlDatabase } from './sql-database.ts';
import { decodeText } from './text.ts';

export interface StoredAuditRow {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly account_id: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: string;
  readonly subject: string | null;
}

/** Read at a time with a filter, and at most for one page. */
const CHUNK_ROWS = 200;
const MAX_ROWS = 10_000;
const DAY_MS = 86_400_000;

export const readAuditPage = (condition: string) =>
  `SELECT * FROM audit WHERE seq < $1 AND ${condition} ORDER BY seq DESC LIMIT $2`;

export function createSearchAudit(query: SqlDatabase['query']): AuditStore['auditEntries'] {
  function read(accountId: string | null, before: number, count: number): Promise<StoredAuditRow[]> {
    const values = [before, count];
    return accountId === null
      ? query(readAuditPage('account_id IS NULL'), values)
      : query(readAuditPage('account_id = $3'), [...values, accountId]);
  }

  return async (accountId, after, limit, filter) => {
    const chunk = filter === undefined ? limit + 1 : CHUNK_ROWS;
    const found: StoredAuditRow[] = [];
    let before = after ?? Number.MAX_SAFE_INTEGER;
    for (let count = 0; count < MAX_ROWS; count += chunk) {
      const rows = await read(accountId, before, chunk);
      found.push(...(filter === undefined ? rows : rows.filter((row) => fits(toAuditEntry(row), filter))));
      if (found.length > limit) return pageOf(found.slice(0, limit), found[limit - 1]?.seq ?? null);
      if (rows.length < chunk || isBefore(rows, filter?.since)) return pageOf(found, null);
      before = (rows.at(-1) as StoredAuditRow).seq;
      await setImmediate();
    }
    return pageOf(found, before);
  };
}

const pageOf = (rows: readonly StoredAuditRow[], next: number | null) => ({
  entries: rows.map(toAuditEntry),
  positions: rows.map(({ seq }) => seq),
  next,
});

/** Clocks step, so that a later entry may have an earlier time; but not so many, and not by a day. */
function isBefore(rows: readonly StoredAuditRow[], since: number | undefined): boolean {
  return since !== undefined && rows.every(({ at }) => at < since - DAY_MS);
}

function fits({ at, action, by, target, detail }: AuditEntry, filter: AuditFilter): boolean {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = filter;
  return (
    at >= since &&
    at < until &&
    isAction(action, filter.action) &&
    contains(by, filter.by) &&
    (contains(target, filter.target) || contains(detail, filter.target))
  );
}

/** Comparison without case; every text contains nothing. */
function contains(text: string, part = ''): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

function isAction(action: string, wanted: string | undefined): boolean {
  return wanted === undefined || (wanted.endsWith('.') ? action.startsWith(wanted) : action === wanted);
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

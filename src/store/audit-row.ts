/** An entry of the audit log as both databases keep it, and how a page of them is cut. */
import type { AuditEntry, AuditPage } from './dashboard-store.ts';
import { decodeText, encodeText } from './text.ts';

export interface AuditRecord {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly account_id: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: string;
}

/** In the order of the columns, from `at` to `detail`. */
export function auditValues({ at, by, accountId, action, target, detail }: AuditEntry) {
  const [actor, ...texts] = [by, action, target, detail].map(encodeText);
  return [at, actor as string, accountId, ...texts];
}

/** @param rows newest first, one more than `limit` where there are more */
export function toAuditPage(rows: readonly AuditRecord[], limit: number): AuditPage {
  const shown = rows.slice(0, limit);
  return {
    entries: shown.map(toEntry),
    next: rows.length > limit ? (shown.at(-1) as AuditRecord).seq : null,
  };
}

function toEntry(row: AuditRecord): AuditEntry {
  return {
    at: row.at,
    by: decodeText(row.actor),
    accountId: row.account_id,
    action: decodeText(row.action),
    target: decodeText(row.target),
    detail: decodeText(row.detail),
  };
}

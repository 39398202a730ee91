/** What people changed, in SQLite: written once, never changed. */
import type { AuditEntry, AuditStore } from '../../dashboard-store.ts';
import { decodeText, encodeText } from '../../text.ts';
import type { Committer } from '../committer.ts';
import type { Connection } from '../connection.ts';

const APPEND = 'INSERT INTO audit (at, actor, account_id, action, target, detail) VALUES (?, ?, ?, ?, ?, ?)';

interface Row {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly account_id: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: string;
}

export function createAuditStore(reads: Connection, { submit }: Committer): AuditStore {
  const readPage = reads.prepare(
    'SELECT * FROM audit WHERE account_id IS ? AND seq < ? ORDER BY seq DESC LIMIT ?',
  );
  return {
    async audit({ at, by, accountId, action, target, detail }) {
      const [actor, ...texts] = [by, action, target, detail].map(encodeText);
      await submit({ statements: [{ sql: APPEND, values: [at, actor as string, accountId, ...texts] }] });
    },
    async auditEntries(accountId, after, limit) {
      const rows = readPage.all(accountId, after ?? Number.MAX_SAFE_INTEGER, limit + 1) as Row[];
      const shown = rows.slice(0, limit);
      return { entries: shown.map(toEntry), next: rows.length > limit ? (shown.at(-1) as Row).seq : null };
    },
  };
}

function toEntry(row: Row): AuditEntry {
  return {
    at: row.at,
    by: decodeText(row.actor),
    accountId: row.account_id,
    action: decodeText(row.action),
    target: decodeText(row.target),
    detail: decodeText(row.detail),
  };
}

/** What people changed, in PostgreSQL: written once, never changed. */
import type { AuditEntry, AuditStore } from '../../dashboard-store.ts';
import { decodeText, encodeText } from '../../text.ts';
import type { Database } from '../database.ts';

const APPEND =
  'INSERT INTO audit (at, actor, account_id, action, target, detail) VALUES ($1, $2, $3, $4, $5, $6)';
const readPage = (whose: string) =>
  `SELECT * FROM audit WHERE ${whose} AND seq < $1 ORDER BY seq DESC LIMIT $2`;

interface Row {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly account_id: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: string;
}

export function createAuditStore({ query }: Pick<Database, 'query'>): AuditStore {
  return {
    async audit({ at, by, accountId, action, target, detail }) {
      const [actor, ...texts] = [by, action, target, detail].map(encodeText);
      await query(APPEND, [at, actor as string, accountId, ...texts]);
    },
    async auditEntries(accountId, after, limit) {
      const asked = [after ?? Number.MAX_SAFE_INTEGER, limit + 1];
      const rows =
        accountId === null
          ? await query<Row>(readPage('account_id IS NULL'), asked)
          : await query<Row>(readPage('account_id = $3'), [...asked, accountId]);
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

/** Stores appeals, in both databases. */
import type { KeyMode } from '../model/key-mode.ts';
import type { AppealStore, StoredAppeal } from './appeal-store.ts';
import type { SqlDatabase, SqlValue } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';

interface AppealRow {
  readonly request_id: string;
  readonly account_id: string;
  readonly mode: KeyMode;
  readonly text: string;
  readonly at: number;
  readonly expires_at: number;
  readonly closed_at: number | null;
  readonly closed_by: string | null;
}

const SAVE = `INSERT INTO appeals (request_id, account_id, mode, text, at, times, expires_at) VALUES ($1, $2, $3, $4, $5, 1, $6)
  ON CONFLICT (request_id) DO UPDATE SET text = excluded.text, at = excluded.at, times = appeals.times + 1,
    expires_at = excluded.expires_at WHERE appeals.times < $7 RETURNING request_id`;
const FIND = 'SELECT * FROM appeals WHERE account_id = $1 AND request_id = $2 AND expires_at > $3';
const READ = `SELECT * FROM appeals WHERE account_id = $1 AND mode = $2 AND at >= $3 AND expires_at > $4
  ORDER BY at DESC, request_id DESC LIMIT $5`;
const OLD = 'SELECT request_id FROM appeals WHERE expires_at <= $1';

export function createAppealStore({ query, change }: Pick<SqlDatabase, 'query' | 'change'>): AppealStore {
  return {
    async saveAppeal({ requestId, accountId, mode, text, at, expiresAt }, maxTimes) {
      const values = [requestId, accountId, mode, text, at, expiresAt, maxTimes];
      return (await change([], { sql: SAVE, values })).length > 0;
    },
    async findAppeal(accountId, requestId, now) {
      const [row] = await query<AppealRow>(FIND, [accountId, requestId, now]);
      return row && toAppeal(row);
    },
    async appeals(accountId, { mode, since, now }, limit) {
      return (await query<AppealRow>(READ, [accountId, mode, since, now, limit])).map(toAppeal);
    },
    async closeAppeals(accountId, appeals, { at, by }, ...audit) {
      if (appeals.length === 0) return [];
      const values: SqlValue[] = [accountId, at, encodeText(by)];
      const conditions = appeals.map((appeal) => {
        const place = values.push(appeal.requestId, appeal.at);
        return `(request_id = $${place - 1} AND at = $${place})`;
      });
      const sql = `UPDATE appeals SET closed_at = $2, closed_by = $3 WHERE account_id = $1
        AND (closed_at IS NULL OR closed_at < at) AND (${conditions.join(' OR ')}) RETURNING request_id`;
      return idsOf(await change(audit, { sql, values }));
    },
    async reopenAppeals(accountId, requestIds, closedAt, ...audit) {
      if (requestIds.length === 0) return [];
      const values: SqlValue[] = [accountId, closedAt];
      const places = requestIds.map((id) => `$${values.push(id)}`);
      const sql = `UPDATE appeals SET closed_at = NULL, closed_by = NULL WHERE account_id = $1 AND closed_at = $2
        AND request_id IN (${places.join(', ')}) RETURNING request_id`;
      return idsOf(await change(audit, { sql, values }));
    },
    async pruneAppeals(now, maxPruned) {
      if ((await query(`${OLD} LIMIT 1`, [now])).length === 0) return 0;
      const sql = `DELETE FROM appeals WHERE request_id IN (SELECT request_id FROM (${OLD} LIMIT $2) AS old) RETURNING request_id`;
      return (await change([], { sql, values: [now, maxPruned] })).length;
    },
  };
}

function idsOf(rows: readonly object[]): string[] {
  return (rows as readonly Pick<AppealRow, 'request_id'>[]).map(({ request_id }) => request_id);
}

/** A text that came after the closing is open again. */
function toAppeal(row: AppealRow): StoredAppeal {
  const { closed_at: closedAt, closed_by: by } = row;
  const isClosed = closedAt !== null && closedAt >= row.at;
  return {
    requestId: row.request_id,
    accountId: row.account_id,
    mode: row.mode,
    text: row.text,
    at: row.at,
    expiresAt: row.expires_at,
    closed: isClosed ? { at: closedAt, by: decodeText(by ?? '') } : undefined,
  };
}

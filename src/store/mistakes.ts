/** Stores which reports somebody has dealt with, in both databases. */
import type { MistakeStore, ReportOfSignup } from './mistake-store.ts';
import type { SqlDatabase, SqlValue } from './sql-database.ts';
import { encodeText } from './text.ts';

interface ClosedRow {
  readonly request_id: string;
}

const OPEN = '(closed_at IS NULL OR closed_at < at)';

export function createMistakeStore({ change }: Pick<SqlDatabase, 'change'>): MistakeStore {
  return {
    async closeReports(accountId, reports, { at, by }, ...audit) {
      const values = [accountId, at, encodeText(by)];
      const sql = `UPDATE feedback SET closed_at = $2, closed_by = $3
        WHERE account_id = $1 AND ${OPEN} AND ${oneOf(reports, values)} RETURNING request_id`;
      return idsOf(reports.length === 0 ? [] : await change<ClosedRow>(audit, { sql, values }));
    },
    async reopenReports(accountId, reports, closedAt, ...audit) {
      const values = [accountId, closedAt];
      const sql = `UPDATE feedback SET closed_at = NULL, closed_by = NULL
        WHERE account_id = $1 AND closed_at = $2 AND ${oneOf(reports, values)} RETURNING request_id`;
      return idsOf(reports.length === 0 ? [] : await change<ClosedRow>(audit, { sql, values }));
    },
  };
}

/** Condition that a row is one of these reports; its values are added to those of the statement. */
function oneOf(reports: readonly ReportOfSignup[], values: SqlValue[]): string {
  const conditions = reports.map(({ requestId, at }) => {
    const place = values.push(requestId, at);
    return `(request_id = $${place - 1} AND at = $${place})`;
  });
  return `(${conditions.join(' OR ')})`;
}

function idsOf(rows: readonly ClosedRow[]): string[] {
  return rows.map(({ request_id }) => request_id);
}

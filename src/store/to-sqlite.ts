/** Rewrites statements of both databases for SQLite. */
import type { SqlStatement } from './sql-database.ts';

export function toSqlite({ sql, values }: SqlStatement): SqlStatement {
  return { sql: withNumbers(sql), values };
}

/** SQLite takes `$1` for a name, and `?1` for the first value. */
export function withNumbers(sql: string): string {
  return sql.replaceAll(/\$(\d+)/g, '?$1');
}

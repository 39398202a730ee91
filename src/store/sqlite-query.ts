/** Runs the reads of both databases' SQL in SQLite. */
import type { SqliteConnection } from '../platform/sqlite-driver.ts';
import type { SqlDatabase, SqlValue } from './sql-database.ts';
import { withNumbers } from './to-sqlite.ts';

/** More than the fixed statements; searches of the history differ in a few ways. */
const MAX_PREPARED = 200;

/** Runs reads, and keeps the newest prepared statements. */
export function createQuery(connection: SqliteConnection): SqlDatabase['query'] {
  const prepared = new Map<string, ReturnType<SqliteConnection['prepare']>>();

  function prepare(sql: string) {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = connection.prepare(withNumbers(sql));
    if (prepared.size >= MAX_PREPARED) prepared.delete(prepared.keys().next().value as string);
    prepared.set(sql, statement);
    return statement;
  }

  return async <Row extends object>(
    sql: Parameters<SqlDatabase['query']>[0],
    values: readonly SqlValue[] = [],
  ) => prepare(typeof sql === 'string' ? sql : sql.text).all(values) as Row[];
}

/** The port for SQL in SQLite: reads on the main thread, changes by the writer thread. */
import { appendEntry } from '../audit.ts';
import type { AuditEntries } from '../audit-store.ts';
import { currentVersion, type SqlDatabase, type SqlStatement, type SqlValue } from '../sql-database.ts';
import type { SqliteCommitter } from './committer.ts';
import type { SqliteConnection } from './connection.ts';
import { toSqlite, withNumbers } from './to-sqlite.ts';

/** More than the fixed statements; searches of the history differ in a few ways. */
const MAX_PREPARED = 200;

export function createSqlDatabase(
  reads: SqliteConnection,
  { submit }: Pick<SqliteCommitter, 'submit'>,
): SqlDatabase {
  return {
    query: createQuery(reads),
    async change<Row extends object>(audit: AuditEntries, ...statements: readonly SqlStatement[]) {
      const { result } = await submit({
        statements: [...statements.map(toSqlite), ...auditStatements(audit)],
        resultOf: statements.length - 1,
      });
      return (result?.rows ?? []) as readonly object[] as Row[];
    },
    nextVersion: (of) => [
      { sql: `UPDATE meta SET value = value + 1 WHERE name = '${of}_version'`, values: [] },
    ],
    newVersion: currentVersion,
    // The writer thread runs one transaction after the other.
    lock: () => [],
  };
}

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

/** Go right behind the statement of a job that decides whether anything was changed. */
export function auditStatements(entries: AuditEntries): SqlStatement[] {
  return entries.map((entry) => toSqlite(appendEntry(entry, 'changes() > 0')));
}

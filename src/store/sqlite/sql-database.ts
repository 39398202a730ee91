/** The port for SQL in SQLite: reads on the main thread, changes by the writer thread. */
import { appendEntry } from '../audit.ts';
import type { AuditEntries } from '../dashboard-store.ts';
import type { SqlDatabase, SqlStatement } from '../sql-database.ts';
import type { SqliteCommitter } from './committer.ts';
import type { SqliteConnection } from './connection.ts';
import type { Statement } from './jobs.ts';

export function createSqlDatabase(
  reads: SqliteConnection,
  { submit }: Pick<SqliteCommitter, 'submit'>,
): SqlDatabase {
  const prepared = new Map<string, ReturnType<SqliteConnection['prepare']>>();

  function prepare(sql: string) {
    const statement = prepared.get(sql) ?? reads.prepare(withNumbers(sql));
    prepared.set(sql, statement);
    return statement;
  }

  return {
    async query<Row extends object>(sql: Parameters<SqlDatabase['query']>[0], values = []) {
      return prepare(typeof sql === 'string' ? sql : sql.text).all(values) as Row[];
    },
    async change<Row extends object>(audit: AuditEntries, ...statements: readonly SqlStatement[]) {
      const { result } = await submit({
        statements: [...statements.map(toSqlite), ...auditStatements(audit)],
        resultOf: statements.length - 1,
      });
      return (result?.rows ?? []) as readonly object[] as Row[];
    },
    nextVersion: (of) => ({
      sql: `UPDATE meta SET value = value + 1 WHERE name = '${of}_version'`,
      values: [],
    }),
    // The writer thread runs one transaction after the other.
    lockAddress: () => [],
  };
}

/** Go right behind the statement of a job that decides whether anything was changed. */
export function auditStatements(entries: AuditEntries): Statement[] {
  return entries.map((entry) => toSqlite(appendEntry(entry, 'changes() > 0')));
}

export function toSqlite({ sql, values }: SqlStatement): Statement {
  return { sql: withNumbers(sql), values };
}

/** SQLite takes `$1` for a name, and `?1` for the first value. */
function withNumbers(sql: string): string {
  return sql.replaceAll(/\$(\d+)/g, '?$1');
}

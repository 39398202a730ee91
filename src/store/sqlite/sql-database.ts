/** The port for SQL in SQLite: reads on the main thread, changes by the writer thread. */
import { insertAction } from '../attack-actions.ts';
import { appendEntry } from '../audit.ts';
import type { AuditEntries } from '../audit-store.ts';
import {
  currentVersion,
  ifRulesAre,
  ifVersion,
  type SqlDatabase,
  type SqlStatement,
  StaleVersion,
} from '../sql-database.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { JobQueue } from '../sqlite-jobs.ts';
import { createQuery } from '../sqlite-query.ts';
import { toSqlite } from '../to-sqlite.ts';

export function createSqlDatabase(reads: SqliteConnection, { submit }: JobQueue): SqlDatabase {
  return createConditional({ query: createQuery(reads), submit });
}

interface Parts extends Pick<SqlDatabase, 'query'>, Pick<JobQueue, 'submit'> {}

/** @param condition each change is made only if it gives a row */
function createConditional({ query, submit }: Parts, condition?: SqlStatement): SqlDatabase {
  return {
    query,
    async change<Row extends object>(audit: AuditEntries, ...statements: readonly SqlStatement[]) {
      const { result } = await submit({
        statements: [...statements.map(toSqlite), ...auditStatements(audit)],
        resultOf: statements.length - 1,
        ...(condition !== undefined && { condition }),
      });
      if (result === undefined) throw new StaleVersion();
      return result.rows as readonly object[] as Row[];
    },
    async changeAll(changes) {
      const statements = changes.flatMap(({ audit, statements }) => [
        ...statements.map(toSqlite),
        ...auditStatements(audit),
      ]);
      const { result } = await submit({
        statements,
        resultOf: statements.length - 1,
        ...(condition !== undefined && { condition }),
      });
      if (result === undefined) throw new StaleVersion();
    },
    atRules: (versions) => createConditional({ query, submit }, toSqlite(ifRulesAre(versions))),
    at: (of, version) => createConditional({ query, submit }, toSqlite(ifVersion(of, version))),
    when: (found) => createConditional({ query, submit }, toSqlite(found)),
    nextVersion: (of) => [
      { sql: `UPDATE meta SET value = value + 1 WHERE name = '${of}_version'`, values: [] },
    ],
    newVersion: currentVersion,
    // The writer thread runs one transaction after the other.
    lock: () => [],
  };
}

/** Go right behind the statement of a job that decides whether anything was changed. */
export function auditStatements(entries: AuditEntries): SqlStatement[] {
  const isChanged = 'changes() > 0';
  return entries
    .flatMap((entry) => [
      appendEntry(entry, isChanged),
      ...(entry.undo === undefined ? [] : [insertAction(entry.undo, isChanged)]),
    ])
    .map(toSqlite);
}

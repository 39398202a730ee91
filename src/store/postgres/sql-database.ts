/** The port for SQL in PostgreSQL. */
import { insertAction } from '../attack-actions.ts';
import { appendEntry } from '../audit.ts';
import type { AuditEntries } from '../audit-store.ts';
import {
  ifRulesAre,
  ifVersion,
  type SqlChange,
  type SqlDatabase,
  type SqlStatement,
  StaleVersion,
} from '../sql-database.ts';
import { encodeText } from '../text.ts';
import type { Database, Query } from './database.ts';

export function createSqlDatabase(database: Database): SqlDatabase {
  return createConditional(database);
}

/** @param condition each change is made only if it gives a row @param locks taken before it is asked, in this order */
function createConditional(
  database: Database,
  condition?: SqlStatement,
  locks: readonly string[] = [],
): SqlDatabase {
  const { query, transaction } = database;

  /** @throws StaleVersion where the condition is not met */
  async function inOne(work: (run: Query) => Promise<void>): Promise<void> {
    const isMet = await transaction(async (run) => {
      for (const name of locks) await lockName(run, name);
      if (condition !== undefined && (await run(condition.sql, condition.values)).length === 0) return false;
      await work(run);
      return true;
    });
    if (!isMet) throw new StaleVersion();
  }

  return {
    query,
    async change<Row extends object>(audit: AuditEntries, ...statements: readonly SqlStatement[]) {
      const [first] = statements;
      if (condition === undefined && audit.length === 0 && statements.length === 1 && first !== undefined)
        return query<Row>(first.sql, first.values);
      let rows: Row[] = [];
      await inOne(async (run) => {
        rows = await runChange<Row>(run, { audit, statements });
      });
      return rows;
    },
    async changeAll(changes) {
      await inOne(async (run) => {
        for (const change of changes) await runChange(run, change);
      });
    },
    atRules(versions, names) {
      const { sql, values } = ifRulesAre(versions);
      return createConditional(database, { sql: `${sql} FOR UPDATE`, values }, names.toSorted());
    },
    at(of, version) {
      const { sql, values } = ifVersion(of, version);
      // Locked, so that of two changes that were decided on the same version, the second one sees the first.
      return createConditional(database, { sql: `${sql} FOR UPDATE`, values });
    },
    // In one order everywhere, so that two changes do not wait for each other.
    when: (found, names) => createConditional(database, found, names.toSorted()),
    nextVersion: () => [],
    // Within the statement, so that others wait no longer than for it.
    newVersion: (of) => `gatehouse_next_1('${of}')`,
    lock: (name) => [lockStatement(name)],
  };
}

async function runChange<Row extends object>(run: Query, { audit, statements }: SqlChange): Promise<Row[]> {
  let rows: Row[] = [];
  for (const { sql, values } of statements) rows = await run<Row>(sql, values);
  if (rows.length > 0) await appendAudit(run, audit);
  return rows;
}

/** Appends in the transaction that `query` belongs to. */
export async function appendAudit(query: Query, entries: AuditEntries): Promise<void> {
  for (const entry of entries) {
    const action = entry.undo === undefined ? [] : [insertAction(entry.undo)];
    for (const { sql, values } of [appendEntry(entry), ...action]) await query(sql, values);
  }
}

/** Makes transactions with the same name, such as an address, run one after the other. */
export async function lockName(run: Query, name: string): Promise<void> {
  const { sql, values } = lockStatement(name);
  await run(sql, values);
}

function lockStatement(name: string): SqlStatement {
  return { sql: 'SELECT pg_advisory_xact_lock(7126011, hashtext($1))', values: [encodeText(name)] };
}

/** Keeps in memory the sessions that begin while the disk is full, until they can be stored: so that people can still sign in and find the cause. */
import Database from 'libsql';
import type { Connection } from './connection.ts';
import type { Row, SqlValue, Statement, StatementResult } from './jobs.ts';
import { migrate } from './migrate.ts';

export interface UnstoredSignIns {
  isEmpty(): boolean;
  /** Rows of the database, and over them those kept here. */
  merge(select: Statement, stored: readonly Row[]): readonly Row[];
  /** What a write does to the rows kept here; `undefined` where it is about none. */
  write(statement: Statement): StatementResult | undefined;
  /** Does here what could not be done in the database; `undefined` where it has to be done there. */
  writeInstead(statement: Statement): StatementResult | undefined;
  /** Stores everything kept here. */
  flush(submit: (statements: readonly Statement[]) => Promise<unknown>): Promise<void>;
  /** Ends them all. */
  clear(): void;
}

/** Sessions, and sign-ins that wait for the second factor. */
const KEPT = /^(insert into|update|delete from) "(auth_sessions|auth_verifications)"/;
const TABLES = ['auth_sessions', 'auth_verifications'] as const;
/** Only who knows a password gets a row. */
const MAX_ROWS = 1_000;

export function createUnstoredSignIns(reads: Connection): UnstoredSignIns {
  let memory: Connection | undefined;

  function open(): Connection {
    if (memory !== undefined) return memory;
    memory = new Database(':memory:');
    migrate(memory);
    memory.pragma('foreign_keys = OFF');
    return memory;
  }

  const rowsOf = (table: string) => (memory?.prepare(`SELECT * FROM ${table}`).all() ?? []) as Row[];
  const count = () => TABLES.reduce((sum, table) => sum + rowsOf(table).length, 0);

  function run({ sql, values }: Statement): StatementResult {
    const statement = open().prepare(sql) as unknown as {
      reader: boolean;
      all(values: unknown): Row[];
      run(values: unknown): { changes: number };
    };
    if (!statement.reader) return { rows: [], changes: statement.run(values).changes };
    const rows = statement.all(values);
    return { rows, changes: rows.length };
  }

  /** The rows in the database that an update or a delete is about. */
  function storedRows(table: string, { sql, values }: Statement): Row[] {
    const at = sql.indexOf(' where ');
    if (at < 0) return [];
    const where = sql.slice(at).replace(/ returning .*$/, '');
    const before = sql.slice(0, at).split('?').length - 1;
    return reads.prepare(`SELECT * FROM ${table}${where}`).all(values.slice(before)) as Row[];
  }

  function insert(table: string, row: Row): Statement {
    const names = Object.keys(row);
    return {
      sql: `INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      values: Object.values(row) as SqlValue[],
    };
  }

  return {
    isEmpty: () => memory === undefined || count() === 0,
    merge(select, stored) {
      if (memory === undefined || !/\bauth_(?:sessions|verifications)\b/.test(select.sql)) return stored;
      const { rows } = run(select);
      const ids = new Set(rows.map(({ id }) => id));
      return [...rows, ...stored.filter(({ id }) => !ids.has(id as SqlValue))];
    },
    write(statement) {
      const [, verb, table] = KEPT.exec(statement.sql) ?? [];
      if (memory === undefined || table === undefined || verb === 'insert into') return undefined;
      const result = run(statement);
      const onlyHere = verb === 'update' ? result.changes > 0 : storedRows(table, statement).length === 0;
      return onlyHere ? result : undefined;
    },
    writeInstead(statement) {
      const [, verb, table] = KEPT.exec(statement.sql) ?? [];
      if (table === undefined) return undefined;
      if (verb === 'delete from') {
        // What has expired is as good as gone; a sign-out that cannot be kept has to be told.
        const rows = storedRows(table, statement);
        const expired = rows.every(({ expiresAt }) => Date.parse(String(expiresAt)) < Date.now());
        return expired ? { rows, changes: rows.length } : undefined;
      }
      if (memory !== undefined && count() >= MAX_ROWS) return undefined;
      if (verb === 'update') for (const row of storedRows(table, statement)) run(insert(table, row));
      return run(statement);
    },
    async flush(submit) {
      const statements = TABLES.flatMap((table) => rowsOf(table).map((row) => insert(table, row)));
      if (statements.length === 0) return;
      await submit(statements);
      for (const table of TABLES) memory?.exec(`DELETE FROM ${table}`);
    },
    clear() {
      for (const table of TABLES) memory?.exec(`DELETE FROM ${table}`);
    },
  };
}

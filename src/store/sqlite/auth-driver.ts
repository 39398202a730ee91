/** Runs the statements of the sign-in library in SQLite: reads at once, writes by the writer thread, so that the main thread waits for no lock. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { Problem } from '../../contract/problem.ts';
import type { SqlStatement, SqlValue } from '../sql-database.ts';
import type { SqliteCommitter } from './committer.ts';
import type { SqliteConnection } from './connection.ts';
import type { SqliteRow, StatementResult } from './jobs.ts';
import type { UnstoredSignIns } from './unstored-sign-ins.ts';

export interface AuthDialectOptions {
  readonly reads: SqliteConnection;
  readonly submit: SqliteCommitter['submit'];
  readonly unstored: UnstoredSignIns;
}

export function createAuthDialect(options: AuthDialectOptions): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(options),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** All foreign keys of these tables lead to the user. What reaches us of an error of the writer is its text. */
export function isUserGone(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith('FOREIGN KEY constraint failed');
}

function createDriver({ reads, submit, unstored }: AuthDialectOptions): Driver {
  async function write(statement: SqlStatement): Promise<StatementResult> {
    const kept = unstored.write(statement);
    if (kept?.maybeStored === false) return kept.result;
    const stored = await writeStored(statement);
    return stored.changes === 0 && kept !== undefined ? kept.result : stored;
  }

  async function writeStored(statement: SqlStatement): Promise<StatementResult> {
    try {
      const { result } = await submit({ statements: [statement], resultOf: 0 });
      return result ?? { rows: [], changes: 0 };
    } catch (error) {
      const full = error instanceof Problem && error.code === 'storage_full';
      const instead = full ? unstored.writeInstead(statement) : undefined;
      if (instead === undefined) throw error;
      return instead;
    }
  }

  async function execute({ sql, parameters }: CompiledQuery): Promise<QueryResult<SqliteRow>> {
    const statement = { sql, values: parameters as readonly SqlValue[] };
    if (/^\s*(?:select|with)\b/i.test(sql)) {
      const stored = reads.prepare(sql).all(statement.values) as SqliteRow[];
      return { rows: [...unstored.merge(statement, stored)] };
    }
    const { rows, changes } = await write(statement);
    return { rows: [...rows], numAffectedRows: BigInt(changes) };
  }

  const connection = {
    executeQuery: execute,
    streamQuery: () => refuse('answers piece by piece'),
  } as unknown as DatabaseConnection;

  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: async () => refuse('transactions'),
    commitTransaction: async () => refuse('transactions'),
    rollbackTransaction: async () => refuse('transactions'),
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}

/** Each statement is a transaction of its own; sign-in asks for no other. */
function refuse(what: string): never {
  throw new Error(`the database of sign-in has no ${what}`);
}

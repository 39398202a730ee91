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
import type { SqlValue } from '../sql-database.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { JobQueue, SqliteRow } from '../sqlite-jobs.ts';

export interface AuthDialectOptions {
  readonly reads: SqliteConnection;
  readonly submit: JobQueue['submit'];
}

export function createAuthDialect(options: AuthDialectOptions): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(options),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** All foreign keys of these tables lead to the user. Only the text of an error of the writer reaches us. */
export function isUserGone(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith('FOREIGN KEY constraint failed');
}

function createDriver({ reads, submit }: AuthDialectOptions): Driver {
  async function execute({ sql, parameters }: CompiledQuery): Promise<QueryResult<SqliteRow>> {
    const values = parameters as readonly SqlValue[];
    if (/^\s*(?:select|with)\b/i.test(sql)) return { rows: reads.prepare(sql).all(values) as SqliteRow[] };
    const { result } = await submit({ statements: [{ sql, values }], resultOf: 0 });
    return { rows: [...(result?.rows ?? [])], numAffectedRows: BigInt(result?.changes ?? 0) };
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

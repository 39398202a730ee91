/** Runs what the sign-in library asks of SQLite: reads at once, writes by the writer thread like all others, so that no lock holds up the main thread. */
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
import type { Committer } from '../committer.ts';
import type { Connection } from '../connection.ts';
import type { Row, SqlValue } from '../jobs.ts';

export interface AuthDialectOptions {
  readonly reads: Connection;
  readonly submit: Committer['submit'];
}

export function createAuthDialect(options: AuthDialectOptions): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(options),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function createDriver({ reads, submit }: AuthDialectOptions): Driver {
  async function execute({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const values = parameters as readonly SqlValue[];
    if (/^\s*(?:select|with)\b/i.test(sql)) return { rows: reads.prepare(sql).all(values) as Row[] };
    const { result } = await submit({ statements: [{ sql, values }], tell: true });
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

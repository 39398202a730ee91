/** Writes a migrating installation into PostgreSQL, and reads back what is there. */
import type pg from 'pg';
import type { MigrationSource, MigrationTarget, TableLines } from '../migrate-copy.ts';
import { createTableDigest, type TableColumn, VALUE_TEXTS } from '../migrate-row-lines.ts';
import { checkServer } from './check-server.ts';
import { connectionConfig, PostgresConnection } from './connection.ts';
import { type Database, inTransaction, type PostgresValue, type Query } from './database.ts';
import { migrate } from './migrate.ts';
import {
  beginMigration,
  finishMigration,
  noteContent,
  refuseOther,
  refuseUsed,
  reserveDatabase,
} from './migrate-reserve.ts';
import { createKnownMonths } from './partitions.ts';
import { loadSecret, saveSecret } from './secret.ts';
import { unusable } from './unusable.ts';

export interface PostgresTarget extends MigrationTarget {
  close(): Promise<void>;
}

export interface PostgresTargetOptions {
  readonly url: string;
  readonly source: MigrationSource;
  /** What addresses are hashed with. */
  readonly secret: Buffer;
  /** Whether nodes find the secret in the database; otherwise each is given it, and the database only tells it from others. */
  readonly keepsSecret: boolean;
}

const NAME = 'gatehouse migrate';
const CONNECT_MS = 5_000;
const COLUMNS = `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
  WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`;
/** How COPY is to write what it would write in more than one way. */
const AS_LINE: Readonly<Record<string, (column: string) => string>> = {
  'timestamp with time zone': (column) =>
    `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  'real[]': (column) => `${column}::float8[]`,
};

/** @throws in one line when the database cannot be reached, or the installation may not migrate into it: then no data was changed */
export async function openPostgresTarget(options: PostgresTargetOptions): Promise<PostgresTarget> {
  const { url, source, secret } = options;
  const refuse = (error: Error) => {
    throw unusable(url, error);
  };
  await checkServer(url).catch(refuse);
  const client = new PostgresConnection(connectionConfig({ url, name: NAME, connectMs: CONNECT_MS }));
  await client.connect().catch(refuse);
  const query: Query = async <Row extends object>(
    sql: Parameters<Query>[0],
    values: readonly PostgresValue[] = [],
  ) => {
    const statement = typeof sql === 'string' ? { text: sql } : sql;
    return (await client.query({ ...statement, values: values as PostgresValue[] })).rows as Row[];
  };
  const close = () => client.end();
  try {
    const database: Database = { query, transaction: (work) => inTransaction(query, work), close };
    await reserveDatabase(query, NAME);
    await refuseOther(query, source);
    await migrate(url);
    await refuseUsed(query, source);
    await (options.keepsSecret ? saveSecret(database, secret) : loadSecret(database, secret));
    await beginMigration(query, source);
    return createTarget(client, database);
  } catch (error) {
    await close();
    throw error;
  }
}

function createTarget(client: PostgresConnection, database: Database): PostgresTarget {
  const { query, transaction, close } = database;
  const months = createKnownMonths(database);

  return {
    async columns(table) {
      const columns = await query<TableColumn>(COLUMNS, [table]);
      const unknown = columns.find(({ type }) => VALUE_TEXTS[type] === undefined);
      if (unknown !== undefined)
        throw new Error(`cannot copy ${table}.${unknown.name}: its type is ${unknown.type}`);
      return columns;
    },
    async newestSeq() {
      const [row] = await query<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM assessments');
      return row?.seq ?? 0;
    },
    empty: (tables) =>
      transaction(async (run) => {
        for (const table of tables) await run(`DELETE FROM ${table}`);
        await noteContent(run);
      }),
    async append(tables, requestIds) {
      await months.make(requestIds);
      await transaction(async (run) => {
        for (const { table, columns, lines } of tables)
          await copy(client, `COPY ${table} (${quote(columns)}) FROM STDIN`, { lines });
        await noteContent(run);
      });
    },
    async digest(table, columns, onRow) {
      const digest = createTableDigest();
      const values = columns.map(({ name, type }) => AS_LINE[type]?.(`"${name}"`) ?? `"${name}"`);
      await copy(client, `COPY (SELECT ${values.join(', ')} FROM ${table}) TO STDOUT`, {
        onLine(line) {
          digest.add(line);
          onRow();
        },
      });
      return digest.end();
    },
    async analyze() {
      await query('ANALYZE');
    },
    finish: () => finishMigration(query),
    close,
  };
}

function quote(columns: TableLines['columns']): string {
  return columns.map(({ name }) => `"${name}"`).join(', ');
}

/** The driver's own connection, as far as COPY needs it. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

interface CopyOptions {
  /** For `COPY … FROM STDIN`. */
  readonly lines?: readonly Buffer[];
  /** For `COPY … TO STDOUT`. */
  readonly onLine?: (line: Buffer) => void;
}

/** @throws when the server refuses it, or the connection is lost */
function copy(client: pg.ClientBase, sql: string, { lines = [], onLine }: CopyOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const statement = {
      submit: (wire: unknown) => (wire as Wire).query(sql),
      handleCopyInResponse(wire: Wire) {
        wire.sendCopyFromChunk(Buffer.concat(lines));
        wire.endCopyFrom();
      },
      // The server sends each row as a message.
      handleCopyData: ({ chunk }: { chunk: Buffer }) => onLine?.(chunk),
      handleCommandComplete() {},
      handleReadyForQuery: () => resolve(),
      handleError: reject,
    };
    client.query(statement);
  });
}

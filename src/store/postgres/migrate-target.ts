/** Writes a migrating installation into a database that nobody uses, and reads back what is there. */
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type { MigrationSource, MigrationTarget, TableLines } from '../migrate-copy.ts';
import { createTableDigest, type TableColumn, VALUE_TEXTS } from '../migrate-row-lines.ts';
import { checkServer } from './check-server.ts';
import { connectionConfig, PostgresConnection } from './connection.ts';
import { type Database, inTransaction, type PostgresValue, type Query } from './database.ts';
import { migrate } from './migrate.ts';
import { createKnownMonths } from './partitions.ts';
import { loadSecret, saveSecret } from './secret.ts';
import { unusable } from './unusable.ts';

export interface PostgresTarget extends MigrationTarget {
  close(): Promise<void>;
}

export interface PostgresTargetOptions {
  readonly url: string;
  readonly source: MigrationSource;
  /** Key that addresses are hashed with. */
  readonly secret: Buffer;
  /** Whether nodes find the secret in the database; otherwise each is configured with it, and the database can only check it. */
  readonly keepsSecret: boolean;
}

const NAME = 'gatehouse migrate';
const CONNECT_MS = 5_000;
/** Number of the advisory lock that one migration has. */
const LOCK = 7_126_030;
/** A migration that was killed has the lock until the server notices. */
const ATTEMPTS = 20;
const PAUSE_MS = 250;

const NODES = `SELECT count(*) AS nodes FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'gatehouse%' AND application_name <> '${NAME}'`;
/** Values that change whenever a service or a command uses the database. */
const CONTENT = `SELECT json_build_object('assessments', (SELECT last_value FROM assessment_seq),
  'audit', (SELECT last_value FROM audit_seq_seq), 'meta', (SELECT json_object_agg(name, value ORDER BY name) FROM meta))::text`;
const IS_EMPTY = `SELECT NOT EXISTS (SELECT FROM accounts) AND NOT EXISTS (SELECT FROM auth_users)
  AND NOT EXISTS (SELECT FROM assessments) AND NOT EXISTS (SELECT FROM audit) AND max(value) = 0 AS "isEmpty" FROM meta`;
const IS_UNCHANGED = `SELECT value = convert_to((${CONTENT}), 'UTF8') AS unchanged FROM installation WHERE name = 'migration'`;
/** Note in each transaction of a migration: what is there now came from it. */
const NOTE_CONTENT = `INSERT INTO installation (name, value) SELECT 'migration', convert_to((${CONTENT}), 'UTF8')
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** There from the beginning of a migration until both sides were found to be the same. */
const UNFINISHED = 'migration_unfinished';
const BEGIN = `INSERT INTO installation (name, value) VALUES ('${UNFINISHED}', '') ON CONFLICT (name) DO NOTHING`;
/** Later rows get higher numbers than the copied ones. One statement: a kill cannot come in between. */
const FINISH = `${raise('assessment_seq', 'assessments')}; ${raise('audit_seq_seq', 'audit')};
  ${raise('events_seq_seq', 'events')}; ${NOTE_CONTENT};
  DELETE FROM installation WHERE name = '${UNFINISHED}'`;

const COLUMNS = `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
  WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`;
/** Forms that COPY writes, for types that it could write in more than one. */
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
    await reserveDatabase(query);
    await refuseOther(query, source);
    await migrate(url);
    await refuseUsed(query, source);
    await (options.keepsSecret ? saveSecret(database, secret) : loadSecret(database, secret));
    await query(BEGIN);
    return createTarget(client, database);
  } catch (error) {
    await close();
    throw error;
  }
}

/** A service that used it now would lack rows, and the migration could never be finished. @throws with what to do */
export async function refuseUnfinished(query: Query): Promise<void> {
  const found = await query('SELECT FROM installation WHERE name = $1', [UNFINISHED]);
  if (found.length === 0) return;
  throw new Error(
    'a migration into it was interrupted, or still runs: run `gatehouse migrate --to` with its URL again, and use it when that has ended',
  );
}

/** Reserves the database until the connection ends. @throws when another migration or a service uses the database */
async function reserveDatabase(query: Query): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const [row] = await query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK]);
    if (row?.taken === true) break;
    if (attempt === ATTEMPTS) throw new Error('another `gatehouse migrate` is writing to this database');
    await setTimeout(PAUSE_MS);
  }
  const [found] = await query<{ nodes: number }>(NODES);
  // The memory of a running node would no longer be true, and its writes would be overwritten.
  if ((found?.nodes ?? 0) > 0)
    throw new Error('a Gatehouse runs on this database: stop it, and start it when the migration is done');
}

/** Takes a database without a schema. @throws when it has an account or a user that the installation does not have */
async function refuseOther(query: Query, { ids }: MigrationSource): Promise<void> {
  for (const table of ['accounts', 'auth_users'] as const) {
    const [found] = await query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [table]);
    if (found?.there !== true) continue;
    const sql = `SELECT id FROM ${table} WHERE id <> ALL ($1::text[]) ORDER BY id LIMIT 1`;
    const [unknown] = await query<{ id: string }>(sql, [ids(table)]);
    if (unknown !== undefined)
      throw new Error(`the database belongs to another installation: ${unknown.id} is unknown here`);
  }
}

/** @throws when something else than an earlier migration of this installation wrote to the database */
async function refuseUsed(query: Query, { requestIdAt }: MigrationSource): Promise<void> {
  const [note] = await query<{ unchanged: boolean }>(IS_UNCHANGED);
  const [content] = await query<{ isEmpty: boolean }>(IS_EMPTY);
  if (note === undefined && content?.isEmpty !== true)
    throw new Error('the database is in use already: an installation can only migrate into an empty one');
  if (note?.unchanged === false)
    throw new Error(
      'the database has been used since this installation migrated into it: to migrate again would undo that',
    );
  const [newest] = await query<{ seq: number; id: string }>(
    'SELECT seq, request_id AS id FROM assessments ORDER BY seq DESC LIMIT 1',
  );
  if (newest !== undefined && requestIdAt(newest.seq) !== newest.id)
    throw new Error('the database was filled from another installation, or from a newer state of this one');
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
        await run(NOTE_CONTENT);
      }),
    async append({ table, columns, lines }, requestIds) {
      await months.makePartitions(requestIds);
      await transaction(async (run) => {
        await copy(client, `COPY ${table} (${quote(columns)}) FROM STDIN`, { lines });
        await run(NOTE_CONTENT);
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
    async finish() {
      await query('ANALYZE');
      await query(FINISH);
    },
    close,
  };
}

function quote(columns: TableLines['columns']): string {
  return columns.map(({ name }) => `"${name}"`).join(', ');
}

function raise(sequence: string, table: string): string {
  return `SELECT setval('${sequence}', greatest(1, coalesce(max(seq), 0)), count(*) > 0) FROM ${table}`;
}

/** The driver's own connection, as far as COPY needs it. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

interface CopyOptions {
  /** Lines for `COPY … FROM STDIN`. */
  readonly lines?: readonly Buffer[];
  /** Callback for `COPY … TO STDOUT`. */
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

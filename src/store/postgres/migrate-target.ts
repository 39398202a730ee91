/** Takes an installation into PostgreSQL: every batch stands there together with the place it came from. */
import type { Column, Kind, MoveState, TransferTarget } from '../migrate-ports.ts';
import { checkServer } from './check-server.ts';
import { type Query, unusable } from './database.ts';
import { createKnownMonths } from './known-months.ts';
import { migrate } from './migrate.ts';
import { createInsertRows } from './migrate-insert-rows.ts';
import { type OneConnection, openOneConnection } from './migrate-one-connection.ts';
import { readBack } from './migrate-read-back.ts';
import { replaceTables } from './migrate-replace-tables.ts';
import { keepSecret, settleSecret } from './secret.ts';

const KINDS: Readonly<Record<string, Kind>> = {
  text: 'text',
  bigint: 'number',
  integer: 'number',
  boolean: 'flag',
  'timestamp with time zone': 'time',
  'real[]': 'numbers',
};
/** Where the move stands is kept beside the secret. */
const STATE = 'move';
const KEEP_STATE = `INSERT INTO installation (name, value) VALUES ('${STATE}', $1)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
const FOOTPRINT = `SELECT (SELECT coalesce(max(seq), 0) FROM assessments) AS seq,
  (SELECT coalesce(max(seq), 0) FROM audit) AS audit,
  (SELECT value FROM meta WHERE name = 'directory_version') AS "directoryVersion",
  (SELECT value FROM meta WHERE name = 'lists_version') AS "listsVersion"`;
const COLUMNS = `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
  WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`;

export interface PostgresTargetOptions {
  readonly url: string;
  /** Looks at the database before its schema is touched. */
  readonly check: (target: Pick<TransferTarget, 'unknownRows'>) => Promise<void>;
}

/** @throws in one line when it cannot be used */
export async function openPostgresTarget({ url, check }: PostgresTargetOptions): Promise<TransferTarget> {
  await checkServer(url).catch((error: Error) => {
    throw unusable(url, error);
  });
  const connection = await openOneConnection(url);
  try {
    await check({ unknownRows: findStrangers(connection) });
    await migrate(url);
    return createTarget(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function createTarget(connection: OneConnection): TransferTarget {
  const { query, transaction } = connection;
  const months = createKnownMonths(connection);
  const insert = createInsertRows();

  return {
    async columns(table) {
      const found = await query<{ name: string; type: string }>(COLUMNS, [table]);
      return found.map(({ name, type }): Column => ({ name, kind: kindOf(table, type) }));
    },
    async fingerprint() {
      const [row] = await query<MoveState['sourceFingerprint']>(FOOTPRINT);
      return row as MoveState['sourceFingerprint'];
    },
    unknownRows: findStrangers(connection),
    async state() {
      const sql = 'SELECT value FROM installation WHERE name = $1';
      const [row] = await query<{ value: Buffer }>(sql, [STATE]);
      return row === undefined ? undefined : (JSON.parse(row.value.toString()) as MoveState);
    },
    async keepSecret(secret, whole) {
      await (whole ? keepSecret(connection, secret) : settleSecret(connection, secret));
    },
    async append(columns, { rows }, state) {
      const id = columns.assessments.findIndex(({ name }) => name === 'request_id');
      await months.make(rows.assessments.map((row) => row[id] as string));
      await transaction(async (run) => {
        await insert(run, 'assessments', columns.assessments, rows.assessments);
        await insert(run, 'assessment_documents', columns.assessment_documents, rows.assessment_documents);
        await keepState(run, state);
      });
    },
    replace: (tables, state) =>
      transaction(async (run) => {
        await replaceTables(run, insert, tables);
        await raiseSequences(run, state);
        await keepState(run, state);
      }),
    readBack: (table, columns) => readBack(connection, table, columns),
    async settle() {
      await query('ANALYZE');
    },
    close: connection.close,
  };
}

function kindOf(table: string, type: string): Kind {
  const kind = KINDS[type];
  if (kind === undefined)
    throw new Error(`the table ${table} has a column of a type that cannot be moved: ${type}`);
  return kind;
}

/** None where the table is not there yet. */
function findStrangers({ query }: Pick<OneConnection, 'query'>): TransferTarget['unknownRows'] {
  return async (table, known) => {
    const [found] = await query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [table]);
    if (found?.there !== true) return [];
    const sql = `SELECT id FROM ${table} WHERE id <> ALL ($1::text[]) ORDER BY id LIMIT 1`;
    return (await query<{ id: string }>(sql, [known])).map(({ id }) => id);
  };
}

async function keepState(run: Query, state: MoveState): Promise<void> {
  await run(KEEP_STATE, [Buffer.from(JSON.stringify(state))]);
}

/** What comes next goes on above what was moved. */
async function raiseSequences(run: Query, { sourceFingerprint }: MoveState): Promise<void> {
  if (sourceFingerprint.seq > 0) await run("SELECT setval('assessment_seq', $1)", [sourceFingerprint.seq]);
  if (sourceFingerprint.audit > 0)
    await run("SELECT setval(pg_get_serial_sequence('audit', 'seq'), $1)", [sourceFingerprint.audit]);
}

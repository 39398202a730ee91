/** Reads an embedded installation that migrates: as of one moment, and without a write. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../../platform/sqlite-driver.ts';
import { HISTORY_TABLE, type MigrationSource } from '../migrate-copy.ts';
import type { TableRow } from '../migrate-row-lines.ts';
import { COUNT_RECORDS, createRecordSource, type RecordSource } from '../records/record-source.ts';
import { checkOf } from '../secret-use.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { NumberedAssessment } from '../stored-assessment.ts';
import { encodeText } from '../text.ts';
import { isNewestSchema } from './migrate.ts';
import { READ_SECRET_CHECK } from './secret.ts';

export interface SqliteSource extends MigrationSource {
  /** Whether it may be the secret of this installation: any, where none is known yet. */
  isSecret(secret: Buffer): boolean;
  /** Ends the moment, and says whether anything was written since it began. */
  end(): boolean;
  close(): void;
}

const BUSY_TIMEOUT_MS = 5_000;
const RECORDS_AT_ONCE = 1_000;
/** Columns of PostgreSQL, with what a record has for each. */
const HISTORY_COLUMNS: Readonly<Record<string, (record: NumberedAssessment) => unknown>> = {
  seq: ({ seq }) => seq,
  request_id: ({ requestId }) => requestId,
  account_id: ({ accountId }) => accountId,
  key_id: ({ keyId }) => keyId,
  mode: ({ mode }) => mode,
  shadow: ({ shadow }) => Number(shadow),
  at: ({ at }) => at,
  verdict: ({ verdict }) => verdict,
  score: ({ score }) => score,
  reasons: ({ reasons }) => reasons.join(' '),
  email_domain: ({ emailDomain }) => emailDomain,
  address_hash: ({ addressHash }) => addressHash,
  mailbox_hash: ({ mailboxHash }) => mailboxHash,
  email_masked: ({ emailMasked }) => emailMasked,
  email: ({ email }) => email,
  ip: ({ ip }) => ip,
  network: ({ network }) => network,
  country_code: ({ countryCode }) => countryCode,
  asn: ({ asn }) => asn,
  session_id: ({ sessionId }) => (sessionId === null ? null : encodeText(sessionId)),
  processed_ms: ({ processedMs }) => processedMs,
  weights: ({ weights }) => weights,
  facts: ({ facts }) => facts,
};

/** @throws when there is none, or it is of another version of Gatehouse */
export function openSqliteSource(directory: string): SqliteSource {
  const file = join(directory, 'gatehouse.db');
  if (!existsSync(file)) throw new Error(`there is no installation in ${directory}: no gatehouse.db`);
  const connection = connect(file);
  const source = createRecordSource(connection);
  const all = <T>(sql: string) => connection.prepare(sql).all() as T[];
  const get = <T>(sql: string, ...values: unknown[]) => connection.prepare(sql).get(values) as T | undefined;
  const number = (sql: string) => get<{ n: number | null }>(sql)?.n ?? 0;
  const dataVersion = () => number('SELECT data_version AS n FROM pragma_data_version');
  connection.exec('BEGIN');
  const version = dataVersion();

  return {
    columnNames(table) {
      if (table === HISTORY_TABLE) return new Set(Object.keys(HISTORY_COLUMNS));
      const columns = all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`);
      return new Set(columns.map(({ name }) => name));
    },
    count: (table) => number(table === HISTORY_TABLE ? COUNT_RECORDS : `SELECT count(*) AS n FROM ${table}`),
    rows: (table) =>
      table === HISTORY_TABLE
        ? readHistory(source)
        : (connection.prepare(`SELECT * FROM ${table}`).iterate() as Iterable<TableRow>),
    ids: (table) => all<{ id: string }>(`SELECT id FROM ${table}`).map(({ id }) => id),
    requestIdAt: (seq) => source.read([seq])[0]?.requestId,
    isSecret(secret) {
      const known = get<{ value: Uint8Array }>(READ_SECRET_CHECK)?.value;
      return known === undefined || checkOf(secret).equals(known);
    },
    end() {
      connection.exec('ROLLBACK');
      return dataVersion() !== version;
    },
    close: () => connection.close(),
  };
}

function connect(file: string): SqliteConnection {
  // A connection that may write tidies up when it is closed.
  const connection = openSqlite(file, { readOnly: true });
  try {
    connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (!isNewestSchema(connection))
      throw new Error('it is from an older Gatehouse: start this version on it once, which updates it');
    return connection;
  } catch (error) {
    connection.close();
    throw new Error(`cannot migrate ${file}: ${(error as Error).message}`);
  }
}

/** Rows in order of `seq`, with the columns of PostgreSQL. */
function* readHistory(source: RecordSource): Generator<TableRow> {
  let records = source.readAfter(0, RECORDS_AT_ONCE);
  while (records.length > 0) {
    for (const record of records) yield toRow(record);
    records = source.readAfter((records.at(-1) as NumberedAssessment).seq, RECORDS_AT_ONCE);
  }
}

function toRow(record: NumberedAssessment): TableRow {
  const row: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(HISTORY_COLUMNS)) row[name] = read(record);
  return row;
}

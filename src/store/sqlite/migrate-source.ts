/** Reads an embedded installation that migrates: as of one moment, and without a write. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../../sqlite-driver.ts';
import { HISTORY_TABLES, type MigrationSource } from '../migrate-copy.ts';
import type { TableRow } from '../migrate-row-lines.ts';
import { checkOf } from '../secret-use.ts';
import type { StoredRow } from '../stored-row.ts';
import type { SqliteConnection } from './connection.ts';
import { ROLLUP_TEXTS, type RollupSource } from './history-rollup.ts';
import { isNewestSchema } from './migrate.ts';
import { READ_SECRET_CHECK } from './secret.ts';
import { derivedOf, factsOf } from './stored-assessments.ts';

export interface SqliteSource extends MigrationSource {
  /** Whether it may be the secret of this installation: any, where none is known yet. */
  isSecret(secret: Buffer): boolean;
  /** Ends the moment, and says whether anything was written since it began. */
  end(): boolean;
  close(): void;
}

const BUSY_TIMEOUT_MS = 5_000;
const HISTORY = `SELECT a.*, body, evidence, ${ROLLUP_TEXTS}
  FROM assessments AS a JOIN assessment_documents AS d ON d.seq = a.seq ORDER BY a.seq`;
/** What PostgreSQL keeps beside the columns that are here. */
const DERIVED: Readonly<Record<string, readonly string[]>> = {
  assessments: ['processed_ms', 'weights', 'facts'],
  assessment_documents: ['request_id'],
};
/** @throws when there is none, or it is of another version of Gatehouse */
export function openSqliteSource(directory: string): SqliteSource {
  const file = join(directory, 'gatehouse.db');
  if (!existsSync(file)) throw new Error(`there is no installation in ${directory}: no gatehouse.db`);
  const connection = connect(file);
  const all = <T>(sql: string) => connection.prepare(sql).all() as T[];
  const get = <T>(sql: string, ...values: unknown[]) => connection.prepare(sql).get(values) as T | undefined;
  const number = (sql: string) => get<{ n: number | null }>(sql)?.n ?? 0;
  const dataVersion = () => number('SELECT data_version AS n FROM pragma_data_version');
  connection.exec('BEGIN');
  const version = dataVersion();

  return {
    columnNames(table) {
      const columns = all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`);
      return new Set([...columns.map(({ name }) => name), ...(DERIVED[table] ?? [])]);
    },
    count: (table) => number(`SELECT count(*) AS n FROM ${table}`),
    rows(tables) {
      const [table] = tables;
      if (table === HISTORY_TABLES[0]) return readHistory(connection);
      return connection.prepare(`SELECT * FROM ${table}`).iterate() as Iterable<TableRow>;
    },
    ids: (table) => all<{ id: string }>(`SELECT id FROM ${table}`).map(({ id }) => id),
    requestIdAt: (seq) =>
      get<{ id: string }>('SELECT request_id AS id FROM assessments WHERE seq = ?', seq)?.id,
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

type HistoryRow = TableRow &
  Pick<RollupSource, 'reasons' | 'findings' | 'processed'> &
  Pick<StoredRow, 'body' | 'evidence'>;

function* readHistory(connection: SqliteConnection): Generator<TableRow> {
  for (const row of connection.prepare(HISTORY).iterate() as Iterable<HistoryRow>) {
    const { processedMs, weights } = derivedOf(row);
    yield Object.assign(row, {
      processed_ms: processedMs,
      weights,
      facts: row.body === '' ? factsOf(row) : null,
    });
  }
}

/** Reads an embedded installation for moving it elsewhere: beside a running service or without one, and without a write. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import type { Cell, Column, Kind, MigrationRow, TransferSource } from '../migrate-ports.ts';
import type { TransferTable } from '../migrate-tables.ts';
import { checkOf } from '../secret-use.ts';
import type { SqliteConnection } from './connection.ts';
import { isNewestSchema } from './migrate.ts';
import { createReadLog } from './migrate-read-history.ts';
import { READ_SECRET_CHECK } from './secret.ts';

type Stored = Record<string, string | number | null>;

const BUSY_TIMEOUT_MS = 5_000;
const PAGE_ROWS = 2_000;

export interface SqliteSource extends TransferSource {
  /** Whether it may be the secret that the installation is used with: any, where none is known yet. */
  isSecret(secret: Buffer): boolean;
}

/** @throws when there is none, or it is of another version of Gatehouse */
export function openSqliteSource(directory: string): SqliteSource {
  const file = join(directory, 'gatehouse.db');
  if (!existsSync(file)) throw new Error(`there is no installation in ${directory}: no gatehouse.db`);
  const connection = connect(file);
  const get = <T>(sql: string, ...values: unknown[]) => connection.prepare(sql).get(values) as T | undefined;
  const number = (sql: string) => get<{ n: number }>(sql)?.n ?? 0;
  const log = createReadLog(connection);

  return {
    columns(table) {
      const rows = connection.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
      return new Set([...(rows as { name: string }[]).map(({ name }) => name), ...log.derived(table)]);
    },
    fingerprint: () => ({
      seq: number('SELECT max(seq) AS n FROM assessments'),
      audit: number('SELECT max(seq) AS n FROM audit'),
      directoryVersion: number("SELECT value AS n FROM meta WHERE name = 'directory_version'"),
      listsVersion: number("SELECT value AS n FROM meta WHERE name = 'lists_version'"),
    }),
    ids: (table) =>
      (connection.prepare(`SELECT id FROM ${table}`).all() as { id: string }[]).map(({ id }) => id),
    idAt: (seq) => get<{ id: string }>('SELECT request_id AS id FROM assessments WHERE seq = ?', seq)?.id,
    isSecret(secret) {
      const known = get<{ value: Buffer }>(READ_SECRET_CHECK)?.value;
      return known === undefined || checkOf(secret).equals(known);
    },
    logAfter: log.after,
    state: (table, columns) => readState(connection, table, columns),
    count: (table) => number(`SELECT count(*) AS n FROM ${table}`),
    async snapshot(work) {
      connection.exec('BEGIN');
      try {
        return await work();
      } finally {
        connection.exec('ROLLBACK');
      }
    },
    changeMark: () => number('SELECT data_version AS n FROM pragma_data_version'),
    close: () => connection.close(),
  };
}

function connect(file: string): SqliteConnection {
  // The driver's own option for this does nothing, and a connection that may write tidies up when it is closed.
  const connection = new Database(`${pathToFileURL(file).href}?mode=ro`);
  try {
    connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (!isNewestSchema(connection))
      throw new Error(
        'it is of an older Gatehouse: start this one on it once, so that it is brought up to date',
      );
    return connection;
  } catch (error) {
    connection.close();
    throw new Error(`cannot move ${file}: ${(error as Error).message}`);
  }
}

/** In order of the key, a page at a time. */
function* readState(
  connection: SqliteConnection,
  { name, key }: TransferTable,
  columns: readonly Column[],
): Generator<MigrationRow[]> {
  const [keys, marks] = [key.join(', '), key.map(() => '?').join(', ')];
  const order = `ORDER BY ${keys} LIMIT ${PAGE_ROWS}`;
  const first = connection.prepare(`SELECT * FROM ${name} ${order}`);
  const next = connection.prepare(`SELECT * FROM ${name} WHERE (${keys}) > (${marks}) ${order}`);
  let rows = first.all() as Stored[];
  while (rows.length > 0) {
    yield rows.map((row) => columns.map(({ name, kind }) => read(row[name] ?? null, kind)));
    const last = rows.at(-1) as Stored;
    rows = rows.length < PAGE_ROWS ? [] : (next.all(key.map((column) => last[column])) as Stored[]);
  }
}

function read(stored: string | number | null, kind: Kind): Cell {
  if (stored === null) return null;
  if (kind === 'flag') return stored === 1;
  // Sign-in keeps its dates as text.
  return kind === 'time' && typeof stored === 'string' ? Date.parse(stored) : stored;
}

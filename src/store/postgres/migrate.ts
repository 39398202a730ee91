/** Brings a database to the newest schema, once, whichever node comes first; nodes of before may go on meanwhile. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { NewerSchemaError } from '../newer-schema.ts';
import { checkServer } from './check-server.ts';
import { connectionConfig, PostgresConnection } from './connection.ts';
import { isLocked } from './database.ts';
import { unusable } from './unusable.ts';

export interface MigrateOptions {
  /** Whether to make an installation where there is none. Default true. */
  readonly create?: boolean | undefined;
  /** Max. time that a node waits for another one that migrates. */
  readonly waitMs?: number;
  /** Called when it has to wait. */
  readonly onWait?: (() => void) | undefined;
}

const FOLDER = new URL('./migrations/', import.meta.url);
/** Number of the advisory lock under which one node migrates; any that nobody else takes. */
const LOCK = 7_126_001;
const CONNECT_MS = 5_000;
/** An index over everything that is stored takes its time; what takes longer than this hangs. */
const STATEMENT_MS = 600_000;
/** Max. wait, less than a statement may take: that is what a wait is. */
const WAIT_MS = 540_000;
/** Max. time that a migration waits for a table: later statements wait behind it. */
const LOCK_WAIT_MS = 500;
const ATTEMPTS = 60;
const PAUSE_MS = 500;

const NO_INSTALLATION =
  'there is no installation in it; set DATABASE_URL to its database, or run `gatehouse start` to create one';

const PREPARE = `CREATE TABLE IF NOT EXISTS gatehouse_migrations (
  number int PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`;

/** @throws in one line when the database cannot be reached or used, is too old, or is from a newer version of Gatehouse */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<void> {
  try {
    await checkServer(url);
    await bringUp(url, options);
  } catch (error) {
    throw unusable(url, error as Error);
  }
}

/** @throws NewerSchemaError; other errors when the database cannot be asked */
export async function refuseNewerDatabase(url: string): Promise<void> {
  const client = new PostgresConnection(
    connectionConfig({ url, connectMs: CONNECT_MS, statementMs: CONNECT_MS }),
  );
  await client.connect();
  try {
    await schemaVersion(client, newestSchema());
  } finally {
    await client.end();
  }
}

/** Schema of the databases that this version writes. */
export function newestSchema(): number {
  return migrations().length;
}

function migrations(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

async function bringUp(
  url: string,
  { create = true, waitMs = WAIT_MS, onWait }: MigrateOptions,
): Promise<void> {
  const options = { url, connectMs: CONNECT_MS, statementMs: STATEMENT_MS };
  const client = new PostgresConnection(connectionConfig(options));
  await client.connect();
  try {
    const files = migrations();
    const before = await schemaVersion(client, files.length);
    if (before === files.length) return;
    if (before === 0 && !create) throw new Error(NO_INSTALLATION);
    await lock(client, waitMs, onWait);
    await client.query(PREPARE);
    const version = await schemaVersion(client, files.length);
    for (const name of files.slice(version)) await apply(client, files.indexOf(name) + 1, name);
    // The lock goes with the connection, which a pooler may keep.
    await client.query('SELECT pg_advisory_unlock_all()');
  } finally {
    await client.end();
  }
}

async function lock(client: pg.Client, waitMs: number, onWait = () => {}): Promise<void> {
  const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [LOCK]);
  if (rows[0].taken === true) return;
  onWait();
  try {
    await client.query(`SET lock_timeout = ${waitMs}`);
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query('SET lock_timeout = 0');
  } catch (error) {
    if (!isLocked(error)) throw error;
    const { rows } = await client.query(HOLDER, [LOCK]);
    const who = rows.length === 0 ? '' : ` (process ${rows[0].pid} of the server)`;
    const waited = Math.round(waitMs / 1_000);
    throw new Error(
      `another node${who} has been migrating it for longer than ${waited} s; start again when it is done`,
    );
  }
}

const HOLDER = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
async function schemaVersion(client: pg.Client, known: number): Promise<number> {
  const { rows } = await client.query("SELECT to_regclass('gatehouse_migrations') IS NOT NULL AS there");
  if (rows[0].there === false) return 0;
  const newest = await client.query('SELECT coalesce(max(number), 0) AS version FROM gatehouse_migrations');
  const version = newest.rows[0].version as number;
  if (version > known) throw new NewerSchemaError(version, known);
  return version;
}

async function apply(client: pg.Client, number: number, name: string): Promise<void> {
  const sql = readFileSync(new URL(name, FOLDER), 'utf8');
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
      await client.query(sql);
      await client.query('INSERT INTO gatehouse_migrations (number, name) VALUES ($1, $2)', [number, name]);
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if (!isLocked(error) || attempt === ATTEMPTS) throw new Error(`${name}: ${(error as Error).message}`);
      await setTimeout(PAUSE_MS);
    }
  }
}

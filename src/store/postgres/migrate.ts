/** Brings a database to the newest schema, once, whichever node comes first; nodes of before may go on meanwhile. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { connectionConfig, isLocked, unusable } from './database.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
/** Of the advisory lock that one node migrates under; any number that nobody else takes. */
const LOCK = 7_126_001;
const CONNECT_MS = 5_000;
/** What a migration may wait for a table: whoever comes after waits behind it. */
const LOCK_WAIT_MS = 500;
const ATTEMPTS = 60;
const PAUSE_MS = 500;

const PREPARE = `CREATE TABLE IF NOT EXISTS gatehouse_migrations (
  number int PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`;

/** @throws in one line when the database cannot be reached, or is from a newer version of Gatehouse */
export async function migrate(url: string): Promise<void> {
  await bringUp(url).catch((error: Error) => {
    throw unusable(url, error);
  });
}

async function bringUp(url: string): Promise<void> {
  const client = new pg.Client({ ...connectionConfig(url, 0), connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {});
  await client.connect();
  try {
    const files = readdirSync(FOLDER)
      .filter((name) => name.endsWith('.sql'))
      .sort();
    if ((await schemaVersion(client, files.length)) === files.length) return;
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query(PREPARE);
    const version = await schemaVersion(client, files.length);
    for (const name of files.slice(version)) await apply(client, files.indexOf(name) + 1, name);
  } finally {
    // The lock goes with the connection.
    await client.end();
  }
}

async function schemaVersion(client: pg.Client, known: number): Promise<number> {
  const { rows } = await client.query("SELECT to_regclass('gatehouse_migrations') IS NOT NULL AS there");
  if (rows[0].there === false) return 0;
  const newest = await client.query('SELECT coalesce(max(number), 0) AS version FROM gatehouse_migrations');
  const version = newest.rows[0].version as number;
  if (version > known) {
    throw new Error(`the database has schema ${version}, newer than this Gatehouse knows (${known})`);
  }
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

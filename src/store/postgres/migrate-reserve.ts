/** Decides whether an installation may migrate into a database: nobody uses it, and all that it contains came from this installation. */
import { setTimeout } from 'node:timers/promises';
import type { MigrationSource } from '../migrate-copy.ts';
import type { Query } from './database.ts';

/** Of the advisory lock that one migration has. */
const LOCK = 7_126_030;
/** A migration that was killed has the lock until the server notices. */
const ATTEMPTS = 20;
const PAUSE_MS = 250;
/** What changes whenever a service or a command uses the database. */
const CONTENT = `SELECT json_build_object('assessments', (SELECT last_value FROM assessment_seq),
  'audit', (SELECT last_value FROM audit_seq_seq), 'meta', (SELECT json_object_agg(name, value ORDER BY name) FROM meta))::text`;
const IS_EMPTY = `SELECT NOT EXISTS (SELECT FROM accounts) AND NOT EXISTS (SELECT FROM auth_users)
  AND NOT EXISTS (SELECT FROM assessments) AND NOT EXISTS (SELECT FROM audit) AND max(value) = 0 AS "isEmpty" FROM meta`;
const NOTE = 'migration';
const WRITE_NOTE = `INSERT INTO installation (name, value) SELECT '${NOTE}', convert_to((${CONTENT}), 'UTF8')
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
/** There from the beginning of a migration until both sides were found to be the same. */
const UNFINISHED = 'migration_unfinished';
const NODES = `SELECT count(*) AS nodes FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'gatehouse%' AND application_name <> $1`;

/** Until the connection ends. @throws when another migration or a service uses the database */
export async function reserveDatabase(query: Query, ownName: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const [row] = await query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK]);
    if (row?.taken === true) break;
    if (attempt === ATTEMPTS) throw new Error('another `gatehouse migrate` is writing to this database');
    await setTimeout(PAUSE_MS);
  }
  const [found] = await query<{ nodes: number }>(NODES, [ownName]);
  // What a node keeps in memory would no longer be true, and what it writes would be overwritten.
  if ((found?.nodes ?? 0) > 0)
    throw new Error('a Gatehouse runs on this database: stop it, and start it when the migration is done');
}

/** Also for a database without a schema. @throws when it has an account or a user that the installation does not have */
export async function refuseOther(query: Query, { ids }: MigrationSource): Promise<void> {
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
export async function refuseUsed(query: Query, { requestIdAt }: MigrationSource): Promise<void> {
  const [note] = await query<{ unchanged: boolean }>(
    `SELECT value = convert_to((${CONTENT}), 'UTF8') AS unchanged FROM installation WHERE name = '${NOTE}'`,
  );
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

/** Later rows get higher numbers than the copied ones. One statement: a kill cannot come in between. */
export async function beginMigration(query: Query, { newest }: MigrationSource): Promise<void> {
  const { assessments, audit } = newest();
  const raise = (name: string, value: number) =>
    `SELECT setval('${name}', ${Math.max(1, value)}, ${value > 0});`;
  await query(`${raise('assessment_seq', assessments)} ${raise('audit_seq_seq', audit)} ${WRITE_NOTE};
    INSERT INTO installation (name, value) VALUES ('${UNFINISHED}', '') ON CONFLICT (name) DO NOTHING`);
}

/** From now on the database may be used. */
export async function finishMigration(query: Query): Promise<void> {
  await query('DELETE FROM installation WHERE name = $1', [UNFINISHED]);
}

/** A service that used it now would lack rows, and the migration could never be finished. @throws with what to do */
export async function refuseUnfinished(query: Query): Promise<void> {
  const found = await query('SELECT FROM installation WHERE name = $1', [UNFINISHED]);
  if (found.length === 0) return;
  throw new Error(
    'a migration into it was interrupted, or still runs: run `gatehouse migrate --to` with its URL again, and use it when that has ended',
  );
}

/** In each transaction of a migration: what is there now came from it. */
export async function noteContent(query: Query): Promise<void> {
  await query(WRITE_NOTE);
}

/**
 * Waits until a first start has reached a stage, then holds the database as another program may, or kills the service.
 * Arguments: the data folder, the URL of PostgreSQL or `-`, the stage, and for how many milliseconds to hold it, or `kill`.
 * Prints `done` at the end. A process of its own, because a test's is too slow to come between two commits.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openSqlite } from '../../dist/platform/sqlite-driver.js';

const [folder = '', url = '-', stage = '', act = ''] = process.argv.slice(2);
/** Conditions that are true once the stage is reached. */
const QUESTIONS = {
  schema: 'SELECT count(*) AS n FROM meta',
  account: 'SELECT count(*) AS n FROM accounts',
  link: 'SELECT count(*) AS n FROM auth_verifications',
};

const TABLES = 'accounts, keys, meta, auth_verifications, assessments';

const database = url === '-' ? await sqlite() : await postgres();
if (stage !== 'before') while (!(await isReached())) if (url !== '-') await sleep(1);
if (act === 'kill')
  process.kill(JSON.parse(readFileSync(join(folder, 'service.json'), 'utf8')).pid, 'SIGKILL');
else {
  await database.hold();
  if (stage === 'before') process.stdout.write('held\n');
  await sleep(Number(act));
  await database.release();
}
await database.close();
process.stdout.write('done\n');

async function isReached() {
  if (!existsSync(join(folder, 'service.json'))) return false;
  try {
    return (await database.count(QUESTIONS[stage])) > 0;
  } catch {
    return false;
  }
}

async function sqlite() {
  const file = join(folder, 'gatehouse.db');
  if (stage !== 'before') while (!existsSync(file)) await sleep(1);
  const connection = openSqlite(file);
  connection.pragma('busy_timeout = 5000');
  return {
    count: async (sql) => connection.prepare(sql).get().n,
    hold: async () => connection.exec('BEGIN IMMEDIATE'),
    release: async () => connection.exec('ROLLBACK'),
    close: async () => connection.close(),
  };
}

async function postgres() {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    count: async (sql) => Number((await client.query(sql)).rows[0].n),
    async hold() {
      // Before the start there are no tables to lock, but the lock that migrations take.
      if (stage === 'before') return client.query('SELECT pg_advisory_lock(7126001)');
      // Tables come with one migration after the other.
      for (;;)
        try {
          return await client.query(`BEGIN; LOCK TABLE ${TABLES} IN ACCESS EXCLUSIVE MODE`);
        } catch {
          await client.query('ROLLBACK');
        }
    },
    release: async () => client.query('ROLLBACK; SELECT pg_advisory_unlock_all()'),
    close: async () => client.end(),
  };
}

/** One connection for a whole move, without deadlines: nobody else moves into this database as long as it is open. */
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { connectionConfig, PostgresConnection } from './connection.ts';
import { type Database, type PostgresValue, type Query, unusable } from './database.ts';

export interface OneConnection extends Database {
  /** Rows as lists, for tables of any columns. */
  rows(text: string): Promise<unknown[][]>;
}

const NAME = 'gatehouse migrate';
const CONNECT_MS = 5_000;
/** Of the advisory lock that one move works under. */
const LOCK = 7_126_030;
/** A move that was killed holds the lock until the server has noticed. */
const ATTEMPTS = 20;
const PAUSE_MS = 250;

/** @throws when the server cannot be reached, another move is at work, or a node runs on the database */
export async function openOneConnection(url: string): Promise<OneConnection> {
  const client = new PostgresConnection(connectionConfig({ url, name: NAME, connectMs: CONNECT_MS }));
  await client.connect().catch((error: Error) => {
    throw unusable(url, error);
  });
  const query = async <Row extends object>(
    sql: Parameters<Query>[0],
    values: readonly PostgresValue[] = [],
  ) => {
    const statement = typeof sql === 'string' ? { text: sql } : sql;
    return (await client.query<Row & pg.QueryResultRow>({ ...statement, values: values as PostgresValue[] }))
      .rows;
  };
  const close = () => client.end();
  try {
    await takeLock(query);
    await refuseNodes(query);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    query,
    async transaction(work) {
      await query('BEGIN');
      try {
        const result = await work(query);
        await query('COMMIT');
        return result;
      } catch (error) {
        // The connection may be what failed.
        await query('ROLLBACK').catch(() => {});
        throw error;
      }
    },
    rows: async (text) => (await client.query({ text, rowMode: 'array' })).rows,
    close,
  };
}

async function takeLock(query: Query): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const [row] = await query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK]);
    if (row?.taken === true) return;
    if (attempt === ATTEMPTS) throw new Error('another `gatehouse migrate` is moving into this database');
    await setTimeout(PAUSE_MS);
  }
}

/** What a node keeps in memory would no longer be true, and what it writes meanwhile would be in the way. */
async function refuseNodes(query: Query): Promise<void> {
  const [row] = await query<{ nodes: number }>(
    `SELECT count(*) AS nodes FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'gatehouse%' AND application_name <> $1`,
    [NAME],
  );
  if ((row?.nodes ?? 0) > 0)
    throw new Error(
      'a Gatehouse runs on this database: stop it, and start it when everything has been moved',
    );
}

/** The database as sign-in wants it: a pool of its own, made when it is first asked for. */
import pg from 'pg';
import type { AuthDatabase } from '../../dashboard-store.ts';
import { connectionConfig } from '../database.ts';

/** People sign in seldom, and what else they do asks for one session. */
const CONNECTIONS = 3;
const DEADLINE_MS = 2_000;

export function createAuthDatabase(url: string) {
  let pool: pg.Pool | undefined;
  return {
    async authDatabase(): Promise<AuthDatabase> {
      // Not at the top: a service that nobody looks at starts without it.
      const { PostgresDialect } = await import('kysely');
      pool ??= openPool(url);
      return { dialect: new PostgresDialect({ pool }), type: 'postgres' };
    },
    async close(): Promise<void> {
      await pool?.end();
      pool = undefined;
    },
  };
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(url, DEADLINE_MS, 'gatehouse sign-in'),
    query_timeout: DEADLINE_MS,
    max: CONNECTIONS,
  });
  // A connection that is lost while idle harms nobody: the next call opens another.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Opens the connections of sign-in, whose library runs statements of its own: a pool that is made when it is first asked for. */
import type pg from 'pg';
import type { AuthDatabase } from '../dashboard-store.ts';
import type { PoolUse } from '../store.ts';
import { asStoreFailure } from '../store-failure.ts';
import { isAway, openPool, useOf } from './database.ts';

/** People sign in seldom, and what else they do asks for one session. */
const CONNECTIONS = 3;
const DEADLINE_MS = 2_000;
/** Seconds until a connection that was made to a standby, which the name led to for a while, is replaced. */
const LIFETIME_SECONDS = 60;
/** PostgreSQL's code of the error. */
const FOREIGN_KEY_VIOLATION = '23503';

/** @param answerMs what a statement may take, at least. @param onAway as `DatabaseOptions.onAway` */
export function createAuthDatabase(url: string, answerMs: number, onAway: (error: Error) => void) {
  let pool: pg.Pool | undefined;
  const deadlineMs = Math.max(DEADLINE_MS, answerMs);

  function open(): pg.Pool {
    const opened = openPool({
      url,
      connections: CONNECTIONS,
      name: 'gatehouse sign-in',
      deadlineMs,
      queryMs: deadlineMs,
      lifetimeSeconds: LIFETIME_SECONDS,
    });
    watch(opened, onAway);
    return opened;
  }

  return {
    async authDatabase(): Promise<AuthDatabase> {
      // Not at the top: a service that nobody looks at starts without it.
      const { PostgresDialect } = await import('kysely');
      pool ??= open();
      return { dialect: new PostgresDialect({ pool }), type: 'postgres', isUserGone };
    },
    /** Use of the pool; `undefined` before somebody has signed in. */
    poolUse: (): PoolUse | undefined => pool && useOf(pool),
    async close(): Promise<void> {
      await pool?.end();
      pool = undefined;
    },
  };
}

/** Marks what fails because the server is away. */
function watch(pool: pg.Pool, onAway: (error: Error) => void): void {
  const note = (error: unknown) => {
    if (isAway(error)) onAway(asStoreFailure(error));
    throw error;
  };
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  pool.connect = (() => connect().catch(note)) as typeof pool.connect;
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...call: unknown[]) => Promise<unknown>;
    client.query = ((...call: unknown[]) => query(...call).catch(note)) as typeof client.query;
  });
}

/** All foreign keys of these tables lead to the user. */
function isUserGone(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === FOREIGN_KEY_VIOLATION;
}

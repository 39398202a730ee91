/** The database as sign-in wants it: a pool of its own, made when it is first asked for. */
import type pg from 'pg';
import type { AuthDatabase } from '../dashboard-store.ts';
import type { PoolUse } from '../store.ts';
import { openPool, useOf } from './database.ts';

/** People sign in seldom, and what else they do asks for one session. */
const CONNECTIONS = 3;
const DEADLINE_MS = 2_000;
const NAME = 'gatehouse sign-in';

export function createAuthDatabase(url: string) {
  let pool: pg.Pool | undefined;
  return {
    async authDatabase(): Promise<AuthDatabase> {
      // Not at the top: a service that nobody looks at starts without it.
      const { PostgresDialect } = await import('kysely');
      pool ??= openPool({
        url,
        connections: CONNECTIONS,
        name: NAME,
        deadlineMs: DEADLINE_MS,
        queryMs: DEADLINE_MS,
      });
      return { dialect: new PostgresDialect({ pool }), type: 'postgres' };
    },
    /** None before somebody has signed in. */
    poolUse: (): PoolUse | undefined => pool && useOf(pool),
    async close(): Promise<void> {
      await pool?.end();
      pool = undefined;
    },
  };
}

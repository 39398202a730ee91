/** Runs short statements and transactions in PostgreSQL through a pool; each fails in time if the server does not answer. */
import pg from 'pg';
import type { PoolUse } from '../store.ts';
import { asStoreFailure } from '../store-failure.ts';
import { connectionConfig, PostgresConnection, type Settings } from './connection.ts';
import { createPoolConnections } from './pool-connections.ts';

export type PostgresValue = string | number | boolean | null | Buffer | readonly string[] | readonly number[];

/** A statement with a name is prepared once per connection: for those that run often. */
export type Sql = string | { readonly name: string; readonly text: string };

/** Runs one statement and returns its rows. @throws pg.DatabaseError when the server refuses it */
export type Query = <Row extends object = Record<string, unknown>>(
  sql: Sql,
  values?: readonly PostgresValue[],
) => Promise<Row[]>;

export interface Database {
  /** One statement, in a transaction of its own. */
  readonly query: Query;
  /** One transaction; rolled back, and the error thrown on, when `work` throws. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Calls that wait for a connection still get it, but not for longer than a second. */
  close(): Promise<void>;
}

export interface PooledDatabase extends Database {
  poolUse(): PoolUse;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Maximum number of connections. */
  readonly connections: number;
  /** Connections that stay open when idle; default none. */
  readonly minConnections?: number;
  /** Max. time of a call, the wait for a connection included. */
  readonly deadlineMs?: number;
  /** The `application_name` in the server's list of activity. */
  readonly name?: string;
  /** Settings of the server for these connections. */
  readonly settings?: Settings;
  /** Called with an error that says that the server is away or does not answer; it is marked as a failure of the store. */
  readonly onAway?: (error: Error) => void;
}

export interface PoolOptions extends DatabaseOptions {
  readonly deadlineMs: number;
  /** Deadline of each statement on our side, where calls set none. */
  readonly queryMs?: number;
  /** Age at which a connection is replaced. Default: never. */
  readonly lifetimeSeconds?: number;
}

/** No connection could be made: the server got no statement. */
export class Unreachable extends Error {}

/** A dead server or a hung one fails a call within a second. */
const DEADLINE_MS = 900;
/** The server gives up before we do: then nothing was done for certain, and the connection stays usable. */
const SERVER_SHARE = 0.9;
const IDLE_MS = 60_000;
const NAME = 'gatehouse';
const LOCK_NOT_AVAILABLE = '55P03';
/** PostgreSQL's classes of errors that concern the server: connections, resources, its end, its system; and a deadline. */
const AWAY = /^(?:08|53|57|58)|^(?:25006|55P03)$/;
/** Messages of the driver that have no code. */
const DRIVER_AWAY = /^(?:Connection terminated|Query read timeout|timeout |Client |connection )/i;
/** A session may stay read-only after its server is not any more. */
const READ_ONLY = '25006';

export function openDatabase(options: DatabaseOptions): PooledDatabase {
  const { deadlineMs = DEADLINE_MS, onAway = () => {} } = options;
  const pool = openPool({ ...options, deadlineMs });
  const connections = createPoolConnections(pool);

  async function withClient<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const until = performance.now() + deadlineMs;
    const client = await connections.connect().catch((error: Error) => {
      const unreachable = asStoreFailure(new Unreachable(messageOf(error), { cause: error }));
      onAway(unreachable);
      throw unreachable;
    });
    let lost = false;
    try {
      return await work(createQuery(client, until));
    } catch (error) {
      lost = !isRefusal(error) || error.code === READ_ONLY;
      if (isAway(error)) onAway(asStoreFailure(error));
      throw error;
    } finally {
      client.release(lost || mayLeadElsewhere(client));
    }
  }

  return {
    query: (sql, values) => withClient((query) => query(sql, values)),
    transaction: (work) => withClient((query) => inTransaction(query, work)),
    poolUse: () => useOf(pool),
    close: connections.end,
  };
}

/** Whether the server's name may lead elsewhere: after a failover it leads to the new primary, which only a new connection finds. */
function mayLeadElsewhere(client: pg.ClientBase): boolean {
  return client instanceof PostgresConnection && client.onStandby;
}

/** A pool whose connections give up in time on both sides. */
export function openPool(options: PoolOptions): pg.Pool {
  const { url, name = NAME, settings = {}, connections, minConnections = 0, deadlineMs, queryMs } = options;
  const { lifetimeSeconds } = options;
  const pool = new pg.Pool({
    ...connectionConfig({
      url,
      name,
      settings,
      connectMs: deadlineMs,
      statementMs: Math.ceil(deadlineMs * SERVER_SHARE),
      idleInTransactionMs: 5 * deadlineMs,
    }),
    ...(queryMs !== undefined && { query_timeout: queryMs }),
    ...(lifetimeSeconds !== undefined && { maxLifetimeSeconds: lifetimeSeconds }),
    Client: PostgresConnection,
    max: connections,
    min: minConnections,
    idleTimeoutMillis: IDLE_MS,
  });
  // Losing an idle connection does no harm: the next call opens another, and fails if it cannot.
  pool.on('error', () => {});
  return pool;
}

export function useOf(pool: pg.Pool): PoolUse {
  return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
}

/** A host with several addresses fails with one error for each, and no message of its own. */
export function messageOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message;
  return error.errors.map(({ message }: Error) => message).join(', ');
}

/** Whether the server refused a statement, and the connection stays usable. */
export function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

/** Whether the server is away, ends, or did not answer: the statement itself is not at fault. */
export function isAway(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  if (error instanceof pg.DatabaseError) return !isRefusal(error) || AWAY.test(error.code ?? '');
  return typeof code === 'string' || DRIVER_AWAY.test(error.message);
}

/** Whether a statement failed because it waited too long for a lock. */
export function isLocked(error: unknown): boolean {
  return isRefusal(error) && error.code === LOCK_NOT_AVAILABLE;
}

/** Rolled back, and the error thrown on, when `work` throws. */
export async function inTransaction<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  await query('BEGIN');
  try {
    const result = await work(query);
    await query('COMMIT');
    return result;
  } catch (error) {
    if (isRefusal(error)) await query('ROLLBACK');
    throw error;
  }
}

/** @param until time of `performance.now()` at which a statement and its connection are given up */
function createQuery(client: pg.ClientBase, until: number): Query {
  return async <Row extends object>(sql: Sql, values: readonly PostgresValue[] = []) => {
    const remainingMs = Math.max(1, Math.ceil(until - performance.now()));
    const statement = typeof sql === 'string' ? { text: sql } : sql;
    const config = { ...statement, values: values as PostgresValue[], query_timeout: remainingMs };
    return (await client.query<Row & pg.QueryResultRow>(config)).rows;
  };
}

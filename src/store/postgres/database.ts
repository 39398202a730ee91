/** Reaches PostgreSQL through a pool: short statements and transactions, each of which fails in time when the server does not answer. */
import pg from 'pg';

export type SqlValue = string | number | boolean | null | Buffer | readonly string[] | readonly number[];

/** With a name it is prepared once a connection: for what is asked again and again in the same words. */
export type Sql = string | { readonly name: string; readonly text: string };

/** Runs one statement and gives its rows. @throws pg.DatabaseError when the server refuses it */
export type Query = <Row extends object = Record<string, unknown>>(
  sql: Sql,
  values?: readonly SqlValue[],
) => Promise<Row[]>;

export interface Database {
  /** One statement, in a transaction of its own. */
  readonly query: Query;
  /** One transaction; rolled back, and the error thrown on, when `work` throws. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Connections at most. */
  readonly connections: number;
  /** What a call may take, the wait for a connection included. */
  readonly deadlineMs?: number;
  /** What stands as `application_name` in the server's list of activity. */
  readonly name?: string;
  /** Settings of the server for these connections. */
  readonly settings?: Settings;
}

type Settings = Readonly<Record<string, string>>;

/** No connection could be had: nothing was asked of the server. */
export class Unreachable extends Error {}

/** Whatever the server's own setting is: an answer goes out only when its record is durable. */
const SETTINGS: Settings = { synchronous_commit: 'on' };
/** A dead server or a hung one fails a call within a second. */
const DEADLINE_MS = 900;
const SERVER_SHARE = 0.9;
const IDLE_MS = 60_000;
const CLOSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

export function openDatabase({
  url,
  connections,
  deadlineMs = DEADLINE_MS,
  name,
  settings,
}: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...connectionConfig(url, deadlineMs, name, settings),
    max: connections,
    idleTimeoutMillis: IDLE_MS,
  });
  // A connection that is lost while idle harms nobody: the next call opens another, and tells when it cannot.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  async function use<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const until = performance.now() + deadlineMs;
    const client = await pool.connect().catch((error: Error) => {
      throw new Unreachable(messageOf(error), { cause: error });
    });
    let lost = false;
    try {
      return await work(createQuery(client, until));
    } catch (error) {
      lost = !isRefusal(error);
      throw error;
    } finally {
      client.release(lost);
    }
  }

  return {
    query: (sql, values) => use((query) => query(sql, values)),
    transaction: (work) => use((query) => inTransaction(query, work)),
    close: () =>
      Promise.race([pool.end(), new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref())]),
  };
}

/** What every connection of ours is opened with, within a pool or alone. `timeoutMs` 0: none. */
export function connectionConfig(
  url: string,
  timeoutMs: number,
  name = 'gatehouse',
  settings: Settings = {},
): pg.ClientConfig {
  const types = new pg.TypeOverrides();
  // All our numbers are below 2^53.
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return {
    connectionString: url,
    application_name: name,
    keepAlive: true,
    options: Object.entries({ ...SETTINGS, ...settings })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types,
    ...(timeoutMs > 0 && {
      connectionTimeoutMillis: timeoutMs,
      // Sooner than we give up ourselves: then it is certain that nothing was done, and the connection goes on.
      statement_timeout: Math.ceil(timeoutMs * SERVER_SHARE),
      idle_in_transaction_session_timeout: 5 * timeoutMs,
    }),
  };
}

/** What is said of a database that cannot be used: where it is sought, and why, in one line without user and password. */
export function unusable(url: string, error: Error): Error {
  return new Error(`cannot use the database ${placeOf(url)}: ${messageOf(error)}`, { cause: error });
}

/** `host:port/name` as a connection is made of it: the URL need not say all of it. */
function placeOf(url: string): string {
  try {
    const { host, port, database } = new pg.Client({ connectionString: url });
    return `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
  } catch {
    // The files of certificates that it names are read as well.
    const { host, pathname } = new URL(url);
    return `${host}${pathname}`;
  }
}

/** A host of several addresses fails with an error for each, and no message of its own. */
function messageOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message;
  return error.errors.map((one: Error) => one.message).join(', ');
}

/** Whether the server itself refused a statement on a connection that goes on. */
export function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

/** Whether a statement was given up because somebody else held on to a table for longer than it was to wait. */
export function isLocked(error: unknown): boolean {
  return isRefusal(error) && error.code === LOCK_NOT_AVAILABLE;
}

async function inTransaction<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
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

/** @param until instant of `performance.now()` at which a statement is given up, and its connection with it */
function createQuery(client: pg.ClientBase, until: number): Query {
  return async <Row extends object>(sql: Sql, values: readonly SqlValue[] = []) => {
    const left = Math.max(1, Math.ceil(until - performance.now()));
    const statement = typeof sql === 'string' ? { text: sql } : sql;
    const asked = { ...statement, values: values as SqlValue[], query_timeout: left };
    return (await client.query<Row & pg.QueryResultRow>(asked)).rows;
  };
}

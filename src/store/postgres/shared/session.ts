/** Keeps one connection, on which one call runs at a time; the server ends it when it hears nothing for some seconds. */
import type pg from 'pg';
import { connectionConfig, PostgresConnection } from '../connection.ts';

export interface Session {
  /** Runs `work` alone on the connection, which is opened where there is none. A call that the server does not answer ends it. */
  use<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Likewise, in one transaction. */
  transaction<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Whether this is the connection still. */
  isCurrent(client: pg.Client): boolean;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly url: string;
  /** Told of notifications on this channel, and of every new connection: some may have been missed. */
  readonly channel: string;
  readonly onNotify: () => void;
}

/** Within these a node that is gone, frozen or cut off loses what it held. */
export const SILENCE_MS = 12_000;
const CONNECT_MS = 5_000;
const QUERY_MS = 15_000;
const CLOSE_MS = 1_000;

export function openSession({ url, channel, onNotify }: SessionOptions): Session {
  let current: pg.Client | undefined;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  async function connect(): Promise<pg.Client> {
    if (closed) throw new Error('the connection is closed');
    const client = new PostgresConnection({
      ...connectionConfig({
        url,
        name: 'gatehouse feeds',
        connectMs: CONNECT_MS,
        statementMs: QUERY_MS,
        idleInTransactionMs: SILENCE_MS,
        settings: { idle_session_timeout: String(SILENCE_MS) },
      }),
      query_timeout: QUERY_MS + 1_000,
    });
    client.on('error', () => drop(client));
    client.on('end', () => drop(client));
    client.on('notification', onNotify);
    try {
      await prepare(client);
    } catch (error) {
      drop(client);
      throw error;
    }
    current = client;
    onNotify();
    return client;
  }

  async function prepare(client: pg.Client): Promise<void> {
    await client.connect();
    // Not among the settings that are read back: a server that a pooler reaches through a Unix socket has none.
    await client.query(`SET tcp_user_timeout = ${SILENCE_MS}; LISTEN ${channel}`);
  }

  function drop(client: pg.Client): void {
    if (current === client) current = undefined;
    client.end().catch(() => {});
  }

  async function run<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = current ?? (await connect());
    try {
      return await work(client);
    } catch (error) {
      if (isHung(error)) drop(client);
      throw error;
    }
  }

  function use<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const done = last.then(() => run(work));
    last = done.catch(() => {});
    return done;
  }

  return {
    use,
    transaction: (work) => use((client) => inTransaction(client, work)),
    isCurrent: (client) => current === client,
    async close() {
      closed = true;
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([last, late]);
      await Promise.race([current?.end(), late]);
    },
  };
}

async function inTransaction<T>(client: pg.Client, work: (client: pg.Client) => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    if (!isHung(error)) await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** It is not known what a server that did not answer is doing; all other ends of a connection are told as events. */
function isHung(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

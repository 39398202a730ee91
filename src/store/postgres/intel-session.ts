/** Keeps one connection, on which one call runs at a time; the server ends it when it hears nothing for some time. */
import pg from 'pg';
import { within } from '../../platform/deadline.ts';
import { createTurns } from '../../platform/turns.ts';
import { connectionConfig, PostgresConnection } from './connection.ts';
import { isAway, isRefusal } from './database.ts';

export interface IntelSession {
  /** Runs `work` alone on the connection, which is opened where there is none. A call that the server does not answer ends it. */
  use<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface IntelSessionOptions {
  readonly url: string;
  /** Time without a statement after which the server ends the connection. */
  readonly silenceMs: number;
  readonly channel: string;
  /** Called for notifications on the channel, and for every new connection: some may have been missed. */
  readonly onNotify: () => void;
  /** Called when a connection is lost. */
  readonly onLoss: (client: pg.Client) => void;
}

/** Max. time of a call, except the one that stores a snapshot. */
export const QUERY_MS = 15_000;
const STATEMENT_MS = 120_000;
const CONNECT_MS = 5_000;
const CLOSE_MS = 1_000;
/** A connection that leaves so many unanswered is lost. */
const PROBES = 3;

export function openIntelSession(options: IntelSessionOptions): IntelSession {
  const { url, silenceMs, channel, onNotify, onLoss } = options;
  const inTurn = createTurns();
  let current: pg.Client | undefined;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    if (closed) throw new Error('the connection is closed');
    const client = new PostgresConnection({
      ...connectionConfig({
        url,
        name: 'gatehouse feeds',
        connectMs: CONNECT_MS,
        statementMs: STATEMENT_MS,
        settings: { idle_session_timeout: String(silenceMs) },
      }),
      query_timeout: QUERY_MS,
    });
    client.on('error', () => drop(client));
    client.on('end', () => drop(client));
    client.on('notification', onNotify);
    try {
      await client.connect();
      // Not among the settings that are read back: a server that a pooler reaches through a Unix socket has none.
      await client.query(`${socketLimits(silenceMs)}; LISTEN ${channel}`);
    } catch (error) {
      drop(client);
      throw error;
    }
    current = client;
    onNotify();
    return client;
  }

  function drop(client: pg.Client): void {
    if (current === client) {
      current = undefined;
      onLoss(client);
    }
    client.end().catch(() => {});
  }

  async function run<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    let client = current;
    try {
      client ??= await connect();
      return await work(client);
    } catch (error) {
      if (client !== undefined && endsConnection(error as Error)) drop(client);
      // As a member, which goes with the error from thread to thread.
      if (isAway(error)) Object.assign(error, { isStoreAway: true });
      throw error;
    }
  }

  return {
    use: (work) => inTurn(() => run(work)),
    async close() {
      closed = true;
      // After the calls that came before.
      const ended = inTurn(async () => {}).then(() => current?.end());
      await within(CLOSE_MS, ended, () => void current?.end().catch(() => {}));
    },
  };
}

/**
 * Whether an error ends the connection: after a timeout nobody knows what the server still does. An end that it announces
 * becomes an event only later.
 */
function endsConnection(error: Error): boolean {
  return error.message === 'Query read timeout' || (error instanceof pg.DatabaseError && !isRefusal(error));
}

/** The server notices a lost network within `silenceMs`, also if only one side has something to send. */
function socketLimits(silenceMs: number): string {
  const idle = Math.ceil(silenceMs / 2_000);
  const between = Math.ceil(silenceMs / 2_000 / PROBES);
  return `SET tcp_user_timeout = ${silenceMs}; SET tcp_keepalives_idle = ${idle};
    SET tcp_keepalives_interval = ${between}; SET tcp_keepalives_count = ${PROBES}`;
}

/** Makes every connection to PostgreSQL. It sets what Gatehouse relies on and reads it back, so that a pooler in between cannot lose it unnoticed. */
import { userInfo } from 'node:os';
import pg from 'pg';

/** Settings of the server, by name. */
export type Settings = Readonly<Record<string, string>>;

export interface PostgresConnectionOptions {
  readonly url: string;
  /** The `application_name` in the server's list of activity. */
  readonly name?: string;
  /** Deadline for connecting, including the settings. */
  readonly connectMs: number;
  /** Deadline of a statement on the server; 0: none. */
  readonly statementMs?: number;
  /** The server ends a connection whose transaction was idle for so long; 0: never. */
  readonly idleInTransactionMs?: number;
  readonly settings?: Settings;
}

type Config = pg.ClientConfig & { readonly session?: Settings };

const CHECKING_MODE = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;
const LIBPQ_MEANING = /[?&]uselibpqcompat=true(?=&|$)/;

// As in libpq: who names no user is the user of the operating system. The driver only looks at its environment.
pg.defaults.user ??= ownName();

/** Some networks drop connections that are silent for some minutes. */
const KEEP_ALIVE_MS = 30_000;

/** One statement, so that a pooler cannot split it; returns each value as the server writes it. */
const SET = `SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS standby,
  array_agg(set_config(name, value, false) ORDER BY place) AS kept
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS input (name, value, place)`;
const SHOW = `SELECT pg_backend_pid() AS pid, array_agg(current_setting(name) ORDER BY place) AS kept
  FROM unnest($1::text[]) WITH ORDINALITY AS input (name, place)`;

interface Session {
  readonly pid: number;
  /** Whether the server is a standby; the first statement alone asks it. */
  readonly standby?: boolean;
  readonly kept: readonly string[];
}

/** Connects with all its settings applied, or not at all. */
export class PostgresConnection extends pg.Client {
  readonly #session: Settings;
  readonly #timeoutMs: number;
  #onStandby = false;

  /** A pool passes what `connectionConfig` returned. */
  constructor(config: Config = {}) {
    super(config);
    this.#session = config.session ?? {};
    this.#timeoutMs = config.connectionTimeoutMillis ?? 0;
    // If a connection is lost while idle, its next user gets the error.
    this.on('error', () => {});
  }

  /** Whether the server is a standby: it stores nothing, and may be behind the primary for ever. */
  get onStandby(): boolean {
    return this.#onStandby;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null) => void): void;
  override connect(callback?: (error: Error | null) => void): Promise<pg.Client> | undefined {
    const connected = this.#connectAndSet();
    if (callback === undefined) return connected;
    connected.then(() => callback(null), callback);
    return undefined;
  }

  async #connectAndSet(): Promise<pg.Client> {
    await super.connect();
    try {
      await this.#set();
    } catch (error) {
      this.end().catch(() => {});
      throw error;
    }
    return this;
  }

  async #set(): Promise<void> {
    const names = Object.keys(this.#session);
    const set = await this.#ask(SET, [names, Object.values(this.#session)]);
    this.#onStandby = set.standby === true;
    const shown = await this.#ask(SHOW, [names]);
    const lost = names.filter((_, at) => set.kept[at] !== shown.kept[at]);
    if (lost.length === 0 && set.pid === shown.pid) return;
    const what = lost.map((name) => `${name} is ${shown.kept[names.indexOf(name)]} again`).join(', ');
    throw new Error(`${what || 'a second statement reached another session'}: ${NO_SESSION}`);
  }

  async #ask(text: string, values: unknown[]): Promise<Session> {
    const { rows } = await this.query<Session>({ text, values, ...this.#timeout() });
    return rows[0] as Session;
  }

  #timeout(): object {
    return this.#timeoutMs > 0 ? { query_timeout: this.#timeoutMs } : {};
  }
}

/** Message about a pooler that does not keep sessions. */
export const NO_SESSION =
  'a pooler in between does not keep sessions; set pool_mode = session there, or connect to PostgreSQL directly';

/** Settings of a `Connection`, alone or in a pool. Nothing but user, database and name is sent at startup: poolers refuse the rest. */
export function connectionConfig(options: PostgresConnectionOptions): Config {
  const { url, name = 'gatehouse', connectMs, statementMs = 0, idleInTransactionMs = 0, settings } = options;
  const types = new pg.TypeOverrides();
  // All our numbers are below 2^53.
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return {
    connectionString: driverUrl(url),
    application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: connectMs,
    types,
    session: {
      // A record must be durable before its answer is sent, whatever the server's own setting is.
      synchronous_commit: 'on',
      // A role or a database may have other values for these.
      statement_timeout: String(statementMs),
      lock_timeout: '0',
      idle_in_transaction_session_timeout: String(idleInTransactionMs),
      idle_session_timeout: '0',
      ...settings,
    },
  };
}

/**
 * The driver takes these modes for `verify-full`, and warns at length that it will not always do so. Naming what is meant
 * keeps the meaning and needs no warning. A URL that asks for the meaning of libpq keeps it.
 */
export function driverUrl(url: string): string {
  return LIBPQ_MEANING.test(url) ? url : url.replace(CHECKING_MODE, '$1verify-full');
}

function ownName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have a number only.
    return undefined;
  }
}

/** Decides whether a server can be used: new enough, and reached in a way that keeps the statements of a connection in one session. */
import pg from 'pg';
import { driverUrl, NO_SESSION } from './connection.ts';

/** Oldest version, as in `server_version_num`. */
const OLDEST = 140_000;
/** Name unlike that of a node, which it is not. */
const NAME = 'check by gatehouse';
const ANSWER_MS = 5_000;
/** Further connections to check if there is a pooler in between, which may be several processes with their own servers. */
const OTHERS = 6;
/** A pooler in statement mode refuses to begin a transaction. */
const REFUSED = /statement pooling/;
/** The driver's message when no answer comes. */
const LATE = 'Query read timeout';
const TOO_FEW =
  'it gives no second connection; a node needs about 25: if there is a pooler in between, set its default_pool_size to that for each node';

const ASK = `SELECT pg_backend_pid() AS pid, current_setting('server_version_num')::int AS number,
  current_setting('server_version') AS version`;

interface Answer {
  readonly pid: number;
  readonly number: number;
  readonly version: string;
}

/** Opens one more connection. */
type Connect = () => Promise<pg.Client>;

/**
 * Nothing is set or left on the connections: whom a pooler gives them to next is not known.
 * @param answerMs what each answer may take. @throws in a few words when it cannot be used or reached
 */
export async function checkServer(url: string, answerMs = ANSWER_MS): Promise<void> {
  const opened: pg.Client[] = [];
  const connect: Connect = async () => {
    const client = new pg.Client({
      connectionString: driverUrl(url),
      application_name: NAME,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    client.on('error', () => {});
    opened.push(client);
    await client.connect();
    return client;
  };
  try {
    const client = await connect();
    const answer = await ask(client);
    if (answer.number < OLDEST) {
      throw new Error(`PostgreSQL ${answer.version} is too old, the oldest that works is ${OLDEST / 10_000}`);
    }
    // A pooler reports a number of its own here, but may still keep sessions.
    const { processID } = client as pg.Client & { readonly processID: number };
    const others = processID === answer.pid ? 1 : OTHERS;
    if (await sharesSessions(client, answer.pid, connect, others)) throw new Error(NO_SESSION);
  } finally {
    await Promise.all(opened.map((client) => client.end()));
  }
}

/**
 * Whether a pooler takes the server, `pid`, away from `client` between two statements: then the next statement goes
 * elsewhere, or somebody else gets the server meanwhile.
 */
async function sharesSessions(
  client: pg.Client,
  pid: number,
  connect: Connect,
  others: number,
): Promise<boolean> {
  const pids = new Set([pid]);
  const hasMoved = async () => (await ask(client)).pid !== pid;
  for (let count = 0; count < others; count += 1) {
    // Where servers are used in turn, another one answers now.
    if (await hasMoved()) return true;
    try {
      const other = await connect();
      await other.query('BEGIN');
      // Where the one used last comes first, this has it. All connections are open still: no two share one in a session each.
      const { pid: otherPid } = await ask(other);
      if (pids.has(otherPid)) return true;
      pids.add(otherPid);
      // A server process that is in another's transaction cannot answer.
      if (await hasMoved()) return true;
      await other.query('ROLLBACK');
    } catch (error) {
      const { message } = error as Error;
      if (REFUSED.test(message)) return true;
      if (message !== LATE) throw error;
      if (count === 0) throw new Error(TOO_FEW);
      // It has no more connections: those that it gave were sessions.
      return false;
    }
  }
  return false;
}

async function ask(client: pg.Client): Promise<Answer> {
  return (await client.query<Answer>(ASK)).rows[0] as Answer;
}

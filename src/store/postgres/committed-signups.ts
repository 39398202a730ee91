/** Follows the signups that all nodes commit to PostgreSQL: one node at a time, whose connection holds a lock. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { CommittedSignups } from '../committed-signups.ts';
import { firstIdAt, timeOfId } from '../request-time.ts';
import { asStoreFailure } from '../store-failure.ts';
import type { StoredAssessment } from '../stored-assessment.ts';
import { connectionConfig, PostgresConnection } from './connection.ts';
import { isAway, isRefusal } from './database.ts';
import { STORED_COLUMNS, type StoredRow, toStored } from './stored-assessments.ts';

export interface SharedSignupsOptions<Signup> {
  readonly url: string;
  /** Signups from then on, milliseconds since the epoch. */
  readonly since: number;
  /** `null`: it is left out. */
  readonly make: (stored: StoredAssessment) => Signup | null;
  /** Follower among others: one node at a time is each of them. Default `waves`. */
  readonly follower?: keyof typeof LOCKS;
  /** Milliseconds of any origin. */
  readonly stopwatch?: () => number;
}

/** Numbers of the advisory locks; any that nobody else takes. */
const LOCKS = { waves: 1_735_812_205, events: 1_735_812_206 } as const;
const QUERY_MS = 15_000;
const CONNECT_MS = 5_000;
/** The server ends a connection that asks nothing for so long, and with it the lock. */
const SILENCE_MS = 30_000;
/** Another node that follows is asked about so often. */
const TAKE_EVERY_MS = 2_000;
const AT_ONCE = 256;
/** Ids are made before their commit, by clocks that differ: so long after its time a signup may still become visible. */
const LATE_MS = 30_000;
const LOOK_FOR_LATE_EVERY_MS = 2_000;

const TAKE = 'SELECT pg_try_advisory_lock($1) AS taken';
const READ = `SELECT ${STORED_COLUMNS} FROM assessments WHERE request_id > $1 AND mode = 'live' ORDER BY request_id LIMIT $2`;
const READ_IDS = `SELECT request_id FROM assessments WHERE request_id > $1 AND request_id <= $2 AND mode = 'live'`;
const READ_SOME = `SELECT ${STORED_COLUMNS} FROM assessments WHERE request_id = ANY ($1) ORDER BY request_id`;

export function openSharedSignups<Signup>({
  url,
  since,
  make,
  follower = 'waves',
  stopwatch = () => performance.now(),
}: SharedSignupsOptions<Signup>): CommittedSignups<Signup> {
  const turn = createTurn(url, follower, stopwatch);
  let lookedAt = stopwatch();
  /** Id of the newest signup that was read. */
  let upTo = firstIdAt(since);
  /** Ids that were read, as far back as one may be late. */
  const read = new Set<string>();

  /** Reads signups that became visible after younger ones were read. */
  async function readLate(query: Ask): Promise<readonly StoredRow[]> {
    if (stopwatch() - lookedAt < LOOK_FOR_LATE_EVERY_MS || read.size === 0) return [];
    lookedAt = stopwatch();
    const from = firstIdAt((timeOfId(upTo) ?? 0) - LATE_MS);
    for (const id of read) if (id <= from) read.delete(id);
    const ids = await query<{ request_id: string }>(READ_IDS, [from, upTo]);
    const late = ids.map(({ request_id: id }) => id).filter((id) => !read.has(id));
    return late.length === 0 ? [] : query<StoredRow>(READ_SOME, [late]);
  }

  async function readNext(query: Ask): Promise<readonly StoredRow[]> {
    const late = await readLate(query);
    const rows = await query<StoredRow>(READ, [upTo, AT_ONCE]);
    upTo = rows.at(-1)?.request_id ?? upTo;
    const from = firstIdAt((timeOfId(upTo) ?? 0) - LATE_MS);
    for (const { request_id: id } of [...late, ...rows]) if (id > from) read.add(id);
    return [...late, ...rows];
  }

  return {
    async next() {
      const query = await turn.take();
      if (query === undefined) return null;
      for (;;) {
        const rows = await readNext(query);
        const signups = rows.flatMap((row) => make(toStored(row)) ?? []);
        // A page of which nothing is left is not the end.
        if (signups.length > 0 || rows.length === 0) return signups;
      }
    },
    close: turn.close,
  };
}

/** Asks on the connection that holds the lock. */
type Ask = <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<Row[]>;

/** The turn of this process to follow: it lasts as long as the connection that took the lock. */
function createTurn(url: string, follower: keyof typeof LOCKS, stopwatch: () => number) {
  let client: pg.Client | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  function drop(lost: pg.Client): void {
    if (client === lost) client = undefined;
    lost.end().catch(() => {});
  }

  function askOn(connection: pg.Client): Ask {
    return async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => {
      try {
        return (await connection.query<Row>(text, values)).rows;
      } catch (error) {
        if (!isRefusal(error)) drop(connection);
        throw isAway(error) ? asStoreFailure(error) : error;
      }
    };
  }

  async function connect(): Promise<pg.Client | undefined> {
    const fresh = newConnection(url, follower);
    fresh.on('error', () => drop(fresh));
    fresh.on('end', () => drop(fresh));
    try {
      await fresh.connect();
      const [row] = await askOn(fresh)<{ taken: boolean }>(TAKE, [LOCKS[follower]]);
      if (row?.taken === true) return fresh;
    } catch (error) {
      drop(fresh);
      throw isAway(error) ? asStoreFailure(error) : error;
    }
    drop(fresh);
    return undefined;
  }

  return {
    /** @returns `undefined` while another process has it */
    async take(): Promise<Ask | undefined> {
      if (client === undefined && stopwatch() - askedAt >= TAKE_EVERY_MS) {
        askedAt = stopwatch();
        client = await connect();
      }
      return client && askOn(client);
    },
    async close(): Promise<void> {
      const closing = client;
      client = undefined;
      await Promise.race([closing?.end().catch(() => {}), sleep(1_000, undefined, { ref: false })]);
    },
  };
}

function newConnection(url: string, follower: string): pg.Client {
  return new PostgresConnection({
    ...connectionConfig({
      url,
      name: `gatehouse ${follower}`,
      connectMs: CONNECT_MS,
      statementMs: QUERY_MS,
      settings: { idle_session_timeout: String(SILENCE_MS) },
    }),
    query_timeout: QUERY_MS,
  });
}

/** Keeps feeds, snapshots and the lock of those who change them in PostgreSQL: what changes anything is sent on the connection that holds the lock, so nobody else can change it. */
import type pg from 'pg';
import { type IntelSession, openIntelSession, QUERY_MS } from './intel-session.ts';

export interface IntelRepositoryOptions {
  readonly url: string;
  /** The release with its bundled snapshot: other builds have feeds of their own. */
  readonly build: string;
  /** The build and the feeds that are on: other scopes have snapshots of their own. */
  readonly scope: string;
  /** A holder of the lock of which the server hears nothing for so long loses it; more than one call may take. Default a minute: to compile takes seconds. */
  readonly silenceMs?: number;
  readonly pollMs?: number;
}

const SILENCE_MS = 60_000;
const POLL_MS = 2_000;
/** Signs of life that the holder sends in `silenceMs`: the server must not miss one for long. */
const BEATS = 4;
const CHANNEL = 'gatehouse_intel';
/** Number of the advisory lock; any that nobody else takes. */
const LOCK = 7_126_005;
const PIECE_BYTES = 4 * 1024 * 1024;
/** Small enough for a slow network to send each within the deadline of a call: a holder that takes longer is silent, not slow. */
const SENT_PIECE_BYTES = 1024 * 1024;
/** Time for a server with slow disks. */
const PUBLISH_MS = 120_000;
const LOST =
  'feed update was interrupted: the connection to the database was lost; check `gatehouse intel status` and retry';

const STATES = `SELECT known.state FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS wanted (feed, url, place)
  LEFT JOIN LATERAL (SELECT state FROM feed_states WHERE feed = wanted.feed
    ORDER BY build = $1 DESC, url = wanted.url DESC, changed_at DESC LIMIT 1) AS known ON true
  ORDER BY place`;
const SAVE_STATE = `INSERT INTO feed_states (build, feed, url, state, versions) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (feed, build, url) DO UPDATE SET state = $4, versions = $5, changed_at = now()`;
const VERSION = 'SELECT bytes FROM feed_versions WHERE feed = $1 AND version = $2';
const SAVE_VERSION = `INSERT INTO feed_versions (feed, version, bytes) VALUES ($1, $2, $3)
  ON CONFLICT (feed, version) DO UPDATE SET bytes = $3`;
const PRUNE = `DELETE FROM feed_versions WHERE feed = $1 AND version <> ALL ($2) AND NOT EXISTS (
  SELECT FROM feed_states WHERE feed = $1 AND feed_versions.version = ANY (versions))`;
const DEPARTED = 'SELECT bytes FROM feed_departures WHERE feed = $1';
const SAVE_DEPARTED = `INSERT INTO feed_departures (feed, bytes) VALUES ($1, $2)
  ON CONFLICT (feed) DO UPDATE SET bytes = $2`;
const CURRENT = 'SELECT id, key, base, at FROM intel_snapshots WHERE scope = $1';
const NEWEST = `SELECT id, key, base, at FROM intel_snapshots WHERE base = $2
  ORDER BY scope = $1 DESC, at DESC LIMIT 1`;
const PIECE = 'SELECT substring(bytes FROM $2 FOR $3) AS bytes FROM intel_snapshots WHERE id = $1 LIMIT 1';
const FORGET = 'DELETE FROM intel_snapshots WHERE scope = $1 AND id = $2';
/** Goes with the connection: pieces of a publication that ended early are never seen. */
const RECEIVE = `DROP TABLE IF EXISTS pg_temp.snapshot_pieces;
  CREATE TEMPORARY TABLE snapshot_pieces (place int, bytes bytea);
  ALTER TABLE pg_temp.snapshot_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL`;
const RECEIVE_PIECE = 'INSERT INTO pg_temp.snapshot_pieces (place, bytes) VALUES ($1, $2)';
const RECEIVED = 'DROP TABLE pg_temp.snapshot_pieces';
/** One statement: whole or not at all. With it goes what nobody used for a week: states that newer ones replace, and snapshots. */
const PUBLISH = `WITH old_states AS (DELETE FROM feed_states AS old WHERE changed_at < now() - interval '7 days'
    AND EXISTS (SELECT FROM feed_states AS own
      WHERE own.feed = old.feed AND own.build = $6 AND own.changed_at > old.changed_at)),
  old_snapshots AS (DELETE FROM intel_snapshots
    WHERE scope <> $1 AND at < extract(epoch FROM now() - interval '7 days') * 1000)
  INSERT INTO intel_snapshots (scope, id, key, base, at, bytes) VALUES ($1, $2, $3, $4, $5,
    (SELECT coalesce(string_agg(bytes, '' ORDER BY place), '') FROM pg_temp.snapshot_pieces))
  ON CONFLICT (scope) DO UPDATE SET id = $2, key = $3, base = $4, at = $5, bytes = excluded.bytes`;
const TAKE = 'SELECT pg_try_advisory_lock($1) AS taken';
/** No limit of the server ends a session that waits for the rest of a message. */
const END_SILENT = `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND objid = $1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND usename = current_user
    AND state = 'active' AND wait_event = 'ClientRead'
    AND state_change < clock_timestamp() - make_interval(secs => $2::float8 / 1000)`;
const RELEASE = `SELECT pg_advisory_unlock($1), pg_notify('${CHANNEL}', '')`;

interface Bytes {
  readonly bytes: Buffer;
}

interface SnapshotRow {
  readonly id: string;
  readonly key: string;
  readonly base: string;
  readonly at: number;
}

/** Opens its one connection at the first call. The port `IntelRepository` of `intel/` says what each member does. */
export function openIntelRepository(options: IntelRepositoryOptions) {
  const { url, build, scope, silenceMs = SILENCE_MS, pollMs = POLL_MS } = options;
  let onChange = () => {};
  const session = openIntelSession({
    url,
    silenceMs,
    channel: CHANNEL,
    onNotify: () => onChange(),
    onLoss: (client) => lock.lose(client),
  });
  const read = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> =>
    (await session.use((client) => client.query<Row>(text, values))).rows;
  const lock = createRoundLock(session, silenceMs);
  return {
    pollMs,
    feeds: createFeedRows(build, read, lock.write),
    snapshots: createSnapshotRows(scope, build, read, lock.write),
    lock: { tryHold: lock.tryHold },
    onChange(listener: () => void) {
      onChange = listener;
    },
    close: session.close,
  };
}

type Read = <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<Row[]>;
type Write = (text: string, values: unknown[], timeoutMs?: number) => Promise<void>;

function createFeedRows(build: string, read: Read, write: Write) {
  return {
    async states(feeds: readonly { readonly id: string; readonly url: string }[]) {
      const wanted = [feeds.map(({ id }) => id), feeds.map(({ url }) => url)];
      const rows = await read<{ state: string | null }>(STATES, [build, ...wanted]);
      return rows.map(({ state }) => state ?? undefined);
    },
    saveState: (
      { id, url }: { readonly id: string; readonly url: string },
      state: string,
      versions: readonly string[],
    ) => write(SAVE_STATE, [build, id, url, state, versions]),
    version: async (id: string, version: string) => (await read<Bytes>(VERSION, [id, version]))[0]?.bytes,
    saveVersion: (id: string, version: string, bytes: Uint8Array) =>
      write(SAVE_VERSION, [id, version, bufferOf(bytes)]),
    prune: (id: string, versions: readonly string[]) => write(PRUNE, [id, versions]),
    departed: async (id: string) => (await read<Bytes>(DEPARTED, [id]))[0]?.bytes,
    saveDeparted: (id: string, bytes: Uint8Array) => write(SAVE_DEPARTED, [id, bufferOf(bytes)]),
  };
}

function createSnapshotRows(scope: string, build: string, read: Read, write: Write) {
  return {
    current: async () => (await read<SnapshotRow>(CURRENT, [scope]))[0],
    newest: async (base: string) => (await read<SnapshotRow>(NEWEST, [scope, base]))[0],
    /** Reads in pieces, so that neither a slow network nor the driver's text form of bytes needs much at once. */
    async read(id: string) {
      const pieces: Buffer[] = [];
      for (let from = 1, last = PIECE_BYTES; last === PIECE_BYTES; from += PIECE_BYTES) {
        const [row] = await read<Bytes>(PIECE, [id, from, PIECE_BYTES]);
        if (row === undefined) return undefined;
        pieces.push(row.bytes);
        last = row.bytes.byteLength;
      }
      return Buffer.concat(pieces);
    },
    async publish({ id, key, base, at }: SnapshotRow, bytes: Uint8Array) {
      await write(RECEIVE, []);
      for (let from = 0; from < bytes.byteLength; from += SENT_PIECE_BYTES)
        await write(RECEIVE_PIECE, [from, bufferOf(bytes.subarray(from, from + SENT_PIECE_BYTES))]);
      await write(PUBLISH, [scope, id, key, base, at, build], PUBLISH_MS);
      await write(RECEIVED, []);
    },
    forget: (id: string) => write(FORGET, [scope, id]),
  };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function createRoundLock(session: IntelSession, silenceMs: number) {
  /** A connection can take a lock twice: one round at a time, until its work has settled, even where the lock was lost. */
  let busy = false;
  let holder: pg.Client | undefined;
  let lost = new AbortController();

  const take = () =>
    session.use(async (client) => {
      const { rows } = await client.query<{ taken: boolean }>(TAKE, [LOCK]);
      if (rows[0]?.taken !== true) {
        await client.query(END_SILENT, [LOCK, silenceMs]);
        return false;
      }
      holder = client;
      lost = new AbortController();
      return true;
    });
  /** Queries on the connection that took the lock, or not at all. */
  const onHolder = (query: pg.QueryConfig) =>
    session.use((client) => {
      if (client !== holder) throw new Error(LOST);
      return client.query(query);
    });

  async function whileHeld<T>(work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    const heartbeat = setInterval(
      () => void onHolder({ text: 'SELECT 1' }).catch(() => {}),
      silenceMs / BEATS,
    );
    try {
      return await work(lost.signal);
    } catch (error) {
      // An operator learns nothing from the words of the driver or of an aborted fetch, whichever failed first.
      throw lost.signal.aborted ? new Error(LOST, { cause: error }) : error;
    } finally {
      clearInterval(heartbeat);
      await onHolder({ text: RELEASE, values: [LOCK] }).catch(() => {});
      holder = undefined;
    }
  }

  return {
    async tryHold<T extends NonNullable<unknown>>(
      work: (lost: AbortSignal) => Promise<T>,
    ): Promise<T | undefined> {
      if (busy) return undefined;
      busy = true;
      try {
        return (await take()) ? await whileHeld(work) : undefined;
      } finally {
        busy = false;
      }
    },
    lose(client: pg.Client): void {
      if (holder !== client) return;
      holder = undefined;
      lost.abort();
    },
    async write(text: string, values: unknown[], timeoutMs = QUERY_MS): Promise<void> {
      const query: pg.QueryConfig & { query_timeout: number } = { text, values, query_timeout: timeoutMs };
      await onHolder(query);
    },
  };
}

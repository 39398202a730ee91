/** The cache in PostgreSQL: reads that come together become one statement, and so do writes. */
import type { StoredText } from '../../model/text-cache.ts';
import { within } from '../../platform/deadline.ts';
import type { CacheStore, PruneResult } from '../cache-store.ts';
import { decodeText, encodeText } from '../text.ts';
import { createBatchLoader } from './batch-loader.ts';
import type { Database } from './database.ts';

const READ = {
  name: 'gatehouse_knowledge',
  text: 'SELECT name, text, expires_at FROM knowledge WHERE name = ANY ($1::text[])',
};
const WRITE = `INSERT INTO knowledge (name, text, expires_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) ORDER BY 1
  ON CONFLICT (name) DO UPDATE SET text = excluded.text, expires_at = excluded.expires_at`;
/** Number of the advisory lock that the node has which prunes. */
const PRUNING = 7126030;
/**
 * Beyond the limits everything is a candidate, by the order of expiry; what somebody is writing is left to the next time.
 * By their places in the table, so that its size does not matter.
 */
export const PRUNE = `WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${PRUNING}) AS mine),
  pruned AS (DELETE FROM knowledge WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM knowledge WHERE (SELECT mine FROM turn) AND expires_at <
      (SELECT CASE WHEN entries > $1 OR bytes > $2 THEN 9223372036854775807 ELSE $3::bigint END FROM knowledge_size)
    ORDER BY expires_at LIMIT $4 FOR UPDATE SKIP LOCKED)) RETURNING 1)
  SELECT entries, bytes, (SELECT count(*) FROM pruned) AS pruned FROM knowledge_size`;
/** An assessment waits for a read: asking the source is better than waiting for a database in trouble. */
const READ_DEADLINE_MS = 100;
/** Further entries are dropped: each costs another fetch, nothing more. */
const MAX_WAITING = 10_000;

export interface PostgresCache extends CacheStore {
  close(): Promise<void>;
}

export function createCacheStore({ query }: Database, onFault: (error: Error) => void): PostgresCache {
  const read = createBatchLoader<StoredText>(async (names) => {
    const rows = await query<{ name: string; text: string; expires_at: number }>(READ, [names]);
    return new Map(
      rows.map(({ name, text, expires_at }) => [name, { text: decodeText(text), expiresAt: expires_at }]),
    );
  });
  let waiting = new Map<string, StoredText>();
  let inFlight = new Map<string, StoredText>();
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.size > 0) {
      inFlight = waiting;
      waiting = new Map();
      const texts = [...inFlight.values()];
      const values = [
        [...inFlight.keys()],
        texts.map(({ text }) => encodeText(text)),
        texts.map(({ expiresAt }) => expiresAt),
      ];
      await query(WRITE, values).catch(onFault);
    }
    inFlight = new Map();
    writing = undefined;
  }

  return {
    isShared: true,
    async get(name) {
      const unwritten = waiting.get(name) ?? inFlight.get(name);
      if (unwritten !== undefined) return unwritten;
      return within(READ_DEADLINE_MS, read(name), () => undefined).catch((error: Error) => {
        onFault(error);
        return undefined;
      });
    },
    read,
    set(name, text, expiresAt) {
      if (waiting.size >= MAX_WAITING) return;
      waiting.set(name, { text, expiresAt });
      writing ??= write();
    },
    async prune({ expiredBefore, maxEntries, maxBytes }, maxPruned) {
      const values = [maxEntries, maxBytes, Math.floor(expiredBefore), maxPruned];
      const [size] = await query<PruneResult>(PRUNE, values);
      return size as PruneResult;
    },
    async close() {
      await writing;
    },
  };
}

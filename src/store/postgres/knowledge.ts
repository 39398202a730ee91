/** Knowledge of elsewhere in PostgreSQL: what is asked for or kept within a moment goes as one statement. */
import type { CacheStore, Knowledge, PruneResult } from '../store.ts';
import { decodeText, encodeText } from '../text.ts';
import { createBatchLoader } from './batch-loader.ts';
import type { Database } from './database.ts';

const READ = {
  name: 'gatehouse_knowledge',
  text: 'SELECT name, text, expires_at FROM knowledge WHERE name = ANY ($1::text[])',
};
const KEEP = `INSERT INTO knowledge (name, text, expires_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) ORDER BY 1
  ON CONFLICT (name) DO UPDATE SET text = excluded.text, expires_at = excluded.expires_at`;
/** Of the advisory lock that one node prunes under. */
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
/** An assessment waits for it: better to ask elsewhere than to wait for a database that is in trouble. */
const PATIENCE_MS = 100;
/** More is not kept: losing it costs a fetch. */
const MAX_WAITING = 10_000;

export interface PostgresKnowledge extends CacheStore {
  knowledge(name: string): Promise<Knowledge | undefined>;
  close(): Promise<void>;
}

export function createKnowledgeStore(
  { query }: Database,
  onFault: (error: Error) => void,
): PostgresKnowledge {
  const read = createBatchLoader<Knowledge>(async (names) => {
    const rows = await query<{ name: string; text: string; expires_at: number }>(READ, [names]);
    return new Map(
      rows.map(({ name, text, expires_at }) => [name, { text: decodeText(text), expiresAt: expires_at }]),
    );
  });
  let kept = new Map<string, Knowledge>();
  let keeping = new Map<string, Knowledge>();
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (kept.size > 0) {
      keeping = kept;
      kept = new Map();
      const texts = [...keeping.values()];
      const values = [
        [...keeping.keys()],
        texts.map(({ text }) => encodeText(text)),
        texts.map(({ expiresAt }) => expiresAt),
      ];
      await query(KEEP, values).catch(onFault);
    }
    keeping = new Map();
    writing = undefined;
  }

  return {
    async knowledge(name) {
      const held = kept.get(name) ?? keeping.get(name);
      if (held !== undefined) return held;
      return patiently(read(name)).catch((error: Error) => {
        onFault(error);
        return undefined;
      });
    },
    readKnowledge: read,
    keepKnowledge(name, text, expiresAt) {
      if (kept.size >= MAX_WAITING) return;
      kept.set(name, { text, expiresAt });
      writing ??= write();
    },
    async pruneKnowledge({ expiredBefore, maxEntries, maxBytes }, maxPruned) {
      const values = [maxEntries, maxBytes, Math.floor(expiredBefore), maxPruned];
      const [size] = await query<PruneResult>(PRUNE, values);
      return size as PruneResult;
    },
    async close() {
      await writing;
    },
  };
}

async function patiently<T>(answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  return Promise.race([answer, patience]).finally(() => clearTimeout(timer));
}

/** The cache in SQLite: read on the main thread, written and pruned by the writer thread. */
import type { StoredText } from '../../model/text-cache.ts';
import type { CacheStore, PruneResult } from '../cache-store.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { decodeText, encodeText } from '../text.ts';
import type { SqliteCommitter } from '../writer/committer.ts';

const WRITE = `INSERT INTO knowledge (name, text, expires_at) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET text = excluded.text, expires_at = excluded.expires_at`;
/** Beyond the limits every entry may be removed, the one that expires first before the others. */
const PRUNABLE = `SELECT name FROM knowledge WHERE expires_at <
  (SELECT CASE WHEN entries > ? OR bytes > ? THEN 9223372036854775807 ELSE ? END FROM knowledge_size)
  ORDER BY expires_at LIMIT ?`;

export function createCacheStore(
  reads: SqliteConnection,
  committer: SqliteCommitter,
  onFault: (error: Error) => void,
): CacheStore {
  const select = reads.prepare('SELECT text, expires_at AS expiresAt FROM knowledge WHERE name = ?');
  const readSize = reads.prepare('SELECT entries, bytes FROM knowledge_size');
  const countPrunable = reads.prepare(`SELECT count(*) AS prunable FROM (${PRUNABLE})`);

  async function read(name: string): Promise<StoredText | undefined> {
    const row = select.get(name) as StoredText | undefined;
    return row === undefined ? undefined : { text: decodeText(row.text), expiresAt: row.expiresAt };
  }

  return {
    isShared: false,
    get: (name) =>
      read(name).catch((error: Error) => {
        onFault(error);
        return undefined;
      }),
    read,
    set(name, text, expiresAt) {
      const values = [name, encodeText(text), expiresAt];
      committer
        .submit({ statements: [{ sql: WRITE, values }] })
        .then(undefined, (error: Error) => onFault(error));
    },
    async prune({ expiredBefore, maxEntries, maxBytes }, maxPruned): Promise<PruneResult> {
      const values = [maxEntries, maxBytes, expiredBefore, maxPruned];
      const { entries, bytes } = readSize.get() as { entries: number; bytes: number };
      const { prunable } = countPrunable.get(values) as { prunable: number };
      if (prunable > 0) {
        const sql = `DELETE FROM knowledge WHERE name IN (${PRUNABLE})`;
        await committer.submit({ statements: [{ sql, values }] });
      }
      return { pruned: prunable, entries, bytes };
    },
  };
}

/** The accounts' own lists in PostgreSQL: every change is stamped with a new version of the lists, so that readers find it. */
import { type ListRow, listValues, toListEntry } from '../list-row.ts';
import type { ListStore } from '../store.ts';
import { changeAudited } from './audit.ts';
import type { Database } from './database.ts';

const ENTRIES_A_PAGE = 1_000;

const READ_VERSION = {
  name: 'gatehouse_lists_version',
  text: "SELECT value FROM meta WHERE name = 'lists_version'",
};
const SAVE = `INSERT INTO list_entries (id, account_id, action, kind, value, shown, reason, author, created_at,
    expires_at, hits, last_hit_at, version)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, gatehouse_next_1('lists'))
  ON CONFLICT (account_id, kind, value, action) DO UPDATE SET
    shown = excluded.shown, reason = excluded.reason, author = excluded.author,
    expires_at = excluded.expires_at, version = excluded.version
  RETURNING *`;
const REMOVE = `WITH next AS MATERIALIZED (SELECT gatehouse_next_1('lists') AS version),
    gone AS (DELETE FROM list_entries USING next WHERE id = $1 RETURNING id, next.version)
  INSERT INTO list_removals (id, version) SELECT id, version FROM gone RETURNING id`;
/** In order of their ids, so that nodes that count hits of the same entries never wait in a circle. */
const ADD_HITS = `UPDATE list_entries AS entry SET hits = hits + hit.count,
    last_hit_at = greatest(last_hit_at, hit.at)
  FROM (SELECT id, given.count, given.at
    FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS given (id, count, at) JOIN list_entries USING (id)
    ORDER BY id FOR NO KEY UPDATE OF list_entries) AS hit
  WHERE entry.id = hit.id`;
const REMOVALS = 'SELECT id FROM list_removals WHERE version > $1';
const PAGE = `SELECT * FROM list_entries WHERE (version, id) > ($1, $2) ORDER BY version, id LIMIT ${ENTRIES_A_PAGE}`;

export function createListStore(database: Database): ListStore {
  const { query } = database;
  return {
    async saveListEntry(entry, ...audit) {
      const [kept] = await changeAudited<ListRow>(database, audit, SAVE, listValues(entry));
      return toListEntry(kept as ListRow);
    },
    async removeListEntry(id, ...audit) {
      await changeAudited(database, audit, REMOVE, [id]);
    },
    async listEntries(accountId) {
      const rows = await query<ListRow>('SELECT * FROM list_entries WHERE account_id = $1 ORDER BY id', [
        accountId,
      ]);
      return rows.map(toListEntry);
    },
    async addListHits(hits) {
      if (hits.size === 0) return;
      const counts = [...hits.values()];
      await query(ADD_HITS, [[...hits.keys()], counts.map((one) => one.hits), counts.map((one) => one.at)]);
    },
    async listsVersion() {
      const [row] = await query<{ value: number }>(READ_VERSION);
      return row?.value ?? 0;
    },
    async *listChangesSince(version) {
      for (const { id } of await query<{ id: string }>(REMOVALS, [version])) yield { removed: id };
      // No id stands behind this one: reading begins after all entries of the version itself.
      let after: readonly [version: number, id: string] = [version, '~'];
      for (;;) {
        const page = await query<ListRow>(PAGE, after);
        for (const row of page) yield { saved: toListEntry(row) };
        if (page.length < ENTRIES_A_PAGE) return;
        const last = page.at(-1) as ListRow;
        after = [last.version, last.id];
      }
    },
  };
}

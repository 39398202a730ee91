/** The accounts' own lists in SQLite: every change is stamped with a new version of the lists, so that readers find it. */
import { setImmediate } from 'node:timers/promises';
import { type ListRow, listValues, toListEntry } from '../list-row.ts';
import type { ListStore } from '../store.ts';
import { auditStatements } from './audit.ts';
import type { SqliteCommitter } from './committer.ts';
import type { SqliteConnection } from './connection.ts';
import type { Statement } from './jobs.ts';

const ENTRIES_A_PAGE = 250;

const NEXT_VERSION: Statement = {
  sql: "UPDATE meta SET value = value + 1 WHERE name = 'lists_version'",
  values: [],
};
const CURRENT_VERSION = "(SELECT value FROM meta WHERE name = 'lists_version')";

const SAVE = `INSERT INTO list_entries (id, account_id, action, kind, value, shown, reason, author, created_at,
    expires_at, hits, last_hit_at, version)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${CURRENT_VERSION})
  ON CONFLICT (account_id, kind, value, action) DO UPDATE SET
    shown = excluded.shown, reason = excluded.reason, author = excluded.author,
    expires_at = excluded.expires_at, version = excluded.version`;
const NOTE_REMOVAL = `INSERT INTO list_removals (id, version) SELECT id, ${CURRENT_VERSION} FROM list_entries WHERE id = ?`;
const REMOVE = 'DELETE FROM list_entries WHERE id = ?';
const ADD_HITS =
  'UPDATE list_entries SET hits = hits + ?, last_hit_at = max(coalesce(last_hit_at, 0), ?) WHERE id = ?';

export function createListStore(reads: SqliteConnection, { submit }: SqliteCommitter): ListStore {
  const readVersion = reads.prepare("SELECT value FROM meta WHERE name = 'lists_version'");
  const readOne = reads.prepare(
    'SELECT * FROM list_entries WHERE account_id = ? AND kind = ? AND value = ? AND action = ?',
  );
  const readAccount = reads.prepare('SELECT * FROM list_entries WHERE account_id = ? ORDER BY id');
  const readRemovals = reads.prepare('SELECT id FROM list_removals WHERE version > ?');
  const readPage = reads.prepare(
    `SELECT * FROM list_entries WHERE (version, id) > (?, ?) ORDER BY version, id LIMIT ${ENTRIES_A_PAGE}`,
  );

  return {
    async saveListEntry(entry, ...audit) {
      const save = { sql: SAVE, values: listValues(entry) };
      await submit({ statements: [NEXT_VERSION, save, ...auditStatements(audit)] });
      const saved = readOne.get(entry.accountId, entry.kind, entry.value, entry.action) as
        | ListRow
        | undefined;
      // Another process may have removed it since.
      return saved === undefined ? entry : toListEntry(saved);
    },
    async removeListEntry(id, ...audit) {
      const statements = [NOTE_REMOVAL, REMOVE].map((sql) => ({ sql, values: [id] }));
      await submit({ statements: [NEXT_VERSION, ...statements, ...auditStatements(audit)] });
    },
    async listEntries(accountId) {
      return (readAccount.all(accountId) as ListRow[]).map(toListEntry);
    },
    async addListHits(hits) {
      await submit({
        statements: [...hits].map(([id, { hits, at }]) => ({ sql: ADD_HITS, values: [hits, at, id] })),
      });
    },
    async listsVersion() {
      return (readVersion.get() as { value: number }).value;
    },
    async *listChangesSince(version) {
      for (const { id } of readRemovals.all(version) as { id: string }[]) yield { removed: id };
      // No id stands behind this one: reading begins after all entries of the version itself.
      let after: readonly [version: number, id: string] = [version, '~'];
      for (;;) {
        const page = readPage.all(...after) as ListRow[];
        for (const row of page) yield { saved: toListEntry(row) };
        if (page.length < ENTRIES_A_PAGE) return;
        const last = page.at(-1) as ListRow;
        after = [last.version, last.id];
        await setImmediate();
      }
    },
  };
}

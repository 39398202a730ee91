/** The accounts' own lists in both databases: every change gets a new version of the lists, so that services find it. */
import { setImmediate } from 'node:timers/promises';
import { LIST_KINDS, type ListAction, type ListEntry, type ListKind } from '../model/list-entry.ts';
import type { AuditEntries } from './audit-store.ts';
import { insertVersioned, readVersion, type SqlDatabase, type SqlStatement } from './sql-database.ts';
import { type ListStore, MAX_FEW_ENTRIES } from './store.ts';
import { decodeText, encodeText } from './text.ts';

type ListRow = Readonly<Record<string, string | number | null>>;

const REPLACE = `WHERE true ON CONFLICT (account_id, kind, value, action) DO UPDATE SET
    shown = excluded.shown, reason = excluded.reason, author = excluded.author,
    expires_at = excluded.expires_at, version = excluded.version
  RETURNING *`;
/** Events have the reason, and the last one gets it from the entry. */
const FORGET_EVENTS = 'DELETE FROM events WHERE object = $1';
const FORGET_REASON = 'UPDATE list_entries SET reason = NULL WHERE id = $1';
/** Name of the person who removes it, for the event that its trigger writes. */
const NOTE_ACTOR = 'UPDATE list_entries SET removed_by = $2 WHERE id = $1';
const REMOVE = 'DELETE FROM list_entries WHERE id = $1 RETURNING id';
const READ_ACCOUNT = 'SELECT * FROM list_entries WHERE account_id = $1 ORDER BY id';
const READ_FEW = `SELECT * FROM list_entries WHERE account_id = $1 ORDER BY kind, value, action
  LIMIT ${MAX_FEW_ENTRIES + 1}`;
export const READ_EXPIRING = `SELECT * FROM list_entries WHERE account_id = $1 AND expires_at > $2 AND expires_at < $3
  ORDER BY hits DESC, id LIMIT $4`;
/** Newest entries of all accounts that are looked through for those of one. */
const MAX_NEWEST = 500;
const READ_NEWEST = `SELECT newest.* FROM (SELECT * FROM list_entries ORDER BY version DESC, id DESC
  LIMIT ${MAX_NEWEST}) AS newest WHERE newest.account_id = $1`;
const KINDS = LIST_KINDS.map((kind) => `'${kind}'`).join(', ');
/** Entries of each kind that begin with a text. */
const MAX_PREFIXED = 20;
/** Each of them reads a part of the index on account, kind and value. */
const READ_PREFIXED = LIST_KINDS.map(
  (kind) => `SELECT * FROM (SELECT * FROM list_entries WHERE account_id = $1 AND kind = '${kind}'
    AND value >= $2 AND value < $3 ORDER BY value LIMIT ${MAX_PREFIXED}) AS of_${kind}`,
).join(' UNION ALL ');
/** Sorts behind every text that begins with what stands before it. */
const LAST = '\u{10ffff}';
const READ_REMOVALS = 'SELECT id FROM list_removals WHERE version > $1';
const READ_PAGE = 'SELECT * FROM list_entries WHERE (version, id) > ($1, $2) ORDER BY version, id LIMIT $3';

/** @param entriesPerPage how many changes are read at a time */
export function createListStore(
  database: SqlDatabase,
  entriesPerPage: number,
): Omit<ListStore, 'addListHits'> {
  const { query, change } = database;
  const nextVersion = database.nextVersion('lists');
  const newVersion = database.newVersion('lists');
  return {
    async saveListEntry(entry, ...audit) {
      const [saved] = await change<ListRow>(audit, ...nextVersion, saveEntryStatement(newVersion, entry));
      return toListEntry(saved as ListRow);
    },
    async removeListEntry(id, ...audit) {
      await change(audit, ...nextVersion, ...removeEntryStatements(newVersion, id, audit));
    },
    async eraseListEntry(id, ...audit) {
      const forget = [FORGET_EVENTS, FORGET_REASON].map((sql) => ({ sql, values: [id] }));
      await change(audit, ...nextVersion, ...forget, ...removeEntryStatements(newVersion, id, audit));
    },
    ifListsAre: (version) => createListStore(database.at('lists', version), entriesPerPage),
    async listEntries(accountId) {
      return (await query<ListRow>(READ_ACCOUNT, [accountId])).map(toListEntry);
    },
    async searchListEntries(accountId, { values, prefixes }) {
      const few = await query<ListRow>(READ_FEW, [accountId]);
      if (few.length <= MAX_FEW_ENTRIES) return few.map(toListEntry);
      const places = values.map((_, at) => `$${at + 2}`).join(', ');
      const named = `SELECT * FROM list_entries WHERE account_id = $1 AND kind IN (${KINDS}) AND value IN (${places})`;
      const found = await Promise.all([
        values.length === 0 ? [] : query<ListRow>(named, [accountId, ...values.map(encodeText)]),
        ...prefixes
          .map(encodeText)
          .map((prefix) => query<ListRow>(READ_PREFIXED, [accountId, prefix, prefix + LAST])),
        query<ListRow>(READ_NEWEST, [accountId]),
      ]);
      return [...new Map(found.flat().map((row) => [row.id, toListEntry(row)])).values()];
    },
    async expiringEntries(accountId, after, before, limit) {
      return (await query<ListRow>(READ_EXPIRING, [accountId, after, before, limit])).map(toListEntry);
    },
    listsVersion: () => readVersion(database, 'lists'),
    async *listChangesSince(version) {
      for (const { id } of await query<{ id: string }>(READ_REMOVALS, [version])) yield { removed: id };
      // No id is greater than this one, so reading begins after all entries of the version itself.
      let after: readonly [version: number, id: string] = [version, '~'];
      for (;;) {
        const page = await query<ListRow>(READ_PAGE, [...after, entriesPerPage]);
        for (const row of page) yield { saved: toListEntry(row) };
        if (page.length < entriesPerPage) return;
        const last = page.at(-1) as ListRow;
        after = [last.version as number, last.id as string];
        await setImmediate();
      }
    },
  };
}

/** @param version expression of the new version of the lists */
export function saveEntryStatement(version: string, entry: ListEntry): SqlStatement {
  return insertVersioned('list_entries', toRow(entry), version, REPLACE);
}

/** @param version expression of the new version of the lists */
export function removeEntryStatements(version: string, id: string, audit: AuditEntries): SqlStatement[] {
  const by = audit[0] === undefined ? null : encodeText(audit[0].by);
  const noteRemoval = `INSERT INTO list_removals (id, version)
    SELECT id, ${version} FROM list_entries WHERE id = $1 ON CONFLICT (id) DO NOTHING`;
  const statements = [noteRemoval, REMOVE].map((sql) => ({ sql, values: [id] }));
  return [{ sql: NOTE_ACTOR, values: [id, by] }, ...statements];
}

function toRow(entry: ListEntry) {
  return {
    id: entry.id,
    account_id: entry.accountId,
    action: entry.action,
    kind: entry.kind,
    value: entry.value,
    shown: entry.shown,
    reason: entry.reason === null ? null : encodeText(entry.reason),
    author: encodeText(entry.author),
    created_at: entry.createdAt,
    expires_at: entry.expiresAt,
    hits: entry.hits,
    last_hit_at: entry.lastHitAt,
  };
}

function toListEntry(row: ListRow): ListEntry {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    action: row.action as ListAction,
    kind: row.kind as ListKind,
    value: row.value as string,
    shown: row.shown as string,
    reason: row.reason === null ? null : decodeText(row.reason as string),
    author: decodeText(row.author as string),
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number | null,
    hits: row.hits as number,
    lastHitAt: row.last_hit_at as number | null,
  };
}

/** Stores the filters that people save, in both databases. */
import {
  type FilterOwner,
  MAX_SAVED_FILTERS,
  type SavedFilter,
  type SavedFilterStore,
} from './saved-filter-store.ts';
import type { SqlDatabase } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';

interface FilterRow {
  readonly id: string;
  readonly account_id: string;
  readonly user_id: string;
  readonly name: string;
  readonly query: string;
}

const OF_OWNER = 'account_id = $1 AND user_id = $2';
const READ = `SELECT * FROM saved_filters WHERE ${OF_OWNER} ORDER BY name, id`;
const SAVE = `INSERT INTO saved_filters (account_id, user_id, id, name, query)
  SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM saved_filters WHERE ${OF_OWNER}) < ${MAX_SAVED_FILTERS}
  ON CONFLICT (user_id, account_id, name) DO NOTHING RETURNING id`;
const RENAME = `UPDATE saved_filters SET name = $4 WHERE ${OF_OWNER} AND id = $3
  AND NOT EXISTS (SELECT 1 FROM saved_filters WHERE ${OF_OWNER} AND name = $4 AND id <> $3) RETURNING id`;
const REMOVE = `DELETE FROM saved_filters WHERE ${OF_OWNER} AND id = $3 RETURNING id`;

export function createSavedFilterStore(database: SqlDatabase): SavedFilterStore {
  const { query, change, lock } = database;

  /** @returns whether it changed anything; one change of a person at a time, so that the limit and the names hold */
  async function changeOf(owner: FilterOwner, sql: string, ...values: string[]): Promise<boolean> {
    const statement = { sql, values: [...valuesOf(owner), ...values.map(encodeText)] };
    return (await change([], ...lock(`saved filters ${owner.userId}`), statement)).length > 0;
  }

  return {
    savedFilters: async (owner) => (await query<FilterRow>(READ, valuesOf(owner))).map(toFilter),
    saveFilter: (filter) => changeOf(filter, SAVE, filter.id, filter.name, filter.query),
    renameFilter: (filter) => changeOf(filter, RENAME, filter.id, filter.name),
    removeFilter: (filter) => changeOf(filter, REMOVE, filter.id),
  };
}

function valuesOf({ accountId, userId }: FilterOwner): string[] {
  return [encodeText(accountId), encodeText(userId)];
}

function toFilter({ id, account_id: accountId, user_id: userId, name, query }: FilterRow): SavedFilter {
  return { id, accountId, userId, name: decodeText(name), query: decodeText(query) };
}

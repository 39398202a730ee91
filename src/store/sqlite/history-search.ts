/** Searches the log newest first, a bounded number of assessments at a time. */
import { isWithin } from '../history-ip-order.ts';
import { MAX_ROWS_READ, type SearchLog, type SearchResult } from '../history-search.ts';
import type { LogPosition } from '../history-store.ts';
import type { SqliteConnection } from './connection.ts';
import { conditionsOf } from './history-conditions.ts';
import { createReadRows, type SqliteHistoryRow } from './history-rows.ts';
import { createChooseSource } from './history-sources.ts';

export type SqliteSearchLog = SearchLog<SearchResult<SqliteHistoryRow>>;

const FIRST_SCAN = 128;
const MAX_SCAN_ROWS = 2_000;
/** Before all: assessments are searched from the newest on. */
const NEWEST: LogPosition = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

export function createSearchLog(log: SqliteConnection, index: SqliteConnection): SqliteSearchLog {
  const choose = createChooseSource(log, index);
  const read = createReadRows(log);

  return (accountId, search, after, limit, maxRowsRead = MAX_ROWS_READ) => {
    const { ip, from = 0, to } = search;
    const conditions = conditionsOf(accountId, search);
    let before = after ?? NEWEST;
    if (to !== undefined && to <= before.at) before = { at: to, seq: 0 };
    const source = choose(accountId, search, before);
    const found: SqliteHistoryRow[] = [];
    let rowsRead = 0;
    let scanLimit = Math.max(FIRST_SCAN, limit + 1);
    while (rowsRead < maxRowsRead) {
      const places = source.read(before, from, scanLimit);
      const rows = read(
        places.map(({ seq }) => seq),
        conditions,
      );
      found.push(...(ip === undefined ? rows : rows.filter((row) => isWithin(row.ip as string, ip))));
      rowsRead += places.length;
      if (found.length > limit) return { ...pageOf(found, limit), rowsRead };
      if (places.length < scanLimit) return { rows: found, next: null, partial: false, rowsRead };
      before = places.at(-1) as LogPosition;
      scanLimit = Math.min(scanLimit * 4, MAX_SCAN_ROWS);
    }
    return { rows: found, next: { at: before.at, seq: before.seq }, partial: true, rowsRead };
  };
}

function pageOf(found: readonly SqliteHistoryRow[], limit: number) {
  const rows = found.slice(0, limit);
  const { at, seq } = rows.at(-1) as SqliteHistoryRow;
  return { rows, next: { at, seq }, partial: false };
}

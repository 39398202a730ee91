/** Searches the log newest first, a bounded number of assessments at a time. */
import { type HistorySearch, MAX_ROWS_READ, type SearchLog, type SearchResult } from '../history-search.ts';
import type { LogPosition } from '../history-store.ts';
import type { Query } from './database.ts';
import { conditionsOf, createBind } from './history-conditions.ts';
import { type PostgresHistoryRow, selectShown } from './history-rows.ts';
import { type PostgresSearchSource, type SearchRange, sourcesOf } from './history-sources.ts';

export type PostgresSearchLog = SearchLog<Promise<SearchResult<PostgresHistoryRow>>>;

const FIRST_SCAN = 128;
const GROWTH = 4;
/** Beyond this, one source is as common as another. */
const COUNT_TO = 2_000;
/** Before all: assessments are searched from the newest on. */
const NEWEST: LogPosition = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

interface ScanResult {
  readonly rows: readonly PostgresHistoryRow[];
  /** How many assessments were looked at, and where the last one stands. */
  readonly rowsRead: number;
  readonly last: LogPosition;
}

export function createSearchLog(query: Query): PostgresSearchLog {
  return async (accountId, search, after, limit, maxRowsRead = MAX_ROWS_READ) => {
    const { from = 0, to } = search;
    let before = after ?? NEWEST;
    if (to !== undefined && to <= before.at) before = { at: to, seq: 0 };
    const sources = sourcesOf(accountId, search);
    const source = await rarest(query, sources, { before, from });
    const found: PostgresHistoryRow[] = [];
    let rowsRead = 0;
    let count = Math.max(FIRST_SCAN, limit + 1);
    while (rowsRead < maxRowsRead) {
      const wanted = limit + 1 - found.length;
      const scanned = await scan(query, accountId, search, source, { before, from }, count, wanted);
      found.push(...scanned.rows);
      rowsRead += scanned.rowsRead;
      if (found.length > limit) return { ...pageOf(found, limit), rowsRead };
      if (scanned.rowsRead < count) return { rows: found, next: null, partial: false, rowsRead };
      before = scanned.last;
      count = Math.max(limit + 1, Math.min(count * GROWTH, source.maxScanRows));
    }
    return { rows: found, next: { at: before.at, seq: before.seq }, partial: true, rowsRead };
  };
}

function pageOf(found: readonly PostgresHistoryRow[], limit: number) {
  const rows = found.slice(0, limit);
  const { at, seq } = rows.at(-1) as PostgresHistoryRow;
  return { rows, next: { at, seq }, partial: false };
}

/** Takes `count` assessments of the source, and of these the newest `wanted` where the conditions hold. */
async function scan(
  query: Query,
  accountId: string,
  search: HistorySearch,
  source: PostgresSearchSource,
  reach: SearchRange,
  count: number,
  wanted: number,
): Promise<ScanResult> {
  const { bind, values } = createBind();
  const sql = `WITH place AS MATERIALIZED (${source.table(bind, reach, count)}),
      found AS MATERIALIZED (SELECT * FROM place AS a WHERE ${conditionsOf(accountId, search, bind)}
        ORDER BY at DESC, seq DESC LIMIT ${wanted})
    SELECT looked.*, shown.* FROM (SELECT count(*) AS looked_at, (array_agg(at ORDER BY at, seq))[1] AS last_at,
        (array_agg(seq ORDER BY at, seq))[1] AS last_seq FROM place) AS looked
      LEFT JOIN (${selectShown('found')}) AS shown ON true
    ORDER BY shown.at DESC, shown.seq DESC`;
  const rows = await query<ScanRow>(sql, values);
  const { looked_at: rowsRead, last_at: at, last_seq: seq } = rows[0] as ScanRow;
  return { rows: rows.filter(({ request_id }) => request_id !== null), rowsRead, last: { at, seq } };
}

interface ScanRow extends PostgresHistoryRow {
  readonly looked_at: number;
  readonly last_at: number;
  readonly last_seq: number;
}

/** The first of those that have the least within reach. */
async function rarest(
  query: Query,
  sources: readonly PostgresSearchSource[],
  reach: SearchRange,
): Promise<PostgresSearchSource> {
  if (sources.length === 1) return sources[0] as PostgresSearchSource;
  const { bind, values } = createBind();
  const counts = sources.map(
    (source, at) => `(SELECT count(*) FROM (${source.table(bind, reach, COUNT_TO)}) AS one) AS count${at}`,
  );
  const [row] = await query<Record<string, number>>(`SELECT ${counts.join(', ')}`, values);
  const lowest = Math.min(...Object.values(row as Record<string, number>));
  return sources.find((_, at) => row?.[`count${at}`] === lowest) as PostgresSearchSource;
}

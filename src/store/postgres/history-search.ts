/** Searches the log newest first, a bounded number of assessments at a time. */
import { type HistorySearch, MAX_LOOKED_AT, type SearchLog, type SearchResult } from '../history-search.ts';
import type { LogPosition } from '../history-store.ts';
import type { Query } from './database.ts';
import { conditionsOf, createBind } from './history-conditions.ts';
import { type PostgresHistoryRow, selectShown } from './history-rows.ts';
import { type PostgresSearchSource, type SearchRange, sourcesOf } from './history-sources.ts';

export type PostgresSearchLog = SearchLog<Promise<SearchResult<PostgresHistoryRow>>>;

const FIRST_LOOK = 128;
const GROWTH = 4;
/** Beyond this, one source is as common as another. */
const COUNT_TO = 2_000;
/** Before all: assessments are searched from the newest on. */
const NEWEST: LogPosition = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

interface Look {
  readonly rows: readonly PostgresHistoryRow[];
  /** How many assessments were looked at, and where the last one stands. */
  readonly lookedAt: number;
  readonly last: LogPosition;
}

export function createSearchLog(query: Query): PostgresSearchLog {
  return async (accountId, search, after, limit, maxLookedAt = MAX_LOOKED_AT) => {
    const { from = 0, to } = search;
    let before = after ?? NEWEST;
    if (to !== undefined && to <= before.at) before = { at: to, seq: 0 };
    const sources = sourcesOf(accountId, search);
    const source = await rarest(query, sources, { before, from });
    const found: PostgresHistoryRow[] = [];
    let lookedAt = 0;
    let count = Math.max(FIRST_LOOK, limit + 1);
    while (lookedAt < maxLookedAt) {
      const wanted = limit + 1 - found.length;
      const look = await lookAt(query, accountId, search, source, { before, from }, count, wanted);
      found.push(...look.rows);
      lookedAt += look.lookedAt;
      if (found.length > limit) return { ...pageOf(found, limit), lookedAt };
      if (look.lookedAt < count) return { rows: found, next: null, partial: false, lookedAt };
      before = look.last;
      count = Math.max(limit + 1, Math.min(count * GROWTH, source.maxScanRows));
    }
    return { rows: found, next: { at: before.at, seq: before.seq }, partial: true, lookedAt };
  };
}

function pageOf(found: readonly PostgresHistoryRow[], limit: number) {
  const rows = found.slice(0, limit);
  const { at, seq } = rows.at(-1) as PostgresHistoryRow;
  return { rows, next: { at, seq }, partial: false };
}

/** Takes `count` assessments of the source, and of these the newest `wanted` where the conditions hold. */
async function lookAt(
  query: Query,
  accountId: string,
  search: HistorySearch,
  source: PostgresSearchSource,
  reach: SearchRange,
  count: number,
  wanted: number,
): Promise<Look> {
  const { bind, values } = createBind();
  const sql = `WITH place AS MATERIALIZED (${source.table(bind, reach, count)}),
      found AS MATERIALIZED (SELECT * FROM place AS a WHERE ${conditionsOf(accountId, search, bind)}
        ORDER BY at DESC, seq DESC LIMIT ${wanted})
    SELECT looked.*, shown.* FROM (SELECT count(*) AS looked_at, (array_agg(at ORDER BY at, seq))[1] AS last_at,
        (array_agg(seq ORDER BY at, seq))[1] AS last_seq FROM place) AS looked
      LEFT JOIN (${selectShown('found')}) AS shown ON true
    ORDER BY shown.at DESC, shown.seq DESC`;
  const rows = await query<LookRow>(sql, values);
  const { looked_at: lookedAt, last_at: at, last_seq: seq } = rows[0] as LookRow;
  return { rows: rows.filter(({ request_id }) => request_id !== null), lookedAt, last: { at, seq } };
}

interface LookRow extends PostgresHistoryRow {
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
  const least = Math.min(...Object.values(row as Record<string, number>));
  return sources.find((_, at) => row?.[`count${at}`] === least) as PostgresSearchSource;
}

/** The history in PostgreSQL: every question is a few bounded statements on connections of its own. */
import { createHistory } from '../history.ts';
import { tookTooLong, tooManyQuestions } from '../history-problems.ts';
import { createHistoryQueries, type HistoryDatabase } from '../history-queries.ts';
import type { HistorySql } from '../history-sql.ts';
import type { LogStore } from '../history-store.ts';
import { DAY_SLOTS, type DaySum, type GivenCount, type TrafficSum } from '../history-traffic.ts';
import type { Query } from './database.ts';
import { DEADLINE_MS, FOR_SUMS } from './history-connections.ts';
import { createShareAnswers } from './history-share-answers.ts';
import { createChooseSource, JOIN_ASSESSMENT } from './history-sources.ts';

const MAX_SUMS = 50;
const MAX_SUMS_PER_ACCOUNT = 10;
/** Pages ask again after 5 s: what they were refused is there by then. */
const KEEP_SUMS_MS = 15_000;

const READ_TRAFFIC = `SELECT CASE WHEN starts_with(name, 'verdict ') THEN slot END AS slot,
    split_part(name, ' ', 1) AS kind, split_part(name, ' ', 2) AS value, sum(count)::bigint AS count, sum(weight) AS weight
  FROM gatehouse_traffic_1($1, $2, $3, $4) WHERE NOT starts_with(name, 'given ') GROUP BY 1, name ORDER BY 1`;
const READ_GIVEN = `SELECT substr(name, 7) AS code, sum(count)::bigint AS given
  FROM gatehouse_traffic_1($1, $2, $3, $4) WHERE starts_with(name, 'given ') GROUP BY 1 ORDER BY 2 DESC, 1`;
const READ_DAYS = `SELECT slot / ${DAY_SLOTS} AS day, mode, sum(count)::bigint AS count
  FROM gatehouse_traffic_1($1, NULL, $2, $3) WHERE starts_with(name, 'verdict ') GROUP BY 1, 2 ORDER BY 1`;

/**
 * @param query on connections for pages, so that assessments never wait for them
 * @param sum on other connections, for sums that may take longer than anybody waits
 */
export function createPostgresHistory(query: Query, sum: Query = query): LogStore {
  const pages = createHistoryQueries(databaseOf(query));
  const sums = createHistoryQueries(databaseOf(sum));
  const share = createShareAnswers({
    atOnce: FOR_SUMS.connections,
    // A sum may run for a minute: one place always stays free for the other accounts.
    atOncePerAccount: FOR_SUMS.connections - 1,
    maxWaiting: MAX_SUMS,
    maxWaitingPerAccount: MAX_SUMS_PER_ACCOUNT,
    patienceMs: DEADLINE_MS,
    keepMs: KEEP_SUMS_MS,
    late: () => tookTooLong(DEADLINE_MS),
    full: tooManyQuestions,
  });
  const shared =
    <Args extends readonly [accountId: string, ...unknown[]], Answer>(
      name: string,
      read: (...args: Args) => Promise<Answer>,
    ) =>
    (...args: Args) =>
      share(args[0], JSON.stringify([name, ...args]), () => read(...args));
  const queries = {
    ...pages,
    labelCounts: shared('labels', sums.labelCounts),
    traffic: shared('traffic', sums.traffic),
    dayCounts: shared('days', sums.dayCounts),
  };
  // Its indexes are written with each assessment.
  return createHistory(queries, async () => null);
}

function databaseOf(query: Query): HistoryDatabase {
  const sql: HistorySql = {
    query,
    placeholder: '$',
    position: 'strpos',
    joinAssessment: JOIN_ASSESSMENT,
    documentKey: 'request_id',
    // Addresses sort by family first: no address of one family is between two of the other.
    inBlock: ({ first, last }, bind) => `a.ip::inet BETWEEN ${bind(first)}::inet AND ${bind(last)}::inet`,
  };
  return {
    sql,
    chooseSource: createChooseSource(sql),
    rollups: {
      traffic: (...span) => query<TrafficSum>(READ_TRAFFIC, span),
      given: (...span) => query<GivenCount>(READ_GIVEN, span),
      days: (...span) => query<DaySum>(READ_DAYS, span),
    },
  };
}

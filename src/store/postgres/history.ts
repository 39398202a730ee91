/** The history in PostgreSQL: every question is a few bounded statements on connections of its own. */
import { createHistory } from '../history.ts';
import { tookTooLong, tooManyQuestions } from '../history-problems.ts';
import { createHistoryQueries, type HistoryDatabase } from '../history-queries.ts';
import type { HistoryStore } from '../history-store.ts';
import { DAY_SLOTS, type DaySum, type StopCount, type TrafficSum } from '../history-traffic.ts';
import type { Settings } from './connection.ts';
import {
  type DatabaseOptions,
  openDatabase,
  type PooledDatabase,
  type Query,
  Unreachable,
} from './database.ts';
import { createMarks } from './history-marks.ts';
import { createShareAnswers } from './history-share-answers.ts';
import { createChooseSource, createCountPage } from './history-sources.ts';
import { createReadStored } from './stored-assessments.ts';

const DEADLINE_MS = 5_000;
/** Waiting for a connection, or running on one. */
const MAX_QUERIES = 200;
const QUERY_CANCELED = '57014';
/** The message of pg when its own timer ends a statement before the server does. */
const CLIENT_TIMEOUT = 'Query read timeout';
/** Settings of statements that need a few rows of an index: whatever the statistics say, no whole table is read for them. */
const SETTINGS: Settings = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
};

interface HistoryConnections {
  readonly connections: number;
  readonly deadlineMs: number;
  readonly name: string;
  readonly settings?: Settings;
}

const FOR_PAGES: HistoryConnections = { connections: 4, deadlineMs: DEADLINE_MS, name: 'gatehouse history' };
/**
 * Connections for sums over a period: after a burst they add up a half hour that has no rollup yet, and take longer than anybody waits.
 * They have their own connections, so that pages are served meanwhile.
 */
export const FOR_SUMS: HistoryConnections = {
  connections: 2,
  deadlineMs: 60_000,
  name: 'gatehouse history sums',
};
/** Connections for searches by a property: they read blocks of pages, and no other index is better, whatever the statistics say. */
export const FOR_BLOCKS: HistoryConnections = {
  connections: 2,
  deadlineMs: DEADLINE_MS,
  name: 'gatehouse history blocks',
  settings: {
    enable_seqscan: 'off',
    enable_indexscan: 'off',
    enable_indexonlyscan: 'off',
    jit: 'off',
    max_parallel_workers_per_gather: '0',
  },
};
const MAX_SUMS = 50;
const MAX_SUMS_PER_ACCOUNT = 10;
/** Pages ask again after 5 s: what they were refused is there by then. */
const KEEP_SUMS_MS = 15_000;

/**
 * @param query on connections for pages, so that assessments never wait for them
 * @param inBlocks on connections for searches by a property
 * @param sum on other connections, for sums that may take longer than anybody waits
 */
export function createPostgresHistory(query: Query, inBlocks = query, sum = query): HistoryStore {
  const pages = createHistoryQueries(databaseOf(query, inBlocks));
  const sums = createHistoryQueries(databaseOf(sum, inBlocks));
  const share = createShareAnswers({
    atOnce: FOR_SUMS.connections,
    // A sum may run for a minute: one place always stays free for the other accounts.
    atOncePerAccount: FOR_SUMS.connections - 1,
    maxWaiting: MAX_SUMS,
    maxWaitingPerAccount: MAX_SUMS_PER_ACCOUNT,
    patienceMs: DEADLINE_MS,
    keepMs: KEEP_SUMS_MS,
    toLateError: () => tookTooLong(DEADLINE_MS),
    toFullError: tooManyQuestions,
  });
  const sharedRead =
    <Args extends readonly [accountId: string, ...unknown[]], Answer>(
      name: string,
      read: (...args: Args) => Promise<Answer>,
    ) =>
    (...args: Args) =>
      share(args[0], JSON.stringify([name, ...args]), () => read(...args));
  const queries = {
    ...pages,
    labelCounts: sharedRead('labels', sums.labelCounts),
    traffic: sharedRead('traffic', sums.traffic),
    shadowCounts: sharedRead('shadow', sums.shadowCounts),
    challengeCounts: sharedRead('challenges', sums.challengeCounts),
    dayCounts: sharedRead('days', sums.dayCounts),
  };
  // An index finds each assessment from its commit on.
  return createHistory(queries, async () => null);
}

const READ_TRAFFIC = `SELECT CASE WHEN starts_with(name, 'verdict ') THEN slot END AS slot,
    split_part(name, ' ', 1) AS kind, split_part(name, ' ', 2) AS value, split_part(name, ' ', 3) = 'shadow' AS shadow,
    sum(count)::bigint AS count, sum(weight) AS weight
  FROM gatehouse_traffic_1($1, $2, $3, $4) WHERE NOT starts_with(name, 'given ') GROUP BY 1, name ORDER BY 1`;
const READ_STOPS = `SELECT CASE WHEN starts_with(name, 'given ') THEN 'reason' ELSE 'finding' END AS kind,
    split_part(name, ' ', 2) AS code, sum(count)::bigint AS stopped
  FROM gatehouse_traffic_1($1, $2, $3, $4) WHERE split_part(name, ' ', 1) IN ('given', 'stopped', 'observed')
  GROUP BY 1, 2 ORDER BY 3 DESC, 2`;
const READ_DAYS = `SELECT slot / ${DAY_SLOTS} AS day, mode, sum(count)::bigint AS count
  FROM gatehouse_traffic_1($1, NULL, $2, $3) WHERE starts_with(name, 'verdict ') GROUP BY 1, 2 ORDER BY 1`;

function databaseOf(query: Query, inBlocks: Query): HistoryDatabase {
  const readStored = createReadStored({ query });
  return {
    query,
    readStored: (found) => readStored(found.map(({ entry }) => entry.requestId)),
    marks: createMarks(query),
    chooseSource: createChooseSource(query, inBlocks),
    countPage: createCountPage(query, inBlocks),
    rollups: {
      traffic: (...span) => query<TrafficSum>(READ_TRAFFIC, span),
      stops: (...span) => query<StopCount>(READ_STOPS, span),
      days: (...span) => query<DaySum>(READ_DAYS, span),
    },
  };
}

/** Its statements throw Problem `unavailable` when they take too long or too many run at once. */
export function openHistoryConnections(
  url: string,
  { connections, deadlineMs, name, settings = SETTINGS }: HistoryConnections = FOR_PAGES,
  onAway?: DatabaseOptions['onAway'],
): Pick<PooledDatabase, 'query' | 'poolUse' | 'close'> {
  const { query, poolUse, close } = openDatabase({
    url,
    connections,
    deadlineMs,
    name,
    settings,
    ...(onAway && { onAway }),
  });
  let running = 0;
  const limited: Query = async (sql, values) => {
    if (running >= MAX_QUERIES) throw tooManyQuestions();
    running += 1;
    // The others may have ended by the time this one is given up.
    const waits = running > connections;
    try {
      return await query(sql, values);
    } catch (error) {
      // More than can run: this one waited for the others. Otherwise the database itself is gone.
      const busy = error instanceof Unreachable && waits;
      const { code, message } = error as { code?: string; message: string };
      throw busy || code === QUERY_CANCELED || message === CLIENT_TIMEOUT ? tookTooLong(deadlineMs) : error;
    } finally {
      running -= 1;
    }
  };
  return { query: limited, poolUse, close };
}

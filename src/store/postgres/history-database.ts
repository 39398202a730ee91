/** The log's way to the database: few connections of its own, each statement with an end, so that assessments never wait for it. */
import { tookTooLong, tooManyQuestions } from '../history-log-problems.ts';
import { openDatabase, type PooledDatabase, type Query, Unreachable } from './database.ts';

const CONNECTIONS = 4;
/** How long an answer takes at most. */
export const DEADLINE_MS = 5_000;
/** How many questions may wait for one of the connections, or be answered by one. */
const MAX_QUERIES = 200;
const QUERY_CANCELED = '57014';
/** What pg says where its own timer ends a statement: this node gave it up before the server did. */
const GIVEN_UP = 'Query read timeout';
/** A few rows of an index are asked for at a time: whatever the statistics say, no table is read for them. */
const SETTINGS = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
};

interface LogConnections {
  readonly connections: number;
  readonly deadlineMs: number;
  readonly name: string;
}

const FOR_PAGES: LogConnections = {
  connections: CONNECTIONS,
  deadlineMs: DEADLINE_MS,
  name: 'gatehouse log',
};
/**
 * For sums over a time: after a burst they add up a half hour of which there is no tally yet, for longer than anybody waits.
 * Of their own, so that pages are served meanwhile.
 */
export const FOR_SUMS: LogConnections = { connections: 2, deadlineMs: 60_000, name: 'gatehouse log sums' };

/** Its statements throw Problem `unavailable` when they take too long or too much is asked at once. */
export function openLogDatabase(
  url: string,
  { connections, deadlineMs, name }: LogConnections = FOR_PAGES,
): Pick<PooledDatabase, 'query' | 'poolUse' | 'close'> {
  const { query, poolUse, close } = openDatabase({ url, connections, deadlineMs, name, settings: SETTINGS });
  let asked = 0;
  const ask: Query = async (sql, values) => {
    if (asked >= MAX_QUERIES) throw tooManyQuestions();
    asked += 1;
    try {
      return await query(sql, values);
    } catch (error) {
      // While others ask, it is they who are waited for; else the database itself is gone.
      const busy = error instanceof Unreachable && asked > connections;
      const { code, message } = error as { code?: string; message: string };
      throw busy || code === QUERY_CANCELED || message === GIVEN_UP ? tookTooLong(deadlineMs) : error;
    } finally {
      asked -= 1;
    }
  };
  return { query: ask, poolUse, close };
}

/** Opens the connections that read the history: few, separate ones with a deadline for each statement, so that assessments never wait for them. */
import { tookTooLong, tooManyQuestions } from '../history-problems.ts';
import { openDatabase, type PooledDatabase, type Query, Unreachable } from './database.ts';

const CONNECTIONS = 4;
export const DEADLINE_MS = 5_000;
/** Waiting for a connection, or running on one. */
const MAX_QUERIES = 200;
const QUERY_CANCELED = '57014';
/** The message of pg when its own timer ends a statement before the server does. */
const CLIENT_TIMEOUT = 'Query read timeout';
/** Each statement needs a few rows of an index: whatever the statistics say, no whole table is read for them. */
const SETTINGS = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
};

interface HistoryConnections {
  readonly connections: number;
  readonly deadlineMs: number;
  readonly name: string;
}

const FOR_PAGES: HistoryConnections = {
  connections: CONNECTIONS,
  deadlineMs: DEADLINE_MS,
  name: 'gatehouse log',
};
/**
 * For sums over a period: after a burst they add up a half hour that has no rollup yet, and take longer than anybody waits.
 * They have their own connections, so that pages are served meanwhile.
 */
export const FOR_SUMS: HistoryConnections = {
  connections: 2,
  deadlineMs: 60_000,
  name: 'gatehouse log sums',
};

/** Its statements throw Problem `unavailable` when they take too long or too many run at once. */
export function openHistoryConnections(
  url: string,
  { connections, deadlineMs, name }: HistoryConnections = FOR_PAGES,
): Pick<PooledDatabase, 'query' | 'poolUse' | 'close'> {
  const { query, poolUse, close } = openDatabase({ url, connections, deadlineMs, name, settings: SETTINGS });
  let running = 0;
  const limited: Query = async (sql, values) => {
    if (running >= MAX_QUERIES) throw tooManyQuestions();
    running += 1;
    try {
      return await query(sql, values);
    } catch (error) {
      // More than can run: this one waited for the others. Otherwise the database itself is gone.
      const busy = error instanceof Unreachable && running > connections;
      const { code, message } = error as { code?: string; message: string };
      throw busy || code === QUERY_CANCELED || message === CLIENT_TIMEOUT ? tookTooLong(deadlineMs) : error;
    } finally {
      running -= 1;
    }
  };
  return { query: limited, poolUse, close };
}

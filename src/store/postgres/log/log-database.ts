/** The log's way to the database: few connections of its own, each statement with an end, so that assessments never wait for it. */
import { tookTooLong, tooManyQuestions } from '../../log/log-problems.ts';
import { openDatabase, type PooledDatabase, type Query, Unreachable } from '../database.ts';

const CONNECTIONS = 4;
const DEADLINE_MS = 5_000;
/** How many questions may wait for one of the connections, or be answered by one. */
const MOST_ASKED = 200;
const QUERY_CANCELED = '57014';
/** A few rows of an index are asked for at a time: whatever the statistics say, no table is read for them. */
const SETTINGS = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
};

/** Its statements throw Problem `unavailable` when they take too long or too much is asked at once. */
export function openLogDatabase(url: string): Pick<PooledDatabase, 'query' | 'use' | 'close'> {
  const options = { url, connections: CONNECTIONS, deadlineMs: DEADLINE_MS, name: 'gatehouse log' };
  const { query, use, close } = openDatabase({ ...options, settings: SETTINGS });
  let asked = 0;
  const ask: Query = async (sql, values) => {
    if (asked >= MOST_ASKED) throw tooManyQuestions();
    asked += 1;
    try {
      return await query(sql, values);
    } catch (error) {
      // While others ask, it is they who are waited for; else the database itself is gone.
      const busy = error instanceof Unreachable && asked > CONNECTIONS;
      throw busy || (error as { code?: string }).code === QUERY_CANCELED ? tookTooLong(DEADLINE_MS) : error;
    } finally {
      asked -= 1;
    }
  };
  return { query: ask, use, close };
}

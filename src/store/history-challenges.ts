/** Reads what became of challenges: of one signup, and counted over a period. */
import type { ChallengeState, HistoryStore } from './history-store.ts';
import type { SqlDatabase } from './sql-database.ts';

const MAX_COUNTED = 50_000;

export function createFindChallengeState({ query }: Pick<SqlDatabase, 'query'>) {
  const statement = 'SELECT status, method, at FROM challenges WHERE request_id = $1';
  return async (requestId: string): Promise<ChallengeState | null> =>
    (await query<ChallengeState>(statement, [requestId]))[0] ?? null;
}

export function createChallengeCounts({
  query,
}: Pick<SqlDatabase, 'query'>): HistoryStore['challengeCounts'] {
  const statement = `SELECT status, count(*) AS count FROM (
      SELECT status FROM challenges WHERE account_id = $1 AND mode = $2 AND assessed_at >= $3 AND assessed_at < $4
      ORDER BY assessed_at DESC LIMIT ${MAX_COUNTED}
    ) AS c GROUP BY status`;
  return async (accountId, { mode, from, to }) => {
    const rows = await query<{ status: ChallengeState['status']; count: number }>(statement, [
      accountId,
      mode,
      from,
      to,
    ]);
    const countOf = (status: ChallengeState['status']) =>
      rows.find((row) => row.status === status)?.count ?? 0;
    return { passed: countOf('passed'), failed: countOf('failed') };
  };
}

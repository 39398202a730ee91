/** The log in PostgreSQL: each question is a few bounded statements, long answers are many questions. */
import { askWithRetries } from '../history-ask-patiently.ts';
import { readCandidates } from '../history-list-candidates.ts';
import { tookTooLong, tooManyQuestions } from '../history-log-problems.ts';
import type { HistoryPage, LogPosition, LogStore, ReplayableAssessment } from '../history-store.ts';
import type { Query } from './database.ts';
import { DEADLINE_MS, FOR_SUMS } from './history-database.ts';
import { createReadDetail, createReadRelated } from './history-detail.ts';
import { createCountLabels, createReadFeedback } from './history-labels.ts';
import { type PostgresHistoryRow, toLogged } from './history-rows.ts';
import { createSearchLog } from './history-search.ts';
import { createShareAnswers } from './history-share-answers.ts';
import { createCountDays, createReadTraffic } from './history-traffic.ts';

const EXPORT_CHUNK = 500;
const MAX_SUMS = 50;
const MAX_SUMS_PER_ACCOUNT = 10;
/** So long that pages that ask again, after 5 s, find what they were refused. */
const KEEP_SUMS_MS = 15_000;
/** Smaller, because each comes with its evidence. */
const REPLAY_CHUNK = 250;
const READ_EVIDENCE = `SELECT request_id, evidence FROM assessment_documents WHERE request_id = ANY ($1)`;

/**
 * @param query of the log's own pool, so that assessments never wait for it
 * @param sum of another one, for what may take longer than somebody waits
 */
export function createLogStore(query: Query, sum: Query = query): LogStore {
  const search = createSearchLog(query);
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
  const inTurn =
    <Args extends readonly [accountId: string, ...unknown[]], Answer>(
      name: string,
      read: (...args: Args) => Promise<Answer>,
    ) =>
    (...args: Args) =>
      share(args[0], JSON.stringify([name, ...args]), () => read(...args));
  const findAssessments: LogStore['findAssessments'] = async (accountId, criteria, after, limit) => {
    const found = await search(accountId, criteria, after, limit);
    return { ...found, rows: found.rows.map(toLogged) };
  };

  return {
    // Its indexes are written with each assessment.
    indexing: async () => null,
    findAssessments,
    async *exportAssessments(accountId, criteria) {
      let after: LogPosition | null = null;
      do {
        const { rows, next }: HistoryPage = await askWithRetries(() =>
          findAssessments(accountId, criteria, after, EXPORT_CHUNK),
        );
        if (rows.length > 0) yield rows;
        after = next;
      } while (after !== null);
    },
    findAssessment: createReadDetail(query, search),
    related: createReadRelated(search),
    async *replayableAssessments(accountId, { mode, since: from, keyId }, limit) {
      const criteria = { mode, from, ...(keyId === undefined ? {} : { keyId }) };
      let after: LogPosition | null = null;
      for (let remaining = limit; remaining > 0; ) {
        const found = await search(accountId, criteria, after, Math.min(remaining, REPLAY_CHUNK));
        if (found.rows.length > 0) yield await withEvidence(query, found.rows);
        if (found.next === null) return;
        remaining -= found.rows.length;
        after = found.next;
      }
    },
    listCandidates(accountId, scope, since, limit) {
      return readCandidates(
        async (criteria, after, chunk) => {
          const { rows, next, rowsRead } = await search(accountId, criteria, after, chunk, chunk);
          const candidates = rows.map((row) => ({ row: toLogged(row), addressHash: row.address_hash }));
          return { candidates, next, rowsRead };
        },
        scope,
        since,
        limit,
      );
    },
    reportedMistakes: createReadFeedback(query),
    labelCounts: inTurn('labels', createCountLabels(sum)),
    traffic: inTurn('traffic', createReadTraffic(sum)),
    dayCounts: inTurn('days', createCountDays(sum)),
  };
}

async function withEvidence(
  query: Query,
  rows: readonly PostgresHistoryRow[],
): Promise<ReplayableAssessment[]> {
  const ids = rows.map(({ request_id: id }) => id);
  const texts = await query<{ request_id: string; evidence: string }>(READ_EVIDENCE, [ids]);
  const evidence = new Map(texts.map((text) => [text.request_id, text.evidence]));
  return rows.map((row) => ({ row: toLogged(row), evidence: evidence.get(row.request_id) ?? '' }));
}

/** The log in SQLite: each question is one bounded look by the log's thread, long answers are many of them. */
import { askWithRetries } from '../history-ask-patiently.ts';
import { readCandidates } from '../history-list-candidates.ts';
import type { HistoryPage, LogPosition, LogStore } from '../history-store.ts';
import type { AskLog } from './history-ask.ts';
import type { ReplayableChunk } from './history-replayable.ts';

const EXPORT_CHUNK = 500;
/** Smaller, because each comes with its evidence. */
const REPLAY_CHUNK = 250;

export function createLogStore({ ask, indexing }: Pick<AskLog, 'ask' | 'indexing'>): LogStore {
  return {
    indexing,
    findAssessments: (accountId, search, after, limit) => ask('find', accountId, search, after, limit),
    async *exportAssessments(accountId, search) {
      let after: LogPosition | null = null;
      do {
        const { rows, next }: HistoryPage = await askWithRetries(() =>
          ask('find', accountId, search, after, EXPORT_CHUNK),
        );
        if (rows.length > 0) yield rows;
        after = next;
      } while (after !== null);
    },
    findAssessment: (accountId, requestId) => ask('detail', accountId, requestId),
    related: (accountId, requestId) => ask('related', accountId, requestId),
    async *replayableAssessments(accountId, search, limit) {
      let after: LogPosition | null = null;
      let remaining = limit;
      while (remaining > 0) {
        const { judged, next }: ReplayableChunk = await ask(
          'replayable',
          accountId,
          search,
          after,
          Math.min(remaining, REPLAY_CHUNK),
        );
        if (judged.length > 0) yield judged;
        remaining -= judged.length;
        if (next === null) return;
        after = next;
      }
    },
    listCandidates: (accountId, scope, since, limit) =>
      readCandidates(
        (search, after, count) => ask('candidates', accountId, search, after, count),
        scope,
        since,
        limit,
      ),
    reportedMistakes: (accountId, of, after, limit) => ask('feedback', accountId, of, after, limit),
    labelCounts: (accountId, span) => ask('labels', accountId, span),
    traffic: (accountId, span) => ask('traffic', accountId, span),
    dayCounts: (accountId, from, to) => ask('days', accountId, from, to),
  };
}

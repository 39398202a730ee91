/** The port's history over bounded queries: long results are read a page at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../contract/problem.ts';
import type { ListScope } from '../model/list-entry.ts';
import { createCountGroups, createCountVerdicts } from './history-groups.ts';
import type { HistoryQueries } from './history-queries.ts';
import type { RelatedSearch } from './history-search.ts';
import type { HistoryPosition, HistoryStore, ListCandidates } from './history-store.ts';

const EXPORT_PAGE = 500;
/** Smaller, because each comes with its evidence. */
const REPLAY_PAGE = 250;
/** Number so small that the thread which reads them is busy for some milliseconds only. */
const CANDIDATE_PAGE = 1_000;
const RETRY_PAUSES_MS = [500, 1_000, 2_000, 4_000];

export function createHistory(queries: HistoryQueries, indexing: HistoryStore['indexing']): HistoryStore {
  const { replayablePage, candidatePage, countPage, ...bounded } = queries;
  return {
    ...bounded,
    indexing,
    countVerdicts: createCountVerdicts(countPage),
    countGroups: createCountGroups(countPage),
    async *exportAssessments(accountId, search) {
      let after: HistoryPosition | null = null;
      do {
        const { rows, next } = await withRetries(() =>
          queries.findAssessments(accountId, search, after, EXPORT_PAGE),
        );
        if (rows.length > 0) yield rows;
        after = next;
      } while (after !== null);
    },
    async *replayableAssessments(accountId, search, limit) {
      let after: HistoryPosition | null = null;
      for (let remaining = limit; remaining > 0; ) {
        const pageSize = Math.min(remaining, REPLAY_PAGE);
        const { assessments, next } = await replayablePage(accountId, search, after, pageSize);
        if (assessments.length > 0) yield assessments;
        if (next === null) return;
        remaining -= assessments.length;
        after = next;
      }
    },
    async *listCandidates(accountId, scope, since, limit): AsyncIterable<ListCandidates> {
      for (const search of searchesOf(scope)) {
        let after: HistoryPosition | null = null;
        let rowsRead = 0;
        do {
          const criteria = { ...search, mode: 'live', from: since } as const;
          const page = await candidatePage(accountId, criteria, after, CANDIDATE_PAGE);
          after = page.next;
          rowsRead += page.rowsRead;
          const reached = after !== null && rowsRead >= limit ? after.at : null;
          yield { candidates: page.candidates, below: search.below !== undefined, reached };
          if (reached !== null) break;
        } while (after !== null);
      }
    },
  };
}

/** Two for a domain: an index finds the domain itself, but none finds the domains below it. */
function searchesOf(scope: ListScope): readonly RelatedSearch[] {
  if ('domain' in scope) return [{ domain: scope.domain }, { below: scope.domain }];
  return [scope];
}

/** Tries a page again while the history is busy: a long result that has begun should not fail for it. */
async function withRetries<Result>(read: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of RETRY_PAUSES_MS) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'unavailable')) throw error;
      await sleep(pauseMs);
    }
  }
  return read();
}

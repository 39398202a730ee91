/** Every question that the log's thread can be asked, by name. */
import type { CandidateSearch, ListCandidatePage } from '../history-list-candidates.ts';
import type { HistoryPage, LogPosition, LogSearch } from '../history-store.ts';
import type { SqliteConnection } from './connection.ts';
import { createReadDetail, createReadRelated } from './history-detail.ts';
import type { Indexer } from './history-indexer.ts';
import { createCountLabels, createReadFeedback } from './history-labels.ts';
import { createReadReplayable } from './history-replayable.ts';
import { toLogged } from './history-rows.ts';
import { createSearchLog } from './history-search.ts';
import { createCountDays, createReadTraffic } from './history-traffic.ts';

export type Answers = ReturnType<typeof createAnswers>;

/** @param index what it includes is what is found */
export function createAnswers(
  log: SqliteConnection,
  index: SqliteConnection,
  indexer: Pick<Indexer, 'remove'>,
) {
  const search = createSearchLog(log, index);
  return {
    find(accountId: string, criteria: LogSearch, after: LogPosition | null, limit: number): HistoryPage {
      const found = search(accountId, criteria, after, limit);
      return { ...found, rows: found.rows.map(toLogged) };
    },
    candidates(
      accountId: string,
      criteria: CandidateSearch,
      after: LogPosition | null,
      limit: number,
    ): ListCandidatePage {
      const { rows, next, rowsRead } = search(accountId, criteria, after, limit, limit);
      const candidates = rows.map((row) => ({ row: toLogged(row), addressHash: row.address_hash }));
      return { candidates, next, rowsRead };
    },
    detail: createReadDetail(log, search),
    related: createReadRelated(search),
    replayable: createReadReplayable(log, search),
    feedback: createReadFeedback(log),
    labels: createCountLabels(log, index),
    traffic: createReadTraffic(index),
    days: createCountDays(index),
    remove: indexer.remove,
  };
}

export interface HistoryQuestion {
  readonly id: number;
  /** `indexing`: how far the index is, `null` when it includes what was stored before, or what was made before an instant. */
  readonly name: keyof Answers | 'indexing';
  readonly values: readonly unknown[];
}

export type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failed: string }
  | { readonly fault: string };

/** What a search of the history takes and gives: the same for every store, which differ in their rows. */
import type { CandidateSearch } from './history-list-candidates.ts';
import type { LogPosition } from './history-store.ts';

export interface HistorySearch extends CandidateSearch {
  /** What velocity counts the IP by. */
  readonly network?: string;
}

export interface SearchResult<Row> {
  /** Newest first. */
  readonly rows: readonly Row[];
  /** Where to search on; `null` at the end. */
  readonly next: LogPosition | null;
  /** It stopped at the bound on assessments to look at. */
  readonly partial: boolean;
  readonly rowsRead: number;
}

/** Gives a `SearchResult`, or the promise of one. */
export type SearchLog<Result> = (
  accountId: string,
  search: HistorySearch,
  after: LogPosition | null,
  limit: number,
  /** About how many assessments to look at before the result is partial. */
  maxRowsRead?: number,
) => Result;

/** A search for a page looks at no more than about this many assessments. */
export const MAX_ROWS_READ = 20_000;

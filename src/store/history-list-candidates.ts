/** Decides which searches find what an entry of a list can speak about, and how far back they look. */
import type { ListCandidate, ListCandidates, ListScope, LogPosition, LogSearch } from './history-store.ts';

/** A search, and what only candidates and related signups are found by. */
export interface CandidateSearch extends LogSearch {
  readonly mailbox?: string;
  /** Keyed hash of the address. */
  readonly address?: string;
  /** Any domain below this one. */
  readonly below?: string;
}

export interface ListCandidatePage {
  readonly candidates: readonly ListCandidate[];
  readonly next: LogPosition | null;
  /** How many assessments it looked at. */
  readonly rowsRead: number;
}

/** Looks at about `limit` assessments, so that what is looked at is looked at once. */
export type FindCandidates = (
  search: CandidateSearch,
  after: LogPosition | null,
  limit: number,
) => Promise<ListCandidatePage>;

/** Few enough that the thread which counts them is held up for some milliseconds only. */
const CHUNK = 1_000;

/** Each search looks at no more than about `limit` assessments. */
export async function* readCandidates(
  find: FindCandidates,
  scope: ListScope,
  since: number,
  limit: number,
): AsyncIterable<ListCandidates> {
  for (const search of searchesOf(scope)) {
    let after: LogPosition | null = null;
    let rowsRead = 0;
    do {
      const found: ListCandidatePage = await find({ ...search, mode: 'live', from: since }, after, CHUNK);
      after = found.next;
      rowsRead += found.rowsRead;
      const reached = after !== null && rowsRead >= limit ? after.at : null;
      yield { candidates: found.candidates, below: search.below !== undefined, reached };
      if (reached !== null) break;
    } while (after !== null);
  }
}

function searchesOf(scope: ListScope): readonly CandidateSearch[] {
  // Apart, because an index leads to a domain's own name, but none to the names below it.
  if ('domain' in scope) return [{ domain: scope.domain }, { below: scope.domain }];
  return [scope];
}

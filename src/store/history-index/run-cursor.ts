/** Goes through the assessments of an account in one segment, newest first, and finds those whose columns meet a search. */
import type { RelatedSearch, SearchRange } from '../history-search.ts';
import type { HistoryPosition } from '../history-store.ts';
import type { ColumnCondition } from './run-choices.ts';
import { conditionsOf, postedValuesOf } from './run-conditions.ts';
import { firstIndex } from './run-sections.ts';
import type { ColumnName, PositionSpan, PostingList, Segment } from './run-segment.ts';

/** An assessment whose columns meet the search. */
export interface RunPlace extends HistoryPosition {
  readonly segment: Segment;
  readonly position: number;
}

export interface RunCursor {
  /** The newest assessment that is not taken yet; `null` at the end. */
  head(): HistoryPosition | null;
  /** Takes the head, or finds out that no assessment down to the next head meets the search. */
  take(): ScanStep;
}

export interface ScanStep {
  readonly place: RunPlace | null;
  /** Approximate number of assessments that could be read in the same time. */
  readonly cost: number;
}

export interface CursorOptions {
  readonly segment: Segment;
  readonly accountId: string;
  readonly search: RelatedSearch;
  readonly range: SearchRange;
  /** Assessments outside the columns' reach, such as those with feedback: all that the search finds are among them. */
  readonly posted: PostedPositions | null;
}

export type PostedPositions = (segment: Segment, span: PositionSpan) => PostingList;

/** Looking at columns costs this much less than reading a record. */
export const SCANNED_A_READ = 16;
const CHUNK = 2_048;
/** Columns are read position by position where these are further apart. */
const DENSE = 8;

export function openCursor(options: CursorOptions): RunCursor {
  const { segment, search } = options;
  const span = spanOf(options);
  const conditions = span.start === span.end ? null : conditionsOf(segment, search);
  const list = conditions === null ? null : selectList(options, span);
  /** Number of assessments left in the list or the span. */
  let remaining = conditions === null ? 0 : (list?.length ?? span.end - span.start);
  let places: RunPlace[] = [];
  let bound: RunPlace | null = null;
  const positionAt = (index: number) => (list === null ? span.start + index : (list[index] as number));

  function placeAt(position: number): RunPlace {
    const at = segment.valueAt('at', position);
    return { segment, position, at, seq: segment.firstSeq + segment.valueAt('seq', position) };
  }

  function scan(): ScanStep {
    const from = Math.max(0, remaining - CHUNK);
    const positions = new Uint16Array(remaining - from);
    for (let index = from; index < remaining; index += 1) positions[index - from] = positionAt(index);
    const met = filterPositions(segment, conditions ?? [], positions);
    const [at, seq] = [gather(segment, 'at', met), gather(segment, 'seq', met)];
    // The newest last: it is taken first.
    places = Array.from(met, (position, index) => ({
      segment,
      position,
      at: at[index] as number,
      seq: segment.firstSeq + (seq[index] as number),
    }));
    remaining = from;
    bound = remaining === 0 ? null : placeAt(positionAt(remaining - 1));
    return { place: null, cost: positions.length / SCANNED_A_READ };
  }

  if (remaining > 0) bound = placeAt(positionAt(remaining - 1));
  return {
    head: () => places.at(-1) ?? bound,
    take() {
      const place = places.pop();
      return place === undefined ? scan() : { place, cost: 1 };
    },
  };
}

/** The positions of the account in the range. */
function spanOf({ segment, accountId, range: { before, from } }: CursorOptions): PositionSpan {
  const { start, end } = segment.positionsOf(accountId);
  const first = firstIndex(end - start, (index) => segment.valueAt('at', start + index) >= from);
  const last = firstIndex(end - start, (index) => {
    const at = segment.valueAt('at', start + index);
    if (at !== before.at) return at > before.at;
    return segment.firstSeq + segment.valueAt('seq', start + index) >= before.seq;
  });
  return { start: start + first, end: start + Math.max(first, last) };
}

/** The positions of the shortest list that has all that the search finds; `null` where there is none. */
function selectList({ segment, search, posted }: CursorOptions, span: PositionSpan): Uint16Array | null {
  const lists = postedValuesOf(segment, search).map((values) =>
    unionOf(values.map(({ kind, first, last }) => segment.postings(kind, first, last, span))),
  );
  if (posted !== null) lists.push(posted(segment, span));
  const [smallest] = lists.sort((a, b) => a.count - b.count);
  return smallest?.positions() ?? null;
}

/** Positions that are in one of the lists; counts those in several more than once. */
function unionOf(lists: readonly PostingList[]): PostingList {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  return {
    count: lists.reduce((sum, { count }) => sum + count, 0),
    positions: () => Uint16Array.from(new Set(lists.flatMap((list) => [...list.positions()]))).sort(),
  };
}

function filterPositions(
  segment: Segment,
  conditions: readonly ColumnCondition[],
  positions: Uint16Array,
): Uint16Array {
  let met = positions;
  for (const { column, isMet } of conditions) {
    if (met.length === 0) break;
    const values = gather(segment, column, met);
    const kept = new Uint16Array(met.length);
    let count = 0;
    for (let index = 0; index < met.length; index += 1) {
      if (!isMet(values[index] as number)) continue;
      kept[count] = met[index] as number;
      count += 1;
    }
    met = kept.subarray(0, count);
  }
  return met;
}

/** The values at positions, which are in ascending order. */
export function gather(segment: Segment, column: ColumnName, positions: Uint16Array): ArrayLike<number> {
  const [first = 0, last = -1] = [positions[0], positions.at(-1)];
  const isDense = last - first < DENSE * positions.length;
  const values = isDense ? segment.column(column, { start: first, end: last + 1 }) : null;
  if (values?.length === positions.length) return values;
  const found = new Float64Array(positions.length);
  for (let index = 0; index < positions.length; index += 1) {
    const position = positions[index] as number;
    found[index] = values === null ? segment.valueAt(column, position) : (values[position - first] as number);
  }
  return found;
}

/** Goes through the assessments of an account in all segments, newest first, however much these overlap in time. */
import type { RelatedSearch, SearchRange } from '../history-search.ts';
import type { HistoryPosition } from '../history-store.ts';
import { openCursor, type PostedPositions, type RunCursor, type ScanStep } from './run-cursor.ts';
import type { Segment } from './run-segment.ts';

export interface ScanOptions {
  readonly segments: readonly Segment[];
  readonly accountId: string;
  readonly search: RelatedSearch;
  readonly range: SearchRange;
  readonly posted?: PostedPositions | null;
}

export interface RunScan {
  /** The newest assessment that is not taken; `null` at the end. */
  head(): HistoryPosition | null;
  /** Takes the next one, like `RunCursor.take`. At the end it costs nothing. */
  take(): ScanStep;
}

const NOTHING: ScanStep = { place: null, cost: 0 };

export function scanSegments({ segments, accountId, search, range, posted = null }: ScanOptions): RunScan {
  /** Segments that are not opened yet, the newest last. */
  const closed = segments
    .filter(
      ({ count, oldestAt, newestAt }) => count > 0 && newestAt >= range.from && oldestAt <= range.before.at,
    )
    .sort((a, b) => a.newestAt - b.newestAt);
  let open: RunCursor[] = [];

  /** The cursor with the newest head. Opens the segments that may have a newer one. */
  function newest(): { cursor: RunCursor; head: HistoryPosition } | null {
    for (;;) {
      let best: { cursor: RunCursor; head: HistoryPosition } | null = null;
      const going: RunCursor[] = [];
      for (const cursor of open) {
        const head = cursor.head();
        if (head === null) continue;
        going.push(cursor);
        if (best === null || isNewer(head, best.head)) best = { cursor, head };
      }
      open = going;
      const next = closed.at(-1);
      if (next === undefined || (best !== null && next.newestAt < best.head.at)) return best;
      closed.pop();
      open.push(openCursor({ segment: next, accountId, search, range, posted }));
    }
  }

  return {
    head: () => newest()?.head ?? null,
    take: () => newest()?.cursor.take() ?? NOTHING,
  };
}

function isNewer(a: HistoryPosition, b: HistoryPosition): boolean {
  return a.at > b.at || (a.at === b.at && a.seq > b.seq);
}

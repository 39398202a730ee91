/** Searches the runs newest first: columns say which records to read, these decide. */
import {
  type ChooseSource,
  type FoundAssessment,
  requestIdsOf,
  type ScanResult,
  type SearchRange,
} from '../history-search.ts';
import type { RecordSource } from '../records/record-source.ts';
import { type PostFeedback, postedFeedbackOf } from './history-feedback.ts';
import type { HistoryRows } from './history-rows.ts';
import { scanSegments } from './run-scan.ts';
import type { Segment } from './run-segment.ts';

export interface RunSourceOptions {
  readonly segments: () => readonly Segment[];
  readonly source: Pick<RecordSource, 'findById'>;
  readonly postFeedback: PostFeedback;
  readonly rows: HistoryRows;
}

const MAX_SCAN_ROWS = 2_000;

export function createRunSource({ segments, source, postFeedback, rows }: RunSourceOptions): ChooseSource {
  /** The numbers of stored assessments in the range, the newest first. */
  function findSeqs(requestIds: readonly string[], range: SearchRange): number[] {
    return [...new Set(requestIds)]
      .flatMap((id) => source.findById(id) ?? [])
      .filter((head) => isInRange(head, range))
      .sort((a, b) => b.at - a.at || b.seq - a.seq)
      .map(({ seq }) => seq);
  }

  return async (accountId, search) => {
    const requestIds = requestIdsOf(search);
    const posted = postedFeedbackOf(search, (label) => postFeedback(accountId, label));
    return {
      maxScanRows: MAX_SCAN_ROWS,
      async scan(range, count, limit): Promise<ScanResult> {
        if (requestIds.length > 0) {
          const seqs = findSeqs(requestIds, range);
          return { found: await rows.read(accountId, search, seqs), rowsRead: seqs.length, last: null };
        }
        const scan = scanSegments({
          segments: segments(),
          accountId,
          search,
          range,
          posted,
        });
        const found: FoundAssessment[] = [];
        let places: number[] = [];
        let cost = 0;
        const read = async () => {
          if (places.length > 0) found.push(...(await rows.read(accountId, search, places)));
          places = [];
        };
        while (cost < count && found.length < limit) {
          const taken = scan.take();
          cost += taken.cost;
          if (taken.place !== null) places.push(taken.place.seq);
          const isOver = taken.cost === 0;
          if (isOver || places.length >= limit - found.length) await read();
          if (isOver) return { found, rowsRead: Math.floor(cost), last: null };
        }
        await read();
        const head = scan.head();
        // The head is the newest that was not read: strictly before the last.
        const last = head === null ? null : { at: head.at, seq: head.seq + 1 };
        return { found, rowsRead: count, last };
      },
    };
  };
}

function isInRange({ at, seq }: { at: number; seq: number }, { before, from }: SearchRange): boolean {
  return at >= from && (at < before.at || (at === before.at && seq < before.seq));
}

/** Removes records from the index: from the tail at once, from sealed runs by writing them again, a step at a time. */
import type { NumberedHead, RecordSource } from './record-source.ts';
import type { RunFolder } from './run-folder.ts';
import type { RunRecord } from './run-record.ts';
import { rewriteRun } from './run-rewrite.ts';
import type { Segment } from './run-segment.ts';
import type { RunTable } from './run-table.ts';

export interface IndexRemovals {
  /** Whether a record may be indexed. */
  keeps(record: Pick<NumberedHead, 'seq' | 'at'>): boolean;
  /** Does a few milliseconds of what is to be removed from sealed runs; `false`: there is nothing. */
  step(): boolean;
  /** As `RunIndexer`. */
  remove(requestIds: readonly string[], tail: RunTable | null): Promise<void>;
  removeBefore(at: number, tail: RunTable | null): Promise<void>;
  blankBefore(at: number): Promise<void>;
  /** Another process has sealed a run, perhaps with records that were removed here. */
  recheck(firstSeq: number): void;
}

interface Removal {
  readonly work: Generator<undefined, void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function createIndexRemovals(source: RecordSource, folder: RunFolder): IndexRemovals {
  const removed = new Set<number>();
  let removedBefore = Number.NEGATIVE_INFINITY;
  const removals: Removal[] = [];
  const keeps = ({ seq, at }: Pick<RunRecord, 'seq' | 'at'>) => at >= removedBefore && !removed.has(seq);

  function removeFrom(tail: RunTable | null): void {
    if (tail === null) return;
    const all = { start: 0, end: tail.count };
    const [seq, at] = [tail.column('seq', all), tail.column('at', all)];
    const gone = Array.from(seq, (number) => tail.firstSeq + number).filter(
      (number, index) => !keeps({ seq: number, at: at[index] as number }),
    );
    if (gone.length > 0) tail.remove(new Set(gone));
  }

  function rewrite(firstSeqs: Iterable<number>, change?: (record: RunRecord) => RunRecord): Promise<void> {
    const sealed = [...firstSeqs].filter((firstSeq) => folder.runs().has(firstSeq));
    const rewritten = sealed.map(
      (firstSeq) =>
        new Promise<void>((resolve, reject) => {
          removals.push({ work: rewriteRun(folder, source, firstSeq, { keeps, change }), resolve, reject });
        }),
    );
    return Promise.all(rewritten).then(() => {});
  }

  return {
    keeps,
    step() {
      const [removal] = removals;
      if (removal === undefined) return false;
      try {
        if (removal.work.next().done !== true) return true;
        removal.resolve();
      } catch (error) {
        removal.reject(error);
      }
      removals.shift();
      return true;
    },
    remove(requestIds, tail) {
      const seqs = requestIds.flatMap((requestId) => source.findById(requestId)?.seq ?? []);
      for (const seq of seqs) removed.add(seq);
      removeFrom(tail);
      return rewrite(new Set(seqs.map(folder.firstOf)));
    },
    removeBefore(at, tail) {
      removedBefore = Math.max(removedBefore, at);
      removeFrom(tail);
      const older = [...folder.runs().values()]
        .map(({ segment }) => segment)
        .filter(({ oldestAt }) => oldestAt < at);
      for (const { firstSeq, newestAt } of older) if (newestAt < at) folder.remove(firstSeq);
      return rewrite(older.filter(({ newestAt }) => newestAt >= at).map(({ firstSeq }) => firstSeq));
    },
    blankBefore(at) {
      const segments = [...folder.runs().values()].map(({ segment }) => segment);
      const blank = (record: RunRecord) => (record.at < at ? { ...record, ip: null } : record);
      return rewrite(
        segments.filter((segment) => hasAddressBefore(segment, at)).map(({ firstSeq }) => firstSeq),
        blank,
      );
    },
    recheck(firstSeq) {
      if ([...removed].some((seq) => folder.firstOf(seq) === firstSeq))
        void rewrite([firstSeq]).catch(() => {});
    },
  };
}

const HIGHEST = 2 ** 32 - 1;

/** Whether the IP of an assessment made before an instant is in it. */
export function hasAddressBefore(segment: Segment | null, at: number): boolean {
  if (segment === null || segment.oldestAt >= at) return false;
  const all = { start: 0, end: segment.count };
  const times = segment.column('at', all);
  return (['ip4', 'ip6'] as const).some((kind) =>
    segment
      .postings(kind, [0, 0], [HIGHEST, HIGHEST], all)
      .positions()
      .some((position) => (times[position] as number) < at),
  );
}

/** Removes records from the index: from the tail at once, from sealed runs by writing them again, a step at a time. */
import type { RecordSource } from './record-source.ts';
import type { RunFolder } from './run-folder.ts';
import { type RunRecord, toRunRecord } from './run-record.ts';
import { rewriteRun } from './run-rewrite.ts';
import type { Segment } from './run-segment.ts';
import type { RunTable } from './run-table.ts';

export interface IndexRemovals {
  /** Whether a record may be indexed. */
  keeps(record: Pick<RunRecord, 'seq' | 'at' | 'accountId'>): boolean;
  /** Does a few milliseconds of what is to be removed from sealed runs; `false`: there is nothing. */
  step(): boolean;
  /** As `RunIndexer`. */
  remove(requestIds: readonly string[], tail: RunTable | null): Promise<void>;
  removeBefore(at: number, tail: RunTable | null): Promise<void>;
  removeAccount(accountId: string, tail: RunTable | null): Promise<void>;
  blankBefore(at: number): Promise<void>;
  /** Of sealed runs: takes over what is stored now under some numbers. */
  reread(seqs: readonly number[]): Promise<void>;
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
  const removedAccounts = new Set<string>();
  const isGone = (seq: number, at: number) => at < removedBefore || removed.has(seq);
  const keeps = ({ seq, at, accountId }: Pick<RunRecord, 'seq' | 'at' | 'accountId'>) =>
    !isGone(seq, at) && !removedAccounts.has(accountId);

  function removeFrom(tail: RunTable | null): void {
    if (tail === null) return;
    const all = { start: 0, end: tail.count };
    const [seq, at] = [tail.column('seq', all), tail.column('at', all)];
    const removedSeqs = Array.from(seq, (number) => tail.firstSeq + number).filter((number, index) =>
      isGone(number, at[index] as number),
    );
    for (const accountId of removedAccounts)
      for (const number of tail.column('seq', tail.positionsOf(accountId)))
        removedSeqs.push(tail.firstSeq + number);
    if (removedSeqs.length > 0) tail.remove(new Set(removedSeqs));
  }

  const { rewrite, step } = createRewrites(folder, source, keeps);
  const segments = () => [...folder.runs().values()].map(({ segment }) => segment);
  const numbersOf = (some: readonly Segment[]) => some.map(({ firstSeq }) => firstSeq);

  return {
    keeps,
    step,
    remove(requestIds, tail) {
      const seqs = requestIds.flatMap((requestId) => source.findById(requestId)?.seq ?? []);
      for (const seq of seqs) removed.add(seq);
      removeFrom(tail);
      return rewrite(new Set(seqs.map(folder.firstOf)));
    },
    removeBefore(at, tail) {
      removedBefore = Math.max(removedBefore, at);
      removeFrom(tail);
      const older = segments().filter(({ oldestAt }) => oldestAt < at);
      for (const { firstSeq, newestAt } of older) if (newestAt < at) folder.remove(firstSeq);
      return rewrite(numbersOf(older.filter(({ newestAt }) => newestAt >= at)));
    },
    removeAccount(accountId, tail) {
      removedAccounts.add(accountId);
      removeFrom(tail);
      return rewrite(numbersOf(segments().filter((segment) => hasAccount(segment, accountId))));
    },
    blankBefore(at) {
      const blank = (record: RunRecord) => (record.at < at ? { ...record, ip: null } : record);
      return rewrite(numbersOf(segments().filter((segment) => hasAddressBefore(segment, at))), blank);
    },
    reread: (seqs) => rewrite(new Set(seqs.map(folder.firstOf)), takeFrom(source, seqs)),
    recheck(firstSeq) {
      const segment = folder.runs().get(firstSeq)?.segment;
      const isAny =
        [...removed].some((seq) => folder.firstOf(seq) === firstSeq) ||
        (segment !== undefined && [...removedAccounts].some((accountId) => hasAccount(segment, accountId)));
      if (isAny) void rewrite([firstSeq]).catch(() => {});
    },
  };
}

/** Writes runs again, one after the other, a step at a time. */
function createRewrites(folder: RunFolder, source: RecordSource, keeps: (record: RunRecord) => boolean) {
  const removals: Removal[] = [];
  return {
    rewrite(firstSeqs: Iterable<number>, change?: (record: RunRecord) => RunRecord): Promise<void> {
      const sealed = [...firstSeqs].filter((firstSeq) => folder.runs().has(firstSeq));
      const rewritten = sealed.map(
        (firstSeq) =>
          new Promise<void>((resolve, reject) => {
            removals.push({ work: rewriteRun(folder, source, firstSeq, { keeps, change }), resolve, reject });
          }),
      );
      return Promise.all(rewritten).then(() => {});
    },
    step(): boolean {
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
  };
}

/** Gives what is stored now under some numbers. */
function takeFrom(source: RecordSource, seqs: readonly number[]): (record: RunRecord) => RunRecord {
  const wanted = new Set(seqs);
  return (record) => {
    const [stored] = wanted.has(record.seq) ? source.read([record.seq]) : [];
    return stored === undefined ? record : toRunRecord(stored);
  };
}

function hasAccount(segment: Segment, accountId: string): boolean {
  const { start, end } = segment.positionsOf(accountId);
  return end > start;
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

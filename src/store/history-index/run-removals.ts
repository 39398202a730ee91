/** Changes what is indexed already, as what is stored changes: the tail is filled again, sealed runs are written again, a step at a time. */
import type { RecordSource } from '../records/record-source.ts';
import type { RunFolder } from './run-folder.ts';
import type { RunRecord } from './run-record.ts';
import { rewriteRun } from './run-rewrite.ts';
import type { Segment } from './run-segment.ts';

export interface IndexChanges {
  /** Removes assessments that are still stored but about to be deleted; those that are not indexed yet never will be. */
  removeFromIndex(requestIds: readonly string[]): Promise<void>;
  /** Removes all assessments made before an instant (milliseconds since the epoch), which are about to be deleted. */
  removeBefore(at: number): Promise<void>;
  /** Removes all assessments of an account, which is being deleted. */
  removeAccount(accountId: string): Promise<void>;
  /** Forgets the addresses of all assessments made before an instant; what is stored of them is blanked already. */
  blankBefore(at: number): Promise<void>;
  /** Takes over what is stored now under some numbers. */
  rereadInIndex(seqs: readonly number[]): Promise<void>;
}

export interface IndexRemovals extends IndexChanges {
  /** Whether a record may be indexed. */
  keeps(record: Pick<RunRecord, 'seq' | 'at' | 'accountId'>): boolean;
  /** Does a few milliseconds of what is to be written again; `false`: there is nothing. */
  step(): boolean;
  /** Another process has sealed a run, perhaps with records that were removed here. */
  recheck(firstSeq: number): void;
}

type IsAffected = (segment: Segment) => boolean;

interface Rewrite {
  readonly work: Generator<undefined, void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** @param refillTail forgets the tail if it is affected, to be filled again */
export function createIndexRemovals(
  source: RecordSource,
  folder: RunFolder,
  refillTail: (isAffected: IsAffected) => void,
): IndexRemovals {
  const removed = new Set<number>();
  let removedBefore = Number.NEGATIVE_INFINITY;
  const removedAccounts = new Set<string>();
  const keeps: IndexRemovals['keeps'] = ({ seq, at, accountId }) =>
    at >= removedBefore && !removed.has(seq) && !removedAccounts.has(accountId);
  const { rewrite, step } = createRewrites(({ firstSeq }) => rewriteRun(folder, source, firstSeq, keeps));
  const segments = () => [...folder.runs().values()].map(({ segment }) => segment);

  async function readAgain(isAffected: IsAffected): Promise<void> {
    refillTail(isAffected);
    await Promise.all(segments().filter(isAffected).map(rewrite));
  }

  const hasAny =
    (seqs: readonly number[]): IsAffected =>
    (segment) => {
      const own = seqs.filter((seq) => folder.firstOf(seq) === segment.firstSeq);
      if (own.length === 0) return false;
      const numbers = segment.column('seq', { start: 0, end: segment.count });
      return own.some((seq) => numbers.includes(seq - segment.firstSeq));
    };

  return {
    keeps,
    step,
    removeFromIndex(requestIds) {
      const seqs = requestIds.flatMap((requestId) => source.findById(requestId)?.seq ?? []);
      for (const seq of seqs) removed.add(seq);
      return readAgain(hasAny(seqs));
    },
    removeBefore(at) {
      removedBefore = Math.max(removedBefore, at);
      for (const { firstSeq, newestAt } of segments()) if (newestAt < at) folder.remove(firstSeq);
      return readAgain(({ oldestAt }) => oldestAt < at);
    },
    removeAccount(accountId) {
      removedAccounts.add(accountId);
      return readAgain((segment) => hasAccount(segment, accountId));
    },
    blankBefore: (at) => readAgain((segment) => hasAddressBefore(segment, at)),
    rereadInIndex: (seqs) => readAgain(hasAny(seqs)),
    recheck(firstSeq) {
      const segment = folder.runs().get(firstSeq)?.segment;
      if (segment === undefined) return;
      const isAffected =
        hasAny([...removed])(segment) ||
        [...removedAccounts].some((accountId) => hasAccount(segment, accountId));
      if (isAffected) void rewrite(segment).catch(() => {});
    },
  };
}

/** Does them one after the other, a step at a time. */
function createRewrites(begin: (segment: Segment) => Generator<undefined, void>) {
  const rewrites: Rewrite[] = [];
  return {
    rewrite: (segment: Segment) =>
      new Promise<void>((resolve, reject) => {
        rewrites.push({ work: begin(segment), resolve, reject });
      }),
    step(): boolean {
      const [next] = rewrites;
      if (next === undefined) return false;
      try {
        if (next.work.next().done !== true) return true;
        next.resolve();
      } catch (error) {
        next.reject(error);
      }
      rewrites.shift();
      return true;
    },
  };
}

function hasAccount(segment: Segment, accountId: string): boolean {
  const { start, end } = segment.positionsOf(accountId);
  return end > start;
}

const HIGHEST = 2 ** 32 - 1;

/** Whether the IP of an assessment made before an instant is in it. */
function hasAddressBefore(segment: Segment, at: number): boolean {
  if (segment.oldestAt >= at) return false;
  const all = { start: 0, end: segment.count };
  const times = segment.column('at', all);
  return (['ip4', 'ip6'] as const).some((kind) =>
    segment
      .postings(kind, [0, 0], [HIGHEST, HIGHEST], all)
      .positions()
      .some((position) => (times[position] as number) < at),
  );
}

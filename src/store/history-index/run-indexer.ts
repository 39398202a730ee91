/** Brings the runs of the history up to date: new records go into the tail, a full tail becomes a sealed run. */
import type { RecordSource } from '../records/record-source.ts';
import type { DamagedRun } from './run-file.ts';
import type { RunFolder } from './run-folder.ts';
import { type RunRecord, toRunRecord } from './run-record.ts';
import { createIndexRemovals, type IndexChanges, type IndexRemovals } from './run-removals.ts';
import { sealTable } from './run-rewrite.ts';
import type { Segment } from './run-segment.ts';
import { createRunTable, type RunTable } from './run-table.ts';

export interface RunIndexer extends IndexChanges {
  /** Does a few milliseconds of work: indexes at most `limit` assessments, or a step of sealing a run. */
  step(limit: number): IndexStep;
  state(): IndexState;
  /** Approximate time of the oldest assessment that is not indexed, milliseconds since the epoch. */
  oldestUnindexedAt(): number;
  /** Everything that is indexed, in order. */
  segments(): readonly Segment[];
  /** Forgets everything, which is then indexed again. */
  rebuildIndex(): Promise<void>;
  /** Forgets a run that turned out to be damaged, so that it is made again. */
  discard(damage: DamagedRun): void;
}

export interface IndexStep {
  /** Number of assessments that it indexed. */
  readonly done: number;
  /** Whether there is more to do at once. */
  readonly more: boolean;
}

/** Assessments are numbered in order of commit, nearly without gaps. */
export interface IndexState {
  readonly oldest: number;
  /** The last one that is indexed. */
  readonly indexed: number;
  readonly newest: number;
  /** Number of assessments that are not indexed yet. */
  readonly remaining: number;
}

export function createRunIndexer(source: RecordSource, folder: RunFolder): RunIndexer {
  const oldest = source.readAfter(0, 1)[0]?.seq ?? 1;
  /** All up to this number are in sealed runs or in the tail. */
  let upTo = folder.firstOf(oldest) - 1;
  const {
    keeps,
    step: rewriteSome,
    recheck,
    ...changes
  } = createIndexRemovals(source, folder, (isAffected) => {
    const table = tail.table();
    if (table === null || !isAffected(table)) return;
    tail.drop();
    upTo = table.firstSeq - 1;
  });
  const tail = createTail(source, folder, keeps);

  /** Goes on behind the runs that are sealed, also by another process. */
  function skipSealed(): void {
    const runs = folder.runs();
    for (let first = folder.firstOf(upTo + 1); runs.has(first); first = folder.firstOf(upTo + 1)) {
      if (tail.table()?.firstSeq === first) tail.drop();
      recheck(first);
      upTo = first + folder.runSize - 1;
    }
  }

  function state(): IndexState {
    const newest = Math.max(upTo, source.newestSeq());
    return { oldest, indexed: upTo, newest, remaining: newest - upTo };
  }

  skipSealed();
  return {
    step(limit) {
      if (rewriteSome()) return { done: 0, more: true };
      if (tail.isWhole()) {
        upTo = Math.max(upTo, tail.seal() ?? 0);
        return { done: 0, more: true };
      }
      skipSealed();
      // Read first: what is committed meanwhile has a higher number.
      const newest = source.newestSeq();
      const records = newest > upTo ? source.mapAfter(upTo, limit, toRunRecord) : [];
      const added = records.length > 0 ? tail.add(records) : [];
      // If there are none, those up to there were undone.
      upTo = added.at(-1)?.seq ?? (records.length > 0 ? upTo : Math.max(upTo, newest));
      return {
        done: added.length,
        more: tail.isWhole() || (added.length > 0 && 2 * records.length >= limit),
      };
    },
    state,
    oldestUnindexedAt: () => oldestAfter(source, upTo, state().newest),
    segments: () => segmentsOf(folder, tail.table()),
    ...changes,
    async rebuildIndex() {
      tail.drop();
      for (const firstSeq of [...folder.runs().keys()]) folder.remove(firstSeq);
      upTo = folder.firstOf(oldest) - 1;
    },
    discard({ firstSeq }) {
      if (firstSeq !== undefined) folder.remove(firstSeq);
      if (firstSeq === undefined || firstSeq > upTo) return;
      tail.drop();
      upTo = firstSeq - 1;
    },
  };
}

function oldestAfter(source: RecordSource, upTo: number, newest: number): number {
  const ends = [...source.readAfter(upTo, 1), ...source.read([newest])];
  // Both ends: if the clock was set in between, the earlier one counts.
  return Math.min(...ends.map(({ at }) => at), Number.POSITIVE_INFINITY);
}

function segmentsOf(folder: RunFolder, tail: RunTable | null): Segment[] {
  const sealed = [...folder.runs().values()].map(({ segment }) => segment as Segment);
  return tail === null || folder.runs().has(tail.firstSeq) ? sealed : [...sealed, tail];
}

/** The newest run, which takes records until it is whole, and is sealed then. */
function createTail(source: RecordSource, folder: RunFolder, keeps: IndexRemovals['keeps']) {
  let table: RunTable | null = null;
  let isWhole = false;
  let sealing: Generator<undefined, void> | null = null;

  function drop(): void {
    sealing?.return();
    [table, isWhole, sealing] = [null, false, null];
  }

  return {
    table: () => table,
    isWhole: () => isWhole,
    drop,
    /** Adds those that are of the same run, and returns them; none where the run before is not sealed yet. */
    add(records: readonly RunRecord[]): readonly RunRecord[] {
      const [{ seq }] = records as [RunRecord];
      const first = folder.firstOf(seq);
      if (table !== null && table.firstSeq !== first) {
        isWhole = true;
        return [];
      }
      table ??= createRunTable(first);
      const own = records.filter((record) => record.seq < first + folder.runSize);
      table.add(own.filter(keeps));
      isWhole = own.length < records.length || own.at(-1)?.seq === first + folder.runSize - 1;
      return own;
    },
    /** Does a step of it. Returns the last number of the run once it is sealed. */
    seal(): number | undefined {
      const whole = table as RunTable;
      if (whole.count > 0) {
        try {
          sealing ??= sealTable(folder, source, whole, false);
          if (sealing.next().done !== true) return undefined;
        } catch (error) {
          // It begins again with the next step.
          sealing = null;
          throw error;
        }
      }
      drop();
      return whole.firstSeq + folder.runSize - 1;
    },
  };
}

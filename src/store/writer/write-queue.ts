/** Jobs that wait for the writer thread, and jobs that it has: all that waits goes to it in one chunk. */
import {
  answerOverdue,
  type CommitDeadlines,
  isBehind,
  type PendingWrite,
  refuseOverdue,
} from '../commit-deadlines.ts';
import { toBatches } from '../records/record-batch.ts';
import { isRecord, type Job, type JobDone } from '../sqlite-jobs.ts';
import type { AssessmentRecord } from '../store.ts';
import { type Chunk, monotonicMs } from './chunk.ts';

export interface SqliteDeadlines extends CommitDeadlines {
  /** Time for which the writer waits for a lock that another process has. */
  readonly lockMs: number;
}

export interface Waiting extends PendingWrite {
  /** `undefined` once the writer has it: a signup is not kept in memory while it is stored. */
  job: Job | undefined;
  /** Id of a record; `undefined` for other jobs. */
  readonly requestId: string | undefined;
  resolve(done: JobDone): void;
}

export type WriteQueue = ReturnType<typeof createWriteQueue>;

/** @param deadlines read anew each time: a start has longer ones */
export function createWriteQueue(deadlines: SqliteDeadlines) {
  let waiting: Waiting[] = [];
  /** Oldest first. */
  let underWay: Waiting[] = [];
  return {
    size: () => waiting.length + underWay.length,
    /** Resolves to its outcome. */
    add(job: Job): Promise<JobDone> {
      const requestId = isRecord(job) ? job.requestId : undefined;
      return new Promise((resolve, reject) => {
        waiting.push({ job, requestId, resolve, reject, since: performance.now(), answered: false });
      });
    },
    isIdle: () => underWay.length === 0,
    waiting: () => waiting.length,
    isBehind: () => isBehind(waiting, deadlines),
    /** Everything that waits; `undefined` where there is nothing, or the writer has not answered yet: what waits here can still be refused unsent. */
    nextChunk(): Chunk | undefined {
      if (waiting.length === 0 || underWay.length > 0) return undefined;
      underWay = waiting;
      waiting = [];
      const { answerMs, lockMs } = deadlines;
      return { ...chunkOf(underWay, monotonicMs() - performance.now() + answerMs), lockMs };
    },
    takeAnswered(): Waiting[] {
      const batch = underWay;
      underWay = [];
      return batch;
    },
    /** Whether one was under way for too long. */
    refuseOverdue(now: number): boolean {
      refuseOverdue(waiting, deadlines, now);
      return answerOverdue(underWay, deadlines, now);
    },
  };
}

/** Takes the jobs of these writes. @param deadlineOffset what makes the instant that a write was asked for the one when nobody waits for it any more */
function chunkOf(writes: readonly Waiting[], deadlineOffset: number): Omit<Chunk, 'lockMs'> {
  const work: Chunk['work'][number][] = [];
  // Filled one by one: a list that `map` made has holes to V8, and is copied in a slower way.
  const deadlines: number[] = [];
  let records: AssessmentRecord[] = [];
  const endBatch = () => {
    work.push(...toBatches(records));
    records = [];
  };
  for (const write of writes) {
    const job = write.job as Job;
    write.job = undefined;
    deadlines.push(write.since + deadlineOffset);
    if (isRecord(job)) {
      records.push(job);
      continue;
    }
    endBatch();
    work.push(job);
  }
  endBatch();
  return { work, deadlines };
}

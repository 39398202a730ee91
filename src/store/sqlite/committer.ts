/** Group commit: hands jobs to the writer thread in small chunks; it commits together whatever has come in meanwhile. */
import { Problem } from '../../contract/problem.ts';
import {
  answerOverdue,
  type CommitDeadlines,
  DEADLINE_POLL_MS,
  type PendingWrite,
  refuseOverdue,
} from '../commit-deadlines.ts';
import type { CommitHealth } from '../commit-health.ts';
import {
  type Chunk,
  type CommittedBatch,
  type Job,
  type JobDone,
  monotonicMs,
  readFault,
  readResult,
  recordId,
  TOO_LATE,
} from './jobs.ts';
import { type StartThread, startThread } from './thread.ts';

export interface SqliteCommitter {
  /**
   * Resolves after the commit. @throws when the job failed, took too long or the writer died; Problem `storage_full`, or
   * `unavailable` when too much is waiting or it waited too long: then it was never sent
   */
  submit(job: Job): Promise<JobDone>;
  /** Resolves once everything that was submitted is answered by the writer. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface SqliteCommitterOptions {
  readonly file: string;
  /** Module of the writer thread. */
  readonly writer: URL;
  readonly deadlines: CommitDeadlines;
  /** How long the writer waits for a lock that another process has. */
  readonly lockMs: number;
  readonly health: Pick<CommitHealth, 'succeeded' | 'failed'>;
  /** Told of records whose callers heard an error, and which may be stored all the same. */
  readonly onUncertain: (requestIds: readonly string[]) => void;
  readonly onBatch: (jobs: number, milliseconds: number) => void;
  readonly onFault: (error: Error) => void;
  readonly onDeath: StartThread['onDeath'];
}

/** More waiting jobs than this are refused: the disk has stopped keeping up. */
const MAX_WAITING = 20_000;
/** Small, so that the writer inserts the first jobs of a rush while the requests behind them are still worked on. */
const CHUNK_SIZE = 8;
/** A writer that has answered nothing for so long gets no more: what waits here can still be refused unsent. */
const STALLED_MS = 250;

interface Waiting extends PendingWrite {
  readonly job: Job;
  readonly resolve: (done: JobDone) => void;
}

export function createCommitter(options: SqliteCommitterOptions): SqliteCommitter {
  const { file, deadlines, health, onUncertain, onBatch } = options;
  /** Not handed over yet. */
  let waiting: Waiting[] = [];
  /** Handed over, oldest first. */
  let underWay: Waiting[] = [];
  /** When the writer last answered, or was given the first of what is under way. */
  let movedAt = 0;
  let handingOver = false;
  let polling: NodeJS.Timeout | undefined;
  let closing = false;
  let whenSettled: (() => void)[] = [];

  const thread = startThread({
    name: 'writer',
    module: options.writer,
    workerData: { file, lockMs: options.lockMs },
    onRestart: handOver,
    onMessage: settle,
    onExit: died,
    onFault: options.onFault,
    onDeath: options.onDeath,
  });

  function handOver(): void {
    handingOver = false;
    if (!thread.isRunning()) return;
    const now = performance.now();
    if (underWay.length === 0) movedAt = now;
    if (waiting.length > 0 && now - movedAt < STALLED_MS) {
      const chunk = waiting;
      waiting = [];
      // Filled one by one: a list that `map` made has holes to V8, and is copied in a slower way.
      const jobs: Job[] = [];
      const times: number[] = [];
      const toMonotonic = monotonicMs() - now + deadlines.answerMs;
      for (const write of chunk) {
        underWay.push(write);
        jobs.push(write.job);
        times.push(write.since + toMonotonic);
      }
      thread.post({ jobs, deadlines: times } satisfies Chunk);
    }
    tellSettled();
  }

  function tellSettled(): void {
    if (waiting.length > 0 || underWay.length > 0) return;
    for (const resolve of whenSettled) resolve();
    whenSettled = [];
  }

  function settle(message: unknown): void {
    const { results, milliseconds } = message as CommittedBatch;
    const batch = underWay.slice(0, results.length);
    underWay = underWay.slice(results.length);
    movedAt = performance.now();
    handOver();
    onBatch(batch.length, milliseconds);
    const uncertain: string[] = [];
    for (const [at, write] of batch.entries()) {
      const done = readResult(results[at] as CommittedBatch['results'][number]);
      if (typeof done === 'string') fail(write, done);
      else if (!write.answered) write.resolve(done);
      else if (done.done) uncertain.push(...idsOf([write]));
      if (typeof done !== 'string') health.succeeded();
    }
    if (uncertain.length > 0) onUncertain(uncertain);
    tellSettled();
  }

  function fail(write: Waiting, fault: string): void {
    const { code, message } = readFault(fault);
    const error = new Error(`the database ${file} failed: ${message}`);
    // A broken constraint is the job's own fault, and a job that came too late was not tried.
    if (fault !== TOO_LATE && !code.startsWith('SQLITE_CONSTRAINT')) health.failed(error);
    if (!write.answered) write.reject(code === 'SQLITE_FULL' ? new Problem('storage_full') : error);
  }

  /** What was under way may or may not be stored: its callers hear an error. What waits goes to the next writer. */
  function died(): void {
    const lost = underWay;
    underWay = [];
    const error = new Error('the writer thread stopped');
    if (lost.length > 0) health.failed(error);
    for (const { answered, reject } of lost) if (!answered) reject(error);
    onUncertain(idsOf(lost));
    tellSettled();
  }

  /** Everybody hears in time, whatever the disk does. */
  function poll(): void {
    const now = performance.now();
    refuseOverdue(waiting, deadlines, now);
    if (answerOverdue(underWay, deadlines, now))
      health.failed(new Error(`the database ${file} did not answer in time`));
    if (waiting.length > 0 || underWay.length > 0) return;
    clearInterval(polling);
    polling = undefined;
    tellSettled();
  }

  function settled(): Promise<void> {
    return new Promise((resolve) => {
      whenSettled.push(resolve);
      handOver();
      tellSettled();
    });
  }

  return {
    submit(job) {
      return new Promise((resolve, reject) => {
        if (closing) return reject(new Error('the store is closed'));
        if (waiting.length + underWay.length >= MAX_WAITING) return reject(new Problem('unavailable'));
        waiting.push({ job, resolve, reject, since: performance.now(), answered: false });
        polling ??= setInterval(poll, DEADLINE_POLL_MS);
        if (underWay.length === 0 || waiting.length >= CHUNK_SIZE) handOver();
        else if (!handingOver) {
          handingOver = true;
          setImmediate(handOver);
        }
      });
    },
    settled,
    async close() {
      closing = true;
      await settled();
      clearInterval(polling);
      await thread.close();
    },
  };
}

function idsOf(writes: readonly Waiting[]): string[] {
  return writes.flatMap(({ job }) => recordId(job) ?? []);
}

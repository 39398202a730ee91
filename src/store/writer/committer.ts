/** Group commit: sends jobs to the writer thread in small chunks; the writer commits together what arrived meanwhile. */
import { Problem } from '../../contract/problem.ts';
import { type BackgroundThread, type StartThread, startThread } from '../../platform/thread.ts';
import { createDeadlineWatch } from '../commit-deadlines.ts';
import type { CommitHealth } from '../commit-health.ts';
import { type JobQueue, readResult, TOO_LATE } from '../sqlite-jobs.ts';
import { asStoreFailure } from '../store-failure.ts';
import { type CommittedBatch, readFault } from './chunk.ts';
import { createGatherJobs } from './gather-jobs.ts';
import { createInlineWriter } from './inline-writer.ts';
import { createWriteQueue, type SqliteDeadlines, type Waiting, type WriteQueue } from './write-queue.ts';

export interface SqliteCommitter extends JobQueue {
  /** @throws once it is closed, as `submit` does: for what is to be read before */
  assertOpen(): void;
  /** Whether another job would probably be refused, because too many wait for too long. */
  isBehind(): boolean;
  /** Resolves once the writer has answered everything that was submitted. */
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

export interface SqliteCommitterOptions {
  readonly file: string;
  /** Module of the writer thread, by default the built one; `inline`: the calling thread commits. */
  readonly writer?: URL | 'inline' | undefined;
  readonly deadlines: SqliteDeadlines;
  readonly health: Pick<CommitHealth, 'succeeded' | 'failed'>;
  /** Called with records whose callers got an error, although the records may be stored. */
  readonly onUncertain: (requestIds: readonly string[]) => void;
  readonly onBatch: (jobs: number, milliseconds: number) => void;
  readonly onFault: (error: Error) => void;
  readonly onDeath: StartThread['onDeath'];
  readonly stuckMs: StartThread['stuckMs'];
}

const WRITER = new URL('./writer.js', import.meta.url);
/** More waiting jobs are refused: the disk does not keep up. */
const MAX_WAITING = 20_000;
const CLOSED = 'the store is closed';
/** SQLite's codes for a file that cannot be used, whatever is written. */
const AWAY = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|PROTOCOL|CORRUPT|NOTADB|NOMEM|PERM|AUTH)/;

export function createCommitter(options: SqliteCommitterOptions): SqliteCommitter {
  const answers = createAnswers(options);
  const queue = createWriteQueue(options.deadlines);
  let closing = false;
  const settling = createSettling(() => queue.size() === 0);

  const watch = watchDeadlines(queue, answers, settling);
  const writer = startWriter(options, { onRestart: handOver, onMessage: answerBatch, onExit: failAnswered });
  const gather = createGatherJobs({ waiting: queue.waiting, handOver });

  function handOver(): void {
    if (!writer.isRunning()) return;
    const chunk = queue.nextChunk();
    if (chunk !== undefined) writer.post(chunk);
    settling.notify();
  }

  function answerBatch(message: unknown): void {
    const { results, milliseconds } = message as CommittedBatch;
    const batch = queue.takeAnswered();
    options.onBatch(batch.length, milliseconds);
    answers.committed(batch, results);
    if (queue.waiting() > 0) gather();
    settling.notify();
  }

  /** Hands what waits to the next writer. */
  function failAnswered(): void {
    answers.lost(queue.takeAnswered());
    settling.notify();
  }

  function whenIdle(): Promise<void> {
    const settlement = settling.wait();
    handOver();
    settling.notify();
    return settlement;
  }

  return {
    assertOpen(): void {
      if (closing) throw new Error(CLOSED);
    },
    async submit(job) {
      if (closing) throw new Error(CLOSED);
      if (queue.size() >= MAX_WAITING) throw new Problem('unavailable');
      const done = queue.add(job);
      watch.start();
      if (queue.isIdle()) gather();
      return done;
    },
    isBehind: queue.isBehind,
    whenIdle,
    async close() {
      closing = true;
      await whenIdle();
      watch.stop();
      await writer.close();
    },
  };
}

function startWriter(
  { file, writer: module = WRITER, stuckMs, onFault, onDeath }: SqliteCommitterOptions,
  events: Required<Pick<StartThread, 'onRestart' | 'onMessage' | 'onExit'>>,
): BackgroundThread {
  if (module === 'inline') return createInlineWriter({ file, onMessage: events.onMessage });
  return startThread({
    name: 'writer',
    module,
    workerData: { file },
    stuckMs,
    onFault,
    onDeath,
    ...events,
  });
}

/** Every caller is answered in time, whatever the disk does. */
function watchDeadlines(
  queue: WriteQueue,
  answers: ReturnType<typeof createAnswers>,
  settling: ReturnType<typeof createSettling>,
) {
  return createDeadlineWatch((now) => {
    if (queue.refuseOverdue(now)) answers.late();
    settling.notify();
    return queue.size() > 0;
  });
}

/** Notifies who waits until nothing is pending. */
function createSettling(isSettled: () => boolean) {
  let resolves: (() => void)[] = [];
  return {
    wait: () =>
      new Promise<void>((resolve) => {
        resolves.push(resolve);
      }),
    notify(): void {
      if (!isSettled()) return;
      for (const resolve of resolves) resolve();
      resolves = [];
    },
  };
}

/** Answers the callers of jobs. */
function createAnswers({
  file,
  health,
  onUncertain,
}: Pick<SqliteCommitterOptions, 'file' | 'health' | 'onUncertain'>) {
  function fail(write: Waiting, fault: string): void {
    const { code, message } = readFault(fault);
    const error: Error & { code?: string } = new Error(`the database ${file} failed: ${message}`);
    error.code = code;
    // A broken constraint is the job's own fault, and a job that came too late was not tried.
    if (fault === TOO_LATE || AWAY.test(code)) asStoreFailure(error);
    if (fault !== TOO_LATE && !code.startsWith('SQLITE_CONSTRAINT')) health.failed(error);
    if (write.answered) return;
    write.reject(code === 'SQLITE_FULL' ? asStoreFailure(new Problem('storage_full')) : error);
  }

  return {
    committed(batch: readonly Waiting[], results: CommittedBatch['results']): void {
      const uncertain: string[] = [];
      for (const [at, write] of batch.entries()) {
        const done = readResult(results[at] as CommittedBatch['results'][number]);
        if (typeof done === 'string') fail(write, done);
        else if (!write.answered) write.resolve(done);
        else if (done.outcome === 'recorded') uncertain.push(...idsOf([write]));
        if (typeof done !== 'string') health.succeeded();
      }
      if (uncertain.length > 0) onUncertain(uncertain);
    },
    late(): void {
      health.failed(asStoreFailure(new Error(`the database ${file} did not answer in time`)));
    },
    /** Gives the callers of a batch an error: its writes may or may not be stored. */
    lost(batch: readonly Waiting[]): void {
      const error = asStoreFailure(new Error('the writer thread stopped'));
      if (batch.length > 0) health.failed(error);
      for (const write of batch) if (!write.answered) write.reject(error);
      onUncertain(idsOf(batch));
    },
  };
}

function idsOf(writes: readonly Waiting[]): string[] {
  return writes.flatMap(({ requestId }) => requestId ?? []);
}

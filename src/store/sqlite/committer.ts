/** Group commit: gathers jobs while the writer thread is busy and hands them over as the next batch. */
import { Worker } from 'node:worker_threads';
import { Problem } from '../../contract/problem.ts';
import type { CommittedBatch, Job, JobResult } from './jobs.ts';

export interface Committer {
  /** Resolves after the commit. @throws when the job failed or the writer died; Problem `unavailable` when too much is waiting */
  submit(job: Job): Promise<{ done: boolean; used: number }>;
  close(): Promise<void>;
}

export interface CommitterOptions {
  readonly file: string;
  /** Module of the writer thread. */
  readonly writer: URL;
  readonly onBatch: (jobs: number, milliseconds: number) => void;
  readonly onFault: (error: Error) => void;
}

/** More waiting jobs than this are refused: the disk has stopped keeping up. */
const MAX_WAITING = 20_000;
const MAX_BATCH = 512;
const RESTART_DELAY_MS = 250;

interface Waiting {
  readonly job: Job;
  readonly resolve: (result: { done: boolean; used: number }) => void;
  readonly reject: (error: Error) => void;
}

export function createCommitter({ file, writer, onBatch, onFault }: CommitterOptions): Committer {
  let waiting: Waiting[] = [];
  let inFlight: Waiting[] = [];
  let closing: (() => void) | undefined;
  let worker: Worker | undefined;

  function start(): void {
    worker = new Worker(writer, { workerData: { file } });
    worker.on('message', settle);
    worker.on('error', onFault);
    worker.on('exit', died);
    flush();
  }

  function flush(): void {
    if (inFlight.length > 0 || worker === undefined) return;
    if (waiting.length === 0) {
      if (closing !== undefined) worker.postMessage('close');
      return;
    }
    inFlight = waiting.length <= MAX_BATCH ? waiting : waiting.slice(0, MAX_BATCH);
    waiting = waiting.length <= MAX_BATCH ? [] : waiting.slice(MAX_BATCH);
    worker.postMessage(inFlight.map(({ job }) => job));
  }

  function settle({ results, milliseconds }: CommittedBatch): void {
    const batch = inFlight;
    inFlight = [];
    flush();
    onBatch(batch.length, milliseconds);
    for (const [at, { resolve, reject }] of batch.entries()) {
      const result = results[at] as JobResult;
      if ('error' in result) reject(new Error(`the database ${file} failed: ${result.error}`));
      else resolve(result);
    }
  }

  /** What was under way may or may not be stored: its callers hear an error. What waits goes to a new writer. */
  function died(): void {
    worker = undefined;
    for (const { reject } of inFlight) reject(new Error('the writer thread stopped'));
    inFlight = [];
    if (closing !== undefined && waiting.length === 0) closing();
    else setTimeout(start, RESTART_DELAY_MS);
  }

  start();
  return {
    submit(job) {
      return new Promise((resolve, reject) => {
        if (closing !== undefined) return reject(new Error('the store is closed'));
        if (waiting.length >= MAX_WAITING) return reject(new Problem('unavailable'));
        waiting.push({ job, resolve, reject });
        // At once: while the writer syncs these few, the requests behind them gather for the next batch.
        if (inFlight.length === 0) flush();
      });
    },
    close() {
      return new Promise((resolve) => {
        closing = resolve;
        flush();
      });
    },
  };
}

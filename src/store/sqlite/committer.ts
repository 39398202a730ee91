/** Group commit: hands jobs to the writer thread in small parcels; it commits together whatever has come in meanwhile. */
import { Worker } from 'node:worker_threads';
import { Problem } from '../../contract/problem.ts';
import { type CommittedBatch, type Job, readResult } from './jobs.ts';

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
/** Small, so that the writer inserts the first jobs of a rush while the requests behind them are still worked on. */
const PARCEL = 8;
const RESTART_DELAY_MS = 250;

interface Waiting {
  readonly job: Job;
  readonly resolve: (result: { done: boolean; used: number }) => void;
  readonly reject: (error: Error) => void;
}

export function createCommitter({ file, writer, onBatch, onFault }: CommitterOptions): Committer {
  /** Not handed over yet. */
  let waiting: Waiting[] = [];
  /** Handed over, oldest first. */
  let underWay: Waiting[] = [];
  let handingOver = false;
  let closing: (() => void) | undefined;
  let worker: Worker | undefined;

  function start(): void {
    worker = new Worker(writer, { workerData: { file } });
    worker.on('message', settle);
    worker.on('error', onFault);
    worker.on('exit', died);
    handOver();
  }

  function handOver(): void {
    handingOver = false;
    if (worker === undefined) return;
    if (waiting.length > 0) {
      const parcel = waiting;
      waiting = [];
      // Filled one by one: a list that `map` made has holes to V8, and is copied in a slower way.
      const jobs: Job[] = [];
      for (const one of parcel) {
        underWay.push(one);
        jobs.push(one.job);
      }
      worker.postMessage(jobs);
    }
    if (closing !== undefined && underWay.length === 0) worker.postMessage('close');
  }

  function settle({ results, milliseconds }: CommittedBatch): void {
    const batch = underWay.slice(0, results.length);
    underWay = underWay.slice(results.length);
    handOver();
    onBatch(batch.length, milliseconds);
    for (const [at, { resolve, reject }] of batch.entries()) {
      const result = readResult(results[at] as number | string);
      if (typeof result === 'string') reject(new Error(`the database ${file} failed: ${result}`));
      else resolve(result);
    }
  }

  /** What was under way may or may not be stored: its callers hear an error. What waits goes to a new writer. */
  function died(): void {
    worker = undefined;
    for (const { reject } of underWay) reject(new Error('the writer thread stopped'));
    underWay = [];
    if (closing !== undefined && waiting.length === 0) closing();
    else setTimeout(start, RESTART_DELAY_MS);
  }

  start();
  return {
    submit(job) {
      return new Promise((resolve, reject) => {
        if (closing !== undefined) return reject(new Error('the store is closed'));
        if (waiting.length + underWay.length >= MAX_WAITING) return reject(new Problem('unavailable'));
        waiting.push({ job, resolve, reject });
        if (underWay.length === 0 || waiting.length >= PARCEL) handOver();
        else if (!handingOver) {
          handingOver = true;
          setImmediate(handOver);
        }
      });
    },
    close() {
      return new Promise((resolve) => {
        closing = resolve;
        handOver();
      });
    },
  };
}

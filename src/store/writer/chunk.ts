/** Messages between the main thread and the writer thread: jobs one way, their results the other. */
import type { RecordBatch } from '../records/record-batch.ts';
import type { JobResult, StatementsJob } from '../sqlite-jobs.ts';

/** Jobs in the order in which they are to be done: assessments that come one after the other are one batch. */
export interface Chunk {
  readonly work: readonly (RecordBatch | StatementsJob)[];
  /** Instants of `monotonicMs`, one for each job, after which nobody waits for it. */
  readonly deadlines: readonly number[];
  /** Time for which a commit waits for a lock that another process has, milliseconds. */
  readonly lockMs: number;
}

/** SQLite's code, then its message. */
export function writeFault(error: Error): string {
  return `${(error as { code?: string }).code ?? 'ERROR'} ${error.message}`;
}

export function readFault(fault: string): { code: string; message: string } {
  const space = fault.indexOf(' ');
  return { code: fault.slice(0, space), message: fault.slice(space + 1) };
}

export interface CommittedBatch {
  /** Results in the order in which the jobs were handed over, the oldest ones first. */
  readonly results: readonly JobResult[];
  /** Time the batch took in the writer, milliseconds. */
  readonly milliseconds: number;
}

/** Clock that is the same in every thread, and that no wall clock moves. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}

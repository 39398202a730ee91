/** The jobs that the main thread sends to the writer thread, and their results. */

import type { RecordBatch } from '../records/record-batch.ts';
import type { SqlStatement, SqlValue } from '../sql-database.ts';
import type { AssessmentRecord, RecordResult } from '../store.ts';

export type SqliteRow = Record<string, SqlValue>;

/** An assessment is a job as it is. */
export type Job = AssessmentRecord | StatementsJob;

/** Statements that succeed or fail together. Their values are `?` or `?1`: `toSqlite` rewrites shared ones. */
export interface StatementsJob {
  readonly statements: readonly SqlStatement[];
  /** Index of the statement whose result is the answer. */
  readonly resultOf?: number;
  /** Assessments to erase, before the statements. */
  readonly erased?: readonly string[];
}

/** Jobs in the order in which they are to be done: assessments that come one after the other are one batch. */
export interface Chunk {
  readonly work: readonly (RecordBatch | StatementsJob)[];
  /** Instants of `monotonicMs`, one for each job, after which nobody waits for it. */
  readonly deadlines: readonly number[];
  /** Time for which a commit waits for a lock that another process has, milliseconds. */
  readonly lockMs: number;
}

export function isRecord(job: Job): job is AssessmentRecord {
  return 'requestId' in job;
}

/** Result of a statement. */
export interface StatementResult {
  /** Rows of RETURNING. */
  readonly rows: readonly SqliteRow[];
  /** Rows that it changed. */
  readonly changes: number;
}

/** The outcome of a job, for a record what its caller gets; statements that were committed are `recorded`, too. */
export interface JobDone extends RecordResult {
  /** Result of the statement `resultOf`, if that was set. */
  readonly result?: StatementResult;
}

/** Form from thread to thread: a number, the result of a statement, or a fault as a string. */
export type JobResult = number | string | StatementResult;

export function writeResult({ outcome, used, result }: JobDone): JobResult {
  return result ?? (outcome === 'recorded' ? used : -1 - used);
}

/** Reads what `writeResult` wrote; returns a fault as it is. */
export function readResult(result: JobResult): JobDone | string {
  if (typeof result === 'string') return result;
  if (typeof result === 'object') return { outcome: 'recorded', used: 0, result };
  return result >= 0
    ? { outcome: 'recorded', used: result }
    : { outcome: 'quota_exceeded', used: -1 - result };
}

/** Fault of a job that was not begun, because nobody waits for it any more. */
export const TOO_LATE = 'GATEHOUSE_LATE it was too late to begin';

/** SQLite's code, then its message. */
export function writeFault(error: Error): string {
  return `${(error as { code?: string }).code ?? 'ERROR'} ${error.message}`;
}

export function readFault(fault: string): { code: string; message: string } {
  const space = fault.indexOf(' ');
  return { code: fault.slice(0, space), message: fault.slice(space + 1) };
}

export interface CommittedBatch {
  /** In the order in which the jobs were handed over, the oldest ones first. */
  readonly results: readonly JobResult[];
  /** Time the batch took in the writer, milliseconds. */
  readonly milliseconds: number;
}

/** Clock that is the same in every thread, and that no wall clock moves. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}

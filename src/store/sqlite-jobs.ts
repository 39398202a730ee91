/** Jobs for the writer of SQLite, and their results. */
import type { SqlStatement, SqlValue } from './sql-database.ts';
import type { AssessmentRecord, RecordResult } from './store.ts';

export type SqliteRow = Record<string, SqlValue>;

/** An assessment is a job as it is. */
export type Job = AssessmentRecord | StatementsJob;

/** Statements that succeed or fail together. Their values are `?` or `?1`: `toSqlite` rewrites shared ones. */
export interface StatementsJob {
  readonly statements: readonly SqlStatement[];
  /** Index of the statement whose result is the answer. */
  readonly resultOf?: number;
  /** Query that gives no row if nothing shall be done; then the job has no result. */
  readonly condition?: SqlStatement;
  /** Assessments to erase, before the statements. */
  readonly erased?: readonly string[];
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

export interface JobQueue {
  /**
   * Resolves after the commit. @throws when the job failed, took too long or the writer died; Problem `storage_full`, or
   * `unavailable` when too much is waiting or it waited too long: then it was never sent
   */
  submit(job: Job): Promise<JobDone>;
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

/** What the main thread asks of the writer thread, and what it hears back. */

export type SqlValue = string | number | null;

export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/**
 * One assessment: its columns, then its two documents, then what its credit needs. A plain list, because it goes
 * from thread to thread and a list is copied in half the time of an object.
 */
export type RecordJob = readonly [
  ...columns: SqlValue[],
  body: string,
  evidence: string,
  month: string,
  /** Credits to charge: 1 for a live assessment, 0 for a sandbox one. */
  charge: 0 | 1,
  cap: number | null,
];

/** Statements that succeed or fail together. Where `unless` finds a row, nothing runs. */
export interface StatementsJob {
  readonly statements: readonly Statement[];
  readonly unless?: string;
}

export type Job = RecordJob | StatementsJob;

export function isRecord(job: Job): job is RecordJob {
  return Array.isArray(job);
}

/** What became of a job. `used`: credits after a record. */
export interface JobDone {
  readonly done: boolean;
  readonly used: number;
}

/** As it goes from thread to thread: a number, or the message of a fault as a string. */
export type JobResult = number | string;

export function writeResult({ done, used }: JobDone): number {
  return done ? used : -1 - used;
}

/** What `writeResult` wrote; a fault's message as it is. */
export function readResult(result: JobResult): JobDone | string {
  if (typeof result === 'string') return result;
  return result >= 0 ? { done: true, used: result } : { done: false, used: -1 - result };
}

export interface CommittedBatch {
  /** In the order in which the jobs were handed over, the oldest ones first. */
  readonly results: readonly JobResult[];
  /** Time the batch took in the writer, milliseconds. */
  readonly milliseconds: number;
}

export const ASSESSMENT_COLUMNS = [
  'request_id',
  'account_id',
  'key_id',
  'mode',
  'at',
  'verdict',
  'score',
  'reasons',
  'email_domain',
  'address_hash',
  'mailbox_hash',
  'email_masked',
  'email',
  'ip',
  'network',
  'country_code',
  'asn',
  'session_id',
] as const;

/** What the main thread asks of the writer thread, and what it hears back. */

export type SqlValue = string | number | null;

export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** One assessment: the parameters of its two rows in column order, and whose credit to charge. */
export interface RecordJob {
  readonly kind: 'record';
  readonly row: readonly SqlValue[];
  readonly body: string;
  readonly evidence: string;
  readonly accountId: string;
  readonly month: string;
  /** Credits to charge: 1 for a live assessment, 0 for a sandbox one. */
  readonly charge: 0 | 1;
  readonly cap: number | null;
}

/** Statements that succeed or fail together. Where `unless` finds a row, nothing runs. */
export interface StatementsJob {
  readonly kind: 'statements';
  readonly statements: readonly Statement[];
  readonly unless?: string;
}

export type Job = RecordJob | StatementsJob;

export type JobResult =
  /** `used`: credits after a record. */
  { readonly done: boolean; readonly used: number } | { readonly error: string };

export interface CommittedBatch {
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

/** The port for the queue of mistakes: which reports somebody has dealt with. */
import type { AuditEntries } from './audit-store.ts';

/** A report as a page shows it: a later one about the same signup is another. */
export interface ReportOfSignup {
  readonly requestId: string;
  /** Time of the report, milliseconds since the epoch. */
  readonly at: number;
}

/** Closing of a report. Its time is in milliseconds since the epoch, and not before that of the report. */
export interface ReportClosing {
  readonly at: number;
  readonly by: string;
}

export interface MistakeStore {
  /** Closes reports of an account, at most a hundred. @returns those that were open, and were not replaced by a later report */
  closeReports(
    accountId: string,
    reports: readonly ReportOfSignup[],
    closing: ReportClosing,
    ...audit: AuditEntries
  ): Promise<readonly string[]>;
  /** Opens reports that were closed at a time. @returns those that were */
  reopenReports(
    accountId: string,
    reports: readonly ReportOfSignup[],
    closedAt: number,
    ...audit: AuditEntries
  ): Promise<readonly string[]>;
}

/** The port for appeals: what people who were stopped wrote about it. */
import type { KeyMode } from '../model/key-mode.ts';
import type { AuditEntries } from './audit-store.ts';
import type { ReportClosing, ReportOfSignup } from './mistake-store.ts';

/** Times are milliseconds since the epoch. */
export interface StoredAppeal {
  readonly requestId: string;
  readonly accountId: string;
  readonly mode: KeyMode;
  /** Encrypted: it is personal. */
  readonly text: string;
  readonly at: number;
  /** Time from which on it is not shown any more, and removed. */
  readonly expiresAt: number;
  /** Absent while it is open. */
  readonly closed?: ReportClosing | undefined;
}

export interface AppealSearch {
  readonly mode: KeyMode;
  readonly since: number;
  readonly now: number;
}

export interface AppealStore {
  /** Stores an appeal, or replaces the one of the same signup. @returns false, and stores nothing, after `maxTimes` */
  saveAppeal(appeal: Omit<StoredAppeal, 'closed'>, maxTimes: number): Promise<boolean>;
  findAppeal(accountId: string, requestId: string, now: number): Promise<StoredAppeal | undefined>;
  /** Newest first. */
  appeals(accountId: string, search: AppealSearch, limit: number): Promise<readonly StoredAppeal[]>;
  /** Closes appeals of an account, at most a hundred. @returns those that were open, and were not replaced by a later text */
  closeAppeals(
    accountId: string,
    appeals: readonly ReportOfSignup[],
    closing: ReportClosing,
    ...audit: AuditEntries
  ): Promise<readonly string[]>;
  /** Opens appeals that were closed at a time. @returns those that were */
  reopenAppeals(
    accountId: string,
    requestIds: readonly string[],
    closedAt: number,
    ...audit: AuditEntries
  ): Promise<readonly string[]>;
  /** Removes those that are over, at most `maxPruned`. @returns how many */
  pruneAppeals(now: number, maxPruned: number): Promise<number>;
}

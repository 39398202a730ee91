/** The port for deleting an account with everything that belongs to it: marked first, then removed in small steps. */
import { createHash } from 'node:crypto';
import type { AuditEntries } from './audit-store.ts';

/** Counts of what is stored of an account, beside its assessments. */
export interface AccountContents {
  readonly keys: number;
  readonly hooks: number;
  /** Tokens of the management API, for this account alone. */
  readonly tokens: number;
  readonly listEntries: number;
  readonly campaigns: number;
  readonly policies: number;
  readonly feedback: number;
  readonly challenges: number;
  readonly auditEntries: number;
  readonly members: number;
  /** Members who belong to no other account and are no operators: they are deleted with it. */
  readonly users: number;
  readonly invitations: number;
  /** Live assessments that were charged, of all months. */
  readonly credits: number;
}

export interface AccountDeletion {
  /** Time at which it began, milliseconds since the epoch. */
  readonly at: number;
  readonly isDone: boolean;
}

export interface AccountDeletionStore {
  accountContents(accountId: string): Promise<AccountContents>;
  /**
   * Begins a deletion: the account is no longer among those of `changesSince`, and its keys, hooks, tokens, policies,
   * memberships, invitations and the users who belong to no other account are gone. Everything else is removed by the
   * steps below, which go on after a restart. Nothing happens where there is no such account, or its deletion has begun.
   * @param at milliseconds since the epoch
   */
  beginAccountDeletion(accountId: string, at: number, ...audit: AuditEntries): Promise<void>;
  /** `undefined`: it never began. */
  findAccountDeletion(accountId: string): Promise<AccountDeletion | undefined>;
  /** Ids of the accounts that are being deleted. */
  unfinishedDeletions(): Promise<readonly string[]>;
  /** Removes at most `maxRows` rows of each table but those of assessments. @returns whether there were any */
  removeAccountRows(accountId: string, maxRows: number): Promise<boolean>;
  /**
   * Removes some of its assessments, and at the first call of a pass all of them from the index. In the embedded store only
   * the process that serves may call it, or one that has the data folder for itself. @returns whether the pass is over:
   * the next call begins another from the start
   */
  removeAccountAssessments(accountId: string): Promise<boolean>;
  /**
   * Removes the account itself with its credits; only the hash of its id stays.
   * @returns false: something was stored meanwhile, which must be removed first
   */
  finishAccountDeletion(accountId: string): Promise<boolean>;
  /** Names of cached texts between two, both exclusive, at most `limit`; `found`: whether the text has `part`. */
  cachedTextsWith(
    part: string,
    range: { readonly after: string; readonly to: string },
    limit: number,
  ): Promise<readonly { readonly name: string; readonly found: boolean }[]>;
}

/** Hash that stays of a deleted account: says of a known id whether it was this one. */
export function hashOfAccount(accountId: string): string {
  return createHash('sha256').update(accountId).digest('hex');
}

/** The port for mailboxes with several addresses: which of them signed up within the last months, by keyed hashes alone. */
import type { MailboxAddress, MailboxUse } from '../model/mailbox-address.ts';

/** Report of a live signup. */
export interface MailboxReport extends MailboxUse {
  /** Whether it is about a good customer. */
  readonly isGood: boolean;
}

export interface MailboxStore {
  /**
   * Notes uses, at most 1,000, each address once; the same again changes nothing. Left out is what an account had that is
   * not there, and what an erasure covers that was noted since: so a use that is stored late brings back no erased person.
   */
  saveMailboxUses(uses: readonly MailboxUse[]): Promise<void>;
  /** Notes the newest report about an address; one about a good customer also where no use of it is known. */
  saveMailboxReport(report: MailboxReport): Promise<void>;
  /** Grows with every change, by any process. Cheap: asked several times a second. */
  mailboxesVersion(): Promise<number>;
  /** Grows when an erasure removed addresses, which are not named: what was read before must be read from the beginning. */
  mailboxRemovalsVersion(): Promise<number>;
  /**
   * All addresses of each mailbox of which one was saved after a version, where the mailbox has at least two; lets other
   * work go on between many.
   */
  mailboxChangesSince(version: number): AsyncIterable<MailboxAddress>;
  /** Addresses whose own hash, or whose mailbox's, is one of these. */
  mailboxAddresses(accountId: string, hashes: readonly string[]): Promise<readonly MailboxAddress[]>;
  /** Removes these, if they were not used after a day. */
  removeMailboxAddresses(accountId: string, hashes: readonly string[], untilDay: number): Promise<void>;
  /** Number of those that were used up to a day, in all accounts: the key of their hashes is still needed. */
  countMailboxAddresses(untilDay: number): Promise<number>;
  /** Removes those that were not used since a day. @returns how many */
  pruneMailboxAddresses(beforeDay: number, maxPruned: number): Promise<number>;
}

/** Record of a mailbox that has several addresses: each of them by keyed hashes, and the day of its latest use. */

const DAY_MS = 86_400_000;

/** One signup with an address of a mailbox. */
export interface MailboxUse {
  readonly accountId: string;
  /** Keyed hashes. */
  readonly mailbox: string;
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Whether it was answered with `block`. */
  readonly isBlocked: boolean;
}

export interface MailboxAddress extends Omit<MailboxUse, 'at'> {
  /** Day of its latest use, since the epoch. */
  readonly lastDay: number;
  /** Whether all its uses were answered with `block`. */
  readonly isBlocked: boolean;
  /** Whether a signup with it was reported as a good customer's. */
  readonly isGood: boolean;
}

/** The day of an instant, since the epoch. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** Max. addresses of a mailbox that are counted, besides the one that is being assessed. */
export const MAX_MAILBOX_ADDRESSES = 128;

/** Decides which addresses of a mailbox are worth keeping: all of a mailbox that signed up with another spelling than its own. */
import { dayOf, type MailboxUse } from '../model/mailbox-address.ts';
import { keyOfText } from './group-key.ts';
import { SeenMailboxes } from './seen-mailboxes.ts';
import type { WaveMember } from './wave-member.ts';

export interface MailboxLearnerOptions {
  /** Days that count. */
  readonly days: number;
  /** Memory for the mailboxes that came, bytes. */
  readonly bytes: number;
}

/** Memory of a service for mailboxes of all its accounts, bytes. */
export const MAILBOX_BYTES = 14_000_000;
/** Share of the memory for mailboxes that came with another spelling. */
const OTHERS = 1 / 8;
const DAY_MS = 86_400_000;

/**
 * Nearly all people sign up with the address of their mailbox itself. For these only a print is remembered, which no store
 * needs: the address is worth keeping once the mailbox has another one, whichever of the two came first.
 */
export class MailboxLearner {
  readonly #days: number;
  /** Mailboxes that came as they are. */
  readonly #plain: SeenMailboxes;
  /** Mailboxes that came with another spelling. */
  readonly #others: SeenMailboxes;
  #changed = new Map<string, MailboxUse>();

  constructor({ days, bytes }: MailboxLearnerOptions) {
    this.#days = days;
    this.#plain = new SeenMailboxes(bytes * (1 - OTHERS));
    this.#others = new SeenMailboxes(bytes * OTHERS);
  }

  /** Learns of a live signup that was stored; in about the order of their times. */
  learn({ accountId, mailbox, addressHash: address, at, isBlocked }: WaveMember): void {
    const print = keyOfText(`${accountId} ${mailbox}`).low;
    const day = dayOf(at);
    const isPlain = address === mailbox;
    (isPlain ? this.#plain : this.#others).note(print, day, isBlocked);
    if (!isPlain || this.#others.dayOf(print) > day - this.#days)
      this.#change({ accountId, mailbox, address, at, isBlocked });
    const plainDay = isPlain ? 0 : this.#plain.dayOf(print);
    if (plainDay > day - this.#days)
      this.#change({
        accountId,
        mailbox,
        address: mailbox,
        at: plainDay * DAY_MS,
        isBlocked: this.#plain.isBlocked(print),
      });
  }

  /** Uses to be stored since the last call, each address once. The same members again give the same. */
  takeChanged(): MailboxUse[] {
    const changed = [...this.#changed.values()];
    if (changed.length > 0) this.#changed = new Map();
    return changed;
  }

  #change(use: MailboxUse): void {
    mergeUse(this.#changed, use);
  }
}

/** Adds a use to those of other addresses, by address. */
export function mergeUse(uses: Map<string, MailboxUse>, use: MailboxUse): void {
  const key = `${use.accountId} ${use.mailbox} ${use.address}`;
  const known = uses.get(key);
  if (known === undefined) uses.set(key, use);
  else {
    const isBlocked = known.isBlocked && use.isBlocked;
    uses.set(key, { ...use, at: Math.max(known.at, use.at), isBlocked });
  }
}

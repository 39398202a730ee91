/** One counted attempt: its counts and voices, and how to remove it again or mark it as blocked. */
import {
  BURST,
  type Crowd,
  type MailboxVoices,
  noneBlocked,
  plainCrowd,
  type VelocityCounts,
  type VelocityVoices,
} from '../../model/velocity-event.ts';
import type { Reservation } from '../counters.ts';
import type { AccountAttempts } from './account-attempts.ts';

/** The part that counted the attempt. */
interface Counting {
  undo(account: AccountAttempts, record: number, serial: number): void;
}

export class MemoryReservation implements Reservation, VelocityVoices {
  readonly counts: VelocityCounts;
  readonly #velocity: Counting;
  readonly #account: AccountAttempts;
  readonly #record: number;
  readonly #serial: number;
  readonly #olderMailboxes: readonly string[] | undefined;
  #undone = false;

  constructor(
    velocity: Counting,
    account: AccountAttempts,
    record: number,
    serial: number,
    olderMailboxes?: readonly string[],
  ) {
    this.counts = account.countsOf(record, olderMailboxes);
    this.#velocity = velocity;
    this.#account = account;
    this.#record = record;
    this.#serial = serial;
    this.#olderMailboxes = olderMailboxes;
  }

  /** No object of its own: few are asked for theirs. */
  get voices(): VelocityVoices {
    return this;
  }

  networkMailboxes1h(): Crowd {
    const { network1h } = this.counts;
    if (network1h < BURST.network1h) return plainCrowd(network1h);
    return this.#account.networkMailboxes(this.#record, this.#serial);
  }

  domainVoices1h(): Crowd {
    const { domain1h } = this.counts;
    if (domain1h < BURST.domain1h) return plainCrowd(domain1h);
    return this.#account.domainVoices(this.#record, this.#serial);
  }

  mailboxVoices24h(): MailboxVoices {
    const { mailbox24h } = this.counts;
    if (mailbox24h < BURST.mailbox24h) return { own: noneBlocked(mailbox24h), others: noneBlocked(0) };
    return this.#account.mailboxVoices(this.#record, this.#serial, this.#olderMailboxes);
  }

  async undo(): Promise<void> {
    if (this.#undone) return;
    this.#undone = true;
    this.#velocity.undo(this.#account, this.#record, this.#serial);
  }

  async markBlocked(): Promise<void> {
    this.#account.markBlocked(this.#record, this.#serial);
  }
}

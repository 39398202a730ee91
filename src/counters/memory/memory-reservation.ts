/** One counted attempt: its counts, and how to remove it again. */
import type { VelocityCounts } from '../../model/velocity-event.ts';
import type { Reservation } from '../counters.ts';
import type { AccountAttempts } from './account-attempts.ts';

/** What counted it. */
interface Counting {
  undo(account: AccountAttempts, record: number, serial: number): void;
}

export class MemoryReservation implements Reservation {
  readonly counts: VelocityCounts;
  readonly #velocity: Counting;
  readonly #account: AccountAttempts;
  readonly #record: number;
  readonly #serial: number;
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
  }

  async undo(): Promise<void> {
    if (this.#undone) return;
    this.#undone = true;
    this.#velocity.undo(this.#account, this.#record, this.#serial);
  }
}

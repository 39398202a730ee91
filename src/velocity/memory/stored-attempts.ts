/** Decides how stored attempts are counted again at a start: noted one after the other, then counted all at once, which costs a fraction of counting each. */
import type { AttemptColumns, VelocityEvent } from '../../model/velocity-event.ts';
import type { AccountAttempts } from './account-attempts.ts';
import type { DistinctCounts } from './distinct-counts.ts';

const FIRST_ROOM = 4_096;

export class StoredAttempts {
  readonly #counts: DistinctCounts;
  readonly #accounts = new Set<AccountAttempts>();
  readonly #steps: Generator<undefined, void>;
  #records = new Int32Array(FIRST_ROOM);
  #length = 0;

  /** @param counts empty */
  constructor(counts: DistinctCounts) {
    this.#counts = counts;
    this.#steps = this.#countAll();
  }

  get accounts(): Iterable<AccountAttempts> {
    return this.#accounts;
  }

  /** Stores one attempt, which is not counted yet. @param account one whose `takesStored` accepts the attempt */
  note(account: AccountAttempts, attempt: VelocityEvent, serial: number): void {
    const record = account.addStored(attempt.at, serial);
    this.#counts.note(record, account.number, attempt);
    this.#keep(account, record);
  }

  /** Notes one of the attempts of columns. */
  noteColumns(
    account: AccountAttempts,
    at: number,
    serial: number,
    columns: AttemptColumns,
    index: number,
  ): void {
    const record = account.addStored(at, serial);
    this.#counts.noteColumns(record, account.number, columns, index);
    this.#keep(account, record);
  }

  #keep(account: AccountAttempts, record: number): void {
    if (this.#length === this.#records.length) {
      const records = new Int32Array(2 * this.#length);
      records.set(this.#records);
      this.#records = records;
    }
    this.#records[this.#length] = record;
    this.#length += 1;
    this.#accounts.add(account);
  }

  /** Counts some of them, for a few milliseconds, after all were noted. Returns whether there is more to do. */
  count(): boolean {
    return this.#steps.next().done !== true;
  }

  *#countAll(): Generator<undefined, void> {
    for (const account of this.#accounts) yield* account.countStored();
    yield* this.#counts.enterAll(this.#records.subarray(0, this.#length));
  }
}

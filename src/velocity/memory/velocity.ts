/** Decides which accounts are in memory, what is forgotten when memory is full, and when expired attempts are removed. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AttemptColumns, VelocityEvent } from '../../model/velocity-event.ts';
import type { AttemptChunks, Reservation } from '../counters.ts';
import { AccountAttempts, releaseAttempt, type VelocityMemory } from './account-attempts.ts';
import { DistinctCounts } from './distinct-counts.ts';
import { KeyedHash } from './keyed-hash.ts';
import { LargestFirst } from './largest-first.ts';
import { MemoryReservation } from './memory-reservation.ts';
import { NONE, RecordPool, recordsBelow, recordsWithin, velocityBytes } from './record-pool.ts';
import { serialAfter } from './serial.ts';
import { StoredAttempts } from './stored-attempts.ts';
import { eventAt, isColumns } from './stored-columns.ts';
import { Voices } from './voices.ts';

/** Accounts checked plus attempts moved in one sweep. */
const SWEEP_STEPS = 1024;

export class Velocity {
  readonly #maxBytes: number;
  readonly #pool = new RecordPool();
  readonly #counts: DistinctCounts;
  readonly #memory: VelocityMemory;
  readonly #accounts = new Map<string, AccountAttempts>();
  readonly #bySize = new LargestFirst<AccountAttempts>();
  #cursor = this.#accounts.values();
  /** The account that the last sweep did not finish. */
  #unfinished: AccountAttempts | undefined;
  /** Chains of attempts that no longer count; their records are released in small steps. */
  readonly #discarded: number[] = [];
  #serial = -1;
  #accountNumber = 0;
  #attempts = 0;
  #forgotten = 0;
  #restoring = 0;
  /** Attempts of a restore that are not counted yet. */
  #stored: StoredAttempts | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#counts = new DistinctCounts(this.#pool, new KeyedHash(), recordsBelow(maxBytes));
    this.#memory = {
      pool: this.#pool,
      counts: this.#counts,
      voices: new Voices(this.#pool),
      nextAccountNumber: () => {
        this.#accountNumber += 1;
        return this.#accountNumber;
      },
      discard: (first) => this.#discarded.push(first),
    };
  }

  get accounts(): number {
    return this.#accounts.size;
  }

  get attempts(): number {
    return this.#attempts;
  }

  /** Attempts forgotten too early because memory was full, since the start. */
  get forgotten(): number {
    return this.#forgotten;
  }

  get bytes(): number {
    return velocityBytes(this.#pool.bytes + this.#counts.bytes, this.#accounts.size);
  }

  /** Keys moved within the tables since the start: the cost of growing and shrinking. */
  get moves(): number {
    return this.#counts.moves;
  }

  count(attempt: VelocityEvent): Reservation {
    this.#countStored();
    const account = this.#open(attempt.account);
    const serial = this.#nextSerial();
    const record = this.#add(account, attempt, serial);
    return new MemoryReservation(this, account, record, serial, attempt.olderMailboxes);
  }

  undo(account: AccountAttempts, record: number, serial: number): void {
    this.#change(account, () => account.undo(record, serial));
  }

  async restore(chunks: AttemptChunks): Promise<void> {
    // A sweep would move the windows to the present, but restored attempts come from earlier times.
    this.#restoring += 1;
    if (this.#pool.used === 0) this.#stored = new StoredAttempts(this.#counts);
    const opened: (AccountAttempts | undefined)[] = [];
    try {
      for await (const attempts of chunks) {
        if (isColumns(attempts)) this.#restoreColumns(attempts, opened);
        else for (const attempt of attempts) this.#restoreOne(attempt);
        await yieldToEventLoop();
      }
      while (this.#stored?.count() === true) await yieldToEventLoop();
    } finally {
      this.#countStored();
      this.#restoring -= 1;
    }
  }

  /** A sweep frees the rest of it. */
  removeAccount(id: string): void {
    this.#countStored();
    const account = this.#accounts.get(id);
    if (account !== undefined) this.#change(account, () => account.removeAll());
  }

  /** Removes expired attempts, a bounded number at a time. Returns whether accounts are left to check. `now`: milliseconds since the epoch. */
  sweep(now: number): boolean {
    if (this.#restoring > 0) return true;
    let steps = 0;
    while (steps < SWEEP_STEPS && this.#releaseDiscarded()) steps += 1;
    while (steps < SWEEP_STEPS) {
      const account = this.#unfinished ?? this.#cursor.next().value;
      if (account === undefined) {
        this.#cursor = this.#accounts.values();
        return false;
      }
      const remaining = SWEEP_STEPS - steps;
      steps += 1 + this.#change(account, () => account.advance(now, remaining));
      const idle = account.isIdle(now);
      if (idle) {
        this.#accounts.delete(account.id);
        this.#bySize.remove(account);
      }
      this.#unfinished = idle || steps < SWEEP_STEPS ? undefined : account;
    }
    return true;
  }

  #restoreOne(attempt: VelocityEvent): void {
    const account = this.#open(attempt.account);
    const serial = this.#nextSerial();
    if (this.#stored !== undefined && this.#hasRoom() && account.takesStored(attempt.at)) {
      this.#stored.note(account, attempt, serial);
      return;
    }
    this.#countStored();
    this.#add(account, attempt, serial);
  }

  /** @param opened accounts by their places, of this restore */
  #restoreColumns(attempts: AttemptColumns, opened: (AccountAttempts | undefined)[]): void {
    // Apart from the object, whose shape may change from chunk to chunk: the loop would be compiled again.
    const { length, accounts, account: places, at, marks, bytes, keys } = attempts;
    const columns = { length, accounts, account: places, at, marks, bytes, keys };
    while (opened.length < accounts.length) opened.push(undefined);
    for (let index = 0; index < length; index += 1) {
      const place = places[index] as number;
      const account = opened[place] ?? this.#open(accounts[place] as string);
      opened[place] = account;
      const time = at[index] as number;
      if (this.#stored !== undefined && this.#hasRoom() && account.takesStored(time))
        this.#stored.noteColumns(account, time, this.#nextSerial(), columns, index);
      else this.#restoreOne(eventAt(attempts, index));
    }
  }

  #hasRoom(): boolean {
    return this.#pool.used < recordsWithin(this.#maxBytes, this.#accounts.size);
  }

  /** Ends what a restore has begun: from now on attempts are counted one after the other. */
  #countStored(): void {
    const stored = this.#stored;
    if (stored === undefined) return;
    while (stored.count());
    for (const account of stored.accounts) {
      this.#attempts += account.length;
      this.#bySize.update(account);
    }
    this.#stored = undefined;
  }

  #open(id: string): AccountAttempts {
    let account = this.#accounts.get(id);
    if (account === undefined) {
      account = new AccountAttempts(id, this.#memory);
      this.#accounts.set(id, account);
      this.#bySize.add(account);
    }
    return account;
  }

  #add(account: AccountAttempts, attempt: VelocityEvent, serial: number): number {
    // Not by functions for `#change`: each attempt would make them.
    const before = account.length;
    account.advance(attempt.at);
    this.#changed(account, before);
    this.#makeRoom();
    const rest = account.length;
    const record = account.add(attempt, serial);
    this.#changed(account, rest);
    return record;
  }

  /** Makes room for one more attempt: the largest account forgets its oldest, even if it is the account of this attempt. */
  #makeRoom(): void {
    const maxRecords = recordsWithin(this.#maxBytes, this.#accounts.size) - 1;
    while (this.#pool.used > maxRecords) {
      if (this.#releaseDiscarded()) continue;
      const largest = this.#bySize.largest;
      if (largest === undefined || largest.length === 0) return;
      if (this.#change(largest, () => largest.forgetOldest())) this.#forgotten += 1;
    }
  }

  #releaseDiscarded(): boolean {
    const first = this.#discarded.pop();
    if (first === undefined) return false;
    const next = releaseAttempt(this.#memory, first);
    if (next !== NONE) this.#discarded.push(next);
    return true;
  }

  #nextSerial(): number {
    this.#serial = serialAfter(this.#serial);
    return this.#serial;
  }

  /** Runs `work`, which may change the size of the account. */
  #change<T>(account: AccountAttempts, work: () => T): T {
    const before = account.length;
    const result = work();
    this.#changed(account, before);
    return result;
  }

  #changed(account: AccountAttempts, before: number): void {
    this.#attempts += account.length - before;
    // An account that was removed has no place.
    if (account.place >= 0) this.#bySize.update(account);
  }
}

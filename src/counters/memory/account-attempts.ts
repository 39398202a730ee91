/** Decides what one account's counts are at a moment: which attempts are within its hour, its day, or neither. */
import type { VelocityCounts, VelocityEvent } from '../../model/velocity-event.ts';
import { wasSetBack } from '../clock-step.ts';
import type { AttemptKeys, DistinctCounts } from './distinct-counts.ts';
import { NONE, type RecordPool } from './record-pool.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The words of an attempt's record. */
const TIME = 0;
const ADDRESS = 1;
const MAILBOX = 2;
const NETWORK = 3;
const NEXT = 4;
const SERIAL = 5;
/** Stored instead of an address: the attempt was undone. */
const UNDONE = -1;

/** What all accounts of a process share. */
export interface VelocityMemory {
  readonly pool: RecordPool;
  readonly counts: DistinctCounts;
  /** A number that no other account's keys are hashed with. */
  nextAccountNumber(): number;
  /** Takes a chain of attempts that no longer belong to an account. */
  discard(first: number): void;
}

export class AccountAttempts {
  readonly id: string;
  /** Records that its attempts and their keys take up. */
  records = 0;
  /** Its place among the accounts by size. */
  place = NONE;
  readonly #memory: VelocityMemory;
  #number: number;
  /** Attempts in memory, without undone ones. */
  #length = 0;
  /** A chain of attempts by time: the oldest, the oldest within the hour, and the newest. */
  #first = NONE;
  #firstInHour = NONE;
  #last = NONE;
  #now = Number.NEGATIVE_INFINITY;
  /** How far the clock was set back in total. Records keep the time plus this, which never goes back. */
  #setBack = 0;
  #newest = Number.NEGATIVE_INFINITY;
  #partialUntil = Number.NEGATIVE_INFINITY;

  constructor(id: string, memory: VelocityMemory) {
    this.id = id;
    this.#memory = memory;
    this.#number = memory.nextAccountNumber();
  }

  get length(): number {
    return this.#length;
  }

  /** Moves both windows to `now`, in at most `maxSteps` steps. Returns the number of steps. */
  advance(now: number, maxSteps = Number.POSITIVE_INFINITY): number {
    if (now > this.#now) this.#now = now;
    else if (wasSetBack(now, this.#now)) this.#shift(now);
    if (this.#first === NONE) return 0;
    if (this.#now - this.#newest >= DAY_MS) {
      this.#clear();
      return 1;
    }
    let steps = 0;
    while (steps < maxSteps && this.#firstInHour !== NONE && this.#ageOf(this.#firstInHour) >= HOUR_MS) {
      this.#leaveHour();
      steps += 1;
    }
    while (steps < maxSteps && this.#first !== this.#firstInHour && this.#ageOf(this.#first) >= DAY_MS) {
      this.#leaveDay();
      steps += 1;
    }
    return steps;
  }

  /** Counts an attempt at the time `advance` has reached and returns its record. */
  add(attempt: VelocityEvent, serial: number): number {
    const { pool, counts } = this.#memory;
    const before = pool.used;
    const { address, mailbox, network } = counts.enter(this.#number, attempt);
    const record = pool.take();
    pool.set(record, TIME, (this.#now + this.#setBack) | 0);
    pool.set(record, ADDRESS, address);
    pool.set(record, MAILBOX, mailbox);
    pool.set(record, NETWORK, network);
    pool.set(record, NEXT, NONE);
    pool.set(record, SERIAL, serial);
    if (this.#last === NONE) this.#first = record;
    else pool.set(this.#last, NEXT, record);
    if (this.#firstInHour === NONE) this.#firstInHour = record;
    this.#last = record;
    this.#newest = this.#now;
    this.#length += 1;
    this.records += pool.used - before;
    return record;
  }

  /** Makes room by forgetting the oldest attempt too early. Returns whether it was still counted. */
  forgetOldest(): boolean {
    const counted = this.#isCounted(this.#first);
    if (counted) this.#partialUntil = this.#now - this.#ageOf(this.#first) + DAY_MS;
    if (this.#first === this.#firstInHour) this.#leaveHour();
    this.#leaveDay();
    return counted;
  }

  /** The counts of an attempt that was just added. */
  countsOf(record: number): VelocityCounts {
    const { keys } = this.#memory.counts;
    const { address, mailbox, network } = this.#keysOf(record);
    const domain = this.#memory.counts.domainOf(address);
    return {
      network1h: network === NONE ? 0 : keys.hour(network),
      network24h: network === NONE ? 0 : keys.day(network),
      domain1h: keys.hour(domain),
      domain24h: keys.day(domain),
      mailbox24h: keys.day(mailbox),
      partial: this.#now < this.#partialUntil,
    };
  }

  /** Undoes an attempt if it is still in memory: the serial shows whether the record is still the attempt's own. */
  undo(record: number, serial: number): void {
    const { pool, counts } = this.#memory;
    if (pool.get(record, SERIAL) !== serial || !this.#isCounted(record)) return;
    // The record may also be in a discarded chain that waits for its release.
    if (this.#first === NONE || !isNoEarlier(serial, pool.get(this.#first, SERIAL))) return;
    const before = pool.used;
    const keys = this.#keysOf(record);
    if (this.#isWithinHour(record)) counts.leaveHour(keys);
    counts.leaveDay(keys);
    pool.set(record, ADDRESS, UNDONE);
    this.#length -= 1;
    this.records += pool.used - before;
    if (this.#length === 0) this.#clear();
  }

  /** Whether the account can be removed without losing anything. */
  isIdle(now: number): boolean {
    return this.#length === 0 && now >= this.#partialUntil;
  }

  /** The clock was set back to `now`: everything keeps its age. */
  #shift(now: number): void {
    const back = this.#now - now;
    this.#setBack += back;
    this.#newest -= back;
    this.#partialUntil -= back;
    this.#now = now;
  }

  /**
   * Removes all attempts. A new number makes the old keys unreachable, so that the records can be released later, a few at
   * a time.
   */
  #clear(): void {
    this.#memory.discard(this.#first);
    this.#number = this.#memory.nextAccountNumber();
    this.#first = NONE;
    this.#firstInHour = NONE;
    this.#last = NONE;
    this.#length = 0;
    this.records = 0;
  }

  /** Attempts in memory are at most two days old, so 32 bits of the time are enough. */
  #ageOf(record: number): number {
    return (this.#now + this.#setBack - this.#memory.pool.get(record, TIME)) >>> 0;
  }

  #isWithinHour(record: number): boolean {
    if (this.#firstInHour === NONE) return false;
    const first = this.#memory.pool.get(this.#firstInHour, SERIAL);
    return isNoEarlier(this.#memory.pool.get(record, SERIAL), first);
  }

  #leaveHour(): void {
    const record = this.#firstInHour;
    if (this.#isCounted(record)) this.#memory.counts.leaveHour(this.#keysOf(record));
    this.#firstInHour = this.#memory.pool.get(record, NEXT);
  }

  #leaveDay(): void {
    const { pool, counts } = this.#memory;
    const record = this.#first;
    const before = pool.used;
    this.#first = pool.get(record, NEXT);
    if (this.#first === NONE) this.#last = NONE;
    if (this.#isCounted(record)) {
      counts.leaveDay(this.#keysOf(record));
      this.#length -= 1;
    }
    pool.give(record);
    this.records += pool.used - before;
    if (this.#length === 0 && this.#first !== NONE) this.#clear();
  }

  #isCounted(record: number): boolean {
    return this.#memory.pool.get(record, ADDRESS) !== UNDONE;
  }

  #keysOf(record: number): AttemptKeys {
    const { pool } = this.#memory;
    return {
      address: pool.get(record, ADDRESS),
      mailbox: pool.get(record, MAILBOX),
      network: pool.get(record, NETWORK),
    };
  }
}

/** Serials count up from the lowest 32-bit number to -1 and start again. A key's record never has such a number in that word. */
export function serialAfter(serial: number): number {
  return (serial + 1) | 0x8000_0000;
}

function isNoEarlier(serial: number, other: number): boolean {
  return (serial - other) << 1 >= 0;
}

/** Releases the first attempt of a discarded chain and the keys that only it used. Returns the rest of the chain. */
export function releaseAttempt(
  { pool, counts }: Pick<VelocityMemory, 'pool' | 'counts'>,
  record: number,
): number {
  const address = pool.get(record, ADDRESS);
  if (address !== UNDONE)
    counts.leaveDay({ address, mailbox: pool.get(record, MAILBOX), network: pool.get(record, NETWORK) });
  const next = pool.get(record, NEXT);
  pool.give(record);
  return next;
}

/** Decides what one account's counts are at a moment: which attempts are within its hour, its day, or neither. */
import {
  type Crowd,
  type MailboxVoices,
  noneBlocked,
  plainCrowd,
  type VelocityCounts,
  type VelocityEvent,
} from '../../model/velocity-event.ts';
import { wasSetBack } from '../clock-step.ts';
import { BLOCKED, FLAGS, NEXT, SERIAL, TIME, UNDONE } from './attempt-record.ts';
import type { DistinctCounts } from './distinct-counts.ts';
import { NONE, type RecordPool } from './record-pool.ts';
import { isNoEarlier } from './serial.ts';
import type { Voices } from './voices.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const STORED_A_STEP = 65_536;

/** Memory that all accounts of a process share. */
export interface VelocityMemory {
  readonly pool: RecordPool;
  readonly counts: DistinctCounts;
  readonly voices: Voices;
  /** A number that no other account's keys are hashed with. */
  nextAccountNumber(): number;
  /** Takes a chain of attempts that no longer belong to an account. */
  discard(first: number): void;
}

export class AccountAttempts {
  readonly id: string;
  /** Records that its attempts take up. */
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
  /** Total time that the clock was set back. Records keep the time plus this, which never goes back. */
  #setBack = 0;
  #newest = Number.NEGATIVE_INFINITY;
  #partialUntil = Number.NEGATIVE_INFINITY;
  /** Time of the first stored attempt. */
  #firstAt = Number.NEGATIVE_INFINITY;

  constructor(id: string, memory: VelocityMemory) {
    this.id = id;
    this.#memory = memory;
    this.#number = memory.nextAccountNumber();
  }

  get length(): number {
    return this.#length;
  }

  /** Number that the keys of its attempts are hashed with. */
  get number(): number {
    return this.#number;
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
    const record = this.#append(serial);
    this.#memory.counts.enter(record, this.#number, attempt);
    return record;
  }

  /** Whether `addStored` may take an attempt of this time: one that moves no window, because all are within a day. */
  takesStored(at: number): boolean {
    if (this.#first === NONE) return this.#now === Number.NEGATIVE_INFINITY;
    return !wasSetBack(at, this.#now) && Math.max(at, this.#now) - this.#firstAt < DAY_MS;
  }

  /**
   * Adds one of many attempts that are counted all at once, by `countStored` and `DistinctCounts.enterAll`. Returns its
   * record, into which the caller writes its keys.
   */
  addStored(at: number, serial: number): number {
    this.#now = Math.max(this.#now, at);
    if (this.#first === NONE) this.#firstAt = this.#now;
    return this.#append(serial);
  }

  /** Says what each of the attempts that `addStored` added contributes to the counts. Each step takes a few milliseconds. */
  *countStored(): Generator<undefined, void> {
    const { pool, counts } = this.#memory;
    let steps = 0;
    for (let record = this.#first; record !== NONE; record = pool.get(record, NEXT)) {
      const isWithinHour = this.#ageOf(record) < HOUR_MS;
      if (!isWithinHour) this.#firstInHour = pool.get(record, NEXT);
      counts.contribute(record, isWithinHour);
      steps += 1;
      if (steps % STORED_A_STEP === 0) yield;
    }
  }

  #append(serial: number): number {
    const { pool } = this.#memory;
    const record = pool.take();
    pool.set(record, TIME, (this.#now + this.#setBack) | 0);
    pool.set(record, NEXT, NONE);
    pool.set(record, SERIAL, serial);
    if (this.#last === NONE) this.#first = record;
    else pool.set(this.#last, NEXT, record);
    if (this.#firstInHour === NONE) this.#firstInHour = record;
    this.#last = record;
    this.#newest = this.#now;
    this.#length += 1;
    this.records += 1;
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

  /** The counts of an attempt that was just added. @param olderMailboxes as `VelocityEvent` */
  countsOf(record: number, olderMailboxes?: readonly string[]): VelocityCounts {
    const counts = this.#memory.counts.countsOf(record, this.#now < this.#partialUntil);
    if (olderMailboxes === undefined) return counts;
    return { ...counts, mailbox24h: Math.max(counts.mailbox24h, this.#olderAddresses(olderMailboxes)) };
  }

  /** Count as in `VelocityVoices`. @param record of the attempt with this serial, if it is still in memory: else nobody is accused */
  networkMailboxes(record: number, serial: number): Crowd {
    return this.#hasSerial(record, serial) ? this.#memory.voices.networkMailboxes(record) : plainCrowd(1);
  }

  domainVoices(record: number, serial: number): Crowd {
    return this.#hasSerial(record, serial) ? this.#memory.voices.domainVoices(record) : plainCrowd(1);
  }

  /** Nothing is known of the networks of addresses from before a key rotation: they are voices from elsewhere. */
  mailboxVoices(record: number, serial: number, olderMailboxes: readonly string[] = []): MailboxVoices {
    if (!this.#hasSerial(record, serial)) return { own: noneBlocked(1), others: noneBlocked(0) };
    const { own, others } = this.#memory.voices.mailboxVoices(record);
    return {
      own,
      others: { ...others, all: Math.max(others.all, this.#olderAddresses(olderMailboxes)) },
    };
  }

  #olderAddresses(olderMailboxes: readonly string[]): number {
    const { counts } = this.#memory;
    return Math.max(0, ...olderMailboxes.map((mailbox) => counts.addressesOf(this.#number, mailbox)));
  }

  /** Undoes an attempt if it is still in memory: the serial shows whether the record is still the attempt's own. */
  undo(record: number, serial: number): void {
    const { pool, counts, voices } = this.#memory;
    if (!this.#hasSerial(record, serial) || !this.#isCounted(record)) return;
    // The record may also be in a discarded chain that waits for its release.
    if (this.#first === NONE || !isNoEarlier(serial, pool.get(this.#first, SERIAL))) return;
    if (this.#isWithinHour(record)) counts.leaveHour(record);
    counts.leaveDay(record);
    pool.set(record, FLAGS, pool.get(record, FLAGS) | UNDONE);
    voices.setFlags(record);
    this.#length -= 1;
    if (this.#length === 0) this.#clear();
  }

  /** Marks an attempt as answered with `block`, if it is still in memory. */
  markBlocked(record: number, serial: number): void {
    if (!this.#hasSerial(record, serial)) return;
    const { pool, voices } = this.#memory;
    pool.set(record, FLAGS, pool.get(record, FLAGS) | BLOCKED);
    voices.setFlags(record);
  }

  /** Forgets everything: the account was deleted. */
  removeAll(): void {
    if (this.#first !== NONE) this.#clear();
    this.#partialUntil = Number.NEGATIVE_INFINITY;
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
    if (this.#isCounted(record)) this.#memory.counts.leaveHour(record);
    this.#firstInHour = this.#memory.pool.get(record, NEXT);
  }

  #leaveDay(): void {
    const { pool, counts, voices } = this.#memory;
    const record = this.#first;
    this.#first = pool.get(record, NEXT);
    if (this.#first === NONE) this.#last = NONE;
    if (this.#isCounted(record)) {
      counts.leaveDay(record);
      this.#length -= 1;
    }
    voices.leave(record);
    pool.give(record);
    this.records -= 1;
    if (this.#length === 0 && this.#first !== NONE) this.#clear();
  }

  #hasSerial(record: number, serial: number): boolean {
    return this.#memory.pool.get(record, SERIAL) === serial;
  }

  #isCounted(record: number): boolean {
    return isCounted(this.#memory.pool, record);
  }
}

function isCounted(pool: RecordPool, record: number): boolean {
  return (pool.get(record, FLAGS) & UNDONE) === 0;
}

/** Releases the first attempt of a discarded chain and the keys that only it used. Returns the rest of the chain. */
export function releaseAttempt(
  { pool, counts, voices }: Pick<VelocityMemory, 'pool' | 'counts' | 'voices'>,
  record: number,
): number {
  if (isCounted(pool, record)) counts.leaveDay(record);
  const next = pool.get(record, NEXT);
  voices.leave(record);
  pool.give(record);
  return next;
}

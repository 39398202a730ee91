/** Decides which record counts a key: a hash table that grows and shrinks by one bucket at a time, over keyed hashes. */
import type { KeyedHash } from './keyed-hash.ts';
import { NONE, type RecordPool } from './record-pool.ts';

/** The words of a key's record; the sixth is free for what the key belongs to. */
const LOW = 0;
const HIGH = 1;
const CHAIN = 2;
const HOUR = 3;
const DAY = 4;
export const HOME = 5;

const FIRST_BUCKETS = 16;
const SEGMENT_BITS = 14;
const SEGMENT_BUCKETS = 1 << SEGMENT_BITS;
const SEGMENT_MASK = SEGMENT_BUCKETS - 1;

/**
 * Linear hashing: each new key opens at most one bucket, which takes about half the keys of another bucket. A call never
 * moves more than the few keys of one bucket. A key stays while its count of the day is above zero. Only hashes are stored:
 * two keys with the same hash would count as one.
 */
export class KeyIndex {
  readonly #pool: RecordPool;
  readonly #hash: KeyedHash;
  /** The first record + 1 of each bucket. */
  readonly #segments: Int32Array[] = [new Int32Array(SEGMENT_BUCKETS)];
  #buckets = FIRST_BUCKETS;
  /** Mask of the bits that select a bucket; the highest bit is not in use for all buckets yet. */
  #mask = FIRST_BUCKETS - 1;
  #keys = 0;
  /** Keys moved between buckets since the start. */
  moves = 0;

  constructor(pool: RecordPool, hash: KeyedHash) {
    this.#pool = pool;
    this.#hash = hash;
  }

  get keys(): number {
    return this.#keys;
  }

  get bytes(): number {
    return this.#segments.length * SEGMENT_BUCKETS * Int32Array.BYTES_PER_ELEMENT;
  }

  /** The record of an account's key. A new one has both counts at zero and waits for `enterDay`. */
  recordOf(account: number, kind: number, text: string): number {
    this.#hash.digest(account, kind, text);
    const { low, high } = this.#hash;
    const pool = this.#pool;
    for (let record = this.#first(this.#bucketOf(low)); record !== NONE; record = this.#next(record))
      if (pool.get(record, LOW) === low && pool.get(record, HIGH) === high) return record;
    const record = pool.take();
    pool.set(record, LOW, low);
    pool.set(record, HIGH, high);
    this.#put(this.#bucketOf(low), record);
    this.#keys += 1;
    if (this.#keys > this.#buckets) this.#openBucket();
    return record;
  }

  hour(record: number): number {
    return this.#pool.get(record, HOUR);
  }

  day(record: number): number {
    return this.#pool.get(record, DAY);
  }

  /** Each of these returns the new count. */
  enterHour(record: number): number {
    return this.#count(record, HOUR, 1);
  }

  leaveHour(record: number): number {
    return this.#count(record, HOUR, -1);
  }

  enterDay(record: number): number {
    return this.#count(record, DAY, 1);
  }

  /** At zero the record is released; its count of the hour is not read again. */
  leaveDay(record: number): number {
    const count = this.#count(record, DAY, -1);
    if (count === 0) this.#remove(record);
    return count;
  }

  #count(record: number, word: number, by: 1 | -1): number {
    const count = this.#pool.get(record, word) + by;
    this.#pool.set(record, word, count);
    return count;
  }

  #remove(record: number): void {
    const bucket = this.#bucketOf(this.#pool.get(record, LOW));
    const first = this.#first(bucket);
    if (first === record) {
      this.#setFirst(bucket, this.#next(record));
    } else {
      let before = first;
      while (this.#next(before) !== record) before = this.#next(before);
      this.#setNext(before, this.#next(record));
    }
    this.#pool.give(record);
    this.#keys -= 1;
    // Two buckets for each key that leaves, so that few keys never keep many buckets.
    for (let closed = 0; closed < 2; closed += 1)
      if (this.#buckets > FIRST_BUCKETS && this.#keys * 2 < this.#buckets) this.#closeBucket();
  }

  /** Divides the keys of the next bucket between it and the new bucket. */
  #openBucket(): void {
    const fresh = this.#buckets;
    if (fresh > this.#mask) this.#mask = this.#mask * 2 + 1;
    if (fresh >> SEGMENT_BITS === this.#segments.length) this.#segments.push(new Int32Array(SEGMENT_BUCKETS));
    this.#buckets += 1;
    const old = fresh & (this.#mask >>> 1);
    let record = this.#first(old);
    this.#setFirst(old, NONE);
    while (record !== NONE) record = this.#move(record);
  }

  /** Moves the keys of the last bucket back to the bucket that they came from. */
  #closeBucket(): void {
    const last = this.#buckets - 1;
    let record = this.#first(last);
    this.#setFirst(last, NONE);
    this.#buckets = last;
    while (record !== NONE) record = this.#move(record);
    if (last === (this.#mask + 1) >>> 1) this.#mask >>>= 1;
    if ((last & SEGMENT_MASK) === 0 && last > 0) this.#segments.pop();
  }

  /** Moves a record to its current bucket. Returns the record that came after it. */
  #move(record: number): number {
    const next = this.#next(record);
    this.#put(this.#bucketOf(this.#pool.get(record, LOW)), record);
    this.moves += 1;
    return next;
  }

  #bucketOf(low: number): number {
    const bucket = low & this.#mask;
    return bucket < this.#buckets ? bucket : bucket & (this.#mask >>> 1);
  }

  #put(bucket: number, record: number): void {
    this.#setNext(record, this.#first(bucket));
    this.#setFirst(bucket, record);
  }

  #first(bucket: number): number {
    return ((this.#segments[bucket >> SEGMENT_BITS] as Int32Array)[bucket & SEGMENT_MASK] as number) - 1;
  }

  #setFirst(bucket: number, record: number): void {
    (this.#segments[bucket >> SEGMENT_BITS] as Int32Array)[bucket & SEGMENT_MASK] = record + 1;
  }

  #next(record: number): number {
    return this.#pool.get(record, CHAIN) - 1;
  }

  #setNext(record: number, next: number): void {
    this.#pool.set(record, CHAIN, next + 1);
  }
}

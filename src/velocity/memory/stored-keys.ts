/** Decides how the keys of many stored attempts are counted at once: divided into the shards of an index, so that equal keys meet in the processor's cache. */
import { ADDRESS, countsOf, highOf, lowOf, previousOf } from './attempt-record.ts';
import type { KeyCounts } from './key-counts.ts';
import type { RecordPool } from './record-pool.ts';

/** Words of a record, or of a key: the number of the record, both halves of the fingerprint, the counts. */
const WORDS = 4;
const FIRST_PLACES = 4_096;

export interface StoredKeysOptions {
  readonly pool: RecordPool;
  readonly counts: KeyCounts;
  readonly kind: number;
  /** Records in order. Each has what it contributes in the place of the counts of this kind. */
  readonly records: Int32Array;
  /** Room to work in: see `roomFor`. */
  readonly room: Int32Array;
  /** Gets each record whose key an earlier one has, and the latest of those, before the record is counted. */
  readonly onRepeated?: (before: number, record: number) => void;
}

/** Numbers that `StoredKeys` needs to work in. */
export function roomFor(records: number): number {
  return WORDS * records;
}

/** The keys of one kind. */
export class StoredKeys {
  readonly #pool: RecordPool;
  readonly #counts: KeyCounts;
  readonly #kind: number;
  readonly #records: Int32Array;
  readonly #entries: Int32Array;
  readonly #onRepeated: ((before: number, record: number) => void) | undefined;
  /** Number of the first record of each shard. */
  #starts: Uint32Array = new Uint32Array(1);
  /** Place of the first key of the shard whose keys were gathered. */
  #first = 0;
  /** A table of the keys of a shard: their numbers, from 1 on. */
  #places = new Int32Array(FIRST_PLACES);

  constructor({ pool, counts, kind, records, room, onRepeated }: StoredKeysOptions) {
    this.#pool = pool;
    this.#counts = counts;
    this.#kind = kind;
    this.#records = records;
    this.#entries = room;
    this.#onRepeated = onRepeated;
  }

  /** The record that holds the counts of a key of the gathered shard. */
  record(key: number): number {
    return this.#entries[this.#first + WORDS * key] as number;
  }

  /** The lower half of its fingerprint. */
  low(key: number): number {
    return this.#entries[this.#first + WORDS * key + 1] as number;
  }

  /** Sorts the records by shard. @param shards a power of two; the lowest bits of a fingerprint say which */
  divide(shards: number): void {
    const starts = this.#countShards(shards);
    for (let shard = 0; shard < shards; shard += 1)
      starts[shard + 1] = (starts[shard + 1] as number) + (starts[shard] as number);
    this.#sort(starts.slice(), shards - 1);
    this.#starts = starts;
  }

  /** Records of each shard, in the place after it. */
  #countShards(shards: number): Uint32Array {
    const pool = this.#pool;
    const records = this.#records;
    const low = lowOf(this.#kind);
    const numbers = new Uint32Array(shards + 1);
    for (let index = 0; index < records.length; index += 1) {
      const shard = (pool.get(records[index] as number, low) & (shards - 1)) + 1;
      numbers[shard] = (numbers[shard] as number) + 1;
    }
    return numbers;
  }

  /** @param next where the next record of each shard goes */
  #sort(next: Uint32Array, shardMask: number): void {
    const pool = this.#pool;
    const records = this.#records;
    const entries = this.#entries;
    const [low, high, counts] = [lowOf(this.#kind), highOf(this.#kind), countsOf(this.#kind)];
    for (let index = 0; index < records.length; index += 1) {
      const record = records[index] as number;
      const lower = pool.get(record, low);
      const place = next[lower & shardMask] as number;
      next[lower & shardMask] = place + 1;
      entries[WORDS * place] = record;
      entries[WORDS * place + 1] = lower;
      entries[WORDS * place + 2] = pool.get(record, high);
      entries[WORDS * place + 3] = pool.get(record, counts);
    }
  }

  /** Counts the records of a shard: the latest record of each key gets its counts; the only one has them. Returns how many keys there are. */
  gather(shard: number): number {
    const entries = this.#entries;
    const first = WORDS * (this.#starts[shard] as number);
    const end = WORDS * (this.#starts[shard + 1] as number);
    const places = this.#emptyPlaces((end - first) / WORDS);
    const mask = places.length - 1;
    let keys = 0;
    for (let entry = first; entry < end; entry += WORDS) {
      const low = entries[entry + 1] as number;
      const high = entries[entry + 2] as number;
      let place = high & mask;
      let key = places[place] as number;
      while (key !== 0 && !this.#isKey(first + WORDS * (key - 1), low, high)) {
        place = (place + 1) & mask;
        key = places[place] as number;
      }
      if (key === 0) {
        this.#move(entry, first + WORDS * keys);
        keys += 1;
        places[place] = keys;
      } else this.#addUp(first + WORDS * (key - 1), entry);
    }
    this.#first = first;
    return keys;
  }

  #isKey(at: number, low: number, high: number): boolean {
    return this.#entries[at + 1] === low && this.#entries[at + 2] === high;
  }

  /** Keys need no more room than the records before: each of them is read already. */
  #move(entry: number, to: number): void {
    const entries = this.#entries;
    entries[to] = entries[entry] as number;
    entries[to + 1] = entries[entry + 1] as number;
    entries[to + 2] = entries[entry + 2] as number;
    entries[to + 3] = entries[entry + 3] as number;
  }

  #addUp(at: number, entry: number): void {
    const entries = this.#entries;
    const record = entries[entry] as number;
    const before = entries[at] as number;
    if (this.#onRepeated !== undefined) this.#onRepeated(before, record);
    if (this.#kind !== ADDRESS) this.#pool.set(record, previousOf(this.#kind), before + 1);
    const own = entries[entry + 3] as number;
    const counts = this.#counts.changed(
      entries[at + 3] as number,
      this.#counts.hour(own),
      this.#counts.day(own),
    );
    entries[at] = record;
    entries[at + 3] = counts;
    this.#pool.set(record, countsOf(this.#kind), counts);
  }

  /** Places of which at most half will be used. */
  #emptyPlaces(records: number): Int32Array {
    const places = 2 ** Math.ceil(Math.log2(2 * records + 1));
    if (places > this.#places.length) this.#places = new Int32Array(places);
    const empty = this.#places.subarray(0, places);
    empty.fill(0);
    return empty;
  }
}

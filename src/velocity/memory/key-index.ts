/** Decides which attempt holds the counts of a key: the account's latest with that key, found by the key's fingerprint. */
import { highOf, lowOf } from './attempt-record.ts';
import { NONE, type RecordPool } from './record-pool.ts';
import type { StoredKeys } from './stored-keys.ts';

/**
 * Keys of a shard at most, if every record has another key: as many may move at once when the shard grows, in about a
 * tenth of a millisecond. With smaller shards, finding the shard would cost as much as finding the key in it.
 */
const SHARD_KEYS = 8_192;
const FIRST_SLOTS = 8;
const DOUBLED_UP_TO = 64;
const GROWTH = 1.3;
const FULL = 0.8;
const SPARSE = 0.4;
const SHARDS_A_STEP = 16;
const EMPTY = new Int32Array(0);

/**
 * The index of one kind of key: open addressing in shards, which grow and shrink by themselves. A slot contains a record
 * plus one, and above it as many bits of the fingerprint as there is room for; 0 is free. These bits alone say where the
 * search for a key begins, so that keys are moved without a look at their records, where the whole fingerprints are.
 */
export class KeyIndex {
  readonly #pool: RecordPool;
  readonly #low: number;
  readonly #high: number;
  readonly #shards: Int32Array[];
  readonly #used: Uint32Array;
  readonly #shardMask: number;
  readonly #recordMask: number;
  readonly #tagShift: number;
  readonly #tags: number;
  #slots = 0;
  #keys = 0;
  /** Keys moved within the table since the start. */
  moves = 0;
  /** End of the latest search: the slot of the key, or the one that it may take. */
  #shard = 0;
  #slot = 0;

  /** @param maxRecords above every record of the pool */
  constructor(pool: RecordPool, kind: number, maxRecords: number) {
    this.#pool = pool;
    this.#low = lowOf(kind);
    this.#high = highOf(kind);
    const shards = powerOfTwo(maxRecords / SHARD_KEYS);
    this.#shards = new Array<Int32Array>(shards).fill(EMPTY);
    this.#used = new Uint32Array(shards);
    this.#shardMask = shards - 1;
    this.#recordMask = powerOfTwo(maxRecords + 2) - 1;
    this.#tagShift = Math.log2(this.#recordMask + 1);
    this.#tags = 2 ** (32 - this.#tagShift);
  }

  get keys(): number {
    return this.#keys;
  }

  get bytes(): number {
    return this.#slots * Int32Array.BYTES_PER_ELEMENT;
  }

  /** The record that holds the counts of a key, or `NONE`. */
  find(low: number, high: number): number {
    const pool = this.#pool;
    const recordMask = this.#recordMask;
    const shard = low & this.#shardMask;
    const slots = this.#shards[shard] as Int32Array;
    this.#shard = shard;
    if (slots.length === 0) return NONE;
    const tag = low & ~recordMask;
    let slot = this.#homeOf(tag, slots.length);
    for (;;) {
      const entry = slots[slot] as number;
      if (entry === 0) break;
      if ((entry & ~recordMask) === tag) {
        const record = (entry & recordMask) - 1;
        if (pool.get(record, this.#high) === high && pool.get(record, this.#low) === low) {
          this.#slot = slot;
          return record;
        }
      }
      slot = slot + 1 === slots.length ? 0 : slot + 1;
    }
    this.#slot = slot;
    return NONE;
  }

  /**
   * Reads what `find` will most likely read, without asking what it is: so the processor fetches it from memory for several
   * keys side by side. Returns a number that means nothing.
   */
  touch(low: number): number {
    const slots = this.#shards[low & this.#shardMask] as Int32Array;
    if (slots.length === 0) return 0;
    const place = (slots[this.#homeOf(low, slots.length)] as number) & this.#recordMask;
    // One less, but not below 0, without a branch that the processor would have to guess.
    return this.#pool.get(place - ((place | -place) >>> 31), this.#high);
  }

  /** Makes `record`, which contains the fingerprint, the holder of the counts of the key that `find` has just found. */
  moveTo(record: number): void {
    this.#write(this.#shard, this.#slot, this.#pool.get(record, this.#low), record);
  }

  /** Adds the key that `find` has just not found, held by `record`, which contains the fingerprint. */
  add(record: number): void {
    const low = this.#pool.get(record, this.#low);
    const shard = this.#shard;
    const used = (this.#used[shard] as number) + 1;
    const { length } = this.#shards[shard] as Int32Array;
    if (used > length * FULL) {
      this.#resize(
        shard,
        length < DOUBLED_UP_TO ? Math.max(FIRST_SLOTS, length * 2) : Math.ceil(length * GROWTH),
      );
      this.#slot = this.#freeSlot(shard, low);
    }
    this.#write(shard, this.#slot, low, record);
    this.#used[shard] = used;
    this.#keys += 1;
  }

  /** Removes the key that `find` has just found. */
  remove(): void {
    const shard = this.#shard;
    const slots = this.#shards[shard] as Int32Array;
    const { length } = slots;
    let gap = this.#slot;
    let slot = gap;
    for (;;) {
      slot = slot + 1 === length ? 0 : slot + 1;
      const entry = slots[slot] as number;
      if (entry === 0) break;
      const home = this.#homeOf(entry, length);
      // It may move back unless its home lies behind the gap.
      if ((slot - home + length) % length < (slot - gap + length) % length) continue;
      slots[gap] = entry;
      gap = slot;
    }
    slots[gap] = 0;
    const used = (this.#used[shard] as number) - 1;
    this.#used[shard] = used;
    this.#keys -= 1;
    if (used === 0) this.#resize(shard, 0);
    else if (length > FIRST_SLOTS && used < length * SPARSE)
      this.#resize(shard, Math.ceil((used * 1.5) / FULL));
  }

  /**
   * Adds the keys of many records to an index without any: shard by shard, so that what is written stays in the processor's
   * cache. Each step takes a few milliseconds. @param stored gathers the keys of each shard
   */
  *fill(stored: StoredKeys): Generator<undefined, void> {
    stored.divide(this.#shardMask + 1);
    yield;
    for (let shard = 0; shard <= this.#shardMask; shard += 1) {
      const keys = stored.gather(shard);
      if (keys > 0) this.#fillShard(shard, stored, keys);
      if (shard % SHARDS_A_STEP === SHARDS_A_STEP - 1) yield;
    }
  }

  #fillShard(shard: number, stored: StoredKeys, keys: number): void {
    this.#resize(shard, Math.max(FIRST_SLOTS, Math.ceil((keys * GROWTH) / FULL)));
    for (let key = 0; key < keys; key += 1) {
      const low = stored.low(key);
      this.#write(shard, this.#freeSlot(shard, low), low, stored.record(key));
    }
    this.#used[shard] = keys;
    this.#keys += keys;
  }

  /** Spreads the highest bits evenly over any number of slots. */
  #homeOf(tagged: number, slots: number): number {
    return Math.floor(((tagged >>> this.#tagShift) * slots) / this.#tags);
  }

  #write(shard: number, slot: number, low: number, record: number): void {
    (this.#shards[shard] as Int32Array)[slot] = (low & ~this.#recordMask) | (record + 1);
  }

  #freeSlot(shard: number, tagged: number): number {
    const slots = this.#shards[shard] as Int32Array;
    let slot = this.#homeOf(tagged, slots.length);
    while (slots[slot] !== 0) slot = slot + 1 === slots.length ? 0 : slot + 1;
    return slot;
  }

  #resize(shard: number, length: number): void {
    const old = this.#shards[shard] as Int32Array;
    const fresh = length === 0 ? EMPTY : new Int32Array(length);
    this.#shards[shard] = fresh;
    this.#slots += length - old.length;
    for (const entry of old) {
      if (entry === 0) continue;
      fresh[this.#freeSlot(shard, entry)] = entry;
      this.moves += 1;
    }
  }
}

function powerOfTwo(min: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(min)));
}

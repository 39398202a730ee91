/** Decides where velocity keeps its records, all of one size, in segments; and how many fit into the memory that it may use. */
import { RECORD_WORDS } from './attempt-record.ts';

/** No record. */
export const NONE = -1;

const SEGMENT_BITS = 13;
const SEGMENT_RECORDS = 1 << SEGMENT_BITS;
const SEGMENT_MASK = SEGMENT_RECORDS - 1;
const SEGMENT_BYTES = SEGMENT_RECORDS * RECORD_WORDS * Int32Array.BYTES_PER_ELEMENT;

/** Segments are allocated and freed one at a time. Adding one moves nothing, so no call waits for the pool to grow. */
export class RecordPool {
  readonly #segments: (Int32Array | undefined)[] = [];
  /** Records of each segment: in use, ever in use, and the first free one among those. */
  readonly #inUse: number[] = [];
  readonly #touched: number[] = [];
  readonly #free: number[] = [];
  /** Segments before this one are full: low segments are filled first, so that high ones become empty. */
  #lowest = 0;
  #used = 0;
  #held = 0;

  /** Records in use. */
  get used(): number {
    return this.#used;
  }

  get bytes(): number {
    return this.#held * SEGMENT_BYTES;
  }

  /** A record of zeros. */
  take(): number {
    let segment = this.#lowest;
    while (this.#inUse[segment] === SEGMENT_RECORDS) segment += 1;
    this.#lowest = segment;
    const words = this.#segments[segment] ?? this.#open(segment);
    this.#used += 1;
    this.#inUse[segment] = (this.#inUse[segment] as number) + 1;
    const place = this.#free[segment] as number;
    if (place === NONE) {
      const fresh = this.#touched[segment] as number;
      this.#touched[segment] = fresh + 1;
      return (segment << SEGMENT_BITS) | fresh;
    }
    this.#free[segment] = words[place * RECORD_WORDS] as number;
    words[place * RECORD_WORDS] = 0;
    return (segment << SEGMENT_BITS) | place;
  }

  give(record: number): void {
    const segment = record >>> SEGMENT_BITS;
    const place = record & SEGMENT_MASK;
    const words = this.#segments[segment] as Int32Array;
    this.#used -= 1;
    const remaining = (this.#inUse[segment] as number) - 1;
    this.#inUse[segment] = remaining;
    if (segment < this.#lowest) this.#lowest = segment;
    if (remaining === 0 && segment > 0) {
      this.#segments[segment] = undefined;
      this.#held -= 1;
      return;
    }
    words.fill(0, place * RECORD_WORDS, (place + 1) * RECORD_WORDS);
    words[place * RECORD_WORDS] = this.#free[segment] as number;
    this.#free[segment] = place;
  }

  get(record: number, word: number): number {
    const words = this.#segments[record >>> SEGMENT_BITS];
    // The segment of a released record may be gone.
    return words === undefined ? 0 : (words[(record & SEGMENT_MASK) * RECORD_WORDS + word] as number);
  }

  set(record: number, word: number, value: number): void {
    const words = this.#segments[record >>> SEGMENT_BITS] as Int32Array;
    words[(record & SEGMENT_MASK) * RECORD_WORDS + word] = value;
  }

  #open(segment: number): Int32Array {
    const words = new Int32Array(SEGMENT_RECORDS * RECORD_WORDS);
    this.#segments[segment] = words;
    this.#inUse[segment] = 0;
    this.#touched[segment] = 0;
    this.#free[segment] = NONE;
    this.#held += 1;
    return words;
  }
}

/** A record, plus the slots of its keys in tables that have just grown. */
const RECORD_BYTES = RECORD_WORDS * 4 + 26;
/** A segment of records that is not full yet. */
const BEGUN_BYTES = SEGMENT_BYTES;
/** An account's object, its id, and its places in the tables of accounts; measured with `bench/memory.mjs`. */
const ACCOUNT_BYTES = 512;
/** Accounts may use this share before any record has to be removed. */
const ACCOUNTS_SHARE = 1 / 8;
/** Always available for counting, however many accounts there are. */
const MIN_RECORDS = 2;

/** Bytes taken by tables of `tableBytes` and by the accounts. */
export function velocityBytes(tableBytes: number, accounts: number): number {
  return tableBytes + accounts * ACCOUNT_BYTES;
}

/** Records that fit besides this number of accounts. */
export function recordsWithin(maxBytes: number, accounts: number): number {
  const forAccounts = Math.max(maxBytes * ACCOUNTS_SHARE, accounts * ACCOUNT_BYTES);
  const forRecords = maxBytes - BEGUN_BYTES - forAccounts;
  return Math.max(MIN_RECORDS, Math.floor(forRecords / RECORD_BYTES));
}

/** Number above every record of a pool that is kept within these bytes: low segments are filled first. */
export function recordsBelow(maxBytes: number): number {
  return recordsWithin(maxBytes, 0) + 2 * SEGMENT_RECORDS;
}

/** Bytes needed for this number of records: the inverse of `recordsWithin` for few accounts. */
export function bytesFor(records: number): number {
  return Math.ceil((records * RECORD_BYTES + BEGUN_BYTES) / (1 - ACCOUNTS_SHARE)) + 1;
}

/** Decides which piece of a partition an address lies in: one bucket of its top bits, then a binary search. */
import type { Partition } from './piece-writer.ts';

export interface RangeIndex {
  /** The value of the piece that holds the address. */
  valueAt(words: readonly number[]): number;
}

/** A partition as it lies in a snapshot: nothing has to be worked out when it is opened. */
export interface IndexColumns {
  /** A row a piece: the words of its start, then its value, so that the last step of a search finds both. */
  readonly rows: Uint32Array;
  /** `firsts[b]`: the first piece that starts in bucket b or a later one. */
  readonly firsts: Uint32Array;
}

/**
 * IPv4 is handed out evenly enough for buckets of /18. IPv6 is handed out from 2000::/3 only, and thickly from a
 * few /12 of it: buckets of /21 over that eighth; what lies before or behind shares the first or last bucket.
 */
const LAYOUT = {
  1: { base: 0, shift: 14, buckets: 1 << 18 },
  4: { base: 0x20000000, shift: 11, buckets: 1 << 18 },
} as const;

export function encodeRangeIndex({ starts, values }: Partition, width: 1 | 4): IndexColumns {
  const { buckets } = LAYOUT[width];
  const bucketOf = bucketOfWord(width);
  const count = values.length;
  const rows = new Uint32Array(count * (width + 1));
  const firsts = new Uint32Array(buckets + 1);
  let filled = 0;
  for (let piece = 0; piece < count; piece += 1) {
    const row = piece * (width + 1);
    for (let word = 0; word < width; word += 1) rows[row + word] = starts[piece * width + word] as number;
    rows[row + width] = values[piece] as number;
    const bucket = bucketOf(starts[piece * width] as number);
    while (filled <= bucket) {
      firsts[filled] = piece;
      filled += 1;
    }
  }
  firsts.fill(count, filled);
  return { rows, firsts };
}

/** The partition that an index was made of. */
export function decodeRangeIndex({ rows }: Pick<IndexColumns, 'rows'>, width: 1 | 4): Partition {
  const count = rows.length / (width + 1);
  const starts = new Uint32Array(count * width);
  const values = new Uint32Array(count);
  for (let piece = 0; piece < count; piece += 1) {
    const row = piece * (width + 1);
    for (let word = 0; word < width; word += 1) starts[piece * width + word] = rows[row + word] as number;
    values[piece] = rows[row + width] as number;
  }
  return { starts, values };
}

export function openRangeIndex({ rows, firsts }: IndexColumns, width: 1 | 4): RangeIndex {
  return { valueAt: width === 1 ? valueIn4(rows, firsts) : valueIn6(rows, firsts) };
}

type ValueAt = RangeIndex['valueAt'];

function valueIn4(rows: Uint32Array, firsts: Uint32Array): ValueAt {
  const { shift } = LAYOUT[1];
  return (words) => {
    const word = words[0] as number;
    const bucket = word >>> shift;
    let low = (firsts[bucket] as number) - 1;
    let high = (firsts[bucket + 1] as number) - 1;
    if (low < 0) low = 0;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((rows[middle * 2] as number) <= word) low = middle;
      else high = middle - 1;
    }
    return rows[low * 2 + 1] as number;
  };
}

function valueIn6(rows: Uint32Array, firsts: Uint32Array): ValueAt {
  const bucketOf = bucketOfWord(4);
  return (words) => {
    const w0 = words[0] as number;
    const bucket = bucketOf(w0);
    let low = (firsts[bucket] as number) - 1;
    let high = (firsts[bucket + 1] as number) - 1;
    if (low < 0) low = 0;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      const at = middle * 5;
      let order = (rows[at] as number) - w0;
      for (let word = 1; order === 0 && word < 4; word += 1) {
        order = (rows[at + word] as number) - (words[word] as number);
      }
      if (order <= 0) low = middle;
      else high = middle - 1;
    }
    return rows[low * 5 + 4] as number;
  };
}

function bucketOfWord(width: 1 | 4): (word: number) => number {
  const { base, shift, buckets } = LAYOUT[width];
  return (word) => {
    const bucket = word < base ? 0 : (word - base) >>> shift;
    return bucket < buckets ? bucket : buckets - 1;
  };
}

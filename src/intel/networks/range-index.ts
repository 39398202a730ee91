/** Decides which piece of a partition an address lies in: one bucket of its top bits, then a binary search. */
import { fromWords, type IpAddress } from '../../address/ip.ts';
import type { Partition } from './flatten.ts';

export interface RangeIndex {
  /** The piece that holds the address. */
  find(words: readonly number[]): number;
  valueOf(piece: number): number;
  /** First and last address of a piece, as text. */
  boundsOf(piece: number): string;
}

/**
 * IPv4 is spread evenly enough for buckets of /16. IPv6 is handed out from 2000::/3 only, and thickly from a
 * few /12 of it: buckets of /21 over that eighth; what lies before or behind shares the first or last bucket.
 */
const LAYOUT = {
  1: { base: 0, shift: 16, buckets: 1 << 16 },
  4: { base: 0x20000000, shift: 11, buckets: 1 << 18 },
} as const;

export function createRangeIndex({ starts, values }: Partition, width: 1 | 4): RangeIndex {
  const { base, shift, buckets } = LAYOUT[width];
  const bucketOf = (word: number): number => {
    const bucket = word < base ? 0 : (word - base) >>> shift;
    return bucket < buckets ? bucket : buckets - 1;
  };
  const firsts = firstOfBucket(starts, width, buckets, bucketOf);
  const find = width === 1 ? findIn4(starts, firsts, bucketOf) : findIn6(starts, firsts, bucketOf);

  const textAt = (piece: number): string =>
    fromWords([...starts.subarray(piece * width, piece * width + width)]).text;
  return {
    find,
    valueOf: (piece) => values[piece] as number,
    boundsOf(piece) {
      const next =
        piece + 1 < values.length ? before(starts, (piece + 1) * width, width) : lastAddress(width);
      return `${textAt(piece)}-${next.text}`;
    },
  };
}

type Find = (words: readonly number[]) => number;

/** `firsts[b]`: the first piece that starts in bucket b or a later one. */
function firstOfBucket(
  starts: Uint32Array,
  width: number,
  buckets: number,
  bucketOf: (word: number) => number,
): Uint32Array {
  const firsts = new Uint32Array(buckets + 1);
  const count = starts.length / width;
  let filled = 0;
  for (let piece = 0; piece < count; piece += 1) {
    const bucket = bucketOf(starts[piece * width] as number);
    while (filled <= bucket) {
      firsts[filled] = piece;
      filled += 1;
    }
  }
  firsts.fill(count, filled);
  return firsts;
}

function findIn4(starts: Uint32Array, firsts: Uint32Array, bucketOf: (word: number) => number): Find {
  return (words) => {
    const word = words[0] as number;
    const bucket = bucketOf(word);
    let low = (firsts[bucket] as number) - 1;
    let high = (firsts[bucket + 1] as number) - 1;
    if (low < 0) low = 0;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((starts[middle] as number) <= word) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}

function findIn6(starts: Uint32Array, firsts: Uint32Array, bucketOf: (word: number) => number): Find {
  return (words) => {
    const w0 = words[0] as number;
    const bucket = bucketOf(w0);
    let low = (firsts[bucket] as number) - 1;
    let high = (firsts[bucket + 1] as number) - 1;
    if (low < 0) low = 0;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      const at = middle * 4;
      let order = (starts[at] as number) - w0;
      for (let word = 1; order === 0 && word < 4; word += 1) {
        order = (starts[at + word] as number) - (words[word] as number);
      }
      if (order <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}

function before(starts: Uint32Array, at: number, width: number): IpAddress {
  const words = [...starts.subarray(at, at + width)];
  for (let word = width - 1; word >= 0; word -= 1) {
    const borrowed = words[word] === 0;
    words[word] = borrowed ? 0xffffffff : (words[word] as number) - 1;
    if (!borrowed) break;
  }
  return fromWords(words);
}

function lastAddress(width: number): IpAddress {
  return fromWords(Array.from({ length: width }, () => 0xffffffff));
}

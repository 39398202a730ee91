/** Decides which piece of a partition an address lies in: one bucket of its leading bits, then a binary search. */
import type { Width } from './network-address-words.ts';
import { bucketOf, firstRows, lastAtOrBefore } from './network-buckets.ts';
import type { Partition } from './network-piece-writer.ts';

export interface RangeIndex {
  /** The value of the piece that contains the address. */
  valueAt(words: readonly number[]): number;
  /** The partition that the index was made of. */
  partition(): Partition;
}

/** A partition as it lies in a snapshot: nothing has to be computed when it is opened. */
export interface IndexColumns {
  /** A row a piece: the words of its start, then its value, so that the last step of a search finds both. */
  readonly rows: Uint32Array;
  /** `firsts[b]`: the first piece that starts in bucket b or a later one. */
  readonly firsts: Uint32Array;
}

const BUCKET_BITS = 18;

export function encodeRangeIndex({ starts, values }: Partition, width: Width): IndexColumns {
  const size = width + 1;
  const rows = new Uint32Array(values.length * size);
  const buckets = new Uint32Array(values.length);
  for (const [piece, value] of values.entries()) {
    rows.set(starts.subarray(piece * width, (piece + 1) * width), piece * size);
    rows[piece * size + width] = value;
    buckets[piece] = bucketOf(starts[piece * width] as number, width, BUCKET_BITS);
  }
  return { rows, firsts: firstRows(buckets, 2 ** BUCKET_BITS) };
}

export function openRangeIndex({ rows, firsts }: IndexColumns, width: Width): RangeIndex {
  const size = width + 1;
  return {
    valueAt(words) {
      const bucket = bucketOf(words[0] as number, width, BUCKET_BITS);
      const low = Math.max(0, (firsts[bucket] as number) - 1);
      const piece = lastAtOrBefore(rows, words, low, (firsts[bucket + 1] as number) - 1);
      return rows[piece * size + width] as number;
    },
    partition() {
      const count = rows.length / size;
      const starts = new Uint32Array(count * width);
      const values = new Uint32Array(count);
      for (let piece = 0; piece < count; piece += 1) {
        starts.set(rows.subarray(piece * size, piece * size + width), piece * width);
        values[piece] = rows[piece * size + width] as number;
      }
      return { starts, values };
    },
  };
}

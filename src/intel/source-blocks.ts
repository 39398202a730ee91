/** Decides how a snapshot keeps each source's own blocks, so that a hit can name the very entry that matched. */
import { hostMask } from '../address/block.ts';
/*
 * One list a source and address family, sorted by start, then from wide to narrow. A row: the words of the
 * block's first address, then prefix length in the high 8 bits, "has left its source" in bit 23, and below it the
 * place plus one of the narrowest block of the list that encloses this one. Blocks nest or are apart, so a block that
 * contains an address is the last row that starts at or before it, or encloses that row. The rows are indexed: for
 * each source and each bucket of addresses, its first row in that bucket or later.
 */
import { fromWords } from '../address/ip.ts';
import { bucketOf, lastAtOrBefore } from './network-buckets.ts';
import type { Container } from './snapshot-container.ts';

/** The rows of one source. */
export interface BlockRows {
  readonly v4: Uint32Array;
  readonly v6: Uint32Array;
}

export interface ListedBlock {
  /** An address, or a CIDR block. */
  readonly entry: string;
  /** It has left its source, and fades. */
  readonly departed: boolean;
}

export interface SourceBlocks {
  /** The source's narrowest block that contains the address; empty when there is none. `source`: its place in the table. */
  entryOf(source: number, words: readonly number[]): string;
  /** Blocks of the source that do, the narrowest first. */
  blocksOf(source: number, words: readonly number[]): ListedBlock[];
  rowsOf(source: number): BlockRows;
}

export const BUCKET_BITS = 10;
export const BUCKETS = 2 ** BUCKET_BITS;
export const DEPARTED_BIT = 1 << 23;
export const PARENT_MASK = DEPARTED_BIT - 1;
export const FAMILIES = [
  ['v4', 1],
  ['v6', 4],
] as const;
const TEXT_SLOTS = 2 ** 16;

export function openSourceBlocks(container: Container<unknown>): SourceBlocks {
  const [v4, v6] = FAMILIES.map(([family, width]) => {
    const rows = container.u32(`entry.${family}.rows`);
    const firsts = container.u32(`entry.${family}.firsts`);
    const plain = (row: number): string => entryAt(rows, row, width);
    return { rows, firsts, textAt: width === 1 ? plain : cached(plain) };
  }) as [Columns, Columns];
  const rowsOf = ({ rows, firsts }: Columns, source: number, size: number): Uint32Array =>
    rows.subarray(
      (firsts[source * BUCKETS] as number) * size,
      (firsts[(source + 1) * BUCKETS] as number) * size,
    );

  return {
    rowsOf: (source) => ({ v4: rowsOf(v4, source, 2), v6: rowsOf(v6, source, 5) }),
    entryOf(source, words) {
      const columns = words.length === 1 ? v4 : v6;
      const row = enclosing(columns, source, lastRow(columns, source, words), words);
      return row < 0 ? '' : columns.textAt(row);
    },
    blocksOf(source, words) {
      const columns = words.length === 1 ? v4 : v6;
      const blocks: ListedBlock[] = [];
      let row = enclosing(columns, source, lastRow(columns, source, words), words);
      while (row >= 0) {
        const departed = (metaAt(columns.rows, row, words.length) & DEPARTED_BIT) !== 0;
        blocks.push({ entry: columns.textAt(row), departed });
        row = enclosing(columns, source, parentOf(columns, source, row, words.length), words);
      }
      return blocks;
    },
  };
}

interface Columns {
  readonly rows: Uint32Array;
  /** Rows at `source * BUCKETS + bucket`: the source's first in the bucket, or the first after. */
  readonly firsts: Uint32Array;
  /** The block of a row. */
  readonly textAt: (row: number) => string;
}

/** IPv6 text is slow to write, and visitors come from few blocks: keeps one text a slot, until another row needs the slot. */
function cached(make: (row: number) => string): (row: number) => string {
  // Three quarters of a megabyte, which many services never need.
  let slots: { readonly rows: Int32Array; readonly texts: string[] } | undefined;
  return (row) => {
    slots ??= { rows: new Int32Array(TEXT_SLOTS).fill(-1), texts: new Array<string>(TEXT_SLOTS).fill('') };
    const { rows, texts } = slots;
    const slot = row % TEXT_SLOTS;
    if (rows[slot] !== row) {
      rows[slot] = row;
      texts[slot] = make(row);
    }
    return texts[slot] as string;
  };
}

function metaAt(rows: Uint32Array, row: number, width: number): number {
  return rows[row * (width + 1) + width] as number;
}

function parentOf({ rows, firsts }: Columns, source: number, row: number, width: number): number {
  const place = metaAt(rows, row, width) & PARENT_MASK;
  return place === 0 ? -1 : (firsts[source * BUCKETS] as number) + place - 1;
}

/** The row itself or the narrowest around it that contains the address, or −1. */
function enclosing(columns: Columns, source: number, from: number, words: readonly number[]): number {
  let row = from;
  while (row >= 0 && !contains(columns.rows, row, words)) row = parentOf(columns, source, row, words.length);
  return row;
}

function entryAt(rows: Uint32Array, row: number, width: number): string {
  const at = row * (width + 1);
  const words = [rows[at] as number];
  for (let word = 1; word < width; word += 1) words.push(rows[at + word] as number);
  const prefix = metaAt(rows, row, width) >>> 24;
  return prefix === width * 32 ? fromWords(words).text : `${fromWords(words).text}/${prefix}`;
}

/** The source's last row that starts at or before an address, or −1. */
function lastRow({ rows, firsts }: Columns, source: number, words: readonly number[]): number {
  const bucket = source * BUCKETS + bucketOf(words[0] as number, words.length, BUCKET_BITS);
  const before = (firsts[bucket] as number) - 1;
  const row = lastAtOrBefore(rows, words, before, (firsts[bucket + 1] as number) - 1);
  return row < (firsts[source * BUCKETS] as number) ? -1 : row;
}

function contains(rows: Uint32Array, row: number, words: readonly number[]): boolean {
  const at = row * (words.length + 1);
  const prefix = metaAt(rows, row, words.length) >>> 24;
  for (let word = 0; word < words.length; word += 1) {
    const difference = (rows[at + word] as number) ^ (words[word] as number);
    if ((difference & ~hostMask(prefix - word * 32)) !== 0) return false;
  }
  return true;
}

/** Decides how a snapshot keeps each source's own blocks, so that a hit can name the very entry that matched. */

/*
 * One list a source and address family, sorted by start, then from wide to narrow. A row: the words of the
 * block's first address, then prefix length in the high 8 bits, "has left its source" in bit 23, and below it the
 * place plus one of the narrowest block of the list that encloses this one. Blocks nest or are apart, so whoever
 * contains an address is the last row that starts at or before it, or encloses that row. Beside the rows stands,
 * for each source and each possible bucket of addresses, its first row in that bucket or later.
 */
import { fromWords } from '../address/ip.ts';
import type { NetworkClaims } from './network-claims.ts';
import { hostMask } from './network-range-list.ts';
import type { Container, Section } from './snapshot-container.ts';
import { DEPARTED_BIT, PARENT_MASK, RowWriter } from './source-blocks-writer.ts';

/** The rows of one source. */
export interface EntryRows {
  readonly v4: Uint32Array;
  readonly v6: Uint32Array;
}

export interface ListedBlock {
  /** An address, or a CIDR block. */
  readonly entry: string;
  /** It has left its source, and fades. */
  readonly departed: boolean;
}

export interface EntryLists {
  /** The source's narrowest block that contains the address; empty without one. `source`: its place in the table. */
  entryOf(source: number, words: readonly number[]): string;
  /** All its blocks that do, the narrowest first. */
  blocksOf(source: number, words: readonly number[]): ListedBlock[];
  rowsOf(source: number): EntryRows;
}

const BUCKETS = 1024;
const TEXT_SLOTS = 2 ** 16;
const FAMILIES = [
  ['v4', 1],
  ['v6', 4],
] as const;

/** The blocks of each source that lists any, by its place. @throws when a listed range is no block */
export function listEntries(networks: NetworkClaims, sourceCount: number): EntryRows[] {
  const [v4, v6] = [networks.v4, networks.v6].map((ranges) => {
    ranges.sort();
    const writers = Array.from({ length: sourceCount }, () => new RowWriter(ranges));
    for (let range = 0; range < ranges.count; range += 1) {
      const { source, departed = false } = networks.labels[ranges.labels[range] as number] ?? {};
      if (source !== undefined) (writers[source] as RowWriter).append(range, departed);
    }
    return writers.map((writer) => writer.finish());
  }) as [Uint32Array[], Uint32Array[]];
  return v4.map((rows, source) => ({ v4: rows, v6: v6[source] as Uint32Array }));
}

export function encodeEntryLists(lists: readonly EntryRows[]): Record<string, Section> {
  return Object.fromEntries(
    FAMILIES.flatMap(([family, width]) => {
      const size = width + 1;
      const rows = new Uint32Array(lists.reduce((sum, list) => sum + list[family].length, 0));
      const firsts = new Uint32Array(lists.length * BUCKETS + 1);
      let filled = 0;
      let next = 0;
      for (const [source, list] of lists.entries()) {
        rows.set(list[family], next * size);
        for (let at = 0; at < list[family].length; at += size) {
          const bucket = source * BUCKETS + bucketOf(list[family][at] as number, width);
          if (filled <= bucket) firsts.fill(next, filled, bucket + 1);
          filled = Math.max(filled, bucket + 1);
          next += 1;
        }
      }
      firsts.fill(next, filled);
      return [
        [`entry.${family}.rows`, rows],
        [`entry.${family}.firsts`, firsts],
      ];
    }),
  );
}

export function openEntryLists(container: Container<unknown>): EntryLists {
  const [v4, v6] = FAMILIES.map(([family, width]) => {
    const rows = container.u32(`entry.${family}.rows`);
    const firsts = container.u32(`entry.${family}.firsts`);
    const plain = (row: number): string => entryAt(rows, row, width);
    return { rows, firsts, textAt: width === 1 ? plain : remembering(plain) };
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
      const row = enclosing(columns, source, lastAtOrBefore(columns, source, words), words);
      return row < 0 ? '' : columns.textAt(row);
    },
    blocksOf(source, words) {
      const columns = words.length === 1 ? v4 : v6;
      const blocks: ListedBlock[] = [];
      let row = enclosing(columns, source, lastAtOrBefore(columns, source, words), words);
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
  /** At `source * BUCKETS + bucket`: the source's first row in the bucket, or the first after. */
  readonly firsts: Uint32Array;
  /** The block of a row. */
  readonly textAt: (row: number) => string;
}

/** IPv6 text costs much to write, and visitors crowd in few blocks: keeps one text a slot, and makes it again when another row needs the slot. */
function remembering(make: (row: number) => string): (row: number) => string {
  const rows = new Int32Array(TEXT_SLOTS).fill(-1);
  const texts = new Array<string>(TEXT_SLOTS).fill('');
  return (row) => {
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
function lastAtOrBefore({ rows, firsts }: Columns, source: number, words: readonly number[]): number {
  const size = words.length + 1;
  const leading = words[0] as number;
  const bucket = source * BUCKETS + bucketOf(leading, words.length);
  const first = firsts[source * BUCKETS] as number;
  let low = (firsts[bucket] as number) - 1;
  let high = (firsts[bucket + 1] as number) - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    let order = (rows[middle * size] as number) - leading;
    for (let word = 1; order === 0 && word < words.length; word += 1) {
      order = (rows[middle * size + word] as number) - (words[word] as number);
    }
    if (order <= 0) low = middle;
    else high = middle - 1;
  }
  return low < first ? -1 : low;
}

/** Of the first word: an eighth of IPv6, which is all that is handed out, has as many buckets as all of IPv4. */
function bucketOf(word: number, width: number): number {
  if (width === 1) return word >>> 22;
  return word < 0x20000000 ? 0 : Math.min(BUCKETS - 1, (word - 0x20000000) >>> 19);
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

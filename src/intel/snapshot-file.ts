/** Decides what a snapshot file contains besides its large tables: sources and countries, sets of sources, lists of words. */
import type { SourceInfo } from '../model/source.ts';
import type { Country } from './network-table.ts';
import { type Container, decodeContainer, encodeContainer, type Section } from './snapshot-container.ts';

export interface SnapshotMeta {
  readonly sources: readonly SourceInfo[];
  readonly countries: readonly Country[];
  /** Id of the snapshot that this one was built upon; empty for a baseline. */
  readonly base: string;
}

/** Files call the category `says`: snapshots of all releases of this format can be read. */
type StoredSource = Omit<SourceInfo, 'category'> & { readonly says: SourceInfo['category'] };
type StoredMeta = Omit<SnapshotMeta, 'sources'> & { readonly sources: readonly StoredSource[] };

/** Encodes a snapshot: the same content gives the same bytes, and the id is a hash of them. */
export function encodeSnapshotFile(
  { sources, countries, base }: SnapshotMeta,
  tables: Readonly<Record<string, Section>>,
): { id: string; bytes: Uint8Array } {
  const stored = sources.map(({ id, category, ...rest }): StoredSource => ({ id, says: category, ...rest }));
  const meta: StoredMeta = { sources: stored, countries, base };
  return encodeContainer(meta, tables);
}

/** @param options `verified`: the hash of the bytes has been compared before. @throws SnapshotError */
export function decodeSnapshotFile(
  bytes: Uint8Array,
  options?: { readonly verified?: boolean },
): Container<SnapshotMeta> {
  const container = decodeContainer<StoredMeta>(bytes, options);
  const { sources, countries, base } = container.meta;
  const read = sources.map(({ id, says, ...rest }): SourceInfo => ({ id, category: says, ...rest }));
  return { ...container, meta: { sources: read, countries, base } };
}

const MAX_MASKS = 0x10000;

/** Distinct masks of sources while a snapshot is compiled; number 0 is the empty one. */
export class MaskTable {
  private readonly numbers = new Map<bigint, number>([[0n, 0]]);

  numberOf(mask: bigint): number {
    let number = this.numbers.get(mask);
    if (number === undefined) {
      number = this.numbers.size;
      if (number === MAX_MASKS) throw new Error(`more than ${MAX_MASKS} combinations of sources`);
      this.numbers.set(mask, number);
    }
    return number;
  }

  /** Low word, high word. */
  encode(): Uint32Array {
    const words = [...this.numbers.keys()].flatMap((mask) => [
      Number(mask & 0xffffffffn),
      Number(mask >> 32n),
    ]);
    return Uint32Array.from(words);
  }
}

/** The mask of each number. */
export function openMasks(container: Container<unknown>): {
  readonly length: number;
  at(number: number): bigint;
} {
  const words = container.u32('masks');
  return {
    length: words.length / 2,
    at: (number) => BigInt(words[number * 2] as number) | (BigInt(words[number * 2 + 1] as number) << 32n),
  };
}

/** A set of words: sorted, one a line. */
export function encodeWords(words: Iterable<string>): Uint8Array {
  return Buffer.from([...new Set(words)].sort().join('\n'), 'utf8');
}

export function openWords(container: Container<unknown>, section: string): ReadonlySet<string> {
  const text = Buffer.from(container.u8(section)).toString('utf8');
  return new Set(text.split('\n').filter((word) => word !== ''));
}

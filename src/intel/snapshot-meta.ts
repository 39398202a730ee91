/** Decides what the header of a snapshot file says besides where its tables are, and under which names. */
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

/** The same content gives the same bytes; the id is a hash of them. */
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

/** Decides how knowledge becomes a snapshot: claims are resolved once, and the file has only tables that are read in place. */
import { countryName } from '../platform/country-names.ts';
import { maskOf } from './claim-resolver.ts';
import { settleDomains } from './domain-claims.ts';
import { encodeDomainTable } from './domain-table.ts';
import type { FlatNetworks } from './network-claims.ts';
import { type Country, encodeNetworkTable } from './network-table.ts';
import type { SnapshotContent } from './snapshot-content.ts';
import { encodeSnapshotFile, encodeWords, MaskTable } from './snapshot-file.ts';
import type { BlockRows } from './source-blocks.ts';
import { collectSourceBlocks, encodeSourceBlocks } from './source-blocks-writer.ts';
import { MAX_SOURCES } from './sources.ts';

/** Knowledge with one value for every stretch of addresses. */
export interface FlatKnowledge extends Omit<SnapshotContent, 'networks' | 'asnClaims'> {
  readonly networks: FlatNetworks;
  /** Every country of the networks, and the empty one. */
  readonly countries: readonly Country[];
  /** Rows by the place of the source. */
  readonly entries: readonly BlockRows[];
  /** Id of the snapshot that this one was built upon; empty for a baseline. */
  readonly base: string;
}

/** Compiles knowledge: the same knowledge gives the same bytes, and the id is a hash of them. */
export function compileSnapshot(knowledge: SnapshotContent): { id: string; bytes: Uint8Array } {
  const networks = knowledge.networks.flatten(knowledge.asnClaims);
  const entries = collectSourceBlocks(knowledge.networks, knowledge.sources.length);
  const codes = [...new Set(['', ...networks.values.map(({ country }) => country)])].sort();
  const countries = codes.map((code) => ({ code, name: countryName(code) }));
  return encodeSnapshot({ ...knowledge, networks, countries, entries, base: '' });
}

/** Compiles knowledge whose networks are flat already. */
export function encodeSnapshot(knowledge: FlatKnowledge): { id: string; bytes: Uint8Array } {
  const { sources, asNames, networks, countries, entries, base } = knowledge;
  if (sources.length > MAX_SOURCES)
    throw new Error(`${sources.length} sources, a mask has room for ${MAX_SOURCES}`);
  const masks = new MaskTable();
  const maskNumber = (mask: bigint): number => masks.numberOf(mask);
  const suffixSources = maskOf(sources, ({ category }) => category === 'shared_suffix');
  const suffixes = [...knowledge.domains].flatMap(([name, mask]) => (mask & suffixSources ? name : []));
  const own = new Set(suffixes);
  const settled = settleDomains({
    ...knowledge,
    isShared: (name) => own.has(name) || knowledge.isShared(name),
  });
  const tables = {
    ...encodeDomainTable(settled, maskNumber),
    ...encodeNetworkTable(networks, asNames, countries, maskNumber),
    ...encodeSourceBlocks(entries),
    'word.tld': encodeWords(knowledge.topLevels),
    'word.role': encodeWords(knowledge.roles),
    'word.suffix': encodeWords(suffixes),
    'word.institution': encodeWords(knowledge.institutions),
  };
  return encodeSnapshotFile({ sources, countries, base }, { ...tables, masks: masks.encode() });
}

/** Decides how fetched feeds join the bundled knowledge: laid over a compiled baseline, they give one new snapshot. */
import { encodeSnapshot, type FlatKnowledge } from './compile.ts';
import { createSharedSuffixes } from './domain-name.ts';
import { openDomainTable } from './domain-table.ts';
import type { AppliedFeed } from './feed.ts';
import { readFeedClaims } from './feed-claims.ts';
import { overlayNetworks } from './network-overlay.ts';
import { decodeNetworkTable } from './network-table.ts';
import { decodeSnapshotFile, openMasks, openWords } from './snapshot-file.ts';
import { openSourceBlocks } from './source-blocks.ts';
import { collectSourceBlocks } from './source-blocks-writer.ts';

/**
 * The sources of the snapshot are those of the baseline, then the feeds in their order.
 * `base`: a snapshot file, the baseline's. `now`: milliseconds since the epoch, for entries that fade. The same
 * arguments give the same bytes. Takes seconds of CPU and ten times the file's size in memory: for a worker.
 * @throws SnapshotError when `base` is not a whole snapshot, Error when there are more than 64 sources
 */
export function compileWithFeeds(
  base: Uint8Array,
  feeds: readonly AppliedFeed[],
  now: number,
): { id: string; bytes: Uint8Array } {
  const { id, ...below } = readBase(base);
  const above = readFeedClaims(feeds, { firstPlace: below.sources.length, now });
  const sources = [...below.sources, ...above.sources];
  const suffixes = createSharedSuffixes(new Set());
  const isShared = (name: string): boolean =>
    below.domains.has(name) ? below.isShared(name) : suffixes.suffixOf(name) === name;
  const domains = new Map(below.domains);
  for (const [name, claims] of above.domains) domains.set(name, (domains.get(name) ?? 0n) | claims);
  const entries = collectSourceBlocks(above.networks, sources.length);
  return encodeSnapshot({
    ...below,
    sources,
    domains,
    wildcards: above.wildcards,
    isShared,
    networks: overlayNetworks(below.networks, above.networks.flatten(new Map()), above.asns),
    entries: entries.map((rows, source) => below.entries[source] ?? rows),
    base: id,
  });
}

/** The knowledge that a snapshot was compiled from. @throws SnapshotError */
function readBase(bytes: Uint8Array): Omit<FlatKnowledge, 'base'> & { readonly id: string } {
  const container = decodeSnapshotFile(bytes);
  const { sources, countries } = container.meta;
  const masks = openMasks(container);
  const table = openDomainTable(container);
  const domains = new Map<string, bigint>();
  const shared = new Set<string>();
  for (const { name, record } of table.records()) {
    domains.set(name, masks.at(table.claimsOf(record)));
    if (table.isShared(record)) shared.add(name);
  }
  const entries = openSourceBlocks(container);
  return {
    id: container.id,
    sources,
    countries,
    domains,
    wildcards: new Map(),
    isShared: (name) => shared.has(name),
    topLevels: openWords(container, 'word.tld'),
    roles: openWords(container, 'word.role'),
    institutions: openWords(container, 'word.institution'),
    ...decodeNetworkTable(container, masks),
    entries: sources.map((_, source) => entries.rowsOf(source)),
  };
}

/** Decides how fetched feeds join the bundled knowledge: laid over a compiled baseline, they give one new snapshot. */
import type { SourceInfo } from '../model/source.ts';
import { encodeSnapshot } from './compile.ts';
import type { AppliedFeed } from './feed.ts';
import { readFeedClaims } from './feed-claims.ts';
import { overlayNetworks } from './network-overlay.ts';
import { readBase } from './read-base.ts';
import { createSharedSuffixes } from './shared-suffix.ts';
import { listEntries } from './source-blocks.ts';

/** The sources of the snapshot: those of the baseline, then the feeds in their order. */
export interface CompiledSnapshot {
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly sources: readonly SourceInfo[];
}

/**
 * `base`: a snapshot file, the baseline's. `now`: milliseconds since the epoch, for entries that fade. The same
 * arguments give the same bytes. Takes seconds of CPU and ten times the file's size in memory: for a worker.
 * @throws SnapshotError when `base` is not a whole snapshot, Error when there are more than 64 sources
 */
export function compileWithFeeds(
  base: Uint8Array,
  feeds: readonly AppliedFeed[],
  now: number,
): CompiledSnapshot {
  const { id, ...below } = readBase(base);
  const { topLevels } = below;
  const above = readFeedClaims(feeds, { firstPlace: below.sources.length, topLevels, now });
  const sources = [...below.sources, ...above.sources];
  const suffixes = createSharedSuffixes(new Set());
  const isShared = (name: string): boolean =>
    below.domains.has(name) ? below.isShared(name) : suffixes.of(name) === name;
  const domains = new Map(below.domains);
  for (const [name, claims] of above.domains) domains.set(name, (domains.get(name) ?? 0n) | claims);
  const entries = listEntries(above.networks, sources.length);
  const compiled = encodeSnapshot({
    ...below,
    sources,
    domains,
    wildcards: above.wildcards,
    isShared,
    networks: overlayNetworks(below.networks, above.networks.flatten(new Map()), above.asns),
    entries: entries.map((rows, source) => below.entries[source] ?? rows),
    base: id,
  });
  return { ...compiled, sources };
}

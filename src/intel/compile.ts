/** Decides how knowledge becomes a snapshot: claims are resolved once, and the file has only tables that are read in place. */
import type { SourceInfo } from '../model/source.ts';
import { createClaimResolver, maskOf } from './claim-resolver.ts';
import { countryNames } from './country-names.ts';
import { settleDomains } from './domain-claims.ts';
import { createDisputeRules } from './domain-dispute.ts';
import { encodeDomainTable } from './domain-table.ts';
import { withNameClaims } from './name-claims.ts';
import type { FlatNetworks, NetworkClaims } from './network-claims.ts';
import { type Country, encodeNetworkTable } from './network-table.ts';
import { MaskTable } from './snapshot-mask-table.ts';
import { encodeSnapshotFile } from './snapshot-meta.ts';
import { encodeWords } from './snapshot-word-list.ts';
import { type EntryRows, encodeEntryLists, listEntries } from './source-blocks.ts';
import { MAX_SOURCES } from './sources.ts';
import { createTypingMistakes } from './typing-mistake.ts';

/** Everything the sources say, before they are compared with each other. A mask's bit is a place in `sources`. */
export interface SnapshotContent {
  readonly sources: readonly SourceInfo[];
  /** Canonical name → the sources that list it. */
  readonly domains: ReadonlyMap<string, bigint>;
  /** The sources among them that list a name together with all names below it, explicitly (`*.pp.ua`). */
  readonly wildcards: ReadonlyMap<string, bigint>;
  /** Whether strangers get names under a listed name, even if no source of the snapshot says so. */
  readonly isShared: (name: string) => boolean;
  readonly topLevels: Iterable<string>;
  readonly roles: Iterable<string>;
  /** Suffixes below which only institutions get names. */
  readonly institutions: Iterable<string>;
  readonly networks: NetworkClaims;
  readonly asNames: ReadonlyMap<number, string>;
  /** AS number → the sources that list it. */
  readonly asnClaims: ReadonlyMap<number, bigint>;
}

/** The same, with one value for every stretch of addresses. */
export interface FlatKnowledge extends Omit<SnapshotContent, 'networks' | 'asnClaims'> {
  readonly networks: FlatNetworks;
  /** Every country of the networks, and the empty one. */
  readonly countries: readonly Country[];
  /** By the place of the source. */
  readonly entries: readonly EntryRows[];
  /** Id of the snapshot that this one was built upon; empty for a baseline. */
  readonly base: string;
}

/** The same knowledge gives the same bytes; the id is a hash of them. */
export function compileSnapshot(knowledge: SnapshotContent): { id: string; bytes: Uint8Array } {
  const networks = knowledge.networks.flatten(knowledge.asnClaims);
  const entries = listEntries(knowledge.networks, knowledge.sources.length);
  const codes = [...new Set(['', ...networks.values.map(({ country }) => country)])].sort();
  const names = countryNames(codes);
  const countries = codes.map((code, place) => ({ code, name: names[place] as string }));
  return encodeSnapshot({ ...knowledge, networks, countries, entries, base: '' });
}

/** Likewise, from networks that are flat already. */
export function encodeSnapshot(knowledge: FlatKnowledge): { id: string; bytes: Uint8Array } {
  const { sources, asNames, networks, countries, entries, base } = knowledge;
  if (sources.length > MAX_SOURCES)
    throw new Error(`${sources.length} sources, a mask has room for ${MAX_SOURCES}`);
  const masks = new MaskTable();
  const maskNumber = (mask: bigint): number => masks.numberOf(mask);
  const suffixSources = maskOf(sources, ({ category }) => category === 'shared_suffix');
  const typingMistakes = createTypingMistakes();
  const domains = withNameClaims(knowledge.domains, {
    sources,
    institutions: new Set(knowledge.institutions),
    isMistyped: (name) => typingMistakes.providerMeant(name, true) !== '',
  });
  const suffixes = [...domains].flatMap(([name, mask]) => (mask & suffixSources ? name : []));
  const own = new Set(suffixes);
  const settled = settleDomains({
    domains,
    wildcards: knowledge.wildcards,
    resolver: createClaimResolver(sources),
    dispute: createDisputeRules(sources),
    isShared: (name) => own.has(name) || knowledge.isShared(name),
  });
  const tables = {
    ...encodeDomainTable(settled, maskNumber),
    ...encodeNetworkTable(networks, asNames, countries, maskNumber),
    ...encodeEntryLists(entries),
    'word.tld': encodeWords(knowledge.topLevels),
    'word.role': encodeWords(knowledge.roles),
    'word.suffix': encodeWords(suffixes),
    'word.institution': encodeWords(knowledge.institutions),
  };
  return encodeSnapshotFile({ sources, countries, base }, { ...tables, masks: masks.encode() });
}

/** Decides how a snapshot file answers questions: every table is viewed in place, nothing is unpacked ahead. */
import { readFile } from 'node:fs/promises';
import { withParents } from '../address/domain.ts';
import type { Hit } from '../model/evidence.ts';
import { CATEGORIES, type Category, type SourceInfo } from '../model/source.ts';
import { type ClaimResolver, createClaimResolver, maskOf } from './claim-resolver.ts';
import { createDisputeRules } from './domain-dispute.ts';
import { createSharedSuffixes } from './domain-name.ts';
import { openDomainTable } from './domain-table.ts';
import type { CategoryFlags, DomainKnowledge, Intel, NetworkKnowledge } from './intel.ts';
import { openNetworkTable } from './network-table.ts';
import type { Container } from './snapshot-container.ts';
import { decodeSnapshotFile, openMasks, openWords, type SnapshotMeta } from './snapshot-file.ts';
import { openSourceBlocks } from './source-blocks.ts';

/** @throws SnapshotError when the file is not a whole snapshot of this format */
export async function openSnapshot(file: string | URL): Promise<Intel> {
  return readSnapshot(await readFile(file));
}

/** Keeps viewing `bytes`, which must stay unchanged. @throws SnapshotError */
export function readSnapshot(bytes: Uint8Array): Intel {
  return openIntel(decodeSnapshotFile(bytes));
}

/**
 * Snapshot of bytes that another thread has read whole: their hash is not compared again, so that this takes no time on
 * the event loop. @throws SnapshotError
 */
export function readVerifiedSnapshot(bytes: Uint8Array): Intel {
  return openIntel(decodeSnapshotFile(bytes, { verified: true }));
}

function openIntel(container: Container<SnapshotMeta>): Intel {
  const { sources } = container.meta;
  const roles = openWords(container, 'word.role');
  const topLevels = openWords(container, 'word.tld');
  const institutions = openWords(container, 'word.institution');
  const mayBeRole = createSieve(roles);
  return Object.freeze({
    id: container.id,
    sources: Object.freeze(sources.map((source) => Object.freeze(source))),
    ...createDomainLookups(container),
    ...createNetworkLookups(container),
    isTopLevel: (label: string) => topLevels.has(label),
    isInstitution(name: string) {
      for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
        if (institutions.has(name.slice(dot + 1))) return true;
      return false;
    },
    isRole(local: string) {
      const tag = local.indexOf('+');
      const name = tag < 0 ? local : local.slice(0, tag);
      return mayBeRole(name) && roles.has(name);
    },
  });
}

const SIEVE_PLACES = 4_096;

/** Says of most texts that they are not among the words, without a look at these, which lie far apart in memory. */
function createSieve(words: ReadonlySet<string>): (text: string) => boolean {
  const taken = new Uint8Array(SIEVE_PLACES);
  const placeOf = (text: string) => {
    const { length } = text;
    const letters = text.charCodeAt(0) * 31 + text.charCodeAt(length >> 1) * 17 + text.charCodeAt(length - 1);
    return (letters * 7 + length * 131) % SIEVE_PLACES;
  };
  for (const word of words) taken[placeOf(word)] = 1;
  return (text) => taken[placeOf(text)] === 1;
}

const NO_HITS: readonly Hit[] = Object.freeze([]);
const UNLISTED: DomainKnowledge = Object.freeze({
  disposable: false,
  disputed: false,
  settled: false,
  listed: listedBy([]),
  sharedSuffix: '',
  hits: NO_HITS,
});

function createDomainLookups(
  container: Container<SnapshotMeta>,
): Pick<Intel, 'domain' | 'domainClaims' | 'isPopular'> {
  const table = openDomainTable(container);
  const masks = openMasks(container);
  const suffixes = createSharedSuffixes(openWords(container, 'word.suffix'));
  const verdictOf = openVerdicts(container, (_, claims) => claims);
  const rankings = maskOf(container.meta.sources, ({ category }) => category === 'popular');
  return {
    domain(name) {
      const record = table.find(name);
      const isItself = record >= 0 && table.lengthOf(record) === name.length;
      const sharedSuffix =
        isItself && table.isShared(record) ? name : hasSubdomain(name) ? suffixes.suffixOf(name) : '';
      if (record < 0) return sharedSuffix === '' ? UNLISTED : { ...UNLISTED, sharedSuffix };
      const verdict = verdictOf(isItself ? table.effectiveOf(record) : table.belowOf(record));
      const { listed, sources } = verdict;
      // Reasons against the listing of a shared suffix say nothing about the names below it.
      const disputed = table.isDisputed(record) && (isItself || !table.isShared(record));
      const entry = name.slice(name.length - table.lengthOf(record));
      return {
        disposable: listed.disposable && !disputed,
        disputed,
        settled: verdict.settled,
        listed,
        sharedSuffix,
        hits: sources.map(({ id, category, version }) => ({
          fact: category,
          source: id,
          entry,
          version,
        })),
      };
    },
    isPopular(name) {
      if (rankings === 0n) return false;
      const record = table.recordOf(name);
      return record >= 0 && (masks.at(table.claimsOf(record)) & rankings) !== 0n;
    },
    domainClaims: (name) =>
      [...withParents(name)].flatMap((listed) => {
        const record = table.recordOf(listed);
        if (record < 0) return [];
        const claims = masks.at(table.claimsOf(record));
        const effective = masks.at(table.effectiveOf(record));
        const below = masks.at(table.belowOf(record));
        return [
          {
            name: listed,
            shared: table.isShared(record),
            claims,
            effective,
            below,
            disputed: table.isDisputed(record),
          },
        ];
      }),
  };
}

/** Most names have two labels, and need not be compared with suffixes. */
function hasSubdomain(name: string): boolean {
  return name.indexOf('.') !== name.lastIndexOf('.');
}

function createNetworkLookups(
  container: Container<SnapshotMeta>,
): Pick<Intel, 'network' | 'networkClaims' | 'asName' | 'asesNamed'> {
  const table = openNetworkTable(container);
  const masks = openMasks(container);
  const entries = openSourceBlocks(container);
  const verdictOf = openVerdicts(container, (resolver, claims) => resolver.resolve(claims));
  const valueAt = (words: readonly number[]): number =>
    (words.length === 1 ? table.v4 : table.v6).valueAt(words);

  const hitsOf = ({ sources, places }: Verdict, asn: number, words: readonly number[]): readonly Hit[] => {
    if (sources.length === 0) return NO_HITS;
    const hits = new Array<Hit>(sources.length);
    for (let at = 0; at < hits.length; at += 1) {
      const { id, category, entryKind, version } = sources[at] as SourceInfo;
      const entry = entryKind === 'asn' ? `AS${asn}` : entries.entryOf(places[at] as number, words);
      hits[at] = { fact: category, source: id, entry, version };
    }
    return hits;
  };

  return {
    network(ip): NetworkKnowledge {
      const { words } = ip;
      const value = valueAt(words);
      const verdict = verdictOf(table.claims(value));
      const asn = table.asn(value);
      return {
        listed: verdict.listed,
        abuseScore: table.abuse(value),
        countryCode: table.countryCode(value),
        country: table.country(value),
        asn,
        asName: table.asName(value),
        hits: hitsOf(verdict, asn, words),
      };
    },
    asName: table.asNames.of,
    asesNamed: table.asNames.named,
    networkClaims(ip) {
      const { words } = ip;
      const value = valueAt(words);
      return {
        asn: table.asn(value),
        claims: masks.at(table.claims(value)),
        blocksOf: (source) => entries.blocksOf(source, words),
      };
    },
  };
}

/** The result of one combination of sources. */
interface Verdict {
  readonly listed: CategoryFlags;
  readonly sources: readonly SourceInfo[];
  /** Places of the sources in the snapshot's table. */
  readonly places: readonly number[];
  /** Whether the claims about a domain are settled: see `DomainKnowledge`. */
  readonly settled: boolean;
}

/** The verdict of a mask, by its number; computed when it is first needed. */
function openVerdicts(
  container: Container<SnapshotMeta>,
  effectiveOf: (resolver: ClaimResolver, claims: bigint) => bigint,
): (number: number) => Verdict {
  const { sources } = container.meta;
  const resolver = createClaimResolver(sources);
  const dispute = createDisputeRules(sources);
  const masks = openMasks(container);
  const verdicts = new Array<Verdict | undefined>(masks.length).fill(undefined);
  const compute = (number: number): Verdict => {
    const effective = effectiveOf(resolver, masks.at(number));
    const places = [...sources.keys()].filter((place) => (effective >> BigInt(place)) & 1n);
    const effectiveSources = places.map((place) => sources[place] as SourceInfo);
    return {
      sources: effectiveSources,
      places,
      settled: dispute.isSettled(effective),
      listed: listedBy(effectiveSources),
    };
  };
  return (number) => {
    let verdict = verdicts[number];
    if (verdict === undefined) {
      verdict = compute(number);
      verdicts[number] = verdict;
    }
    return verdict;
  };
}

function listedBy(sources: readonly SourceInfo[]): CategoryFlags {
  const isListed = (category: Category) => sources.some((source) => source.category === category);
  return Object.fromEntries(CATEGORIES.map((category) => [category, isListed(category)])) as CategoryFlags;
}

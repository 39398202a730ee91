/** Decides what the applied feeds claim about names, networks and ASes, in the form that a snapshot is compiled from. */
import type { SourceInfo } from '../model/source.ts';
import { fadedWeight, listingWeight } from './abuse-score.ts';
import { createDomainReader, type DomainReader } from './domain-name.ts';
import { type AppliedFeed, type Feed, WILDCARD } from './feed.ts';
import { NetworkClaims } from './network-claims.ts';

/** Every listed AS: which sources list it, and how much each adds to the abuse score. */
export interface AsnListing {
  claims: bigint;
  /** Weights by the place of the source. */
  readonly weights: Map<number, number>;
}

export interface FeedClaims {
  readonly sources: readonly SourceInfo[];
  /** Canonical name → places of the sources that list it, as a mask. */
  readonly domains: ReadonlyMap<string, bigint>;
  /** Claims about names that a source lists with all names below them. */
  readonly wildcards: ReadonlyMap<string, bigint>;
  readonly networks: NetworkClaims;
  readonly asns: ReadonlyMap<number, AsnListing>;
}

/** `firstPlace`: the place of the first feed in the snapshot's table of sources. Entries that cannot be used are skipped. */
export function readFeedClaims(
  feeds: readonly AppliedFeed[],
  options: { readonly firstPlace: number; readonly now: number },
): FeedClaims {
  const draft = new FeedDraft(createDomainReader(), options.now);
  const sources = feeds.map((applied, at) => describe(applied, draft.add(applied, options.firstPlace + at)));
  const { domains, wildcards, networks, asns } = draft;
  return { sources, domains, wildcards, networks, asns };
}

class FeedDraft {
  readonly domains = new Map<string, bigint>();
  readonly wildcards = new Map<string, bigint>();
  readonly networks = new NetworkClaims();
  readonly asns = new Map<number, AsnListing>();
  private readonly reader: DomainReader;
  private readonly now: number;

  constructor(reader: DomainReader, now: number) {
    this.reader = reader;
    this.now = now;
  }

  /** Returns how many of its entries were accepted. */
  add(applied: AppliedFeed, place: number): number {
    const { feed, parsed } = applied;
    if (feed.entryKind === 'domain') return this.addDomains(parsed.entries, place);
    const take = feed.entryKind === 'asn' ? this.addAsn.bind(this, place) : this.blockTaker(place);
    let count = 0;
    for (const [at, entry] of parsed.entries.entries()) {
      if (take(entry, weightOf(feed, parsed.levels?.[at]), false)) count += 1;
    }
    for (const { entry, level, lastSeen } of feed.category === 'abuse' ? applied.departed : []) {
      const weight = fadedWeight(weightOf(feed, level), this.now - lastSeen);
      if (weight > 0) take(entry, weight, true);
    }
    return count;
  }

  private addDomains(entries: readonly string[], place: number): number {
    const bit = 1n << BigInt(place);
    let count = 0;
    for (const entry of entries) {
      const isWildcard = entry.startsWith(WILDCARD);
      const name = this.reader.read(isWildcard ? entry.slice(WILDCARD.length) : entry);
      if (name === undefined) continue;
      this.domains.set(name, (this.domains.get(name) ?? 0n) | bit);
      if (isWildcard) this.wildcards.set(name, (this.wildcards.get(name) ?? 0n) | bit);
      count += 1;
    }
    return count;
  }

  private addAsn(place: number, entry: string, weight: number): boolean {
    const asn = /^AS\d{1,10}$/.test(entry) ? Number(entry.slice(2)) : 0;
    if (asn < 1 || asn > 0xffffffff) return false;
    const listing = this.asns.get(asn) ?? { claims: 0n, weights: new Map<number, number>() };
    listing.claims |= 1n << BigInt(place);
    listing.weights.set(place, Math.max(weight, listing.weights.get(place) ?? 0));
    this.asns.set(asn, listing);
    return true;
  }

  /** One label for each weight of a source; an entry that is listed now replaces a departed one. */
  private blockTaker(place: number) {
    const labels = new Map<number, number>();
    return (entry: string, abuse: number, departed: boolean): boolean => {
      const key = departed ? -abuse : abuse;
      let label = labels.get(key);
      if (label === undefined) {
        label = this.networks.label({ source: place, abuse, ...(departed ? { departed } : {}) });
        labels.set(key, label);
      }
      return this.networks.addBlock(entry, label);
    };
  }
}

function weightOf({ category, abuseWeight = 0 }: Feed, level: number | undefined): number {
  return category === 'abuse' ? listingWeight(abuseWeight, level) : 0;
}

function describe({ feed, version, fetchedAt }: AppliedFeed, entries: number): SourceInfo {
  const { id, category, entryKind, family, collection, licence, url } = feed;
  return {
    id,
    category,
    entryKind,
    vouched: false,
    ...(family === undefined ? {} : { family }),
    ...(collection === undefined ? {} : { collection }),
    origin: `feed:${id}`,
    licence,
    version,
    url,
    fetchedAt,
    entries,
  };
}

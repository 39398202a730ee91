/** Look-ups of a domain, a local part, a top-level domain or an address in one snapshot. */
import type { Hit, IpEvidence } from '../model/evidence.ts';
import type { IpAddress } from '../model/signup-attempt.ts';
import type { Category, SourceInfo } from '../model/source.ts';
import type { NamedAs } from './as-names.ts';
import type { ListedBlock } from './source-blocks.ts';

/** Categories that the sources that count give to a domain or a network. A new category needs no line here. */
export type CategoryFlags<Facts extends Category = Category> = Readonly<Record<Facts, boolean>>;

export interface DomainKnowledge {
  readonly disposable: boolean;
  /** A list calls it disposable, but there are stronger reasons against that: then `disposable` is false. */
  readonly disputed: boolean;
  /** Our own list or enough independent lists call it disposable: popularity and age do not outweigh these. */
  readonly settled: boolean;
  /** Categories but `disposable`, which reasons against the listing may outweigh. */
  readonly listed: CategoryFlags<Exclude<Category, 'disposable'>>;
  /** The suffix shared by strangers that the name is below, or is itself if a list contains it; else empty. */
  readonly sharedSuffix: string;
  readonly hits: readonly Hit[];
}

/** Knowledge of lists about the network of an address. */
export interface NetworkKnowledge
  extends Pick<IpEvidence, 'abuseScore' | 'countryCode' | 'country' | 'asn' | 'hits'> {
  readonly listed: CategoryFlags;
  readonly asName: string;
}

/** One listed name, with every claim about it: masks of places in `sources`. */
export interface DomainClaims {
  readonly name: string;
  /** Strangers get names under it. */
  readonly shared: boolean;
  readonly claims: bigint;
  /** The claims that no other claim overrides. */
  readonly effective: bigint;
  /** The claims that are effective for the names below it. */
  readonly below: bigint;
  /** Lists call it disposable, and that is disputed. */
  readonly disputed: boolean;
}

/** Every claim about one address: a mask of places in `sources`. */
export interface NetworkClaimSet {
  readonly asn: number;
  readonly claims: bigint;
  /** A source's own blocks that contain the address, the narrowest first. */
  blocksOf(source: number): readonly ListedBlock[];
}

/** One immutable snapshot. Lookups are synchronous, never throw, and give frozen or fresh values. */
export interface Intel {
  /** Content hash of the snapshot. */
  readonly id: string;
  readonly sources: readonly SourceInfo[];
  /** `name`: ASCII and lower-case. An entry covers the names below it, too; the most specific one decides. */
  domain(name: string): DomainKnowledge;
  /** Whether a ranking names exactly this domain: alone it gives `domain` nothing. `name`: ASCII and lower-case. */
  isPopular(name: string): boolean;
  /** Whether IANA knows the top-level domain; `label` ASCII and lower-case. */
  isTopLevel(label: string): boolean;
  /** Whether a registry gives names below one of the name's suffixes to institutions only. `name`: ASCII and lower-case. */
  isInstitution(name: string): boolean;
  /** Whether a lower-case local part, without its `+` tag, names a function rather than a person. */
  isRole(local: string): boolean;
  /** A public address. Special-purpose ranges, those of documentation included, have no knowledge. */
  network(ip: IpAddress): NetworkKnowledge;
  /** Name of an autonomous system; empty where the number has no addresses. */
  asName(asn: number): string;
  /** Autonomous systems that have a word which begins with a text, at most `max`, the best match first. */
  asesNamed(text: string, max: number): readonly NamedAs[];
  /** All listings of a name and of its parents, the most specific first, effective or not: for `check.ts`. */
  domainClaims(name: string): readonly DomainClaims[];
  networkClaims(ip: IpAddress): NetworkClaimSet;
}

/** Decides what is known of a domain, a local part, a top-level domain or an address, from one snapshot. */

import type { Hit } from '../model/evidence.ts';
import type { IpAddress } from '../model/signup-attempt.ts';
import type { SourceInfo } from '../model/source.ts';
import type { ListedBlock } from './lists/entry-lists.ts';

export interface DomainKnowledge {
  readonly disposable: boolean;
  /** A list calls it disposable, and what speaks against that is not outweighed: `disposable` is false then. */
  readonly disputed: boolean;
  /** So many independent lists call it disposable, or our own, that popularity and age would not count against them. */
  readonly settled: boolean;
  readonly relay: boolean;
  readonly spam: boolean;
  readonly consumer: boolean;
  /** The suffix under which strangers get names that it is below, or is itself where a list names it; else empty. */
  readonly sharedSuffix: string;
  readonly hits: readonly Hit[];
}

export interface NetworkKnowledge {
  readonly tor: boolean;
  readonly vpn: boolean;
  readonly proxy: boolean;
  readonly relay: boolean;
  readonly datacenter: boolean;
  /** 0 … 100. */
  readonly abuseScore: number;
  /** ISO 3166-1 alpha-2, or empty when unknown. */
  readonly countryCode: string;
  /** English name, or empty. */
  readonly country: string;
  /** 0 when unknown. */
  readonly asn: number;
  readonly asName: string;
  readonly hits: readonly Hit[];
}

/** One listed name, with every claim about it: masks of places in `sources`. */
export interface DomainClaims {
  readonly name: string;
  /** Strangers get names under it. */
  readonly shared: boolean;
  readonly claims: bigint;
  /** The claims that hold. */
  readonly holds: bigint;
  /** Those that hold for the names below it. */
  readonly below: bigint;
  /** It is called disposable, and that is disputed. */
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
  /** `name`: ASCII and lower-case. A name speaks for the names below it; the most specific listed one decides. */
  domain(name: string): DomainKnowledge;
  /** Whether IANA knows the top-level domain; `label` ASCII and lower-case. */
  isTopLevel(label: string): boolean;
  /** Whether a lower-case local part, without its `+` tag, names a function rather than a person. */
  isRole(local: string): boolean;
  /** A public address. Special-purpose ranges, the documentation ones among them, come back with nothing known. */
  network(ip: IpAddress): NetworkKnowledge;
  /** What is listed at a name and above it, the most specific first, held or not: for `check.ts`. */
  domainClaims(name: string): readonly DomainClaims[];
  networkClaims(ip: IpAddress): NetworkClaimSet;
}

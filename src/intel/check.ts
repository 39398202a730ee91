/** Explains the data about a name or an address: every source that lists it, and whether its claim counts. */
import { parseEmail } from '../address/email.ts';
import { parseIp } from '../address/ip.ts';
import { trimInvisible } from '../address/visible-text.ts';
import type { IpAddress } from '../model/signup-attempt.ts';
import type { SourceInfo, SourceListing } from '../model/source.ts';
import { createClaimResolver, type Override } from './claim-resolver.ts';
import type { DomainClaims, Intel } from './intel.ts';

/** Every source that lists `name` (ASCII, lower-case) or a parent of it, the most specific entry first. */
export function checkDomain(intel: Intel, name: string): SourceListing[] {
  const resolver = createClaimResolver(intel.sources);
  const levels = intel.domainClaims(name);
  const reaches = (level: DomainClaims): boolean =>
    (level.name === name ? level.effective : level.below) !== 0n;
  const decisive = levels.find(reaches);
  return levels.flatMap((level, at) => {
    const above = levels.slice(at + 1).find(({ below }) => below !== 0n)?.below ?? 0n;
    return sourcesIn(level.claims, intel).map(([source, place]) => {
      const override = resolver.overrideOf(place, level.claims, above);
      let because = '';
      if (level.shared && level.name !== name && ((level.below >> BigInt(place)) & 1n) === 0n)
        because = 'strangers share this name: the entry covers only the name itself';
      else if (override !== undefined) because = OVERRIDE_WORDS[override];
      else if (source.category === 'disposable' && level.disputed && (level.name === name || !level.shared))
        because = 'disputed by what else is known about it';
      else if (level.effective === 0n) because = 'nothing else lists it';
      else if (level !== decisive) because = `${decisive?.name} is more specific`;
      return listing(source, level.name, because);
    });
  });
}

/** Every source that lists a block around the address, or its AS. */
export function checkNetwork(intel: Intel, ip: IpAddress): SourceListing[] {
  const resolver = createClaimResolver(intel.sources);
  const { asn, claims, blocksOf } = intel.networkClaims(ip);
  return sourcesIn(claims, intel).flatMap(([source, place]) => {
    const override = resolver.overrideOf(place, claims);
    const because = override === undefined ? '' : OVERRIDE_WORDS[override];
    if (source.entryKind === 'asn') return [listing(source, `AS${asn}`, because)];
    return blocksOf(place).map(({ entry, departed }) => listing(source, entry, because, departed));
  });
}

/** Parses a person's text: an IP address, a domain or an email address. @throws when it is none of them */
export function checkText(intel: Intel, text: string): { query: string; listings: SourceListing[] } {
  const visible = trimInvisible(text);
  const ip = parseIp(visible);
  if (ip !== undefined) return { query: ip.text, listings: checkNetwork(intel, ip) };
  const email = parseEmail(visible.includes('@') ? visible : `anybody@${visible}`);
  if (email === undefined) throw new Error(`not an IP address, a domain or an email address: ${text}`);
  return { query: email.domain, listings: checkDomain(intel, email.domain) };
}

const OVERRIDE_WORDS: Readonly<Record<Override, string>> = {
  relay: 'a relay',
  corporate: 'a corporate security proxy',
  vouched: 'a provider that Gatehouse vouches for',
  not_disposable: 'known to be wrongly reported',
  disposable: 'a disposable domain',
  consumer: 'a consumer provider',
};

function sourcesIn(claims: bigint, { sources }: Intel): [SourceInfo, number][] {
  return sources
    .map((source, place): [SourceInfo, number] => [source, place])
    .filter(([, place]) => (claims >> BigInt(place)) & 1n);
}

function listing(
  { id, category, version }: SourceInfo,
  entry: string,
  because: string,
  departed = false,
): SourceListing {
  return { fact: category, source: id, entry, version, effective: because === '', because, departed };
}

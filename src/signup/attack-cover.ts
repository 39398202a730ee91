/** Decides which IPs, ranges and domains cover the signups of an attack: the smallest ones, with hardly anybody else in them. */
import { alignBlock, parseBlock, writeBlock } from '../address/block.ts';
import { ownerDomain } from '../address/domain.ts';
import { ipOrder } from '../store/history-search.ts';
import { type Attacker, type AttackPlace, createIsIn, placeOf, type ValueTotal } from './attack-place.ts';

/** All signups of the last weeks, those of the attack included. */
export interface UsualTraffic {
  /** Signups of each /24, or /64 of IPv6. */
  readonly ranges: readonly ValueTotal[];
  /** Whether strangers share a domain. */
  readonly isCrowded: (domain: string) => boolean;
}

/** A place that the others in it were counted of. */
export interface CountedPlace extends AttackPlace {
  /** Other signups of the last weeks in it, without those that were reported as fraud. */
  readonly innocents: number;
}

export interface Cover<P extends AttackPlace> {
  readonly places: readonly P[];
  /** Signups of the attack that are in one of them. */
  readonly covered: number;
}

/** Places that one change of the lists may have. */
export const MAX_PLACES = 25;
/** Share of the signups of an attack from which on more places are not worth it. */
const ENOUGH = 0.95;
/** Innocent people in a place, for each signup of the attack. */
const MAX_INNOCENTS = 0.25;
/** Share of the smaller ranges of a wider one that were used, from which on the wider one is a range of its own. */
const MIN_FILLED = 0.5;
const WIDEST = { ipv4: 16, ipv6: 48 } as const;
const MIN_JOINED_IPV6 = 3;
/** Signups of the attack in each range that is joined, on average. */
const MIN_JOINED_SIGNUPS = 2;

/** The places that come into question, those with most of the attack first. */
export function candidatePlaces(attackers: readonly Attacker[], traffic: UsualTraffic): AttackPlace[] {
  const ranges = joinRanges(rangesOf(attackers), traffic.ranges);
  const domains = domainsOf(attackers, traffic.isCrowded);
  const largest = (places: readonly AttackPlace[]) =>
    [...places].sort((a, b) => b.attackers - a.attackers).slice(0, MAX_PLACES);
  return [...largest(ranges), ...largest(domains)];
}

/** The fewest places that cover the attack, with the fewest innocent people; a place that mostly holds these is never one. */
export function chooseCover<P extends CountedPlace>(
  attackers: readonly Attacker[],
  candidates: readonly P[],
): Cover<P> {
  const usable = candidates.filter(({ attackers: own, innocents }) => innocents <= own * MAX_INNOCENTS);
  const isDomain = ({ kind }: AttackPlace) => kind === 'domain';
  const covers = [
    cover(
      attackers,
      usable.filter((place) => !isDomain(place)),
    ),
    cover(attackers, usable.filter(isDomain)),
    cover(attackers, usable),
  ];
  const enough = covers.filter(({ covered }) => covered >= ENOUGH * attackers.length);
  const sorted = (enough.length > 0 ? enough : covers).sort(
    (a, b) =>
      (enough.length > 0 ? 0 : b.covered - a.covered) ||
      innocentsOf(a) - innocentsOf(b) ||
      a.places.length - b.places.length,
  );
  return sorted[0] as Cover<P>;
}

const innocentsOf = ({ places }: Cover<CountedPlace>) => sumOf(places, ({ innocents }) => innocents);

function sumOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0);
}

function cover<P extends CountedPlace>(attackers: readonly Attacker[], usable: readonly P[]): Cover<P> {
  const reached = usable.map((place) => ({ place, own: placesIn(attackers, place) }));
  const places: P[] = [];
  const covered = new Set<number>();
  while (places.length < MAX_PLACES && covered.size < ENOUGH * attackers.length) {
    const next = reached
      .map(({ place, own }) => ({ place, own, gain: own.filter((at) => !covered.has(at)).length }))
      .sort((a, b) => b.gain - a.gain || a.place.innocents - b.place.innocents)[0];
    if (next === undefined || next.gain === 0) break;
    places.push(next.place);
    for (const at of next.own) covered.add(at);
  }
  return { places, covered: covered.size };
}

/** Places in the list of those who are in it. */
function placesIn(attackers: readonly Attacker[], place: AttackPlace): number[] {
  const isIn = createIsIn(place);
  return attackers.flatMap((attacker, at) => (isIn(attacker) ? [at] : []));
}

/** A range with its addresses that were used. */
interface UsedRange {
  readonly range: string;
  readonly ips: ReadonlySet<string>;
  readonly attackers: number;
}

/** Parts of each /24, or /64 of IPv6: the smallest block with all addresses that were used. */
function rangesOf(attackers: readonly Attacker[]): AttackPlace[] {
  const used = new Map<string, { ips: Set<string>; attackers: number }>();
  for (const { ip } of attackers) {
    if (ip === null) continue;
    const range = rangeOf(ip);
    const known = used.get(range) ?? { ips: new Set(), attackers: 0 };
    known.ips.add(ip);
    known.attackers += 1;
    used.set(range, known);
  }
  return [...used].map(([range, each]) => smallestBlock({ range, ...each }));
}

function smallestBlock({ range, ips, attackers }: UsedRange): AttackPlace {
  const [only] = ips;
  if (only !== undefined && ips.size === 1) return placeOf('ip', only, attackers);
  if (range.includes(':')) return placeOf('cidr', range, attackers);
  const orders = [...ips].map((ip) => Number.parseInt(ipOrder(ip), 16));
  let bits = 32;
  while (bits > 24 && new Set(orders.map((order) => Math.floor(order / 2 ** (32 - bits)))).size > 1)
    bits -= 1;
  return placeOf('cidr', blockOf(range.slice(0, range.indexOf('/')), bits, only), attackers);
}

/** Joins neighbours into a wider range where most of it was used, and others do not come from it. */
function joinRanges(places: readonly AttackPlace[], totals: readonly ValueTotal[]): AttackPlace[] {
  const isIpv6 = ({ value }: AttackPlace) => value.includes(':');
  const joined = (own: readonly AttackPlace[], lengths: readonly number[], isWorth: IsWorth) => {
    let ranges = own;
    for (const bits of lengths) ranges = joinAt(bits, ranges, totals, isWorth);
    return ranges;
  };
  const ipv4 = Array.from({ length: 24 - WIDEST.ipv4 }, (_, at) => 23 - at);
  return [
    ...joined(
      places.filter((place) => !isIpv6(place)),
      ipv4,
      (bits, parts) =>
        sumOf(parts, ({ value }) => rangesIn(value)) >= MIN_FILLED * 2 ** (24 - bits) &&
        sumOf(parts, ({ attackers }) => attackers) >= MIN_JOINED_SIGNUPS * parts.length,
    ),
    ...joined(places.filter(isIpv6), [56, WIDEST.ipv6], (_, parts) => parts.length >= MIN_JOINED_IPV6),
  ];
}

type IsWorth = (bits: number, parts: readonly AttackPlace[]) => boolean;

/** Number of /24 that a block has a part in. */
function rangesIn(value: string): number {
  const bits = parseBlock(value)?.bits ?? 32;
  return bits >= 24 ? 1 : 2 ** (24 - bits);
}

function joinAt(
  bits: number,
  places: readonly AttackPlace[],
  totals: readonly ValueTotal[],
  isWorth: IsWorth,
): AttackPlace[] {
  const groups = new Map<string, AttackPlace[]>();
  for (const place of places) {
    const block = blockOf(place.value.replace(/\/.*/, ''), bits);
    groups.set(block, [...(groups.get(block) ?? []), place]);
  }
  return [...groups].flatMap(([value, parts]) => {
    if (parts.length < 2 || !isWorth(bits, parts)) return parts;
    const attackers = sumOf(parts, (part) => part.attackers);
    const joined = placeOf('cidr', value, attackers);
    const isIn = createIsIn(joined);
    const inside = totals.filter(
      ({ value: range }) => range !== null && isIn({ ip: range.replace(/\/.*/, ''), domain: '' }),
    );
    const total = sumOf(inside, ({ count }) => count);
    return total - attackers <= MAX_INNOCENTS * attackers ? [joined] : parts;
  });
}

/** @param ip an address of it, where the base is that of a larger range */
function blockOf(base: string, bits: number, ip = base): string {
  const block = parseBlock(`${ip}/${bits}`);
  return block === undefined ? `${base}/${bits}` : writeBlock(alignBlock(block));
}

function rangeOf(ip: string): string {
  return blockOf(ip, ip.includes(':') ? 64 : 24);
}

/** Domains that somebody registered, unless strangers share them. */
function domainsOf(attackers: readonly Attacker[], isCrowded: (domain: string) => boolean): AttackPlace[] {
  const counts = new Map<string, number>();
  for (const { domain } of attackers) {
    const owner = ownerDomain(domain) ?? domain;
    const value = isCrowded(owner) ? domain : owner;
    if (!isCrowded(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => placeOf('domain', value, count));
}

/** Decides what the sources together say about a stretch of addresses, while a snapshot is compiled. */
import { abuseScore } from './abuse-score.ts';
import { flatten } from './network-partition.ts';
import type { Partition } from './network-piece-writer.ts';
import { RangeList } from './network-range-list.ts';

/** Label of one range of one source. */
export interface NetworkLabel {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly asn?: number;
  /** The source that lists this range, as a place in the snapshot's table: only whole blocks are listed. */
  readonly source?: number;
  /** Points that this listing adds to the abuse score, 0 … 100. */
  readonly abuse?: number;
  /** The entry has left its source, and fades. */
  readonly departed?: true;
  /** Nothing is claimed about these addresses, even if a source lists them. */
  readonly special?: true;
}

/** Labels of all ranges over a stretch, together. */
export interface NetworkValue {
  readonly country: string;
  readonly asn: number;
  /** The sources that list it, as a mask. */
  readonly claims: bigint;
  /** 0 … 100, unrounded while a snapshot is compiled. */
  readonly abuse: number;
  readonly special: boolean;
}

/** Disjoint pieces of both address families, and the values they number; value 0 is "nothing known". */
export interface FlatNetworks {
  readonly v4: Partition;
  readonly v6: Partition;
  readonly values: readonly NetworkValue[];
}

export const NOTHING: NetworkValue = { country: '', asn: 0, claims: 0n, abuse: 0, special: false };
const SPECIAL: NetworkValue = { ...NOTHING, special: true };

/** All labelled ranges of a snapshot; a label is a place in `labels`. */
export class NetworkClaims {
  readonly labels: NetworkLabel[] = [];
  readonly v4 = new RangeList(1);
  readonly v6 = new RangeList(4);

  label(label: NetworkLabel): number {
    return this.labels.push(label) - 1;
  }

  /** First and last address, inclusive. `false` when they are malformed. */
  addRange(first: string, last: string, label: number): boolean {
    return (first.includes(':') ? this.v6 : this.v4).push(first, last, label);
  }

  /** A CIDR block or a single address. `false` when it is malformed. */
  addBlock(block: string, label: number): boolean {
    return (block.includes(':') ? this.v6 : this.v4).pushBlock(block, label);
  }

  /**
   * The most specific country and AS decide; the claims of all ranges and of the AS that decides add up.
   * A source's heaviest listing counts once.
   */
  flatten(asnClaims: ReadonlyMap<number, bigint>): FlatNetworks {
    const values = new ValueTable();
    // Most stretches are in one or two ranges, a country and an AS.
    const pairs = new Map<number, number>();
    const resolve = (active: readonly number[]): number => {
      if (active.length > 2) return values.numberOf(this.combine(active, asnClaims));
      const pair = (active[0] as number) * (this.labels.length + 1) + (active[1] ?? this.labels.length);
      const known = pairs.get(pair);
      if (known !== undefined) return known;
      const number = values.numberOf(this.combine(active, asnClaims));
      pairs.set(pair, number);
      return number;
    };
    return { v4: flatten(this.v4, resolve), v6: flatten(this.v6, resolve), values: values.values };
  }

  private combine(active: readonly number[], asnClaims: ReadonlyMap<number, bigint>): NetworkValue {
    let country = '';
    let asn = 0;
    let claims = 0n;
    const weights = new Map<number, number>();
    for (const number of active) {
      const label = this.labels[number] as NetworkLabel;
      if (label.special) return SPECIAL;
      country = label.country ?? country;
      asn = label.asn ?? asn;
      const { source, abuse = 0 } = label;
      if (source === undefined) continue;
      claims |= 1n << BigInt(source);
      if (abuse > (weights.get(source) ?? 0)) weights.set(source, abuse);
    }
    const bySource = [...weights].sort(([a], [b]) => a - b).map(([, weight]) => weight);
    const abuse = abuseScore(bySource);
    return { country, asn, claims: claims | (asnClaims.get(asn) ?? 0n), abuse, special: false };
  }
}

/** Distinct values by number; number 0 is "nothing known". */
class ValueTable {
  readonly values: NetworkValue[] = [NOTHING];
  private readonly numbers = new Map<string, number>([[keyOf(NOTHING), 0]]);

  numberOf(value: NetworkValue): number {
    const key = keyOf(value);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}

function keyOf({ country, asn, claims, abuse, special }: NetworkValue): string {
  return special ? 'special' : `${country} ${asn} ${claims} ${abuse}`;
}

/** Decides what the sources together say of a stretch of addresses, while a snapshot is compiled. */
import { flatten, type Partition } from './flatten.ts';
import { RangeList } from './range-list.ts';

/** What one range of one source says. */
export interface NetworkLabel {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly asn?: number;
  /** The sources that list this range, as a mask. */
  readonly claims?: bigint;
  /** 0 … 100. */
  readonly abuse?: number;
  /** Nothing may be said of these addresses, whatever a source lists. */
  readonly special?: true;
}

/** What all ranges over a stretch say together. */
export interface NetworkValue {
  readonly country: string;
  readonly asn: number;
  readonly claims: bigint;
  readonly abuse: number;
}

export const NOTHING: NetworkValue = { country: '', asn: 0, claims: 0n, abuse: 0 };

/** All labelled ranges of a snapshot; a label is a place in `labels`. */
export class NetworkClaims {
  readonly labels: NetworkLabel[] = [];
  readonly v4 = new RangeList(1);
  readonly v6 = new RangeList(4);

  label(label: NetworkLabel): number {
    return this.labels.push(label) - 1;
  }

  /** First and last address, both inside. `false` when they are malformed. */
  addRange(first: string, last: string, label: number): boolean {
    return (first.includes(':') ? this.v6 : this.v4).push(first, last, label);
  }

  /** A CIDR block or a single address. `false` when it is malformed. */
  addBlock(block: string, label: number): boolean {
    return (block.includes(':') ? this.v6 : this.v4).pushBlock(block, label);
  }

  /**
   * Both address families as disjoint pieces, and the values they number; value 0 is "nothing known".
   * The most specific country and AS decide; the claims of all ranges and of the AS that decides add up.
   */
  flatten(asnClaims: ReadonlyMap<number, bigint>): { v4: Partition; v6: Partition; values: NetworkValue[] } {
    const values: NetworkValue[] = [NOTHING];
    const numbers = new Map<string, number>([[keyOf(NOTHING), 0]]);
    const numberOf = (value: NetworkValue): number => {
      const key = keyOf(value);
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, values.length);
      return values.push(value) - 1;
    };
    // A country and an AS, and nothing else, is what most stretches have.
    const pairs = new Map<number, number>();
    const resolve = (active: readonly number[]): number => {
      if (active.length !== 2) return numberOf(this.combine(active, asnClaims));
      const pair = (active[0] as number) * this.labels.length + (active[1] as number);
      const known = pairs.get(pair);
      if (known !== undefined) return known;
      const number = numberOf(this.combine(active, asnClaims));
      pairs.set(pair, number);
      return number;
    };
    return { v4: flatten(this.v4, resolve), v6: flatten(this.v6, resolve), values };
  }

  private combine(active: readonly number[], asnClaims: ReadonlyMap<number, bigint>): NetworkValue {
    let country = '';
    let asn = 0;
    let claims = 0n;
    let abuse = 0;
    for (const number of active) {
      const label = this.labels[number] as NetworkLabel;
      if (label.special) return NOTHING;
      country = label.country ?? country;
      asn = label.asn ?? asn;
      claims |= label.claims ?? 0n;
      abuse = Math.max(abuse, label.abuse ?? 0);
    }
    return { country, asn, claims: claims | (asnClaims.get(asn) ?? 0n), abuse };
  }
}

function keyOf({ country, asn, claims, abuse }: NetworkValue): string {
  return `${country} ${asn} ${claims} ${abuse}`;
}

/** Decides how the knowledge about networks lies in a snapshot, and reads it back. */
import { type AsNames, openAsNames } from './as-names.ts';
import type { Width } from './network-address-words.ts';
import type { FlatNetworks, NetworkValue } from './network-claims.ts';
import { encodeRangeIndex, openRangeIndex, type RangeIndex } from './network-range-index.ts';
import type { Container, Section } from './snapshot-container.ts';

export interface NetworkTable {
  readonly v4: RangeIndex;
  readonly v6: RangeIndex;
  /** Number of values. */
  readonly length: number;
  /** Reads the country of a value; a value is what the indexes give for an address. */
  countryCode(value: number): string;
  country(value: number): string;
  asn(value: number): number;
  asName(value: number): string;
  readonly asNames: AsNames;
  abuse(value: number): number;
  isSpecial(value: number): boolean;
  /** A number of the snapshot's mask table. */
  claims(value: number): number;
}

/** English names are stored beside their codes, so that opening a snapshot asks no locale data. */
export interface Country {
  readonly code: string;
  readonly name: string;
}

/*
 * A value is one row of four words, so that one read of memory gets everything about it:
 *   AS number · place in the table of AS names · country in the high half, claims in the low · special in bit 8, abuse
 */
const ROW = 4;
const SPECIAL_BIT = 1 << 8;

/** `maskNumber` interns a mask of sources; `countries`: every country of the values. */
export function encodeNetworkTable(
  { v4, v6, values }: FlatNetworks,
  asNames: ReadonlyMap<number, string>,
  countries: readonly Country[],
  maskNumber: (mask: bigint) => number,
): Record<string, Section> {
  const countryPlace = new Map(countries.map(({ code }, place) => [code, place]));
  const named = new Map<number, string>();
  for (const { asn } of values) if (asn !== 0) named.set(asn, asNames.get(asn) ?? '');
  const { sections, placeOf } = encodeAsNames(named);
  const rows = new Uint32Array(values.length * ROW);
  for (const [number, { asn, country, claims, abuse, special }] of values.entries()) {
    rows[number * ROW] = asn;
    rows[number * ROW + 1] = placeOf.get(asn) as number;
    rows[number * ROW + 2] = (countryPlace.get(country) as number) * 0x10000 + maskNumber(claims);
    rows[number * ROW + 3] = Math.round(abuse) | (special ? SPECIAL_BIT : 0);
  }
  const four = encodeRangeIndex(v4, 1);
  const six = encodeRangeIndex(v6, 4);
  return {
    'v4.rows': four.rows,
    'v4.firsts': four.firsts,
    'v6.rows': six.rows,
    'v6.firsts': six.firsts,
    'value.rows': rows,
    ...sections,
  };
}

export function openNetworkTable(container: Container<{ countries: readonly Country[] }>): NetworkTable {
  const { countries } = container.meta;
  const rows = container.u32('value.rows');
  const asNames = openAsNames(container, () => asNumbersOf(rows, container.u32('as.offsets').length - 1));
  const index = (family: 'v4' | 'v6', width: Width): RangeIndex =>
    openRangeIndex(
      { rows: container.u32(`${family}.rows`), firsts: container.u32(`${family}.firsts`) },
      width,
    );
  const countryAt = (value: number): Country =>
    countries[(rows[value * ROW + 2] as number) >>> 16] as Country;
  return {
    v4: index('v4', 1),
    v6: index('v6', 4),
    length: rows.length / ROW,
    countryCode: (value) => countryAt(value).code,
    country: (value) => countryAt(value).name,
    asn: (value) => rows[value * ROW] as number,
    asName: (value) => asNames.at(rows[value * ROW + 1] as number),
    asNames,
    abuse: (value) => (rows[value * ROW + 3] as number) & 0xff,
    isSpecial: (value) => ((rows[value * ROW + 3] as number) & SPECIAL_BIT) !== 0,
    claims: (value) => (rows[value * ROW + 2] as number) & 0xffff,
  };
}

/** The AS number at each place of the table of AS names. */
function asNumbersOf(rows: Uint32Array, places: number): Uint32Array {
  const numbers = new Uint32Array(places);
  for (let row = 0; row < rows.length; row += ROW) numbers[rows[row + 1] as number] = rows[row] as number;
  return numbers;
}

/** The networks that a snapshot was compiled from, with the names of their ASes; `masks` by number. */
export function decodeNetworkTable(
  container: Container<{ countries: readonly Country[] }>,
  masks: { at(number: number): bigint },
): { networks: FlatNetworks; asNames: Map<number, string> } {
  const table = openNetworkTable(container);
  const asNames = new Map<number, string>();
  const values = Array.from({ length: table.length }, (_, value): NetworkValue => {
    const asn = table.asn(value);
    if (asn !== 0) asNames.set(asn, table.asName(value));
    return {
      asn,
      country: table.countryCode(value),
      claims: masks.at(table.claims(value)),
      abuse: table.abuse(value),
      special: table.isSpecial(value),
    };
  });
  return { networks: { v4: table.v4.partition(), v6: table.v6.partition(), values }, asNames };
}

/** Names in the order of their numbers; place 0 is "no AS": an empty name. */
function encodeAsNames(names: ReadonlyMap<number, string>) {
  const numbers = [0, ...[...names.keys()].sort((a, b) => a - b)];
  const encoded = numbers.map((number) => Buffer.from(names.get(number) ?? '', 'utf8'));
  const offsets = new Uint32Array(numbers.length + 1);
  for (const [place, name] of encoded.entries())
    offsets[place + 1] = (offsets[place] as number) + name.length;
  return {
    sections: { 'as.offsets': offsets, 'as.names': Buffer.concat(encoded) },
    placeOf: new Map(numbers.map((number, place) => [number, place])),
  };
}

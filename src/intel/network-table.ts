/** Decides how the knowledge about networks lies in a snapshot, and reads it back. */

import { encodeAsTable, openAsTable } from './as-table.ts';
import type { FlatNetworks, NetworkValue } from './network-claims.ts';
import {
  decodeRangeIndex,
  encodeRangeIndex,
  openRangeIndex,
  type RangeIndex,
} from './network-range-index.ts';
import type { Container, Section } from './snapshot-container.ts';

export interface NetworkTable {
  readonly v4: RangeIndex;
  readonly v6: RangeIndex;
  /** What a value says; a value is what the indexes give for an address. */
  countryCode(value: number): string;
  country(value: number): string;
  asn(value: number): number;
  asName(value: number): string;
  abuse(value: number): number;
  /** A number of the snapshot's mask table. */
  claims(value: number): number;
}

/** English names stand beside their codes, so that opening a snapshot asks no locale data. */
export interface Country {
  readonly code: string;
  readonly name: string;
}

/*
 * A value is one row of four words, so that everything about it comes with one read of memory:
 *   AS number · place in the table of AS names · country in the high half, claims in the low · special in bit 8, abuse
 */
const ROW = 4;
const SPECIAL_BIT = 1 << 8;

/** `maskNumber` interns a mask of sources; `countries` holds every country of the values. */
export function encodeNetworkTable(
  { v4, v6, values }: FlatNetworks,
  asNames: ReadonlyMap<number, string>,
  countries: readonly Country[],
  maskNumber: (mask: bigint) => number,
): Record<string, Section> {
  const countryPlace = new Map(countries.map(({ code }, place) => [code, place]));
  const named = new Map<number, string>();
  for (const { asn } of values) if (asn !== 0) named.set(asn, asNames.get(asn) ?? '');
  const { sections, placeOf } = encodeAsTable(named);
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
  const asTable = openAsTable(container);
  const index = (family: 'v4' | 'v6', width: 1 | 4): RangeIndex =>
    openRangeIndex(
      { rows: container.u32(`${family}.rows`), firsts: container.u32(`${family}.firsts`) },
      width,
    );
  const countryAt = (value: number): Country =>
    countries[(rows[value * ROW + 2] as number) >>> 16] as Country;
  return {
    v4: index('v4', 1),
    v6: index('v6', 4),
    countryCode: (value) => countryAt(value).code,
    country: (value) => countryAt(value).name,
    asn: (value) => rows[value * ROW] as number,
    asName: (value) => asTable.nameAt(rows[value * ROW + 1] as number),
    abuse: (value) => (rows[value * ROW + 3] as number) & 0xff,
    claims: (value) => (rows[value * ROW + 2] as number) & 0xffff,
  };
}

/** The networks that a snapshot was compiled from, with the names of their ASes; `masks` by number. */
export function decodeNetworkTable(
  container: Container<{ countries: readonly Country[] }>,
  masks: { at(number: number): bigint },
): { networks: FlatNetworks; asNames: Map<number, string> } {
  const { countries } = container.meta;
  const rows = container.u32('value.rows');
  const asTable = openAsTable(container);
  const asNames = new Map<number, string>();
  const values = Array.from({ length: rows.length / ROW }, (_, number): NetworkValue => {
    const asn = rows[number * ROW] as number;
    const place = rows[number * ROW + 1] as number;
    const packed = rows[number * ROW + 2] as number;
    const rest = rows[number * ROW + 3] as number;
    if (asn !== 0 && !asNames.has(asn)) asNames.set(asn, asTable.nameAt(place));
    return {
      asn,
      country: (countries[packed >>> 16] as Country).code,
      claims: masks.at(packed & 0xffff),
      abuse: rest & 0xff,
      special: (rest & SPECIAL_BIT) !== 0,
    };
  });
  const v4 = decodeRangeIndex({ rows: container.u32('v4.rows') }, 1);
  const v6 = decodeRangeIndex({ rows: container.u32('v6.rows') }, 4);
  return { networks: { v4, v6, values }, asNames };
}

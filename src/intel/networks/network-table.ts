/** Decides how the knowledge about networks lies in a snapshot, and reads it back. */
import type { Container, Section } from '../file/container.ts';
import { encodeAsTable, openAsTable } from './as-table.ts';
import { countryNames } from './country-names.ts';
import type { NetworkClaims } from './network-claims.ts';
import { createRangeIndex, type RangeIndex } from './range-index.ts';

export interface NetworkTable {
  readonly v4: RangeIndex;
  readonly v6: RangeIndex;
  /** What a value says; a value is what the indexes give for a piece. */
  countryCode(value: number): string;
  country(value: number): string;
  asn(value: number): number;
  asName(value: number): string;
  abuse(value: number): number;
  /** A number of the snapshot's mask table. */
  claims(value: number): number;
}

/** `maskNumber` interns a mask of sources. */
export function encodeNetworkTable(
  networks: NetworkClaims,
  asNames: ReadonlyMap<number, string>,
  asnClaims: ReadonlyMap<number, bigint>,
  maskNumber: (mask: bigint) => number,
): { sections: Record<string, Section>; countries: string[] } {
  const { v4, v6, values } = networks.flatten(asnClaims);
  const countries = [
    '',
    ...new Set(values.map(({ country }) => country).filter((code) => code !== '')),
  ].sort();
  const countryPlace = new Map(countries.map((code, place) => [code, place]));
  const named = new Map(
    values.filter(({ asn }) => asn !== 0).map(({ asn }) => [asn, asNames.get(asn) ?? '']),
  );
  const { sections, placeOf } = encodeAsTable(named);
  return {
    countries,
    sections: {
      'v4.starts': v4.starts,
      'v4.values': v4.values,
      'v6.starts': v6.starts,
      'v6.values': v6.values,
      'value.country': Uint16Array.from(values, ({ country }) => countryPlace.get(country) as number),
      'value.as': Uint32Array.from(values, ({ asn }) => placeOf.get(asn) as number),
      'value.claims': Uint16Array.from(values, ({ claims }) => maskNumber(claims)),
      'value.abuse': Uint8Array.from(values, ({ abuse }) => abuse),
      ...sections,
    },
  };
}

export function openNetworkTable(container: Container<{ countries: readonly string[] }>): NetworkTable {
  const codes = container.meta.countries;
  const names = countryNames(codes);
  const countryOf = container.u16('value.country');
  const asOf = container.u32('value.as');
  const claimsOf = container.u16('value.claims');
  const abuseOf = container.u8('value.abuse');
  const asTable = openAsTable(container);
  const index = (family: 'v4' | 'v6', width: 1 | 4): RangeIndex =>
    createRangeIndex(
      { starts: container.u32(`${family}.starts`), values: container.u32(`${family}.values`) },
      width,
    );
  return {
    v4: index('v4', 1),
    v6: index('v6', 4),
    countryCode: (value) => codes[countryOf[value] as number] as string,
    country: (value) => names[countryOf[value] as number] as string,
    asn: (value) => asTable.numberAt(asOf[value] as number),
    asName: (value) => asTable.nameAt(asOf[value] as number),
    abuse: (value) => abuseOf[value] as number,
    claims: (value) => claimsOf[value] as number,
  };
}

/** Decides what the bundled range files claim of address ranges, and how many bad rows are tolerated: none. */

import { isCountry } from './country-names.ts';
import { readCsv } from './csv.ts';
import type { NetworkClaims } from './network-claims.ts';
import { readLines } from './text-lines.ts';

/** `first,last,CC`; a code that is no country says nothing. Returns the number of ranges taken in. */
export function readCountryRanges(texts: readonly string[], networks: NetworkClaims): number {
  const labels = new Map<string, number>();
  let count = 0;
  for (const [first = '', last = '', code = ''] of rowsOf(texts)) {
    let label = labels.get(code);
    if (label === undefined) {
      label = isCountry(code) ? networks.label({ country: code }) : -1;
      labels.set(code, label);
    }
    if (label < 0) continue;
    if (!networks.addRange(first, last, label)) throw new Error(`not an address range: ${first}-${last}`);
    count += 1;
  }
  return count;
}

/** `first,last,number,name`; the first name that is given to a number stays. Returns the number of ranges. */
export function readAsnRanges(
  texts: readonly string[],
  networks: NetworkClaims,
  names: Map<number, string>,
): number {
  const labels = new Map<number, number>();
  let count = 0;
  for (const [first = '', last = '', number = '', name = ''] of rowsOf(texts)) {
    const asn = Number(number);
    if (!Number.isInteger(asn) || asn < 1 || asn > 0xffffffff) throw new Error(`not an AS number: ${number}`);
    let label = labels.get(asn);
    if (label === undefined) {
      label = networks.label({ asn });
      labels.set(asn, label);
      names.set(asn, name);
    }
    if (!networks.addRange(first, last, label)) throw new Error(`not an address range: ${first}-${last}`);
    count += 1;
  }
  return count;
}

/** CIDR blocks of which nothing may be said. */
export function readSpecialRanges(text: string, networks: NetworkClaims): void {
  const label = networks.label({ special: true });
  for (const block of readLines(text)) {
    if (!networks.addBlock(block, label)) throw new Error(`not an address block: ${block}`);
  }
}

function* rowsOf(texts: readonly string[]): Generator<string[]> {
  for (const text of texts) yield* readCsv(text);
}

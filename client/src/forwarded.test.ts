/** The addresses in what proxies append: the cases that the service reads alike (`src/address/reported-ip.test.ts`). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { splitForwarded, splitForwardedFor } from './forwarded.ts';
import { parseIpAddress, unwrapNat64 } from './ip-address.ts';

type Case = readonly [name: string, value: string, addresses: readonly (string | null)[]];
type Header = 'Forwarded' | 'X-Forwarded-For';

const FILE = new URL('../../test/fixtures/forwarded.json', import.meta.url);
const CASES = JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<Header, readonly Case[]>>;

const addressOf = (text: string): string | null => {
  const address = parseIpAddress(text);
  return address && unwrapNat64(address).text;
};

describe.each([
  ['Forwarded', splitForwarded],
  ['X-Forwarded-For', splitForwardedFor],
] as const)('%s', (header, split) => {
  it.each(CASES[header])('%s', (_name, value, addresses) => {
    expect(split(value).map(addressOf)).toEqual(addresses);
  });
});

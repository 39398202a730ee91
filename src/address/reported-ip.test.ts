/** The addresses in what proxies append: the cases that the client reads alike (`client/src/forwarded.test.ts`). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseReportedIp, reportedHops } from './reported-ip.ts';

type Case = readonly [name: string, value: string, addresses: readonly (string | null)[]];
type Header = 'Forwarded' | 'X-Forwarded-For';

const FILE = new URL('../../test/fixtures/forwarded.json', import.meta.url);
const CASES = JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<Header, readonly Case[]>>;

describe.each(['Forwarded', 'X-Forwarded-For'] as const)('%s', (header) => {
  it.each(CASES[header])('%s', (_name, value, addresses) => {
    const hops = reportedHops({ [header.toLowerCase()]: value });
    expect(hops.map((hop) => parseReportedIp(hop)?.text ?? null)).toEqual(addresses);
  });
});

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from 'vitest';
import { BUILT_BASELINE } from '../../test/support/built-baseline.ts';
import { FEEDS_BASELINE } from '../../test/support/small-build.ts';
import { fromWords, parseIp } from '../address/ip.ts';
import type { IpAddress } from '../model/signup-attempt.ts';
import { readAsns, readLines } from '../platform/text-lines.ts';
import { readBaseline } from './baseline-reader.ts';
import { compileSnapshot } from './compile.ts';
import type { Intel } from './intel.ts';
import { openSnapshot, readSnapshot } from './snapshot.ts';
import { BASELINE_SOURCES } from './sources.ts';

const load = createRequire(import.meta.url);
const ownFile = (name: string): string => readFileSync(new URL(`./data/${name}`, import.meta.url), 'utf8');
const ip = (text: string): IpAddress => parseIp(text) as IpAddress;
let intel: Intel;

beforeAll(async () => {
  intel = await openSnapshot(BUILT_BASELINE);
});

interface Row {
  readonly first: bigint;
  readonly last: bigint;
  readonly says: string;
}

/** The packages' numeric files, which the compiler does not read: the same rows in another form. */
function lines(packageName: string, file: string): string[] {
  const path = load.resolve(`@ip-location-db/${packageName}/${file}`);
  return readFileSync(path, 'utf8').trimEnd().split('\n');
}

function rows(packageName: string, file: string): Row[] {
  return lines(packageName, file).map((line) => {
    const [first = '', last = '', says = ''] = line.split(',', 3);
    return { first: BigInt(first), last: BigInt(last), says };
  });
}

/** The names of these numbers in the AS database, in lower case; some in quotes. */
function asNames(numbers: ReadonlySet<number>): Map<number, string> {
  const names = new Map<number, string>();
  for (const family of ['ipv4', 'ipv6'])
    for (const line of lines('asn', `asn-${family}-num.csv`)) {
      const [, , asn, ...name] = line.split(',');
      if (numbers.has(Number(asn))) names.set(Number(asn), name.join().replaceAll('""', '"').toLowerCase());
    }
  return names;
}

/** The data of the most specific row over each place, found by checking every row. */
function reference(all: readonly Row[], places: readonly bigint[]): string[] {
  const sorted = [...places].sort((a, b) => (a < b ? -1 : 1));
  const best = new Map<bigint, Row>();
  for (const row of all) {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] as bigint) < row.first) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < sorted.length && (sorted[at] as bigint) <= row.last; at += 1) {
      const place = sorted[at] as bigint;
      const other = best.get(place);
      const more =
        other === undefined ||
        row.first > other.first ||
        (row.first === other.first && row.last <= other.last);
      if (more) best.set(place, row);
    }
  }
  return places.map((place) => best.get(place)?.says ?? '');
}

/** Both sides of both boundaries of some rows, and addresses drawn over the whole space. */
function places(all: readonly Row[], bits: number): bigint[] {
  const random = seeded(bits);
  const limit = 1n << BigInt(bits);
  const chosen = Array.from({ length: 1_000 }, () => all[Math.floor(random() * all.length)] as Row);
  const boundaries = chosen.flatMap(({ first, last }) => [first - 1n, first, last, last + 1n]);
  const drawn = Array.from({ length: 2_000 }, () => {
    const words = Array.from({ length: bits / 32 }, () => BigInt(Math.floor(random() * 2 ** 32)));
    const value = words.reduce((sum, word) => (sum << 32n) | word, 0n);
    return bits === 128 ? (value >> 3n) | (1n << 125n) : value;
  });
  return [...boundaries, ...drawn].filter((place) => place >= 0n && place < limit && !isSpecial(place, bits));
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function addressOf(place: bigint, bits: number): IpAddress {
  return fromWords(
    Array.from({ length: bits / 32 }, (_, word) =>
      Number((place >> BigInt(bits - 32 - word * 32)) & 0xffffffffn),
    ),
  );
}

const special = [...readLines(ownFile('special-ranges.txt'))].map((block) => {
  const [base = '', prefix = ''] = block.split('/');
  const { words } = ip(base);
  const bits = words.length * 32;
  const value = words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
  return { bits, shift: BigInt(bits - Number(prefix)), value };
});

function isSpecial(place: bigint, bits: number): boolean {
  return special.some((block) => block.bits === bits && place >> block.shift === block.value >> block.shift);
}

describe.each([
  { bits: 32, family: 'ipv4' },
  { bits: 128, family: 'ipv6' },
])('$family', ({ bits, family }) => {
  it('gives the same country and AS as the files, at their boundaries and elsewhere', () => {
    const countries = rows('geo-whois-asn-country', `geo-whois-asn-country-${family}-num.csv`);
    const systems = rows('asn', `asn-${family}-num.csv`);
    const samples = [...places(countries, bits), ...places(systems, bits)];
    const codes = reference(countries, samples);
    const numbers = reference(systems, samples);
    expect(samples.length).toBeGreaterThan(10_000);
    for (const [at, place] of samples.entries()) {
      const address = addressOf(place, bits);
      const known = intel.network(address);
      const expected = codes[at] === 'AN' ? '' : codes[at];
      expect([address.text, known.countryCode, known.asn]).toEqual([
        address.text,
        expected,
        Number(numbers[at]),
      ]);
      expect(known.country === '').toBe(known.countryCode === '');
    }
  }, 240_000);
});

describe('network', () => {
  it.each(['192.0.2.1', '198.51.100.7', '203.0.113.255', '2001:db8::1', '2001:db8:ffff:ffff::', '3fff::1'])(
    'knows nothing of %s, a documentation address',
    (text) => {
      const known = intel.network(ip(text));
      expect(known).toMatchObject({
        countryCode: '',
        country: '',
        asn: 0,
        asName: '',
        listed: { datacenter: false },
        hits: [],
      });
    },
  );

  it('gives the AS that makes an address hosting', () => {
    const known = intel.network(ip('52.95.110.1'));
    expect(known).toMatchObject({ asn: 16509, asName: 'Amazon.com, Inc.', listed: { datacenter: true } });
    expect(known.hits).toMatchObject([{ fact: 'datacenter', source: 'hosting-asns', entry: 'AS16509' }]);
    expect(intel.network(ip('2a01:4f8::1'))).toMatchObject({ asn: 24940, listed: { datacenter: true } });
    expect(intel.network(ip('84.44.128.1'))).toMatchObject({ asn: 8422, listed: { datacenter: false } });
  });

  it('knows places that many share', () => {
    const listed = (text: string) => intel.network(ip(text)).listed;
    expect(listed('172.56.1.1')).toMatchObject({ carrier: true, corporate: false, datacenter: false });
    expect(listed('165.225.0.1')).toMatchObject({ corporate: true, carrier: false, datacenter: false });
    const worker = intel.network(ip('2a06:98c0:3600::103'));
    expect(worker).toMatchObject({ asName: expect.stringContaining('Cloudflare'), listed: { egress: true } });
    expect(worker.hits).toMatchObject([{ fact: 'egress', source: 'egress', entry: '2a06:98c0:3600::103' }]);
    expect(listed('2a06:98c0:3600::104').egress).toBe(false);
    for (const text of ['79.192.0.1', '73.1.1.1', '8.8.8.8'])
      expect(listed(text), text).toMatchObject({ carrier: false, corporate: false, egress: false });
  });

  it('reports nothing from a source that is not installed', () => {
    const quiet = { listed: { tor: false, vpn: false, proxy: false, relay: false }, abuseScore: 0 };
    for (const text of ['8.8.8.8', '52.95.110.1', '2a01:4f8::1'])
      expect(intel.network(ip(text))).toMatchObject(quiet);
  });

  it('unquotes AS names', () => {
    expect(intel.network(ip('2.26.200.1')).asName).toBe('LLC "SPUTNIK"');
  });
});

describe('the lists of networks', () => {
  const hosting = [...readAsns(ownFile('hosting-asns.txt'))];
  const proxies = [...readAsns(ownFile('corporate-proxy-asns.txt'))];
  const carriers = [...readAsns(ownFile('carrier-asns.txt'))];

  it('give every number the same name as the AS database', () => {
    const listed = [...hosting, ...proxies, ...carriers];
    const names = asNames(new Set(listed.map(({ asn }) => asn)));
    for (const { asn, name } of listed) {
      expect(names.get(asn), `AS${asn}`).toContain(name.toLowerCase());
    }
    expect(hosting.filter(({ name }) => name.length <= 2)).toEqual([]);
    expect(hosting.length).toBeGreaterThan(150);
    expect(proxies.length).toBeGreaterThan(15);
  });

  it('have no network in common', () => {
    const numbers = new Set(hosting.map(({ asn }) => asn));
    expect([...proxies, ...carriers].filter(({ asn }) => numbers.has(asn))).toEqual([]);
    const corporate = new Set(proxies.map(({ asn }) => asn));
    expect(carriers.filter(({ asn }) => corporate.has(asn))).toEqual([]);
  });

  it('leave out delivery networks, privacy relay egress, transit and search engines', () => {
    const numbers = new Set(hosting.map(({ asn }) => asn));
    for (const asn of [13335, 54113, 20940, 36183, 60068, 15169, 22616, 6939])
      expect(numbers.has(asn)).toBe(false);
  });
});

// The long version compiles all sources, others only our own lists: all addresses take seconds.
it('compiles to the bytes that the build compiled', () => {
  const built = readFileSync(FEEDS_BASELINE);
  const bundled = new Set(readSnapshot(built).sources.map(({ id }) => id));
  const sources = BASELINE_SOURCES.filter(({ id }) => bundled.has(id));
  const { id, bytes } = compileSnapshot(readBaseline({ sources }));
  expect(id).toBe(readSnapshot(built).id);
  expect(Buffer.compare(bytes, built)).toBe(0);
});

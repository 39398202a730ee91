// Where signups come from: homes, phones, offices and campuses of a country, servers for rent. Ranges are those of the bundled ASN data.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createChoice } from './random.mjs';

const DATA = createRequire(import.meta.url).resolve('@ip-location-db/asn/package.json');
const HOSTING = new URL('../../src/intel/data/hosting-asns.txt', import.meta.url);
/** Rented servers that are in the reach of everybody, by AS number: Hetzner, OVH, DigitalOcean, Vultr, Contabo, Leaseweb and their like. */
const HOSTERS = [24940, 16276, 14061, 20473, 51167, 60781, 63949, 12876, 49505, 197540, 9009, 62240];
const CAMPUSES = [680, 786, 2200, 137, 1103, 559, 1930, 2603, 766];
/** A single range of a network must not have all its signups. */
const MAX_RANGE = 2 ** 18;
/** Addresses of a carrier behind which its phones are, a country's carriers together. */
const CARRIER_ADDRESSES = 900;

let known;

/** Reads the ranges once: a second of work. */
export function readNetworks(countries) {
  if (known !== undefined) return known;
  const wanted = new Map();
  const hosting = new Set(
    [...readFileSync(HOSTING, 'utf8').matchAll(/^AS(\d+)/gm)].map(([, asn]) => Number(asn)),
  );
  const listed = HOSTERS.filter((asn) => hosting.has(asn));
  const all = Object.values(countries).flatMap(({ homes, phones }) => [...homes, ...phones]);
  for (const asn of [...listed, ...CAMPUSES, ...all]) wanted.set(String(asn), { v4: [], v6: [] });
  readRanges('asn-ipv4-num.csv', wanted, 'v4', Number);
  readRanges('asn-ipv6-num.csv', wanted, 'v6', BigInt);
  const choose = (asns, family) => {
    const rows = asns.flatMap((asn) =>
      wanted.get(String(asn))[family].map((range) => [range, sizeOf(range, family)]),
    );
    return rows.length === 0 ? undefined : createChoice(rows);
  };
  const perCountry = {};
  for (const [country, { homes, phones }] of Object.entries(countries))
    perCountry[country] = {
      home: choose(homes, 'v4'),
      home6: choose(homes, 'v6'),
      phone: choose(phones, 'v4'),
      phone6: choose(phones, 'v6'),
    };
  known = {
    perCountry,
    hosting: choose(listed, 'v4'),
    hosting6: choose(listed, 'v6'),
    campus: choose(CAMPUSES, 'v4'),
  };
  return known;
}

function readRanges(file, wanted, family, toNumber) {
  const text = readFileSync(DATA.replace('package.json', file), 'latin1');
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end);
    from = end === -1 ? text.length : end + 1;
    const [first, last, asn] = line.split(',', 3);
    const ranges = wanted.get(asn)?.[family];
    // A few addresses alone are routers.
    if (ranges !== undefined && Number(last) - Number(first) >= 255)
      ranges.push([toNumber(first), toNumber(last)]);
  }
}

const sizeOf = ([first, last], family) => (family === 'v4' ? Math.min(MAX_RANGE, last - first) : 1);
const dotted = (number) => [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join('.');
const groups = (number) => {
  const hex = number.toString(16).padStart(32, '0');
  return hex.match(/.{4}/g).map((group) => group.replace(/^0+(?=.)/, ''));
};

/** `bits`: how many are drawn at random below the top of the range. */
function drawV6(random, range, bits = 128) {
  const [first, last] = range;
  const span = last - first;
  const drawn = [98n, 68n, 38n].reduce(
    (bitsDrawn, shift) => bitsDrawn | (BigInt(random.below(2 ** 30)) << shift),
    0n,
  );
  const offset = drawn % (span + 1n);
  const keep = 128n - BigInt(bits);
  return ((first + offset) >> keep) << keep;
}

/** The text of an address below a prefix of a number of bits, its other bits drawn. */
function fill(random, prefix, bits) {
  let low = 0n;
  for (let part = 0; part < 5; part += 1) low = (low << 26n) | BigInt(random.below(2 ** 26));
  return groups(prefix | (low & ((1n << BigInt(128 - bits)) - 1n))).join(':');
}

export function createNetworks(random, countries) {
  const { perCountry, hosting, campus } = readNetworks(countries);
  const carriers = new Map();
  const drawV4 = (choice) => {
    const [first, last] = choice(random);
    // Not the first or the last of a block of 256.
    return dotted(((first + random.below(last - first + 1)) & ~255) + random.between(2, 253));
  };
  const networks = {
    home: (country) => drawV4(perCountry[country].home),
    /** A home's /64, and a device in it. */
    home6(country) {
      const choice = perCountry[country].home6;
      if (choice === undefined) return networks.home(country);
      return fill(random, drawV6(random, choice(random), 64), 64);
    },
    /** One of the addresses behind which a carrier's phones are at a time. */
    phone(country) {
      const { phone, phone6 } = perCountry[country];
      if (phone === undefined) return networks.home(country);
      if (phone6 !== undefined && random.chance(0.45))
        return fill(random, drawV6(random, phone6(random), 64), 64);
      let pool = carriers.get(country);
      if (pool === undefined) {
        pool = Array.from({ length: CARRIER_ADDRESSES }, () => drawV4(phone));
        carriers.set(country, pool);
      }
      return random.pick(pool);
    },
    /** Addresses of one carrier, all in a few blocks of 256. */
    carrier(country, count) {
      const starts = Array.from({ length: Math.ceil(count / 64) }, () =>
        drawV4(perCountry[country].phone).replace(/\d+$/, ''),
      );
      return Array.from(
        { length: count },
        (_, number) => `${starts[number % starts.length]}${2 + Math.floor(number / starts.length) * 3}`,
      );
    },
    anywhere: (country) =>
      random.chance(0.36)
        ? networks.phone(country)
        : random.chance(0.34)
          ? networks.home6(country)
          : networks.home(country),
    office: (country) => networks.home(country),
    campus: () => drawV4(campus),
    /** `10.2.3.`, and a device at the end. */
    block24: (country) => {
      const start = networks.home(country).replace(/\d+$/, '');
      return () => `${start}${random.between(2, 253)}`;
    },
    /** Different /64 of one customer. */
    block6(country, bits) {
      const choice = perCountry[country].home6;
      const prefix = drawV6(random, choice(random), bits);
      return () => fill(random, prefix, bits);
    },
    server: () => drawV4(hosting),
  };
  return networks;
}

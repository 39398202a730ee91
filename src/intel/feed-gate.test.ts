import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Feed, ParsedFeed } from './feed.ts';
import { judgeFeed } from './feed-gate.ts';
import { readGuards } from './feed-guards.ts';
import { type FeedFormat, parseFeed } from './feed-parse.ts';
import { FEEDS } from './feeds.ts';

const guards = readGuards();
const { atLeast: _, ...row } = FEEDS.find(({ id }) => id === 'disposable-curated') as Feed;
const disposable: Feed = row;
const abuse: Feed = { ...row, id: 'a', format: 'addresses', category: 'abuse', entryKind: 'range' };
const hosting: Feed = { ...abuse, id: 'h', category: 'datacenter' };
const networks: Feed = { ...row, id: 'n', format: 'asns', category: 'datacenter', entryKind: 'asn' };

/** Why a feed of these lines is refused; empty when it is not. */
function refusal(feed: Feed, lines: readonly string[], lastGood?: number): string {
  return refusalOf(feed, parseFeed(feed.format, Buffer.from(lines.join('\n'))), lastGood);
}

function refusalOf(feed: Feed, parsed: ParsedFeed, lastGood?: number): string {
  const last = lastGood === undefined ? undefined : { entries: lastGood };
  const verdict = judgeFeed(feed, parsed, last, guards);
  return verdict.ok ? '' : verdict.why;
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `throwaway-${at}.com`);
const asns = (count: number) => Array.from({ length: count }, (_, at) => 200_000 + at);
const addresses = (count: number) => Array.from({ length: count }, (_, at) => `45.9.${at >> 8}.${at & 255}`);

describe('a feed is let in', () => {
  it('when it is sane, the first time and as it changes', () => {
    expect(refusal(disposable, names(10))).toBe('');
    expect(refusal(disposable, names(100), 60)).toBe('');
    expect(refusal(abuse, [...addresses(100), '45.0.0.0/8', '2a0e:8000::/19'])).toBe('');
    expect(refusal(networks, ['AS16276 OVH', 'AS24940'])).toBe('');
  });

  it('with fewer than one row in a hundred that cannot be read', () => {
    expect(refusal(disposable, [...names(100), 'not a name'])).toBe('');
    expect(refusal(disposable, [...names(99), 'not a name'])).toMatch(/^1 of 100 rows cannot be read/);
  });

  it('where a cloud says which ranges are its own, its public resolver among them', () => {
    expect(refusal(hosting, ['8.8.8.0/24', '1.1.1.0/24'])).toBe('');
  });

  it('with names below those of a provider, and with providers that good lists report too', () => {
    expect(refusal(disposable, [...names(5), 'users.gmail.com', 'sify.com'])).toBe('');
  });
});

const ranking: Feed = { ...row, id: 'p', format: 'ranked-domains', category: 'popular' };
const ranked = (domains: readonly string[]) => domains.map((name, at) => `${at + 1},${name}`);
const LARGE =
  readFileSync(new URL('./data/guard-domains.txt', import.meta.url), 'utf8').match(/^[a-z0-9.-]+$/gm) ?? [];

describe('a ranking', () => {
  /** Parsed once, because it is long, and with its names in another order. */
  const long = parseFeed('ranked-domains', Buffer.from(ranked([...LARGE, ...names(12_000)]).join('\n')));
  const others = long.entries.filter((name) => name.startsWith('throwaway-'));
  const large = long.entries.filter((name) => !name.startsWith('throwaway-'));
  const ordered = (...entries: string[]): ParsedFeed => ({ ...long, entries, rows: entries.length });

  it('is let in with the largest domains, and throw-away services far below them', () => {
    expect(refusalOf(ranking, ordered(...large, ...others, 'mailinator.com'))).toBe('');
    expect(refusal(ranking, ranked(['customer.com', ...names(20)]))).toBe('');
  });

  it('is refused when it praises a throw-away service, lacks the largest domains, or shrank', () => {
    const top = ordered(...large, 'mailinator.com', ...others);
    expect(refusalOf(ranking, top)).toBe(
      'it ranks mailinator.com, a throw-away service, among the first 1000',
    );
    expect(refusalOf(ranking, ordered(...others))).toMatch(/^it names 0 of the largest domains/);
    expect(refusalOf(ranking, long, 100_000)).toMatch(/^it shrank from 100000/);
  });
});

describe('a feed is refused', () => {
  it.each<[string, Feed, string[], RegExp]>([
    ['empty', disposable, [], /empty/],
    ['of comments only', disposable, ['# soon'], /empty/],
    ['a web page', disposable, ['<!doctype html>', '<html><body>', 'Please log in</body>'], /cannot be read/],
    ['shorter than its row says', { ...disposable, atLeast: 20 }, names(19), /19 entries, fewer than 20/],
    ['calling a provider disposable', disposable, [...names(50), 'gmail.com'], /calls gmail\.com disposable/],
    ['calling a provider spam', { ...disposable, category: 'spam' }, ['web.de'], /calls web\.de spam/],
    ['calling a large organisation disposable', disposable, ['microsoft.com'], /microsoft\.com/],
    ['above a provider', disposable, ['onet.pl', 'tele.dk'], /onet\.pl|tele\.dk/],
    ['everything', abuse, ['0.0.0.0/0'], /wider than \/8/],
    ['too wide', abuse, ['44.0.0.0/7'], /44\.0\.0\.0\/7 is wider than \/8/],
    ['too wide for IPv6', hosting, ['2a00::/18'], /wider than \/19/],
    ['private', abuse, ['192.168.1.1'], /192\.168\.1\.1 is not public: it touches 192\.168\.0\.0\/16/],
    ['around a private range', hosting, ['172.0.0.0/8'], /touches 172\.16\.0\.0\/12/],
    ['loopback', abuse, ['127.0.0.1'], /not public/],
    ['never handed out', abuse, ['5000::1'], /outside 2000::\/3/],
    ['local IPv6', hosting, ['fd00::/32'], /not public/],
    ['a public resolver', abuse, [...addresses(10), '8.8.8.8'], /8\.8\.8\.8/],
    [
      'around a public resolver',
      { ...abuse, category: 'vpn' },
      ['1.1.0.0/16'],
      /contains 1\.1\.1\.1|1\.1\.1\.\d/,
    ],
    ['a public resolver of IPv6', { ...abuse, category: 'tor' }, ['2620:fe::fe'], /2620:fe::fe/],
    ['an access provider', networks, ['AS7922 Comcast'], /AS7922/],
  ])('%s', (_, feed, lines, why) => {
    expect(refusal(feed, lines)).toMatch(why);
  });

  it('when it shrank or grew beyond its bounds', () => {
    expect(refusal(disposable, names(49), 100)).toBe('it shrank from 100 to 49 entries');
    expect(refusal(disposable, names(50), 100)).toBe('');
    expect(refusal(disposable, names(301), 100)).toBe('it grew from 100 to 301 entries');
    expect(refusal({ ...disposable, bounds: [0.1, 10] }, names(301), 100)).toBe('');
    // A short list may turn over.
    expect(refusal(disposable, names(3), 8)).toBe('');
    expect(refusal(disposable, names(20), 2)).toBe('');
  });
});

/** A file of so many entries, as publishers write each format. */
const FILES: Record<FeedFormat, (count: number) => string> = {
  domains: (count) => names(count).join('\n'),
  addresses: (count) => addresses(count).join('\n'),
  'counted-addresses': (count) => ['# IP\tlists', ...addresses(count).map((ip) => `${ip}\t4`)].join('\n'),
  asns: (count) =>
    asns(count)
      .map((asn) => `AS${asn} # EXAMPLE-${asn}, Hosting`)
      .join('\n'),
  geofeed: (count) =>
    addresses(count)
      .map((ip) => `${ip}/32,DE,DE-BE,Berlin,`)
      .join('\n'),
  onionoo: (count) =>
    JSON.stringify({
      relays: addresses(count).map((ip) => ({ or_addresses: [`${ip}:9001`], exit_addresses: [ip] })),
    }),
  aws: (count) =>
    JSON.stringify({
      prefixes: addresses(count).map((ip) => ({
        ip_prefix: `${ip}/32`,
        region: 'eu-west-1',
        service: 'EC2',
      })),
      ipv6_prefixes: [],
    }),
  gcp: (count) => JSON.stringify({ prefixes: addresses(count).map((ip) => ({ ipv4Prefix: `${ip}/32` })) }),
  oracle: (count) =>
    JSON.stringify({
      regions: [{ region: 'eu', cidrs: addresses(count).map((ip) => ({ cidr: `${ip}/32` })) }],
    }),
  proxies: (count) =>
    JSON.stringify(addresses(count).map((ip) => ({ protocol: 'http', host: ip, port: 80, exit_ip: ip }))),
  'spamhaus-cidrs': (count) =>
    addresses(count)
      .map((ip) => JSON.stringify({ cidr: `${ip}/32`, sblid: 'SBL1' }))
      .join('\n'),
  'spamhaus-asns': (count) =>
    asns(count)
      .map((asn) => JSON.stringify({ asn, rir: 'arin', cc: 'US', asname: 'EXAMPLE' }))
      .join('\n'),
  'ranked-domains': (count) => ranked([...largest(), ...names(count)].slice(0, count)).join('\n'),
};

/** Without the suffixes among them, which are passed over. */
const largest = () => parseFeed('ranked-domains', Buffer.from(ranked(LARGE).join('\n'))).entries;

describe('a file as its publisher writes it', () => {
  /** By format and count: the longest file takes a quarter of a second. */
  const files = new Map<string, ParsedFeed>();
  function parse(format: FeedFormat, count: number): ParsedFeed {
    const key = `${format} ${count}`;
    const parsed = files.get(key) ?? parseFeed(format, Buffer.from(FILES[format](count)));
    files.set(key, parsed);
    return parsed;
  }

  it.each(FEEDS)(
    'of $id is let in with the fewest entries that it may have, and refused with fewer',
    (feed) => {
      const { atLeast = 1 } = feed;
      const enough = parse(feed.format, atLeast);
      expect(judgeFeed(feed, enough, undefined, guards)).toEqual({ ok: true });
      const fewer = { ...enough, entries: enough.entries.slice(0, -1), rows: enough.rows - 1 };
      expect(judgeFeed(feed, fewer, undefined, guards)).toMatchObject({ ok: false });
    },
  );
});

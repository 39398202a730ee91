/** Files as long as those of publishers: too long for a fast test. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Feed, FeedFormat, ParsedFeed } from './feed.ts';
import { judgeFeed } from './feed-gate.ts';
import { readGuards } from './feed-guards.ts';
import { parseFeed } from './feed-parse.ts';
import { FEEDS } from './feeds.ts';

const guards = readGuards();
const { minEntries: _, ...row } = FEEDS.find(({ id }) => id === 'disposable-curated') as Feed;
const names = (count: number) => Array.from({ length: count }, (_, at) => `throwaway-${at}.com`);
const asns = (count: number) => Array.from({ length: count }, (_, at) => 200_000 + at);
const addresses = (count: number) => Array.from({ length: count }, (_, at) => `45.9.${at >> 8}.${at & 255}`);

/** Why a feed is refused; empty if it is not. */
function refusalOf(feed: Feed, parsed: ParsedFeed, lastGood?: number): string {
  const last = lastGood === undefined ? undefined : { entries: lastGood };
  const verdict = judgeFeed(feed, parsed, last, guards);
  return verdict.ok ? '' : verdict.why;
}

const ranking: Feed = { ...row, id: 'p', format: 'ranked-domains', category: 'popular' };
const ranked = (domains: readonly string[]) => domains.map((name, at) => `${at + 1},${name}`);
const LARGE =
  readFileSync(new URL('./data/guard-domains.txt', import.meta.url), 'utf8').match(/^[a-z0-9.-]+$/gm) ?? [];

describe('a ranking', () => {
  /** Parsed once, because it is long, and used with its names in another order. */
  const long = parseFeed('ranked-domains', Buffer.from(ranked([...LARGE, ...names(12_000)]).join('\n')));
  const others = long.entries.filter((name) => name.startsWith('throwaway-'));
  const large = long.entries.filter((name) => !name.startsWith('throwaway-'));
  const ordered = (...entries: string[]): ParsedFeed => ({ ...long, entries, rows: entries.length });

  it('is accepted with the largest domains, and throw-away services far below them', () => {
    expect(refusalOf(ranking, ordered(...large, ...others, 'mailinator.com'))).toBe('');
    const unknown = parseFeed(
      'ranked-domains',
      Buffer.from(ranked(['customer.com', ...names(20)]).join('\n')),
    );
    expect(refusalOf(ranking, unknown)).toBe('');
  });

  it('is refused if a throw-away service is at the top, if the largest domains are missing, or if it shrank', () => {
    const top = ordered(...large, 'mailinator.com', ...others);
    expect(refusalOf(ranking, top)).toBe(
      'it ranks mailinator.com, a throw-away service, among the first 1000',
    );
    expect(refusalOf(ranking, ordered(...others))).toMatch(/^it names 0 of the largest domains/);
    expect(refusalOf(ranking, long, 100_000)).toMatch(/^it shrank from 100000/);
  });
});

/** A file with this number of entries, in the form of each publisher. */
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
  'warninglist-addresses': (count) => JSON.stringify({ list: addresses(count).map((ip) => `${ip}/32`) }),
  'warninglist-domains': (count) => JSON.stringify({ list: names(count) }),
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

/** Without the suffixes among them, which are skipped. */
const largest = () => parseFeed('ranked-domains', Buffer.from(ranked(LARGE).join('\n'))).entries;

describe('a file as its publisher writes it', () => {
  /** By format and count: parsing the longest file takes a quarter of a second. */
  const files = new Map<string, ParsedFeed>();
  function parse(format: FeedFormat, count: number): ParsedFeed {
    const key = `${format} ${count}`;
    const parsed = files.get(key) ?? parseFeed(format, Buffer.from(FILES[format](count)));
    files.set(key, parsed);
    return parsed;
  }

  it.each(FEEDS)(
    'of $id is accepted with the smallest allowed number of entries, and refused with fewer',
    (feed) => {
      const { minEntries = 1 } = feed;
      const enough = parse(feed.format, minEntries);
      expect(judgeFeed(feed, enough, undefined, guards)).toEqual({ ok: true });
      const fewer = { ...enough, entries: enough.entries.slice(0, -1), rows: enough.rows - 1 };
      expect(judgeFeed(feed, fewer, undefined, guards)).toMatchObject({ ok: false });
    },
  );
});

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FeedFormat } from './feed.ts';
import { FORMATS, parseFeed } from './feed-parse.ts';

const FIXTURES = resolve(import.meta.dirname, '../../test/fixtures/feeds');
const formats = Object.keys(FORMATS) as FeedFormat[];
const fixture = (name: string) => readFileSync(resolve(FIXTURES, name));
const parse = (format: FeedFormat, text: string) => parseFeed(format, Buffer.from(text));

const RANKED = ['example.com', 'mail.example.org', 'xn--bcher-kva.example.de', 'example.net'];

describe('a feed as its publisher writes it', () => {
  it.each<[string, FeedFormat, string[], number]>([
    [
      'disposable.conf',
      'domains',
      [
        '0-throwaway.com',
        'box.throwaway.dynv6.net',
        'mail.gives-you-ten-minutes.co.uk',
        'throwaway.example.co.za',
        'xn--wegwerf-brse-djb.de',
        'zz-throwaway.ru',
      ],
      6,
    ],
    [
      'allow.txt',
      'domains',
      [
        'post.example.com',
        '*.wild.example.org',
        '*.root.example.net',
        'xn--brse-5qa.example.de',
        'mail.example.fr',
      ],
      6,
    ],
    ...['ranked.csv', 'ranked.csv.gz', 'ranked.zip', 'ranked-streamed.zip'].map(
      (name): [string, FeedFormat, string[], number] => [name, 'ranked-domains', RANKED, 4],
    ),
    ['ranked-header.csv', 'ranked-domains', ['example.com', 'mail.example.org', 'example.net'], 3],
    ['tor-exits.txt', 'addresses', ['192.0.2.25', '198.51.100.81', '203.0.113.5'], 4],
    [
      'onionoo.json',
      'onionoo',
      ['192.0.2.25', '2001:db8:25::1', '198.51.100.81', '203.0.113.44', '2001:db8:44::44'],
      5,
    ],
    [
      'relay.csv',
      'geofeed',
      ['192.0.2.0/31', '192.0.2.2', '2001:db8:b000:4000::/64', '2001:db8:b000:8000::/64'],
      5,
    ],
    ['geofeed-comments.txt', 'geofeed', ['2001:db8:3c00::/40', '198.51.100.0/24'], 2],
    [
      'networks.txt',
      'addresses',
      [
        '192.0.2.0/25',
        '192.0.2.200',
        '198.51.100.0/24',
        '203.0.113.9',
        '203.0.113.0/24',
        '2001:db8:0:0:1::/80',
        '2001:db8:7::/48',
      ],
      7,
    ],
    ['asns.txt', 'asns', ['AS64496', 'AS64497', 'AS64498', 'AS64499'], 5],
    ['counted.txt', 'counted-addresses', ['192.0.2.20', '198.51.100.7', '203.0.113.77'], 4],
    ['aws.json', 'aws', ['192.0.2.0/25', '2001:db8:200::/40'], 2],
    ['gcp.json', 'gcp', ['192.0.2.0/26', '2001:db8:8000::/44'], 2],
    ['oracle.json', 'oracle', ['192.0.2.0/24', '198.51.100.64/26', '203.0.113.0/24'], 3],
    ['proxies.json', 'proxies', ['198.51.100.247', '203.0.113.8'], 3],
    [
      'warninglist-addresses.json',
      'warninglist-addresses',
      ['192.0.2.0/24', '198.51.100.7', '2001:db8:9::/48'],
      3,
    ],
    ['warninglist-domains.json', 'warninglist-domains', ['example.edu', 'cs.example.ac.uk'], 3],
    ['spamhaus-cidrs.json', 'spamhaus-cidrs', ['192.0.2.0/24', '192.0.2.0/26', '2001:db8:bad::/48'], 4],
    ['spamhaus-asns.json', 'spamhaus-asns', ['AS64496', 'AS64511'], 2],
  ])('%s, read as %s, gives its entries once each, and no error', (name, format, entries, rows) => {
    expect(parseFeed(format, fixture(name))).toMatchObject({ entries, rows, errors: 0 });
  });

  it.each([
    ['geofeed', '192.0.2.0/24\n2001:db8::/45\n', ['192.0.2.0/24', '2001:db8::/45']],
    ['spamhaus-cidrs', '; DROP\n192.0.2.0/24 ; SBL1\n2001:db8::/29 \n', ['192.0.2.0/24', '2001:db8::/29']],
  ] as const)('reads the simple form of %s that mirrors keep', (format, text, entries) => {
    const parsed = parseFeed(format, Buffer.from(text));
    expect([parsed.entries, parsed.errors]).toEqual([entries, 0]);
  });

  it('counts a row without its number as three lists', () => {
    const { entries, levels } = parseFeed('counted-addresses', Buffer.from('192.0.2.1\n192.0.2.2\t8\n'));
    expect([entries, levels]).toEqual([
      ['192.0.2.1', '192.0.2.2'],
      [3, 8],
    ]);
  });

  it('reads a ranking up to rank 100,000', () => {
    const row = (rank: number) => `${rank},name-${rank}.com`;
    const text = [1, 2, 99_999, 100_000, 100_001, 3].map(row).join('\n');
    expect(parse('ranked-domains', text).entries).toEqual(
      [1, 2, 99_999, 100_000].map((rank) => `name-${rank}.com`),
    );
  });

  it('gives the number of lists, the higher one for a repeated row', () => {
    expect(parseFeed('counted-addresses', fixture('counted.txt')).levels).toEqual([9, 3, 1]);
    expect(parseFeed('addresses', fixture('tor-exits.txt'))).not.toHaveProperty('levels');
  });

  it.each(formats)(
    '%s is read the same with CRLF, a byte order mark and without a final line end',
    (format) => {
      const name = {
        domains: 'disposable.conf',
        addresses: 'networks.txt',
        'counted-addresses': 'counted.txt',
        asns: 'asns.txt',
        geofeed: 'relay.csv',
        onionoo: 'onionoo.json',
        aws: 'aws.json',
        gcp: 'gcp.json',
        oracle: 'oracle.json',
        proxies: 'proxies.json',
        'warninglist-addresses': 'warninglist-addresses.json',
        'warninglist-domains': 'warninglist-domains.json',
        'spamhaus-cidrs': 'spamhaus-cidrs.json',
        'spamhaus-asns': 'spamhaus-asns.json',
        'ranked-domains': 'ranked.csv',
      }[format];
      const text = fixture(name).toString('utf8');
      const windows = `\ufeff${text.trimEnd().replaceAll('\n', '\r\n')}`;
      expect(parse(format, windows)).toEqual(parse(format, text));
    },
  );
});

describe('an invalid document', () => {
  it.each(formats)('%s: a web page has errors and no entry', (format) => {
    const { entries, rows, errors, firstError } = parseFeed(format, fixture('page.html'));
    expect(entries).toEqual([]);
    expect(errors).toBe(rows);
    expect(errors).toBeGreaterThan(0);
    expect(firstError).toMatch(/\S/);
  });

  it.each(formats)('%s: binary bytes are errors', (format) => {
    const noise = Uint8Array.from({ length: 4096 }, (_, at) => (at * 151 + (at >> 3)) % 256);
    expect(parseFeed(format, noise)).toMatchObject({ entries: [], errors: expect.toSatisfy((n) => n > 0) });
  });

  it.each(formats)('%s: an empty document has no entry', (format) => {
    expect(parse(format, '').entries).toEqual([]);
  });

  it.each<FeedFormat>(['aws', 'gcp', 'oracle', 'onionoo', 'proxies'])(
    '%s: a document that is cut off, or has another shape, is one wrong row',
    (format) => {
      const text = fixture(`${format}.json`).toString('utf8');
      for (const wrong of [text.slice(0, text.length / 2), '{}', 'null', '7', '"text"', '{"relays":{}}']) {
        expect(parse(format, wrong)).toMatchObject({ entries: [], rows: 1, errors: 1 });
      }
    },
  );

  it('a list that is longer than any feed is one wrong row', () => {
    const parseLines = (count: number) => {
      const text = Array.from({ length: count }, (_, at) => `AS${at + 1}`).join('\n');
      return parseFeed('asns', Buffer.from(text), 1_000);
    };
    expect(parseLines(1_000)).toMatchObject({ rows: 1_000, errors: 0 });
    expect(parseLines(1_001)).toEqual({
      entries: [],
      rows: 1,
      errors: 1,
      firstError: 'more than 1000 entries',
    });
  });

  it('shows the first error on one short line', () => {
    const { firstError } = parse('addresses', `192.0.2.1\n\u0000\u0007${'x'.repeat(500)}\n`);
    expect(firstError).toBe(`\ufffd\ufffd${'x'.repeat(118)}`);
  });
});

it('reads a name below an ending that was added after the build', () => {
  const text = 'mail.newtld\nshop.xn--nbekannt-55a\n*.free.newtld\n';
  expect(parse('domains', text)).toEqual({
    entries: ['mail.newtld', 'shop.xn--nbekannt-55a', '*.free.newtld'],
    rows: 3,
    errors: 0,
  });
});

describe('an invalid row', () => {
  it.each<[FeedFormat, string]>([
    ['domains', 'localhost'],
    ['domains', 'co.uk'],
    ['domains', 'com'],
    ['domains', 'mail.no-such-suffix'],
    ['domains', 'mail.home.arpa'],
    ['domains', 'shop.test'],
    ['domains', 'two words.com'],
    ['domains', 'someone@example.com'],
    ['domains', 'https://example.com/'],
    ['domains', '-example.com'],
    ['domains', 'exa\u0000mple.com'],
    ['domains', '192.0.2.1'],
    ['domains', `${'a'.repeat(64)}.com`],
    ['domains', `${'a.'.repeat(200_000)}com`],
    ['addresses', '192.0.2'],
    ['addresses', '192.0.2.256'],
    ['addresses', '192.0.02.1'],
    ['addresses', '192.0.2.1/33'],
    ['addresses', '192.0.2.1/'],
    ['addresses', '192.0.2.0/024'],
    ['addresses', '192.0.2.1-192.0.2.9'],
    ['addresses', '192.0.2.1\u0000'],
    ['addresses', '2001:db8::/129'],
    ['addresses', '2001:db8::1%eth0'],
    ['addresses', '2001:db8:::1'],
    ['addresses', '::ffff:192.0.2.1/95'],
    ['counted-addresses', '192.0.2.1\t0'],
    ['counted-addresses', '192.0.2.1\tmany'],
    ['ranked-domains', 'example.com'],
    ['ranked-domains', '0,example.com'],
    ['ranked-domains', '1,two words.com'],
    ['ranked-domains', 'first,example.com'],
    ['asns', 'AS0'],
    ['asns', 'AS4294967296'],
    ['asns', '64496'],
    ['geofeed', 'DE,192.0.2.0/24'],
    ['spamhaus-cidrs', '{"cidr":"192.0.2.0/24"'],
    ['spamhaus-cidrs', '{"sblid":"SBL1"}'],
    ['spamhaus-asns', '{"asn":"AS64496"}'],
    ['spamhaus-asns', 'null'],
    ['proxies', '[null]'],
    ['proxies', '[{"host":"proxy.example.com"}]'],
    ['proxies', '[{"host":"192.0.2.1","exit_ip":"unknown"}]'],
    ['onionoo', '{"relays":[{}]}'],
    ['onionoo', '{"relays":[{"or_addresses":["192.0.2.1:port"]}]}'],
    ['gcp', '{"prefixes":[{"service":"Google Cloud"}]}'],
    ['warninglist-addresses', '{"list":["proxy.example.com"]}'],
    ['warninglist-addresses', '{"name":"no list"}'],
    ['warninglist-domains', '{"list":[7]}'],
    ['aws', '{"prefixes":[{"service":"EC2"}],"ipv6_prefixes":[]}'],
    ['aws', '{"prefixes":[{"ip_prefix":"192.0.2.0/24"}],"ipv6_prefixes":[]}'],
    ['oracle', '{"regions":[{"cidrs":[{"tags":["OCI"]}]}]}'],
  ])('%s: %j', (format, text) => {
    const { firstError, ...counts } = parse(format, text);
    expect(counts).toMatchObject({ entries: [], rows: 1, errors: 1 });
    expect(firstError).toMatch(/\S/);
  });

  it('does not affect the rows beside it', () => {
    const text = 'one.com\nno domain\ntwo.com\n';
    expect(parse('domains', text)).toEqual({
      entries: ['one.com', 'two.com'],
      rows: 3,
      errors: 1,
      firstError: 'no domain',
    });
  });
});

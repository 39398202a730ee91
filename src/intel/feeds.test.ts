import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '../model/source.ts';
import type { Feed, FeedFormat } from './feeds/feed.ts';
import { FEEDS } from './feeds.ts';
import { FORMATS, parseFeed } from './formats/parse-feed.ts';
import { BASELINE_SOURCES } from './sources.ts';

const ROOT = resolve(import.meta.dirname, '../..');

describe('the table of feeds', () => {
  it('has every feed that is promised', () => {
    expect(FEEDS.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        ...['disposable-curated', 'disposable-mx', 'disposable-allow', 'tor-exits', 'tor-onionoo'],
        ...['icloud-relay', 'vpn-ipv4', 'vpn-ipv6', 'datacenter-ipv4', 'datacenter-ipv6', 'datacenter-asn'],
        ...['aws', 'gcp', 'oracle', 'cloudflare-ipv4', 'cloudflare-ipv6', 'digitalocean', 'linode'],
        ...['proxies', 'drop-v4', 'drop-v6', 'asn-drop', 'abuse-levels', 'blocklist-de'],
        ...['spam-domains', 'referrer-spam', 'popular-domains'],
      ]),
    );
  });

  it('gives each id and each address once, and none that a bundled source has', () => {
    const ids = [...FEEDS, ...BASELINE_SOURCES].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(FEEDS.map(({ url }) => url)).size).toBe(FEEDS.length);
  });

  it.each(FEEDS)('$id can be fetched, read and weighed', (feed) => {
    expect(new URL(feed.url)).toMatchObject({ protocol: 'https:', href: feed.url });
    expect(feed.entryKind).toBe(FORMATS[feed.format].entryKind);
    expect(CATEGORIES).toContain(feed.says);
    expect(feed.everyHours).toBeGreaterThanOrEqual(1);
    expect(feed.abuseWeight !== undefined).toBe(feed.says === 'abuse');
    expect(feed.licence).not.toBe('');
  });

  it('fetches nothing by default whose publisher forbids commercial use', () => {
    const restricted = FEEDS.filter(({ terms }) => /non-commercial/i.test(terms ?? ''));
    expect(restricted.map(({ id, enabled }) => [id, enabled])).toEqual([
      ['popular-tranco', false],
      ['spam-domains', false],
    ]);
  });

  it('stands in docs/data-sources.md as it is here, row for row', () => {
    const rows = readFileSync(resolve(ROOT, 'docs/data-sources.md'), 'utf8')
      .split('\n')
      .filter((line) => /^\| `[^|]*` \| [a-z_]+ \| <http/.test(line));
    expect(rows).toEqual(FEEDS.map(rowOf));
  });
});

// Genuine files are no part of the repository; where they lie beside it, every parser is held to them.
const GENUINE = resolve(ROOT, '../shared/feeds');

describe.skipIf(!existsSync(GENUINE))('the genuine files', () => {
  it.each<[string, FeedFormat, number, number, number]>([
    ['disposable-ded.conf', 'domains', 8_335, 8_335, 0],
    // `com.ar`, a suffix of the registry
    ['disposable-whitelist.txt', 'domains', 337, 343, 1],
    ['disposable-greylist.txt', 'domains', 31, 31, 0],
    ['tor-exit-cps.txt', 'addresses', 1_372, 3_251, 0],
    ['icloud-ranges.txt', 'geofeed', 13_745, 13_745, 0],
    ['x4b-vpn-ipv4.txt', 'addresses', 10_862, 10_862, 0],
    ['x4b-vpn-ipv6.txt', 'addresses', 498, 498, 0],
    ['x4b-vpn-asn.txt', 'asns', 15, 15, 0],
    ['x4b-datacenter-ipv4.txt', 'addresses', 42_566, 42_566, 0],
    ['x4b-datacenter-ipv6.txt', 'addresses', 8_752, 8_752, 0],
    ['x4b-datacenter-asn.txt', 'asns', 892, 906, 0],
    ['proxies.json', 'proxies', 449, 492, 0],
    ['spamhaus-drop_v4.json', 'spamhaus-cidrs', 1_669, 1_670, 0],
    ['spamhaus-drop_v6-2024.txt', 'spamhaus-cidrs', 51, 51, 0],
    ['spamhaus-asndrop-2024.json', 'spamhaus-asns', 201, 201, 0],
    ['ipsum-3.txt', 'counted-addresses', 14_217, 14_217, 0],
    ['aws-ip-ranges.json', 'aws', 4_153, 4_153, 0],
    ['cloud/google-cloud-ip-ranges.json', 'gcp', 782, 782, 0],
    ['cloud/oracle-cloud-ip-ranges.json', 'oracle', 896, 896, 0],
    ['cloud/cloudflare-v4-ip-ranges.txt', 'addresses', 15, 15, 0],
    ['cloud/cloudflare-v6-ip-ranges.txt', 'addresses', 7, 7, 0],
    ['cloud/digitalocean.csv', 'geofeed', 1_182, 1_182, 0],
    ['cloud/linode.txt', 'geofeed', 4_552, 4_552, 0],
  ])('%s, read as %s', (name, format, entries, rows, errors) => {
    const parsed = parseFeed(format, readFileSync(resolve(GENUINE, name)));
    expect([parsed.entries.length, parsed.rows, parsed.errors]).toEqual([entries, rows, errors]);
  });
});

function rowOf({ id, says, url, everyHours, enabled, licence, terms }: Feed): string {
  const cells = [`\`${id}\``, says, `<${url}>`, everyHours, enabled ? 'on' : 'off', licence, terms ?? ''];
  return `| ${cells.join(' | ')} |`.replaceAll('  ', ' ');
}

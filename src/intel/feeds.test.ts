import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '../model/source.ts';
import type { Feed } from './feed.ts';
import { FORMATS } from './feed-parse.ts';
import { FEEDS } from './feeds.ts';
import { BASELINE_SOURCES } from './sources.ts';

const ROOT = resolve(import.meta.dirname, '../..');

describe('the table of feeds', () => {
  it('has every promised feed', () => {
    expect(FEEDS.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'disposable-curated',
        'disposable-mx',
        'disposable-allow',
        'tor-exits',
        'tor-onionoo',
        'icloud-relay',
        'vpn-ipv4',
        'vpn-ipv6',
        'datacenter-ipv4',
        'datacenter-ipv6',
        'datacenter-asn',
        'aws',
        'gcp',
        'oracle',
        'cloudflare-ipv4',
        'cloudflare-ipv6',
        'digitalocean',
        'linode',
        'proxies',
        'drop-v4',
        'drop-v6',
        'asn-drop',
        'abuse-levels',
        'blocklist-de',
        'spam-domains',
        'referrer-spam',
        'popular-domains',
      ]),
    );
  });

  it('has each id and each address once, and none of a bundled source', () => {
    const ids = [...FEEDS, ...BASELINE_SOURCES].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(FEEDS.map(({ url }) => url)).size).toBe(FEEDS.length);
  });

  it.each(FEEDS)('$id can be fetched, read and weighed', (feed) => {
    expect(new URL(feed.url)).toMatchObject({ protocol: 'https:', href: feed.url });
    expect(feed.entryKind).toBe(FORMATS[feed.format].entryKind);
    expect(CATEGORIES).toContain(feed.category);
    expect(feed.everyHours).toBeGreaterThanOrEqual(1);
    expect(feed.abuseWeight !== undefined).toBe(feed.category === 'abuse');
    expect(feed.licence).not.toBe('');
  });

  it('fetches no feed by default whose publisher forbids commercial use', () => {
    const restricted = FEEDS.filter(({ terms }) => /non-commercial/i.test(terms ?? ''));
    expect(restricted.map(({ id, enabled }) => [id, enabled])).toEqual([
      ['popular-tranco', false],
      ['spam-domains', false],
    ]);
  });

  it('is the same in docs/data-sources.md, row by row', () => {
    const rows = readFileSync(resolve(ROOT, 'docs/data-sources.md'), 'utf8')
      .split('\n')
      .filter((line) => /^\| `[^|]*` \| [a-z_]+ \| <http/.test(line));
    expect(rows).toEqual(FEEDS.map(rowOf));
  });
});

function rowOf({ id, category, url, everyHours, enabled, licence, terms }: Feed): string {
  const cells = [`\`${id}\``, category, `<${url}>`, everyHours, enabled ? 'on' : 'off', licence, terms ?? ''];
  return `| ${cells.join(' | ')} |`.replaceAll('  ', ' ');
}

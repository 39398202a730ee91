import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Feed } from './feed.ts';
import { readFeedSettings } from './feed-settings.ts';
import { FEEDS } from './feeds.ts';
import { BASELINE_SOURCES } from './sources.ts';

let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-feeds-'));
  file = join(folder, 'feeds.json');
});

afterAll(() => rmSync(folder, { recursive: true }));

function read(content: unknown): Feed[] {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readFeedSettings(file);
}

const rowOf = (feeds: readonly Feed[], id: string) => feeds.find((feed) => feed.id === id);
const original = (id: string) => rowOf(FEEDS, id) as Feed;

describe('readFeedSettings', () => {
  it('gives the table unchanged without a file, and for an empty file', () => {
    expect(readFeedSettings(undefined)).toEqual(FEEDS);
    expect(read({})).toEqual(FEEDS);
    expect(read({ aws: {} })).toEqual(FEEDS);
  });

  it('changes only what the file says of a feed, and no other feed', () => {
    const url = 'https://mirror.example.net/aws.json';
    const feeds = read({
      aws: { url, everyHours: 0.5 },
      gcp: { enabled: false },
      'spam-domains': { enabled: true },
    });
    const { minEntries: _, ...aws } = original('aws');
    expect(rowOf(feeds, 'aws')).toEqual({ ...aws, url, everyHours: 0.5 });
    expect(rowOf(feeds, 'gcp')).toEqual({ ...original('gcp'), enabled: false });
    expect(rowOf(feeds, 'spam-domains')).toEqual({ ...original('spam-domains'), enabled: true });
    const others = (all: readonly Feed[]) =>
      all.filter(({ id }) => !['aws', 'gcp', 'spam-domains'].includes(id));
    expect(others(feeds)).toEqual(others(FEEDS));
  });

  it('adds a source of a known format', () => {
    const feeds = read({
      'our-vpns': { url: 'https://example.net/vpns.txt', format: 'addresses', says: 'vpn' },
      'our-abusers': {
        url: 'https://example.net/abuse.txt',
        format: 'counted-addresses',
        says: 'abuse',
        abuseWeight: 40,
        everyHours: 1,
        enabled: false,
        licence: 'MIT',
        terms: 'For us alone.',
      },
    });
    expect(feeds).toHaveLength(FEEDS.length + 2);
    expect(rowOf(feeds, 'our-vpns')).toEqual({
      id: 'our-vpns',
      url: 'https://example.net/vpns.txt',
      format: 'addresses',
      category: 'vpn',
      entryKind: 'range',
      licence: 'unstated',
      everyHours: 24,
      enabled: true,
    });
    expect(rowOf(feeds, 'our-abusers')).toEqual({
      id: 'our-abusers',
      url: 'https://example.net/abuse.txt',
      format: 'counted-addresses',
      category: 'abuse',
      entryKind: 'range',
      licence: 'MIT',
      terms: 'For us alone.',
      everyHours: 1,
      enabled: false,
      abuseWeight: 40,
    });
  });

  it('derives the kind of entry from the format, and gives abuse a default weight', () => {
    const url = 'file:///lists/own.txt';
    const feeds = read({
      'own-domains': { url, format: 'domains', says: 'spam' },
      'own-asns': { url, format: 'asns', says: 'abuse' },
    });
    expect(rowOf(feeds, 'own-domains')?.entryKind).toBe('domain');
    expect(rowOf(feeds, 'own-asns')).toMatchObject({ entryKind: 'asn', abuseWeight: 30 });
  });

  it('reads a relative file URL from the folder of the settings file', () => {
    const feeds = read({ aws: { url: 'file:lists/aws.json' }, gcp: { url: 'file:///srv/gcp.json' } });
    expect(rowOf(feeds, 'aws')?.url).toBe(pathToFileURL(join(folder, 'lists/aws.json')).href);
    expect(rowOf(feeds, 'gcp')?.url).toBe('file:///srv/gcp.json');
  });
});

describe('an invalid file', () => {
  const added = { url: 'https://example.net/list', format: 'addresses', says: 'vpn' };

  it.each<[string, unknown, string]>([
    ['no JSON', '{ "aws": ', 'is not JSON: '],
    ['a list', [], 'must be an object with a member for each feed'],
    ['nothing', 'null', 'must be an object with a member for each feed'],
    ['a feed that is no object', { aws: false }, '"aws": must be an object'],
    [
      'an unknown member',
      { aws: { interval: 3 } },
      '"aws": "interval" cannot be set here; only "url", "enabled", "everyHours"',
    ],
    [
      'another format for a feed of the table',
      { aws: { format: 'gcp' } },
      '"aws": "format" cannot be set here',
    ],
    ['a switch that is a text', { aws: { enabled: 'no' } }, '"aws": "enabled" must be true or false'],
    ['no hours', { aws: { everyHours: 0 } }, '"aws": "everyHours" must be a number above 0, 8760 at most'],
    ['hours as a text', { aws: { everyHours: '12' } }, '"aws": "everyHours" must be'],
    [
      'a path for a URL',
      { aws: { url: '/srv/aws.json' } },
      '"aws": "url" must be an https:, http: or file: URL',
    ],
    ['another protocol', { aws: { url: 'ftp://example.net/a' } }, '"aws": "url" must be an https:'],
    ['a URL without a host', { aws: { url: 'https://' } }, '"aws": "url" must be an https:'],
    [
      'a password',
      { aws: { url: 'https://me:secret@example.net/a' } },
      '"aws": "url" must not contain a password',
    ],
    [
      'a file on another machine',
      { aws: { url: 'file://lists/a.txt' } },
      '"aws": "url" names the machine lists',
    ],
    [
      'an unknown id that only overrides',
      { amazon: { enabled: false } },
      '"amazon": is not a feed of the table; to add one, set "url", "format", "says"; "url" is missing',
    ],
    [
      'a new source that says nothing',
      { own: { ...added, says: undefined } },
      '"own": is not a feed of the table; to add one, set "url", "format", "says"; "says" is missing',
    ],
    [
      'an unknown format',
      { own: { ...added, format: 'xml' } },
      '"own": "format" must be one of "domains", "addresses"',
    ],
    [
      'a fact that its entries cannot have',
      { own: { ...added, says: 'disposable' } },
      '"own": "says" must be one of "relay", "corporate", "carrier", "egress", "tor", "vpn", "proxy", "datacenter", "abuse" in a feed of format "addresses"',
    ],
    [
      'a weight that is never used',
      { own: { ...added, abuseWeight: 50 } },
      '"own": "abuseWeight" is only for a feed that says "abuse"',
    ],
    [
      'a weight over 100',
      { own: { ...added, says: 'abuse', abuseWeight: 101 } },
      '"own": "abuseWeight" must be a number from 1 to 100',
    ],
    ['an empty licence', { own: { ...added, licence: ' ' } }, '"own": "licence" must be a text'],
    [
      'an id that is no name',
      { '../own': added },
      '"../own": an id has lower-case letters, digits and hyphens, 64 at most',
    ],
    ['the id of an object’s parent', '{ "__proto__": {} }', '"__proto__": an id has lower-case letters'],
    ['the id of a bundled source', { mailchecker: added }, '"mailchecker": is the id of a bundled source'],
    [
      'too many',
      Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`own-${at}`, added])),
      `${FEEDS.length + 40} feeds are more than ${64 - BASELINE_SOURCES.length}`,
    ],
  ])('%s', (_, content, message) => {
    const attempt = () => read(content);
    expect(attempt).toThrow(`${file}: ${message}`);
    expect(attempt).not.toThrow('\n');
  });

  it('a missing file', () => {
    const absent = join(folder, 'absent.json');
    expect(() => readFeedSettings(absent)).toThrow(`${absent}: cannot be read: ENOENT`);
  });
});

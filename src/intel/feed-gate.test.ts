import { describe, expect, it } from 'vitest';
import type { Feed, ParsedFeed } from './feed.ts';
import { judgeFeed } from './feed-gate.ts';
import { readGuards } from './feed-guards.ts';
import { parseFeed } from './feed-parse.ts';
import { FEEDS } from './feeds.ts';

const guards = readGuards();
const { minEntries: _, ...row } = FEEDS.find(({ id }) => id === 'disposable-curated') as Feed;
const disposable: Feed = row;
const abuse: Feed = { ...row, id: 'a', format: 'addresses', category: 'abuse', entryKind: 'range' };
const hosting: Feed = { ...abuse, id: 'h', category: 'datacenter' };
const networks: Feed = { ...row, id: 'n', format: 'asns', category: 'datacenter', entryKind: 'asn' };

/** Why a feed with these lines is refused; empty if it is not. */
function refusal(feed: Feed, lines: readonly string[], lastGood?: number): string {
  return refusalOf(feed, parseFeed(feed.format, Buffer.from(lines.join('\n'))), lastGood);
}

function refusalOf(feed: Feed, parsed: ParsedFeed, lastGood?: number): string {
  const last = lastGood === undefined ? undefined : { entries: lastGood };
  const verdict = judgeFeed(feed, parsed, last, guards);
  return verdict.ok ? '' : verdict.why;
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `throwaway-${at}.com`);
const addresses = (count: number) => Array.from({ length: count }, (_, at) => `45.9.${at >> 8}.${at & 255}`);

describe('a feed is accepted', () => {
  it('when it is plausible, the first time and when it changes', () => {
    expect(refusal(disposable, names(10))).toBe('');
    expect(refusal(disposable, names(100), 60)).toBe('');
    expect(refusal(abuse, [...addresses(100), '45.0.0.0/8', '2a0e:8000::/19'])).toBe('');
    expect(refusal(networks, ['AS16276 OVH', 'AS24940'])).toBe('');
  });

  it('with fewer than one unreadable row in a hundred', () => {
    expect(refusal(disposable, [...names(100), 'not a name'])).toBe('');
    expect(refusal(disposable, [...names(99), 'not a name'])).toMatch(/^1 of 100 rows cannot be read/);
  });

  it('when a cloud lists its own ranges, including its public resolver', () => {
    expect(refusal(hosting, ['8.8.8.0/24', '1.1.1.0/24'])).toBe('');
  });

  it('with names below those of a provider, and with providers that good lists report too', () => {
    expect(refusal(disposable, [...names(5), 'users.gmail.com', 'sify.com'])).toBe('');
  });
});

describe('a feed is refused', () => {
  it.each<[string, Feed, string[], RegExp]>([
    ['empty', disposable, [], /empty/],
    ['of comments only', disposable, ['# soon'], /empty/],
    ['a web page', disposable, ['<!doctype html>', '<html><body>', 'Please log in</body>'], /cannot be read/],
    ['shorter than its row says', { ...disposable, minEntries: 20 }, names(19), /19 entries, fewer than 20/],
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

  it('when it shrank or grew beyond its limits', () => {
    expect(refusal(disposable, names(49), 100)).toBe('it shrank from 100 to 49 entries');
    expect(refusal(disposable, names(50), 100)).toBe('');
    expect(refusal(disposable, names(301), 100)).toBe('it grew from 100 to 301 entries');
    expect(refusal({ ...disposable, bounds: [0.1, 10] }, names(301), 100)).toBe('');
    // All entries of a short list may change.
    expect(refusal(disposable, names(3), 8)).toBe('');
    expect(refusal(disposable, names(20), 2)).toBe('');
  });
});

// The feeds that the intelligence benchmark compiles: real files from a folder, or generated files of realistic size.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFeed } from '../dist/intel/feed-parse.js';
import { FEEDS } from '../dist/intel/feeds.js';

/** The names of collected files, and their format if it differs from the publisher's; `<id>.<anything>` is also found. */
const FILES = JSON.parse(readFileSync(new URL('./feed-files.json', import.meta.url), 'utf8'));
const DOMAINS = 100_000;

/** The feeds of the table that have a file in the folder. */
export function genuineFeeds(folder) {
  const names = readdirSync(folder);
  return FEEDS.flatMap((feed) => {
    const own = names.find((name) => name.split('.')[0] === feed.id);
    const { name = '', format = feed.format } = own === undefined ? (FILES[feed.id] ?? {}) : { name: own };
    if (name === '' || !existsSync(join(folder, name))) return [];
    const parsed = parseFeed(format, readFileSync(join(folder, name)));
    if (parsed.entries.length === 0)
      throw new Error(`${name}: nothing readable as ${format}: ${parsed.firstError}`);
    return [applied(feed, parsed)];
  });
}

/** Half a million ranges and 100,000 domains, spread as real lists are: most are single addresses and /24. */
export function syntheticFeeds(random) {
  const byte = () => Math.floor(random() * 256);
  // All of these addresses are public: feeds with other addresses are refused.
  const three = () => `${23 + Math.floor(random() * 77)}.${byte()}.${byte()}`;
  const group = () => (1 + Math.floor(random() * 65_535)).toString(16);
  const six = () =>
    `2${'a468'[Math.floor(random() * 4)]}0${(byte() & 15).toString(16)}:${group()}:${group()}::/48`;
  const letters = () =>
    Array.from({ length: 6 + Math.floor(random() * 10) }, () =>
      String.fromCharCode(97 + Math.floor(random() * 26)),
    ).join('');
  const rows = [
    ['icloud-relay', 40_000, () => `${three()}.${byte() & 240}/28`],
    ['vpn-ipv4', 60_000, () => `${three()}.0/24`],
    ['datacenter-ipv4', 120_000, () => `${three()}.0/24`],
    ['datacenter-ipv6', 50_000, six],
    ['tor-exits', 20_000, () => `${three()}.${byte()}`],
    ['abuse-levels', 150_000, () => `${three()}.${byte()}`],
    ['blocklist-de', 60_000, () => `${three()}.${byte()}`],
    ['disposable-curated', DOMAINS * 0.8, () => `${letters()}.com`],
    ['referrer-spam', DOMAINS * 0.2, () => `${letters()}.net`],
  ];
  return rows.map(([id, count, make]) => {
    const entries = new Set();
    while (entries.size < count) entries.add(make());
    return applied(
      FEEDS.find((feed) => feed.id === id),
      { entries: [...entries], rows: count, errors: 0 },
    );
  });
}

function applied(feed, parsed) {
  return { feed, version: 'bench', fetchedAt: 0, parsed, departed: [] };
}

// The accuracy of the lists of disposable domains: recall on known bad names, false positives among known good names, with and without disputes.
import { readFileSync } from 'node:fs';
import { BASELINE_FILE } from '../dist/intel/bundled-snapshot.js';
import { compileWithFeeds } from '../dist/intel/compile-feeds.js';
import { parseFeed } from '../dist/intel/feed-parse.js';
import { FEEDS } from '../dist/intel/feeds.js';
import { readSnapshot } from '../dist/intel/snapshot.js';

const RANKING = FEEDS.find(({ id }) => id === 'popular-domains');
/** Categories that count against a listing. */
const AGAINST = ['known', 'mistyped', 'popular', 'shared_suffix'];

/** The snapshots to measure: bundled data, with a ranking, and with all feeds from the command line. */
export function snapshotsToMeasure({ feeds, popular }) {
  const base = readFileSync(BASELINE_FILE);
  const ranking = popular === undefined ? [] : [readRanking(popular)];
  const compiled = (applied) => readSnapshot(compileWithFeeds(base, applied, 0).bytes);
  const others = feeds.filter(({ feed }) => feed.entryKind === 'domain' && feed.category !== 'popular');
  return [
    ['bundled data alone', readSnapshot(base)],
    ...(ranking.length === 0 ? [] : [['with the ranking', compiled(ranking)]]),
    ...(others.length === 0 ? [] : [['with the ranking and the feeds', compiled([...others, ...ranking])]]),
  ];
}

/** Prints one block: `names` of one kind, judged by each snapshot. IP addresses are skipped. */
export function printAccuracy(kind, names, snapshots, print) {
  const good = kind === 'known-good';
  print(`\ndisposable domains among ${names.length} ${good ? 'known good' : 'known bad'} ones`);
  print(`  ${''.padEnd(32)} before            called            challenged instead`);
  for (const [title, intel] of snapshots) {
    const found = names.map((name) => ({ name, known: intel.domain(name), before: wasCalled(intel, name) }));
    const called = found.filter(({ known }) => known.disposable);
    const disputed = found.filter(({ known }) => known.disputed);
    const cell = (list) => share(list.length, names.length, good).padEnd(18);
    const before = found.filter((result) => result.before);
    print(`  ${title.padEnd(32)} ${cell(before)}${cell(called)}${cell(disputed)}`);
    if (!good) continue;
    for (const { name, known } of called)
      print(`    called ${name}: ${voices(known, (fact) => !AGAINST.includes(fact))}`);
    for (const { name, known } of disputed) {
      const against =
        voices(known, (fact) => AGAINST.includes(fact)) ||
        `unrelated people get names under ${known.sharedSuffix}`;
      print(`    disputed ${name}: ${voices(known, (fact) => fact === 'disposable')}; against it ${against}`);
    }
  }
}

/** The result without disputes: any listing counts, also a listing of a name below a suffix of our own list. */
function wasCalled(intel, name) {
  const categories = intel.sources.map((source) => source.category);
  const has = (mask, wanted) =>
    categories.some((category, at) => category === wanted && (mask >> BigInt(at)) & 1n);
  for (const level of intel.domainClaims(name)) {
    const passesDown = !level.shared || has(level.claims, 'shared_suffix');
    const mask = level.name === name || passesDown ? level.effective : level.below;
    if (has(mask, 'disposable')) return true;
    if (categories.some((category, at) => !AGAINST.includes(category) && (mask >> BigInt(at)) & 1n))
      return false;
  }
  return false;
}

function voices({ hits }, wanted) {
  return [...new Set(hits.filter(({ fact }) => wanted(fact)).map(({ source }) => source))].join(', ');
}

/** The number in 100,000 for good names, the share for bad names. */
function share(count, all, good) {
  const part = good
    ? `${((100_000 * count) / all).toFixed(0)} in 100,000`
    : `${((100 * count) / all).toFixed(2)}%`;
  return `${count} (${part})`;
}

/** `rank,domain` rows in any form that the feed has, or one domain a line. */
function readRanking(file) {
  const parsed = parseFeed(RANKING.format, readFileSync(file));
  if (parsed.errors < parsed.rows * 0.5) return applied(parsed);
  const ranked = readFileSync(file, 'utf8')
    .split('\n')
    .map((line, at) => `${at + 1},${line.trim()}`);
  return applied(parseFeed(RANKING.format, Buffer.from(ranked.join('\n'))));
}

function applied(parsed) {
  return { feed: RANKING, version: 'bench', fetchedAt: 0, parsed, departed: [] };
}

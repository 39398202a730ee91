// Compiles the baseline with feeds and measures look-ups against plain alternatives; with files of known names and addresses also recall and false positives. Fails when a look-up takes several times its target.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseIp } from '../dist/address/ip.js';
import { BASELINE_FILE } from '../dist/intel/bundled-snapshot.js';
import { compileWithFeeds } from '../dist/intel/compile-feeds.js';
import { readSnapshot, readVerifiedSnapshot } from '../dist/intel/snapshot.js';
import { readOptions } from '../scripts/read-options.mjs';
import { installTools } from '../tools/install-tools.mjs';
import { printAccuracy, snapshotsToMeasure } from './accuracy.mjs';
import { genuineFeeds, syntheticFeeds } from './feeds.mjs';

const MMDB = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';
const TARGET_NS = { domain: 1_000, ip: 500 };
/** Only several times the target fails, so that a busy machine does not fail the bench. */
const TOLERANCE = 4;
const LOOKUPS = 200_000;
const ROUNDS = 5;
const LINEAR_LOOKUPS = 100;

const USAGE = `npm run bench -- intel [options]
  --feeds DIR         files of real feeds; default are made-up ones
  --mmdb FILE         another database to compare with
  --known-bad FILE    names and addresses that should be recognised
  --known-good FILE   names and addresses that should not be listed
  --popular FILE      a ranking of popular domains`;
const { values: options } = readOptions(USAGE, {
  options: {
    feeds: { type: 'string' },
    mmdb: { type: 'string' },
    'known-bad': { type: 'string' },
    'known-good': { type: 'string' },
    popular: { type: 'string' },
  },
});
const require = createRequire(join(await installTools(), 'package.json'));
const { Reader } = require('mmdb-lib');
const random = seeded(7);
const feeds = options.feeds === undefined ? syntheticFeeds(random) : genuineFeeds(options.feeds);
const entriesOf = (kind) =>
  feeds.filter(({ feed }) => feed.entryKind === kind).flatMap(({ parsed }) => parsed.entries);
const domains = entriesOf('domain');
const blocks = entriesOf('range');
print(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`);
print(
  `${feeds.length} feeds: ${blocks.length} ranges, ${domains.length} domains, ${entriesOf('asn').length} ASes`,
);

const intel = compileAndOpen();
const failures = [];
measureAll();
const measuredKinds = ['known-bad', 'known-good'].filter((kind) => options[kind] !== undefined);
if (measuredKinds.length > 0) measureCoverage();
for (const failure of failures) process.stderr.write(`bench: ${failure}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

function compileAndOpen() {
  const base = readFileSync(BASELINE_FILE);
  const before = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  const { result, ms } = timed(() => compileWithFeeds(base, feeds, 0));
  const { user } = process.cpuUsage(cpu);
  const grown = process.memoryUsage().rss - before;
  print(
    `compile   ${ms.toFixed(0)} ms (${(user / 1e3).toFixed(0)} ms of CPU, all threads), ${megabytes(grown)} more resident`,
  );
  const opened = timed(() => readSnapshot(result.bytes));
  const verified = timed(() => readVerifiedSnapshot(result.bytes));
  print(`snapshot  ${megabytes(result.bytes.length)}, ${opened.result.sources.length} sources`);
  print(
    `open      ${opened.ms.toFixed(1)} ms with its hash, ${verified.ms.toFixed(1)} ms without (target 300 and 5)\n`,
  );
  return opened.result;
}

function measureAll() {
  const names = new Set(domains);
  const listed = pick(domains);
  const unlisted = listed.map((name) => `x${name.replace(/^./, 'q')}`);
  const addresses = (family) =>
    pick(blocks.filter((block) => block.includes(':') === (family === 6))).map(inside);
  const anywhere4 = listed.map(() => parseIp(`${1 + at(222)}.${at(256)}.${at(256)}.${at(256)}`));
  const anywhere6 = listed.map(() =>
    parseIp(`2${'a468'[at(4)]}0${at(16).toString(16)}:${at(65_536).toString(16)}::1`),
  );
  const mmdb = openMmdb();

  print('look-up                     ns  target   alternative');
  row('domain, listed', 'domain', time(listed, intel.domain), [
    'Set',
    time(listed, (name) => names.has(name)),
  ]);
  row(
    'domain, below a listed one',
    'domain',
    time(
      listed.map((name) => `mail.${name}`),
      intel.domain,
    ),
  );
  row('domain, unlisted', 'domain', time(unlisted, intel.domain), [
    'Set',
    time(unlisted, (name) => names.has(name)),
  ]);
  row('IPv4, anywhere', 'ip', time(anywhere4, intel.network), linear(4, anywhere4), mmdb(anywhere4));
  row('IPv4, listed, with entry', 'ip', time(addresses(4), intel.network));
  row('IPv6, anywhere', 'ip', time(anywhere6, intel.network), linear(6, anywhere6), mmdb(anywhere6));
  row('IPv6, listed, with entry', 'ip', time(addresses(6), intel.network));
}

/** Scans all ranges: the cost of a plain array. */
function linear(version, addresses) {
  const width = version === 4 ? 1 : 4;
  const ranges = blocks.filter((block) => block.includes(':') === (version === 6)).map(boundsOf);
  const sample = addresses.slice(0, LINEAR_LOOKUPS);
  const compare = (a, b) => {
    for (let word = 0; word < width; word += 1) if (a[word] !== b[word]) return a[word] - b[word];
    return 0;
  };
  const contains = ({ words }) =>
    ranges.filter(({ first, last }) => compare(first, words) <= 0 && compare(words, last) <= 0);
  return ['linear scan', time(sample, contains, 1)];
}

/** The usual way to look up an address: a database file. The default file knows only countries. */
function openMmdb() {
  const reader = new Reader(readFileSync(options.mmdb ?? require.resolve(MMDB)));
  return (addresses) => {
    const texts = addresses.map(({ text }) => text);
    return ['mmdb-lib', time(texts, (text) => reader.get(text))];
  };
}

function measureCoverage() {
  const usedFeeds = options.feeds === undefined ? [] : feeds;
  const snapshots = snapshotsToMeasure({ feeds: usedFeeds, popular: options.popular });
  for (const kind of measuredKinds) {
    const entries = readNames(options[kind]);
    const addresses = entries.map(parseIp).filter((address) => address !== undefined);
    const names = entries.filter((entry) => parseIp(entry) === undefined);
    if (names.length > 0) printAccuracy(kind, names, snapshots, print);
    if (addresses.length > 0) printNetworks(kind, addresses);
  }
}

/** One a line: a domain, an email address, an IP address, or `rank,domain`. */
function readNames(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const entries = lines.map((line) => line.replace(/#.*/, '').trim().toLowerCase().replace(/^\d+,/, ''));
  return [
    ...new Set(entries.filter((entry) => entry !== '').map((entry) => entry.slice(entry.indexOf('@') + 1))),
  ];
}

function printNetworks(kind, addresses) {
  const counts = new Map();
  for (const address of addresses) {
    const known = intel.network(address);
    const facts = ['tor', 'vpn', 'proxy', 'datacenter'].filter((fact) => known.listed[fact]);
    if (known.abuseScore >= 25) facts.push('abuse');
    for (const fact of facts.length === 0 ? [] : [...facts, 'any'])
      counts.set(fact, (counts.get(fact) ?? 0) + 1);
  }
  print(`\n${kind} addresses: ${addresses.length}`);
  for (const [fact, count] of counts) {
    print(
      `  ${fact.padEnd(12)} ${String(count).padStart(7)}  ${((100 * count) / addresses.length).toFixed(2)}%`,
    );
  }
}

/** The best of several rounds, in nanoseconds per look-up: the speed without interference. */
function time(list, lookUp, rounds = ROUNDS) {
  let best = Number.POSITIVE_INFINITY;
  let found = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { ms } = timed(() => {
      for (const item of list) if (lookUp(item)) found += 1;
    });
    best = Math.min(best, (ms * 1e6) / list.length);
  }
  return found < 0 ? 0 : best;
}

function row(title, kind, ns, ...alternatives) {
  const target = TARGET_NS[kind];
  if (ns > target * TOLERANCE) failures.push(`${title}: ${ns.toFixed(0)} ns, target ${target}`);
  const others = alternatives.map(
    ([name, cost]) => `${name} ${typeof cost === 'number' ? cost.toFixed(0) : cost}`,
  );
  print(
    `${title.padEnd(26)} ${ns.toFixed(0).padStart(5)}  ${String(target).padStart(5)}   ${others.join(', ')}`,
  );
}

function boundsOf(block) {
  const [base, prefix] = block.split('/');
  const { words } = parseIp(base);
  const bits = prefix === undefined ? words.length * 32 : Number(prefix);
  const last = words.map((word, index) => {
    const host = bits - index * 32;
    return host >= 32 ? word : (word | (host <= 0 ? 0xffffffff : 0xffffffff >>> host)) >>> 0;
  });
  return { first: words, last };
}

/** An address within a block. */
function inside(block) {
  return parseIp(block.split('/')[0]);
}

function pick(list) {
  return Array.from({ length: LOOKUPS }, () => list[at(list.length)]);
}

function at(limit) {
  return Math.floor(random() * limit);
}

function timed(work) {
  const start = performance.now();
  const result = work();
  return { result, ms: performance.now() - start };
}

function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

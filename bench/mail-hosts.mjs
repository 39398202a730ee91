// How many unlisted throw-away domains are recognised by their mail host: the table of docs/mail-hosts.md, simulated.
import { createRequire } from 'node:module';
import { createMailHosts } from '../dist/evidence/mail-hosts.js';
import { createMemoryTexts } from '../dist/evidence/memory-texts.js';
import { BASELINE_FILE } from '../dist/intel/bundled-snapshot.js';
import { openSnapshot } from '../dist/intel/snapshot.js';
import { readOptions } from '../scripts/read-options.mjs';

readOptions(`npm run bench -- mail-hosts

Simulates 20,000 signups in 60 days from 200 families of throw-away domains with one mail host each,
and prints the share of the unlisted domains that is recognised by the host. Always the same numbers.`);

const SIGNUPS = 20_000;
const DAYS = 60;
const FAMILIES = 200;
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const SEED = 7;

const intel = await openSnapshot(BASELINE_FILE);
const listed = createRequire(import.meta.url)('disposable-email-domains-js')
  .disposableEmailBlocklist()
  .filter((name) => intel.domain(name).disposable);
/** Sizes of families by Zipf's law. */
const weights = Array.from({ length: FAMILIES }, (_, at) => 1 / (at + 1));
const allWeights = weights.reduce((sum, weight) => sum + weight, 0);

process.stdout.write('| Unlisted | One account | Three accounts |\n|---|---|---|\n');
for (const unlistedShare of [0.13, 0.3]) {
  const cells = [1, 3].map((accounts) => `${(100 * recall(accounts, unlistedShare)).toFixed(1)}%`);
  process.stdout.write(`| ${Math.round(100 * unlistedShare)}% | ${cells.join(' | ')} |\n`);
}

function recall(accounts, unlistedShare) {
  const random = createRandom(SEED);
  let now = START;
  const mailHosts = createMailHosts({
    minListed: 3,
    client: { query: () => undefined },
    texts: createMemoryTexts(),
    clock: () => now,
  });
  let unlisted = 0;
  let recognised = 0;
  for (let count = 0; count < SIGNUPS; count += 1) {
    now += (DAYS * DAY_MS) / SIGNUPS;
    const family = drawFamily(random);
    const isUnlisted = random() < unlistedShare;
    const size = Math.max(4, Math.round(400 * weights[family]));
    const member = Math.floor(random() * size);
    const domain = isUnlisted
      ? `burner-${family}-${member}-${count % 7}.com`
      : listed[(family * 397 + member) % listed.length];
    const attempt = {
      account: `account-${Math.floor(random() * accounts)}`,
      domain,
      known: intel.domain(domain),
      hosts: [`mx.family-${family}-host.net`],
      ageDays: isUnlisted ? drawAge(random()) : -1,
    };
    const { disposableHost } = mailHosts.associate(attempt, intel);
    if (!isUnlisted) continue;
    unlisted += 1;
    if (disposableHost.name !== '') recognised += 1;
  }
  void mailHosts.close();
  return recognised / unlisted;
}

function drawFamily(random) {
  let left = random() * allWeights;
  return Math.max(
    0,
    weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    }),
  );
}

/** 40 % have an unknown age, 10 % are older than a year. */
function drawAge(part) {
  if (part < 0.4) return -1;
  if (part < 0.7) return 10;
  return part < 0.9 ? 120 : 800;
}

/** The same numbers each time: a linear congruential generator. */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

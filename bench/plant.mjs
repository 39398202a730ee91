// Fills a data folder for a bench: all feeds, and stored signups that the pipeline makes and the store writes, as in a service. A separate process, see `plant`.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { makeDirectory, ownChild } from './clean-up.mjs';
import { syntheticFeeds } from './feeds.mjs';
import { gatehouse } from './process.mjs';

const SELF = fileURLToPath(import.meta.url);
/** Number of simultaneous signups, so that the store writes large batches. */
const LANES = 2_000;
const THRESHOLDS = { challenge: 30, block: 60 };
/** One signup in this many is from a disposable domain, or from a Tor exit. */
const DISPOSABLE_EVERY = 20;
const TOR_EVERY = 33;

/**
 * Writes `rows` signups of an account, evenly spread from `from` to `to` (milliseconds). No address, mailbox, IP
 * or session occurs twice, and no domain unless `domains` sets their number. `feeds`: also imports all feeds with
 * generated entries, at their real size. `personEvery`: one signup in this many belongs to the same mailbox.
 */
export async function plant(options) {
  const running = promisify(execFile)(process.execPath, [SELF, JSON.stringify(options)]);
  ownChild(running.child);
  await running;
}

if (process.argv[1] === SELF) {
  const { feeds = false, rows = 0, ...options } = JSON.parse(process.argv[2]);
  if (feeds) importFeeds(options);
  if (rows > 0) await writeSignups(rows, options);
}

async function writeSignups(rows, { bin, dataDir, account, key, from, to, domains = rows, personEvery }) {
  const built = (path) => import(pathToFileURL(resolve(dirname(bin), '../dist', path)).href);
  const { openStorage } = await built('wiring/storage.js');
  const { createAssessSignup } = await built('signup/assess-signup.js');
  const { createMakeId } = await built('contract/identifiers.js');
  const { EMPTY_EMAIL, EMPTY_IP, EMPTY_VELOCITY } = await built('model/evidence.js');
  const storage = await openStorage({ dataDir, databaseUrl: null, retentionMonths: null, secret: null });
  const assessSignup = createAssessSignup({
    ...withoutLimits(),
    gather: async ({ domain, email, ip, name }) => ({
      snapshot: '0123456789abcdef',
      email: {
        ...EMPTY_EMAIL,
        domain,
        disposable: Number(/\d+/.exec(email.local)) % DISPOSABLE_EVERY === 0,
        name,
        mx: { status: 'valid', hosts: [`mx.${domain}`] },
        unknown: ['age'],
      },
      ip: {
        ...EMPTY_IP,
        address: ip.text,
        tor: ip.words[0] % TOR_EVERY === 0,
        countryCode: 'FR',
        country: 'France',
        asn: 64_500 + (ip.words[0] % 2_000),
      },
      velocity: { ...EMPTY_VELOCITY, ip1h: 1, ip24h: 1, domain1h: 1, domain24h: 1, mailbox24h: 1 },
      list: null,
      office: null,
      campaign: null,
    }),
    record: storage.store.record,
    hashes: storage.hashKeys.hashes,
    partialUntil: () => 0,
    storeEmails: false,
    noteAddress: () => false,
    offerChallenge: () => undefined,
    onListed: () => {},
    onAssessed: () => {},
  });
  const caller = {
    account: { id: account },
    key: { id: key, mode: 'live', enforcedShare: 100 },
    limits: { requestsPerSecond: 1, monthlyAssessments: rows, cap: null },
    thresholds: THRESHOLDS,
    policy: null,
  };
  const makeId = createMakeId();
  let next = 0;
  const fill = async () => {
    while (next < rows) {
      const index = next++;
      const at = Math.floor(from + ((to - from) * index) / rows);
      const moment = { requestId: makeId('req', at), at, started: performance.now() };
      await assessSignup({ caller, message: messageOf(index, domains, personEvery), moment });
    }
  };
  await Promise.all(Array.from({ length: LANES }, fill));
  await storage.store.close();
}

/** Admits everything at once, and counts nothing. */
function withoutLimits() {
  const rate = { admitted: true, remaining: 1, retryAt: 0 };
  const reservation = { counts: {}, voices: {}, undo: async () => {}, markBlocked: async () => {} };
  return {
    rateLimiter: { countAttempt: async () => ({ rate, reservation }) },
    quota: { learn: () => {} },
  };
}

function messageOf(index, domains, personEvery) {
  const isPerson = personEvery !== undefined && index % personEvery === 0;
  const [local, domain] = isPerson
    ? [`zoe.quandt+${index}`, 'gmail.com']
    : [`person.${index}`, `planted-${index % domains}.com`];
  const word = 0x1400_0000 + index;
  const ip = [24, 16, 8, 0].map((shift) => (word >>> shift) & 255).join('.');
  return { email: `${local}@${domain}`, ip, session_id: `planted-${index}` };
}

/** All feeds at their real size, like an export from another machine. */
function importFeeds({ bin, dataDir }) {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
  const folder = makeDirectory('feeds');
  const feeds = syntheticFeeds(random).map(({ feed: { id, url, licence }, parsed }) => {
    const text = `${parsed.entries.join('\n')}\n`;
    const version = createHash('sha256').update(text).digest('hex').slice(0, 16);
    writeFileSync(join(folder, `${id}.feed`), text);
    return { id, file: `${id}.feed`, version, fetched_at: new Date().toISOString(), url, licence };
  });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ feeds }));
  gatehouse(['intel', 'import', folder], { GATEHOUSE_DATA_DIR: dataDir }, bin);
}

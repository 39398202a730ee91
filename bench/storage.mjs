/** Measures the cost of storing assessments in the embedded database, and nothing else: CPU of all threads, bytes written and bytes that stay, per assessment, for some batch sizes. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readOptions } from '../scripts/read-options.mjs';

const USAGE = `npm run bench -- storage [--dist FOLDER] [--records N]
  --dist     a build to measure, to compare two; default dist
  --records  in each row of the table, default 60000`;
const { values } = readOptions(USAGE, {
  options: {
    dist: { type: 'string', default: 'dist' },
    records: { type: 'string', default: '60000' },
  },
});
const CALLERS = [1, 16, 64];
const RECORDS = Number(values.records);
const ROUNDS = 3;
/** The size of a typical assessment: an ordinary signup, allowed, or challenged for an alias. */
const FACTS =
  '[1,"499e5f84ca4be22e","2026-05-20",30,70,["alias",10,0],577,0,1,0,9131,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,"FR","hosts",["aspmx.l.google.com"]]';

const load = (path) => import(pathToFileURL(resolve(values.dist, path)).href);
const { openSqliteStore } = await load('store/sqlite/sqlite.js');
const { createMakeId } = await load('contract/identifiers.js');
const makeId = createMakeId();
const IDLE = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => parentPort.close());",
);

function assessment(at, index) {
  const hash = `${index.toString(36)}ScQxvRmTbLpWnZkAyEhGd`.slice(0, 22);
  const network = `203.0.${index % 256}.${(index >> 8) % 256}`;
  return {
    requestId: makeId('req', at),
    accountId: 'acc_01kr8n8n80xpw8w1xnbb4mf1vd',
    keyId: 'key_01kr8n8n80xpw8w1xnbb4mf1ve',
    mode: 'live',
    shadow: false,
    at,
    verdict: 'allow',
    score: 10,
    reasons: ['email_alias'],
    weights: [10],
    emailDomain: 'example.com',
    addressHash: hash,
    mailboxHash: hash,
    emailMasked: 'j***@example.com',
    email: null,
    ip: network,
    network,
    countryCode: 'FR',
    asn: 64_500,
    sessionId: null,
    processedMs: 4,
    facts: FACTS,
    cap: null,
    claim: null,
  };
}

/** Simultaneous callers; each records assessments in sequence. */
async function measure(callers) {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-storage-'));
  let batches = 0;
  const store = openSqliteStore({
    directory,
    forTests: { historyThread: IDLE },
    onBatch: () => (batches += 1),
  });
  let left = RECORDS;
  const call = async () => {
    while (left > 0) {
      left -= 1;
      await store.record(assessment(Date.now(), left));
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  left = RECORDS;
  batches = 0;
  const [cpu, bytes, started] = [process.cpuUsage(), written(), performance.now()];
  await Promise.all(Array.from({ length: callers }, call));
  // The checkpointer works a little longer.
  await new Promise((done) => setTimeout(done, 300));
  const used = process.cpuUsage(cpu);
  const result = {
    batch: RECORDS / batches,
    microseconds: (used.user + used.system) / RECORDS,
    bytes: (written() - bytes) / RECORDS,
    perSecond: RECORDS / ((performance.now() - started - 300) / 1_000),
  };
  await store.close();
  // The first time, as many were stored.
  const kept = statSync(join(directory, 'gatehouse.db')).size / (2 * RECORDS);
  rmSync(directory, { recursive: true });
  return { ...result, kept };
}

/** Bytes that this process wrote to the disk. */
function written() {
  return Number(/^write_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? Number.NaN);
}

const rounds = new Map(CALLERS.map((callers) => [callers, []]));
for (let round = 0; round < ROUNDS; round += 1)
  for (const callers of CALLERS) rounds.get(callers).push(await measure(callers));
process.stdout.write('callers  records a batch  CPU µs  bytes written  kept  records/s\n');
for (const [callers, results] of rounds) {
  const median = (name) => results.map((each) => each[name]).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
  const cells = [
    String(callers).padStart(7),
    median('batch').toFixed(1).padStart(17),
    median('microseconds').toFixed(1).padStart(8),
    median('bytes').toFixed(0).padStart(15),
    median('kept').toFixed(0).padStart(6),
    median('perSecond').toFixed(0).padStart(11),
  ];
  process.stdout.write(`${cells.join('')}\n`);
}

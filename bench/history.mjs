// The cost of queries in a long history: writes N assessments (1,000,000, or the first argument), then times each query.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../dist/platform/sqlite-driver.js';
import { openRunFolder } from '../dist/store/history-index/run-folder.js';
import { createRunIndexer } from '../dist/store/history-index/run-indexer.js';
import { createRecordSource } from '../dist/store/records/record-source.js';
import { openSqliteStore } from '../dist/store/sqlite/sqlite.js';
import { readCount, readOptions } from '../scripts/read-options.mjs';
import { fillHistory } from './fill-history.mjs';

const { positionals } = readOptions(
  'npm run bench -- history [N]\n  N   assessments in the history, default 1000000',
  {
    words: 1,
  },
);
const ROWS = readCount(positionals[0], 1_000_000);
const DAYS = 30;
const DAY_MS = 86_400_000;
const SLOT_MS = 1_800_000;
const NOW = Math.floor(Date.now() / SLOT_MS) * SLOT_MS;
const START = NOW - DAYS * DAY_MS;
const ACCOUNT = 'acc_large';
const ROUNDS = 5;
/** Number of records that take about 3 ms to index. */
const RECORDS_A_SLICE = 300;
/** The yardstick reads as many rows as a query may read at most. */
const YARDSTICK_ROWS = 20_000;
/** The maximum time of a query, in yardsticks. */
const BOUND = 5;

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-history-'));
const failures = [];
try {
  await openSqliteStore({ directory }).close();
  const database = openSqlite(join(directory, 'gatehouse.db'));
  await timed(`filled ${ROWS} assessments`, () =>
    fillHistory(database, { account: ACCOUNT, key: 'key_a', rows: ROWS, from: START, to: NOW }),
  );
  await timed('indexed them', () => indexAll(database));
  const store = openSqliteStore({ directory });
  await timed('opened the index', () => untilIndexed(store));
  const yardstick = await median(() => readPlainly(database));
  print(`\nyardstick: ${YARDSTICK_ROWS} assessments read in order, ${yardstick.middle.toFixed(1)} ms`);
  print(`bound: ${BOUND} yardsticks\n`);
  print('question                                median ms  worst ms  rows  yardsticks');
  for (const [name, ask] of Object.entries(questions(store, database))) {
    const { middle, worst, answer } = await median(ask);
    const ratio = middle / yardstick.middle;
    print(
      `${name.padEnd(38)} ${middle.toFixed(1).padStart(10)} ${worst.toFixed(1).padStart(9)} ${String(answer).padStart(5)} ${ratio.toFixed(2).padStart(11)}`,
    );
    if (ratio > BOUND) failures.push(`${name} took ${ratio.toFixed(1)} yardsticks, more than ${BOUND}`);
  }
  database.close();
  await store.close();
} finally {
  rmSync(directory, { recursive: true });
}
for (const failure of failures) process.stderr.write(`bench: ${failure}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

function questions(store, database) {
  const page = (search) => async () => {
    const { rows, partial } = await store.findAssessments(ACCOUNT, search, null, 50);
    return `${rows.length}${partial ? '+' : ''}`;
  };
  const { requestId: id, sessionId: session } = createRecordSource(database)
    .readAfter(Math.floor(ROWS / 2), 1_000)
    .find(({ accountId }) => accountId === ACCOUNT);
  const middle = { id, session };
  const span = { mode: 'live', from: START, to: NOW + SLOT_MS };
  return {
    'first page': page({}),
    'verdict block': page({ verdicts: ['block'] }),
    'reason ip_anonymizer': page({ reason: 'ip_anonymizer' }),
    'score 90 … 100': page({ scoreMin: 90 }),
    'score 1 (nobody has it)': page({ scoreMin: 1, scoreMax: 1 }),
    'common domain': page({ domain: 'd0.example' }),
    'rare domain': page({ domain: 'rare.example' }),
    'unheard-of domain': page({ domain: 'nowhere.example' }),
    'one IP': page({ ip: { first: '10.0.7.7', last: '10.0.7.7' } }),
    'a /24': page({ ip: { first: '10.0.7.0', last: '10.0.7.255' } }),
    'a /12 (nobody in it)': page({ ip: { first: '198.16.0.0', last: '198.31.255.255' } }),
    ASN: page({ asn: 64_507 }),
    country: page({ country: 'IS' }),
    key: page({ keyId: 'key_b' }),
    'test mode': page({ mode: 'test' }),
    'a day three weeks ago': page({ from: START + 9 * DAY_MS, to: START + 10 * DAY_MS }),
    feedback: page({ feedback: 'any' }),
    'false positives that were blocked': page({ feedback: 'false_positive', verdicts: ['block'] }),
    session: page({ sessionId: middle.session }),
    'request id': page({ requestId: middle.id }),
    'rare domain, blocked, country, day': page({
      domain: 'rare.example',
      verdicts: ['block'],
      country: 'IS',
      from: START + 9 * DAY_MS,
    }),
    'one assessment': async () => (await store.findAssessment(ACCOUNT, middle.id)).row.score,
    related: async () => (await store.related(ACCOUNT, middle.id)).length,
    'overview of 30 days': async () => (await store.traffic(ACCOUNT, span)).slots.length,
    'days of the month': async () => (await store.dayCounts(ACCOUNT, floorDay(START), span.to)).length,
    'feedback page': async () =>
      (await store.reportedMistakes(ACCOUNT, { mode: 'live', since: START }, null, 50)).entries.length,
    'labels of 30 days': async () => (await store.labelCounts(ACCOUNT, span)).reasons.length,
  };
}

/** Indexes in this thread, with the same steps as the store's own thread, to measure the cost of each step. */
function indexAll(database) {
  const path = join(directory, 'history');
  const folder = openRunFolder(path, createRecordSource(database));
  const indexer = createRunIndexer(createRecordSource(database), folder);
  const cpuMs = ({ user, system }) => (user + system) / 1_000;
  const slices = [];
  const started = process.cpuUsage();
  for (let more = true; more; ) {
    const before = process.cpuUsage();
    ({ more } = indexer.step(RECORDS_A_SLICE));
    slices.push(cpuMs(process.cpuUsage(before)));
  }
  const perRecord = (cpuMs(process.cpuUsage(started)) / ROWS) * 1_000;
  folder.close();
  slices.sort((a, b) => a - b);
  const at = (share) => slices[Math.min(slices.length - 1, Math.floor(share * slices.length))].toFixed(1);
  const files = readdirSync(path).map((name) => statSync(join(path, name)).size);
  const sealed = Math.floor(ROWS / 65_536) * 65_536;
  const bytes = files.reduce((sum, size) => sum + size, 0) / sealed;
  print(`index: ${perRecord.toFixed(1)} µs of CPU and ${bytes.toFixed(0)} bytes of disk an assessment`);
  print(`slices: ${at(0.5)} ms of CPU (median), ${at(0.99)} (p99), ${at(0.999)} (p99.9), ${at(1)} (longest)`);
  print(`resident memory then: ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`);
}

/** Queries are refused until everything is indexed. */
async function untilIndexed(store) {
  for (;;) {
    try {
      return await store.findAssessments(ACCOUNT, {}, null, 1);
    } catch (error) {
      if (error.code !== 'unavailable') throw error;
    }
  }
}

function readPlainly(database) {
  const from = Math.max(1, ROWS - YARDSTICK_ROWS);
  return createRecordSource(database).readAfter(from, YARDSTICK_ROWS).length;
}

async function median(ask) {
  const times = [];
  let answer;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    answer = await ask();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return { middle: times[Math.floor(ROUNDS / 2)], worst: times.at(-1), answer };
}

async function timed(what, work) {
  const started = performance.now();
  await work();
  print(`${what} in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
}

function floorDay(at) {
  return Math.floor(at / DAY_MS) * DAY_MS;
}

function print(text) {
  process.stdout.write(`${text}\n`);
}

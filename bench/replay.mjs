// Sends a minute of the simulated traffic through real nodes, PostgreSQL and Redis, and compares it with the model's prediction for that
// traffic. Writes bench/replay.json, from which `npm run bench -- scale` makes a table of docs/scale.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { makeAccounts } from '../capacity/accounts.mjs';
import { createTable, createTally } from '../capacity/keys.mjs';
import { playPeak } from '../capacity/peak.mjs';
import { measurePostgresBytes } from '../capacity/postgres-bytes.mjs';
import { bytesHeld } from '../capacity/redis-memory.mjs';
import { replayTable } from '../capacity/replay-table.mjs';
import { makeTraffic } from '../capacity/replay-traffic.mjs';
import { createSpending } from '../capacity/spending.mjs';
import { makeKey } from '../dist/accounts/api-keys.js';
import { openPostgresStore } from '../dist/store/postgres/postgres.js';
import { readOptions } from '../scripts/read-options.mjs';
import { print } from './measure.mjs';
import { start, startArgs } from './process.mjs';
import { startSurroundings } from './surroundings.mjs';

readOptions(`npm run bench -- replay
  BENCH_RATE, BENCH_SECONDS   signups a second, default 600, and seconds, default 60, in the environment`);
const PER_SECOND = Number(process.env.BENCH_RATE ?? 600);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const WARM_UP_SECONDS = 10;
const ACCOUNTS = 300;
const NODES = 2;
const CONNECTIONS = 64;
/** Number of cores of the machine, for all parts together. */
const CORES = 2;
const LOOPBACK_ROUND_TRIP_MS = 0.1;

const costs = readJson('costs.json');
const assumptions = { ...readJson('../capacity/assumptions.json'), accounts: ACCOUNTS };
const [loadBefore] = loadavg();
const surroundings = await startSurroundings('replay');
const { directory, postgres, redisServer, database, redis, env } = surroundings;
const nodes = [];
try {
  const result = await replay();
  writeFileSync(new URL('./replay.json', import.meta.url), `${JSON.stringify(result, null, 2)}\n`);
  print(replayTable(result));
} finally {
  await Promise.all(nodes.map((node) => node.stop()));
  await surroundings.stop();
}

async function replay() {
  const accounts = makeAccounts(assumptions);
  const secrets = await makeKeys(accounts);
  for (let index = 0; index < NODES; index += 1)
    nodes.push(await start(startArgs(), { ...env, GATEHOUSE_DATA_DIR: join(directory, String(index)) }));
  const traffic = makeTraffic({
    accounts,
    secrets,
    assumptions,
    perSecond: PER_SECOND,
    seconds: WARM_UP_SECONDS + SECONDS,
  });
  const spending = createSpending({ nodes, postgres, redisServer, database, redis });
  const empty = await memory();
  const warm = traffic.filter(({ at }) => at < WARM_UP_SECONDS * 1_000);
  const rest = traffic.slice(warm.length);
  await play(nodes, warm, 0);
  const before = await spending.read();
  const results = await play(nodes, rest, WARM_UP_SECONDS * 1_000);
  const spent = await spending.since(before, rest.length);
  const held = (await memory()) - empty;
  await database.query('VACUUM ANALYZE');
  const { bytesPerRow } = await measurePostgresBytes(database);
  const model = modelOf(accounts, traffic);
  const latency = (name) => Math.max(...results.map((result) => result[name]));
  return {
    measured: { at: new Date().toISOString().slice(0, 16), loadBefore },
    seconds: SECONDS,
    accounts: ACCOUNTS,
    attempts: rest.length,
    nodes: NODES,
    rows: [
      row('nodes, CPU µs an assessment', model.cpu(costs.node, NODES), spent.nodeMicroseconds),
      row('PostgreSQL, CPU µs an assessment', model.cpu(costs.postgres), spent.postgresMicroseconds),
      row('Redis, CPU µs an assessment', model.cpu(costs.redis), spent.redisMicroseconds),
      row(
        'PostgreSQL, log B an assessment',
        costs.postgres.walBytesPerRow,
        spent.walBytes - 8_192 * spent.pageImages,
      ),
      row('PostgreSQL, B kept of an assessment', costs.postgres.bytesPerRow, bytesPerRow),
      row('Redis, MB of all counts', model.redisBytes / 1e6, held / 1e6),
      row('rows a batch', model.played.batch, spent.batch),
      row('p50, ms', model.played.p50, latency('p50')),
      row('p99, ms', model.played.p99, latency('p99')),
    ],
  };
}

/** The model's prediction for this traffic on this machine. */
function modelOf(accounts, traffic) {
  const table = createTable(2 * traffic.length);
  const rates = new Float64Array(accounts.length);
  const redisBytes = accounts.map((account) => {
    const own = traffic.filter((signup) => signup.account === account);
    rates[account.index] = (own.length * 1_000) / traffic.at(-1).at;
    const tally = createTally(table.of(own.length));
    for (const { attempt } of own) tally.add(attempt);
    return own.length === 0 ? 0 : bytesHeld(tally.held(), costs.redis.bytes);
  });
  const installation = {
    networkRoundTripMilliseconds: LOOPBACK_ROUND_TRIP_MS,
    flushMilliseconds: costs.postgres.flushMilliseconds,
  };
  const played = playPeak({
    accounts,
    rates: [...rates],
    setup: { nodes: NODES, redisShards: 1, databases: 1, cores: CORES, lanes: 'mixed', credits: 'last' },
    costs,
    assumptions: { ...assumptions, installation },
    seconds: 20,
    seed: 1,
  });
  return {
    redisBytes: redisBytes.reduce((sum, bytes) => sum + bytes, 0),
    played,
    /** Per assessment, with its share of the cost at rest. */
    cpu: ({ microseconds, batchMicroseconds, restCores }, count = 1) =>
      microseconds + batchMicroseconds / played.batch + (1e6 * count * restCores) / PER_SECOND,
  };
}

/** Each node gets every second request, at the time it is due. */
function play(nodes, traffic, from) {
  return Promise.all(
    nodes.map((node, index) => {
      const own = traffic.filter((_, at) => at % nodes.length === index);
      const workerData = {
        port: node.port,
        requests: own.map(({ request }) => request),
        times: own.map(({ at }) => at - from),
        connections: CONNECTIONS,
      };
      const worker = new Worker(new URL('../capacity/paced-load.mjs', import.meta.url), { workerData });
      return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    }),
  ).then((results) => {
    const refused = results.filter((result) => Object.keys(result.refused).length > 0);
    if (refused.length > 0) throw new Error(`answers other than 200: ${JSON.stringify(refused)}`);
    return results;
  });
}

/** Accounts without limits, written to the store directly: the command line would take minutes for hundreds. */
async function makeKeys(accounts) {
  const store = await openPostgresStore({ url: postgres.url });
  const now = Date.now();
  const secrets = [];
  for (const { id } of accounts) {
    const limits = { plan: 'business', overage: true, monthlyQuota: 1e9, requestsPerSecond: 100_000 };
    await store.saveAccount({ id, name: id, ...limits, thresholds: null, createdAt: now });
    const made = { id: `key_${id}`, accountId: id, name: 'bench', mode: 'live', thresholds: null };
    const { key, secret } = makeKey({ ...made, now });
    await store.saveKey(key);
    secrets.push(secret);
  }
  await store.close();
  return secrets;
}

async function memory() {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))[1]);
}

function row(name, model, real) {
  return { name, model, real };
}

function readJson(name) {
  return JSON.parse(readFileSync(new URL(`./${name}`, import.meta.url), 'utf8'));
}

// The inputs of the capacity model of docs/scale.md, measured in one run with real servers on loopback: CPU of each part
// per assessment, the bytes that PostgreSQL and Redis keep of it, batches, log and flushes. Writes bench/costs.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { measurePostgresBytes } from '../capacity/postgres-bytes.mjs';
import { measureRedisBytes } from '../capacity/redis-bytes.mjs';
import { createSpending } from '../capacity/spending.mjs';
import { readOptions } from '../scripts/read-options.mjs';
import { load } from './load.mjs';
import { makeRequests, print, unlimitedKey } from './measure.mjs';
import { gatehouse, start, startArgs } from './process.mjs';
import { startSurroundings } from './surroundings.mjs';

readOptions(`npm run bench -- costs
  BENCH_SECONDS   seconds of each measurement, default 8, in the environment`);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
/** The busiest run first, so that the code is compiled for the others. */
const CONNECTIONS = [128, 32, 8, 2];
/** Its log and flushes represent a busy node. */
const BUSY = 32;
const WARM_UP_SECONDS = 6;
const REST_SECONDS = 5;
/** On a busier machine the CPU times are distorted, and no reading shows it. */
const QUIET = 1.5;
const PAGE = 8_192;
const FILE = new URL('./costs.json', import.meta.url);

const [loadBefore] = loadavg();
const surroundings = await startSurroundings('costs');
const { postgres, redisServer, database, redis, env } = surroundings;
let node;
try {
  await database.query('ALTER SYSTEM SET track_wal_io_timing = on');
  await database.query('SELECT pg_reload_conf()');
  const costs = await measureCosts();
  writeFileSync(FILE, `${JSON.stringify(costs, null, 2)}\n`);
  print(JSON.stringify(costs, null, 2));
} finally {
  await node?.stop();
  await surroundings.stop();
}
if (loadBefore > QUIET)
  print(`\nthe machine is not quiet: the load was ${loadBefore.toFixed(1)} before, more than ${QUIET}`);

async function measureCosts() {
  const requests = makeRequests(unlimitedKey(env).key);
  const refusedRequests = makeRequests(slowKey());
  node = await start(startArgs(), env);
  const spending = createSpending({ nodes: [node], postgres, redisServer, database, redis });
  const run = async (loadOptions) => {
    const before = await spending.read();
    const { perSecond, count, refused, p50, p99 } = await load({ port: node.port, ...loadOptions });
    const spent = await spending.since(before, count + refused);
    return { connections: loadOptions.connections, perSecond, p50, p99, refused, ...spent };
  };
  await run({ requests, connections: BUSY, seconds: WARM_UP_SECONDS });
  const runs = [];
  for (const connections of CONNECTIONS) {
    const result = await run({ requests, connections, seconds: SECONDS });
    if (result.refused > 0)
      throw new Error(`${result.refused} answers other than 200 at ${connections} connections`);
    print(`${connections} connections: ${JSON.stringify(rounded(result))}`);
    runs.push(result);
  }
  const atRest = await spending.read();
  await setTimeout(REST_SECONDS * 1_000);
  const rest = await spending.since(atRest, REST_SECONDS * 1e6);
  const turnedAway = await run({ requests: refusedRequests, connections: BUSY, seconds: SECONDS / 2 });
  await database.query('VACUUM ANALYZE');
  const bytes = await measurePostgresBytes(database);
  const { rows } = await database.query(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name LIKE 'gatehouse%'",
  );
  const connections = rows[0].count;
  const wire = wireOf(requests);
  await node.stop();
  node = undefined;
  const redisBytes = await measureRedisBytes(redisServer.url);
  const busy = runs.find(({ connections }) => connections === BUSY);
  return rounded({
    measured: await machine(),
    node: {
      ...fitted(runs, 'nodeMicroseconds'),
      restCores: rest.nodeMicroseconds,
      refusedMicroseconds: turnedAway.nodeMicroseconds,
    },
    redis: {
      ...fitted(runs, 'redisMicroseconds'),
      restCores: rest.redisMicroseconds,
      refusedMicroseconds: turnedAway.redisMicroseconds,
      bytesIn: busy.redisBytesIn,
      bytesOut: busy.redisBytesOut,
      bytes: redisBytes,
    },
    postgres: {
      ...fitted(runs, 'postgresMicroseconds'),
      restCores: rest.postgresMicroseconds,
      connections,
      walBytesPerRow: busy.walBytes - busy.pageImages * PAGE,
      flushMilliseconds: busy.flushMilliseconds,
      ...bytes,
    },
    wire,
    runs: runs.map(({ refused, ...costs }) => costs),
  });
}

/**
 * CPU as a cost per assessment and a cost per batch: a least-squares line through the runs. For nodes and Redis the
 * second is what simultaneous requests save: fewer batches, but also fewer turns of the event loop and fewer socket reads.
 */
function fitted(runs, name) {
  const points = runs.map((run) => [1 / run.batch, run[name]]);
  const mean = (at) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  const batchMicroseconds = covariance / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return { microseconds: y - batchMicroseconds * x, batchMicroseconds };
}

function wireOf(requests) {
  return { requestBytes: requests.reduce((sum, { length }) => sum + length, 0) / requests.length };
}

/** A key with a limit of one request a second, so nearly all are refused. */
function slowKey() {
  const { id } = gatehouse(['account', 'create', '--name', 'slow', '--plan', 'free', '--rps', '1'], env);
  return gatehouse(['key', 'create', '--account', id, '--mode', 'live', '--name', 'bench'], env).key;
}

async function machine() {
  const { rows } = await database.query('SHOW server_version');
  return {
    at: new Date().toISOString().slice(0, 16),
    cpu: cpus()[0]?.model.trim(),
    cores: cpus().length,
    loadBefore,
    node: process.version,
    postgres: rows[0].server_version,
    redis: /redis_version:(\S+)/.exec(await redis.info('server'))[1],
    gatehouse: JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version,
  };
}

function rounded(value) {
  if (typeof value === 'number') return Number(value.toPrecision(5));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, rounded(part)]));
}

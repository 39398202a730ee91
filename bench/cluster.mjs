// The shared installation, PostgreSQL and Valkey or Redis behind it, against a bare node:http JSON echo in the same run;
// then what one assessment costs each part in CPU, and what this means for two nodes if each part has its own core.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../scripts/read-options.mjs';
import { startDns } from './dns.mjs';
import { load } from './load.mjs';
import {
  COLUMNS,
  columns,
  makeRequests,
  measure,
  median,
  print,
  refusals,
  unlimitedKey,
} from './measure.mjs';
import { BIN, cpuSeconds, start } from './process.mjs';
import { startPostgres, startRedis } from './servers.mjs';

readOptions(`npm run bench:cluster
  BENCH_SECONDS, BENCH_ROUNDS   seconds of a round, default 5, and rounds, default 3, in the environment`);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CONNECTIONS = 32;
/** All servers on the machine's cores, the loader too. */
const FLOOR = 0.25;
/** Two nodes compared with one, each part on its own core. */
const TWO_NODES_FLOOR = 1.6;
const WARM_UP_SECONDS = 2;

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const [dns, postgres, redis] = await Promise.all([startDns(), startPostgres(), startRedis()]);
const env = {
  PORT: '0',
  DATABASE_URL: postgres.url,
  REDIS_URL: redis.url,
  GATEHOUSE_DNS_SERVERS: dns.address,
  GATEHOUSE_RDAP_BOOTSTRAP_URL: 'off',
  GATEHOUSE_FEEDS: 'off',
};
const node = (name) => start([BIN, 'start'], { ...env, GATEHOUSE_DATA_DIR: join(directory, name) });
const requests = makeRequests(unlimitedKey({ ...env, GATEHOUSE_DATA_DIR: join(directory, 'a') }).key);
const [echo, first, second] = await Promise.all([start(['bench/echo.mjs']), node('a'), node('b')]);
const failures = [];

print(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}; ${ROUNDS} rounds of ${SECONDS} s each, median round shown\n`,
);
for (const server of [echo, first, second])
  await measure(server, { requests, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });

print(`connections  ratio   gatehouse${COLUMNS}      echo${COLUMNS}`);
const single = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const loadOptions = { requests, connections: CONNECTIONS, seconds: SECONDS };
  const yardstick = await measure(echo, loadOptions);
  const before = partsBefore([first]);
  const ours = await measure(first, loadOptions);
  single.push({ yardstick, ours, parts: before(ours.count), ratio: ours.perSecond / yardstick.perSecond });
}
const { yardstick, ours, parts, ratio } = median(single, (round) => round.ratio);
print(`${String(CONNECTIONS).padStart(11)}  ${ratio.toFixed(3)}  ${columns(ours)}  ${columns(yardstick)}\n`);
failures.push(
  ...refusals(
    single.map((round) => round.ours),
    'by one node',
  ),
);
if (ratio < FLOOR) failures.push(`${ratio.toFixed(3)} is below ${FLOOR}`);

const before = partsBefore([first, second]);
const both = await Promise.all(
  [first, second].map(({ port }) => load({ port, requests, connections: CONNECTIONS, seconds: SECONDS })),
);
failures.push(...refusals(both, 'by two nodes'));
const count = both.reduce((sum, result) => sum + result.count, 0);
const shared = before(count);
print('CPU µs an assessment   node  PostgreSQL  Redis');
print(`              one node  ${row(parts)}`);
print(`             two nodes  ${row(shared)}`);
printTwoNodesModel();

await Promise.all([echo.stop(), first.stop(), second.stop()]);
await Promise.all([postgres.stop(), redis.stop()]);
dns.close();
rmSync(directory, { recursive: true });
for (const failure of failures) process.stderr.write(`bench: ${failure}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

/**
 * This machine has too few cores to give one to each part, so the gain is a model: an assessment takes each part's CPU
 * as measured with that many nodes, a part does its work on one core, and the slowest part sets the pace.
 */
function printTwoNodesModel() {
  const oneNode = 1e6 / Math.max(parts.node, parts.postgres, parts.redis);
  const twoNodes = 1e6 / Math.max(shared.node / 2, shared.postgres, shared.redis);
  const gain = twoNodes / oneNode;
  print(
    `\nmodel, a core for each node, PostgreSQL and Redis: one node ${oneNode.toFixed(0)}/s, two nodes ${twoNodes.toFixed(0)}/s, ${gain.toFixed(2)} ×`,
  );
  if (gain < TWO_NODES_FLOOR) failures.push(`two nodes give ${gain.toFixed(2)} ×, below ${TWO_NODES_FLOOR}`);
}

/** The cost of each part from now on, per assessment. */
function partsBefore(nodes) {
  const spent = () => ({
    node: nodes.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
    postgres: postgres.cpuSeconds(),
    redis: redis.cpuSeconds(),
  });
  const before = spent();
  return (assessments) =>
    Object.fromEntries(
      Object.entries(spent()).map(([name, seconds]) => [
        name,
        ((seconds - before[name]) * 1e6) / assessments,
      ]),
    );
}

function row({ node, postgres, redis }) {
  return [node.toFixed(0).padStart(4), postgres.toFixed(0).padStart(10), redis.toFixed(0).padStart(5)].join(
    '  ',
  );
}

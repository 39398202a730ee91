// A shared installation (a node with PostgreSQL and Valkey or Redis), compared with the echo: everything shares both cores, including the load generator.
import { leaveOnly, startEcho, startService, warmUp, withCost } from './contenders.mjs';
import { judgeNoise } from './doubts.mjs';
import { load } from './load.mjs';
import { useCores, watchOthers } from './machine.mjs';
import { median, print, refusals } from './measure.mjs';
import { startPostgres, startRedis } from './servers.mjs';

const CONNECTIONS = 32;

/** @param services only the first is measured */
export async function measureShared({ services: [{ bin }], dns, seconds, rounds, warmUpSeconds }) {
  useCores('all');
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const servers = { PostgreSQL: postgres.cpuSeconds, Redis: redis.cpuSeconds };
  const env = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
  const echo = await startEcho({ onCore: false });
  const node = await startService({ name: 'node', bin, dns, env, onCore: false });
  const all = [echo, node];
  for (const contender of all) await warmUp(contender, all, warmUpSeconds);
  const taken = [];
  for (let round = 0; round < rounds; round += 1) {
    const others = watchOthers(() => [echo.pid, node.pid, dns.pid, ...postgres.pids(), redis.pid]);
    const yardstick = await run(echo, { all, seconds, servers: {} });
    const ours = await run(node, { all, seconds, servers });
    taken.push({ yardstick, ours, ratio: ours.perSecond / yardstick.perSecond, others: others() });
  }
  const { doubts, ...noise } = judgeNoise({
    echoes: taken.map(({ yardstick }) => yardstick.perSecond),
    others: taken.map((round) => round.others),
    where: 'beside PostgreSQL',
  });
  printMedian(taken);
  const second = await startService({ name: 'second node', bin, dns, env, onCore: false });
  const two = await runTwoNodes([node, second], { seconds, rounds, warmUpSeconds, servers });
  const gain = printTwoNodes(partsOf(taken.map(({ ours }) => ours)), partsOf(two));
  await echo.resume();
  await Promise.all([...all, second].map((contender) => contender.stop()));
  await Promise.all([postgres.stop(), redis.stop()]);
  useCores('load');
  return {
    figures: {
      'shared-32': { value: median(taken, ({ ratio }) => ratio).ratio },
      'two-nodes': { value: gain },
    },
    noise,
    doubts,
    failures: refusals([...taken.map(({ ours }) => ours), ...two], 'on PostgreSQL and Redis'),
  };
}

/** Runs the load. Returns its result and the CPU that the node and each server used for it, also afterwards. */
async function run(contender, { all, seconds, servers }) {
  await leaveOnly(contender, all);
  const readCpu = () => Object.entries(servers).map(([name, cpu]) => [name, cpu()]);
  const before = readCpu();
  const { port, requests } = contender;
  const result = await withCost(contender, () => load({ port, requests, connections: CONNECTIONS, seconds }));
  const spent = readCpu().map(([name, total], index) => [name, total - before[index][1]]);
  return { ...result, spent: { node: result.seconds, ...Object.fromEntries(spent) } };
}

/** Two nodes at the same time, each with its own load: a result for each round. */
async function runTwoNodes(nodes, { seconds, rounds, warmUpSeconds, servers }) {
  const both = (length) =>
    Promise.all(
      nodes.map((node) =>
        withCost(node, () =>
          load({ port: node.port, requests: node.requests, connections: CONNECTIONS, seconds: length }),
        ),
      ),
    );
  await nodes[0].resume();
  await both(warmUpSeconds);
  const taken = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = Object.entries(servers).map(([name, cpu]) => [name, cpu()]);
    const results = await both(seconds);
    const sum = (field) => results.reduce((total, result) => total + result[field], 0);
    const spent = before.map(([name, total]) => [name, servers[name]() - total]);
    taken.push({
      count: sum('count'),
      refused: sum('refused'),
      spent: { node: sum('seconds'), ...Object.fromEntries(spent) },
    });
  }
  return taken;
}

/** CPU µs of each part per assessment. */
function partsOf(results) {
  const count = results.reduce((total, result) => total + result.count, 0);
  return Object.fromEntries(
    Object.keys(results[0].spent).map((name) => [
      name,
      (results.reduce((total, { spent }) => total + spent[name], 0) * 1e6) / count,
    ]),
  );
}

/**
 * Two cores are not enough for a core per part, so the gain is a model: an assessment takes each part's CPU as measured
 * with that many nodes, each part runs on its own core, and the slowest part limits the rate.
 */
function printTwoNodes(single, both) {
  const gain = Math.max(...Object.values(single)) / Math.max(both.node / 2, both.PostgreSQL, both.Redis);
  print(`with two nodes: ${describe(both)}; model, a core for each part: ${gain.toFixed(2)} × one node`);
  return gain;
}

function describe(parts) {
  return Object.entries(parts)
    .map(([name, microseconds]) => `${name} ${microseconds.toFixed(0)}`)
    .join(', ');
}

function printMedian(taken) {
  const { ours, yardstick, ratio } = median(taken, (round) => round.ratio);
  const echoes = taken.map(({ yardstick: echo }) => ({ ...echo, spent: { echo: echo.seconds } }));
  print(
    `\non PostgreSQL and Redis, ${CONNECTIONS} connections: ${ours.perSecond.toFixed(0)}/s, echo ${yardstick.perSecond.toFixed(0)}/s, ratio ${ratio.toFixed(3)}`,
  );
  print(
    `CPU µs of an assessment: ${describe(partsOf(taken.map((round) => round.ours)))}; ${describe(partsOf(echoes))}`,
  );
}

// Simulates some seconds of traffic, attempt by attempt: nodes, Redis, group commit, the locks on credits and the log flush.
import { shardOf } from './accounts.mjs';
import { createEventQueue } from './event-queue.mjs';
import { createPicker, createRandom } from './random.mjs';
import { createCore, createCores, createDisk, createLocks } from './servers.mjs';

/** The same values as in the committer (src/store/postgres/committer.ts). */
const CONNECTIONS = 2;
const MAX_BATCH = 256;
const MAX_WAITING = 5_000;
/** The same as in src/store/postgres/batch-pace.ts. */
const APART_MS = 2;
const LONG_MS = 10;
const MANY = 64;
/** The share of a node's work before its call to Redis; the rest comes after. */
const BEFORE = 0.4;
/** Warm-up, not measured: until then the queues are too empty. */
const WARM_UP_MS = 1_000;

/**
 * @param rates attempts a second of each account
 * @param setup `nodes`, `redisShards`, `databases`, `cores` of each database; `lanes`: `mixed` (any connection of a node
 *   takes any account, as built) or `accounts` (each connection has its own accounts); `credits`: `last` (rows of credits are locked
 *   after the batch is inserted, as built) or `first` (before it, as when a cap is near)
 */
export function playPeak({ accounts, rates, setup, costs, assumptions, seconds, seed }) {
  const queue = createEventQueue();
  const random = createRandom(seed, 'peak');
  const half = assumptions.installation.networkRoundTripMilliseconds / 2;
  const end = seconds * 1_000;
  const nodes = Array.from({ length: setup.nodes }, () => createCore(queue));
  const redis = Array.from({ length: setup.redisShards }, () => createCore(queue));
  const databases = Array.from({ length: setup.databases }, () => ({
    cores: createCores(setup.cores, queue),
    disk: createDisk(assumptions.installation.flushMilliseconds, queue),
  }));
  const locks = createLocks(accounts.length);
  const seen = { latencies: [], waits: [], rows: 0, batches: 0, refused: 0, arrived: 0 };
  const committers = nodes.map(createNodeCommitters);

  function createNodeCommitters(node) {
    const groups = setup.lanes === 'accounts' ? CONNECTIONS : 1;
    const made = databases.map((database) =>
      Array.from({ length: groups }, () => createCommitter(node, database, CONNECTIONS / groups)),
    );
    return (account) => made[shardOf(account, setup.databases)][account.index % groups];
  }

  function createCommitter(node, { cores, disk }, connections) {
    let idle = connections;
    let waiting = [];
    let apart = Number.NEGATIVE_INFINITY;
    let wakesAt = Number.NEGATIVE_INFINITY;
    /** Batches without an answer yet. */
    const underWay = new Set();
    function earliest() {
      if (waiting.length >= MANY) return Number.NEGATIVE_INFINITY;
      const newest = Math.max(...[...underWay].map((batch) => batch.startedAt));
      return Math.max(apart, newest + LONG_MS);
    }
    function dispatch(now) {
      while (idle > 0 && waiting.length > 0) {
        const start = earliest();
        if (start > now) {
          if (wakesAt <= now || start < wakesAt) {
            wakesAt = start;
            queue.at(start, dispatch);
          }
          return;
        }
        const batch = { startedAt: now, jobs: waiting.slice(0, MAX_BATCH) };
        apart = batch.jobs.length > 1 ? now + APART_MS : now;
        underWay.add(batch);
        waiting = waiting.slice(MAX_BATCH);
        idle -= 1;
        node.serve(now, costs.node.batchMicroseconds / 1_000, (sent) =>
          queue.at(sent + half, (time) => begin(time, batch)),
        );
      }
    }
    function begin(now, batch) {
      const { jobs } = batch;
      const rows = [...new Set(jobs.map(({ account }) => account.index))].sort((a, b) => a - b);
      const milliseconds =
        (costs.postgres.batchMicroseconds + costs.postgres.microseconds * jobs.length) / 1_000;
      const work = (time, then) => cores.serve(time, milliseconds, then);
      const flush = (time) => disk.flush(time, commit);
      if (setup.credits === 'last') work(now, (time) => takeFrom(time, time, 0, flush));
      else takeFrom(now, now, 0, (time) => work(time, flush));
      function takeFrom(since, time, place, then) {
        if (place < rows.length)
          locks.take(time, rows[place], (later) => takeFrom(since, later, place + 1, then));
        else {
          if (since > WARM_UP_MS) seen.waits.push(time - since);
          then(time);
        }
      }
      function commit(time) {
        for (const row of rows) locks.release(time, row);
        queue.at(time + half, (then) => settle(then, batch));
      }
    }
    function settle(now, batch) {
      const { jobs } = batch;
      idle += 1;
      underWay.delete(batch);
      seen.batches += 1;
      seen.rows += jobs.length;
      for (const { since } of jobs) if (since > WARM_UP_MS) seen.latencies.push(now - since);
      dispatch(now);
    }
    return {
      submit(now, job) {
        if (waiting.length >= MAX_WAITING) {
          seen.refused += 1;
          return;
        }
        waiting.push(job);
        dispatch(now);
      },
    };
  }

  function arrive(now, account) {
    const at = random.below(nodes.length);
    const node = nodes[at];
    const cost = costs.node.microseconds / 1_000;
    seen.arrived += 1;
    node.serve(now, BEFORE * cost, (doneBefore) =>
      queue.at(doneBefore + half, (there) =>
        redis[shardOf(account, redis.length)].serve(there, costs.redis.microseconds / 1_000, (doneInRedis) =>
          queue.at(doneInRedis + half, (back) =>
            node.serve(back, (1 - BEFORE) * cost, (done) =>
              committers[at](account).submit(done, { account, since: now }),
            ),
          ),
        ),
      ),
    );
  }

  const pick = createPicker(rates, random);
  const mean = 1_000 / rates.reduce((sum, rate) => sum + rate, 0);
  const comeFrom = (time) => {
    if (time >= end) return;
    arrive(time, accounts[pick()]);
    queue.at(time + random.exponential(mean), comeFrom);
  };
  queue.at(random.exponential(mean), comeFrom);
  // Requests not answered soon after the end count as too slow.
  while (queue.size > 0) if (queue.next() > end + 1_000) break;
  return summarize({ seen, nodes, redis, databases, end });
}

function summarize({ seen, nodes, redis, databases, end }) {
  const latencies = Float64Array.from(seen.latencies).sort();
  const waits = Float64Array.from(seen.waits).sort();
  const busiest = (parts) => Math.max(...parts.map((part) => part.busy())) / end;
  return {
    arrived: seen.arrived,
    answered: seen.rows / seen.arrived,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    lockWait: waits.reduce((sum, wait) => sum + wait, 0) / Math.max(1, waits.length),
    batch: seen.rows / Math.max(1, seen.batches),
    batchesPerSecond: (seen.batches * 1_000) / end,
    flushesPerSecond: (databases.reduce((sum, { disk }) => sum + disk.flushes(), 0) * 1_000) / end,
    node: busiest(nodes),
    redis: busiest(redis),
    postgres: busiest(databases.map(({ cores }) => cores)),
  };
}

function quantile(sorted, share) {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

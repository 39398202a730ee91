// The resource use of the parts of a running installation between two moments: CPU, batches, log and round trips.
import { cpuSeconds } from '../bench/process.mjs';

/**
 * @param nodes processes as `start` gives them
 * @param database connected `pg` client; each reading costs the server a little, the time between readings nothing
 * @param redis connected client
 */
export function createSpending({ nodes, postgres, redisServer, database, redis }) {
  async function read() {
    const commits = await Promise.all(nodes.map(({ port }) => readCommits(port)));
    const { rows } = await database.query(WAL);
    const stats = await redis.info('stats');
    return {
      node: sum(nodes.map(({ pid }) => cpuSeconds(pid))),
      postgres: postgres.cpuSeconds(),
      redis: redisServer.cpuSeconds(),
      batches: sum(commits.map(({ batches }) => batches)),
      jobs: sum(commits.map(({ jobs }) => jobs)),
      commitSeconds: sum(commits.map(({ seconds }) => seconds)),
      wal: Number(rows[0].bytes),
      pageImages: Number(rows[0].images),
      flushes: Number(rows[0].flushes),
      flushMilliseconds: Number(rows[0].flush_ms),
      redisIn: Number(/total_net_input_bytes:(\d+)/.exec(stats)[1]),
      redisOut: Number(/total_net_output_bytes:(\d+)/.exec(stats)[1]),
    };
  }
  return {
    read,
    /** The use of each resource since the reading `before`, per assessment. */
    async since(before, assessments) {
      const after = await read();
      const spent = Object.fromEntries(
        Object.entries(after).map(([name, value]) => [name, value - before[name]]),
      );
      return {
        nodeMicroseconds: (spent.node * 1e6) / assessments,
        postgresMicroseconds: (spent.postgres * 1e6) / assessments,
        redisMicroseconds: (spent.redis * 1e6) / assessments,
        batch: spent.jobs / spent.batches,
        commitMilliseconds: (spent.commitSeconds * 1_000) / spent.batches,
        walBytes: spent.wal / assessments,
        pageImages: spent.pageImages / assessments,
        flushMilliseconds: spent.flushMilliseconds / spent.flushes,
        rowsPerFlush: assessments / spent.flushes,
        redisBytesIn: spent.redisIn / assessments,
        redisBytesOut: spent.redisOut / assessments,
      };
    },
  };
}

const WAL = `
  SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes, wal_fpi AS images,
    (SELECT coalesce(sum(fsyncs), 0) FROM pg_stat_io WHERE object = 'wal') AS flushes,
    (SELECT coalesce(sum(fsync_time), 0) FROM pg_stat_io WHERE object = 'wal') AS flush_ms
  FROM pg_stat_wal`;

async function readCommits(port) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    batches: value('gatehouse_commit_batch_size_count'),
    jobs: value('gatehouse_commit_batch_size_sum'),
    seconds: value('gatehouse_commit_seconds_sum'),
  };
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

// The limit of each part: the daily volume at which a machine for that part is at full load.
import { playPeak } from './peak.mjs';
import { largestShard } from './volume.mjs';

const SECONDS = 6;
const PRECISION = 1.08;
const MAX_NODES = 10_000;

/** @returns the limits of a machine, lowest first: the `name`, and the attempts `perDay` at which it is reached */
export function findLimits({ volumes, accounts, costs, assumptions }) {
  const { limits } = assumptions;
  const share = limits.utilisation;
  const parts = [
    ['redis-memory', ({ redisGigabytes }) => redisGigabytes / limits.redisMemoryGigabytes],
    ['redis-memory-whole', ({ redisWholeGigabytes }) => redisWholeGigabytes / limits.redisMemoryGigabytes],
    ['redis-core', ({ redisCores }) => redisCores],
    ['postgres-cores', ({ postgresCores }) => postgresCores / limits.postgresCores],
    ['postgres-wal', ({ walMegabytes }) => walMegabytes / limits.postgresWalMegabytesPerSecond],
    ['postgres-pages', ({ pagesWritten }) => pagesWritten / limits.postgresPagesPerSecond],
    ['postgres-disk', ({ diskGigabytes }) => diskGigabytes / 1_000 / limits.postgresDiskTerabytes],
    ['account-redis-core', ({ hottest }) => hottest.redisCores],
    ['account-redis-memory', ({ hottest }) => hottest.redisGigabytes / limits.redisMemoryGigabytes],
    [
      'account-bound',
      ({ hottest }) => (share * hottest.attempts) / assumptions.installation.attemptsPerAccount,
    ],
  ];
  const found = parts.map(([name, load]) => ({
    name,
    perDay: volumeAt(volumes, (volume) => load(volume) / share),
  }));
  const peakAt = (perSecond) => volumeAt(volumes, ({ peak }) => peak / perSecond);
  const credits = CREDITS.map((how) => {
    const perSecond = maxPerSecond({ accounts, rates: volumes.at(-1).rates, how, costs, assumptions });
    return { ...how, perSecond, perDay: peakAt(perSecond) };
  });
  return {
    credits,
    parts: [...found, { name: 'postgres-credits', perDay: credits[0].perDay }].toSorted(
      (a, b) => a.perDay - b.perDay,
    ),
  };
}

/** The first is the current implementation. */
export const CREDITS = [
  { name: 'credits locked after the inserts', lanes: 'mixed', credits: 'last' },
  { name: 'credits locked first, as near a cap', lanes: 'mixed', credits: 'first' },
  { name: 'locked first, each connection with accounts of its own', lanes: 'accounts', credits: 'first' },
];

/** The number of each part that a volume needs to stay within the limits; then a simulation of its busiest minute on them. */
export function sizeFor({ volume, accounts, costs, assumptions }) {
  const { limits } = assumptions;
  const share = limits.utilisation;
  const redisShards = fewest((shards) => {
    const memory = largestShard(accounts, volume.redisBytes, shards) * volume.redisGigabytes;
    const core = largestShard(accounts, volume.rates, shards) * volume.redisCores;
    return memory <= share * limits.redisMemoryGigabytes && core <= share;
  });
  const databases = fewest((count) => {
    const part = largestShard(accounts, volume.rates, count);
    return (
      (part * volume.diskGigabytes) / 1_000 <= share * limits.postgresDiskTerabytes &&
      part * volume.postgresCoresSingly <= share * limits.postgresCores &&
      part * volume.walMegabytes <= share * limits.postgresWalMegabytesPerSecond &&
      part * volume.pagesWritten <= share * limits.postgresPagesPerSecond
    );
  });
  const play = (nodes) => {
    const setup = { nodes, redisShards, databases, cores: limits.postgresCores, ...CREDITS[0] };
    return playPeak({ accounts, rates: volume.rates, setup, costs, assumptions, ...FIXED });
  };
  let nodes = Math.max(2, Math.ceil(volume.nodeCores / share));
  let played = play(nodes);
  while (played.node > share && nodes < MAX_NODES) {
    nodes = Math.ceil((nodes * played.node) / share);
    played = play(nodes);
  }
  return {
    nodes,
    redisShards,
    databases,
    connections: nodes * costs.postgres.connections,
    largestDatabase: largestShard(accounts, volume.rates, databases),
    largestRedis: largestShard(accounts, volume.rates, redisShards),
    played,
  };
}

const FIXED = { seconds: SECONDS, seed: 1 };

/** The maximum load of a database at which 99 of 100 requests are answered in time, with enough nodes, cores and Redis. */
function maxPerSecond({ accounts, rates, how, costs, assumptions }) {
  const total = rates.reduce((sum, rate) => sum + rate, 0);
  const keepsUp = (perSecond) => {
    const setup = {
      nodes: Math.max(2, Math.ceil((perSecond * costs.node.microseconds) / 1e6 / 0.5)),
      redisShards: Math.ceil((perSecond * costs.redis.microseconds) / 1e6 / 0.25) + 1,
      databases: 1,
      cores: assumptions.limits.postgresCores,
      ...how,
    };
    const scaled = rates.map((rate) => (rate * perSecond) / total);
    const { p99, answered } = playPeak({ accounts, rates: scaled, setup, costs, assumptions, ...FIXED });
    return p99 <= assumptions.limits.p99Milliseconds && answered > 0.98;
  };
  let [low, high] = [500, 2_000];
  while (high < 200_000 && keepsUp(high)) [low, high] = [high, 2 * high];
  while (high / low > PRECISION) {
    const middle = Math.sqrt(low * high);
    if (keepsUp(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function fewest(fits) {
  let count = 1;
  while (count < 4_096 && !fits(count)) count += 1;
  return count;
}

/** The volume at which a load reaches 1: interpolated logarithmically between two volumes, extrapolated beyond them. */
function volumeAt(volumes, load) {
  const points = volumes.map((volume) => [Math.log(volume.perDay), Math.log(load(volume))]);
  const after = points.findIndex(([, y]) => y >= 0);
  const second = Math.max(1, after < 0 ? points.length - 1 : after);
  const [[x0, y0], [x1, y1]] = [points[second - 1], points[second]];
  return Math.exp(x0 - (y0 * (x1 - x0)) / (y1 - y0));
}

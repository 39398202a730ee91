// The load of a daily volume on each part: one simulated day, its busiest minute, and the stored data.
import { rateLimitOf, shardOf } from './accounts.mjs';
import { MINUTES, makeDay, totalsOf } from './day.mjs';
import { playDay } from './keys.mjs';
import { bytesHeld } from './redis-memory.mjs';

const GIGABYTE = 1e9;
const DAYS = 30;
const PAGE = 8_192;

/** @returns figures of a volume; rates per second are from the busiest minute unless they are called `mean` */
export function simulateVolume({ accounts, perDay, costs, assumptions }) {
  const { assessed, refused, kinds } = makeDay(accounts, perDay, assumptions);
  const totals = totalsOf(assessed, accounts.length);
  const minute = totals.indexOf(Math.max(...totals));
  const rates = accounts.map(({ index }) => assessed[index * MINUTES + minute] / 60);
  const peak = totals[minute] / 60;
  const held = playDay(accounts, kinds, assumptions);
  const whole = held.map((counts) => bytesHeld(counts, costs.redis.bytes));
  // Above a limit, an account forgets its oldest attempts.
  const bytes = whole.map(
    (all, index) =>
      all * Math.min(1, assumptions.installation.attemptsPerAccount / Math.max(1, held[index].attempts)),
  );
  const day = totals.reduce((sum, count) => sum + count, 0);
  const perMonth = DAYS * day;
  const singly = (cost) => (peak * (cost.microseconds + cost.batchMicroseconds)) / 1e6;
  return {
    perDay,
    day,
    mean: day / 86_400,
    peak,
    rates,
    refused: refused[minute] / 60,
    nodeCores:
      (peak * costs.node.microseconds + (refused[minute] / 60) * costs.node.refusedMicroseconds) / 1e6,
    redisCores:
      (peak * costs.redis.microseconds + (refused[minute] / 60) * costs.redis.refusedMicroseconds) / 1e6,
    redisGigabytes: sum(bytes) / GIGABYTE,
    redisWholeGigabytes: sum(whole) / GIGABYTE,
    redisBytes: bytes,
    postgresCores: (peak * costs.postgres.microseconds) / 1e6,
    // A batch for each attempt, as at low traffic.
    postgresCoresSingly: singly(costs.postgres),
    nodeCoresSingly: singly(costs.node),
    walMegabytes: (peak * costs.postgres.walBytesPerRow) / 1e6,
    pagesWritten: (peak * costs.postgres.bytesPerRow) / PAGE,
    diskGigabytes: (perMonth * costs.postgres.bytesPerRow) / GIGABYTE,
    indexGigabytes: (perMonth * sum(costs.postgres.indexes.map(({ bytesPerRow }) => bytesPerRow))) / GIGABYTE,
    keys: keysOf(held),
    hottest: hottestOf({ accounts, rates, held, whole, costs, perDay, assumptions }),
  };
}

/** Bytes in Redis if only a part of a day is simulated, as for the largest volumes, compared with the full day. */
export function partOfWhole({ accounts, perDay, costs, assumptions }) {
  const { kinds } = makeDay(accounts, perDay, assumptions);
  const [part, whole] = [false, true].map((all) =>
    sum(playDay(accounts, kinds, assumptions, all).map((held) => bytesHeld(held, costs.redis.bytes))),
  );
  return part / whole;
}

/** How unevenly accounts are spread over this many shards: the share of the largest shard. */
export function largestShard(accounts, weights, shards) {
  const sums = new Float64Array(shards);
  for (const account of accounts) sums[shardOf(account, shards)] += weights[account.index];
  return Math.max(...sums) / sum(weights);
}

function hottestOf({ accounts, rates, held, whole, costs, perDay, assumptions }) {
  const [largest] = accounts;
  return {
    perSecond: rates[largest.index],
    limit: rateLimitOf(largest, perDay, assumptions),
    redisCores: (rates[largest.index] * costs.redis.microseconds) / 1e6,
    attempts: held[largest.index].attempts,
    redisGigabytes: whole[largest.index] / GIGABYTE,
    domainEntries: held[largest.index].hottest,
    domainGigabytes: (held[largest.index].hottest * costs.redis.bytes.kinds.domain.spread) / GIGABYTE,
  };
}

/** Keys and entries of all accounts together. */
function keysOf(held) {
  const all = (kind, name) => sum(held.map((counts) => counts[kind][name]));
  return {
    mailboxes: all('mailbox', 'keys'),
    networks: all('network', 'keys'),
    domains: all('domain', 'keys'),
    spread: all('network', 'spread') + all('domain', 'spread'),
  };
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

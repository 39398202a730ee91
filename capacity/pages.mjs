// Memory and pages that a day uses: bytes of counters in Redis, and pages of PostgreSQL’s indexes with random inserts.
import { KINDS, playDay } from './keys.mjs';

const PAGE = 8_192;
/** Indexes whose values arrive in random order, by subject; the others grow in a few places. */
const SCATTERED = ['domain', 'network', 'mailbox', 'session', 'asn'];

/** Bytes of an account in Redis. */
export function bytesHeld(held, { account, kinds }) {
  const entries = KINDS.reduce((sum, kind) => {
    const { keys, packed, spread } = held[kind];
    const cost = kinds[kind];
    return sum + keys * cost.key + Math.max(0, packed - keys) * cost.packed + spread * cost.spread;
  }, 0);
  return account + entries;
}

/**
 * Pages that the busiest minute changes per second. A page is written completely to the log at its first change after a
 * checkpoint, and to its file by the next checkpoint; it must be read first if the month’s indexes do not fit into the cache.
 */
export function pagesTouched({ accounts, kinds, day, peak, perMonth, costs, assumptions }) {
  const { checkpointSeconds } = assumptions.installation;
  const distinct = distinctWithin(accounts, kinds, (peak * checkpointSeconds) / day, assumptions);
  let written = (peak * costs.postgres.bytesPerRow) / PAGE;
  let scatteredBytes = 0;
  let looked = 0;
  for (const { name, bytesPerRow } of costs.postgres.indexes) {
    const values = distinct[SCATTERED.find((what) => name.endsWith(`_by_${what}`))];
    if (values === undefined) continue;
    const leaves = Math.max(1, (perMonth * bytesPerRow) / PAGE);
    const touched = leaves * -Math.expm1(-values / leaves);
    written += touched / checkpointSeconds;
    looked += values / checkpointSeconds;
    scatteredBytes += perMonth * bytesPerRow;
  }
  const cached = Math.min(1, (assumptions.limits.postgresCacheGigabytes * 1e9) / Math.max(1, scatteredBytes));
  return { written, read: looked * (1 - cached), scatteredBytes };
}

/** Simulates a part of the day, and counts the distinct values in it. */
function distinctWithin(accounts, kinds, part, assumptions) {
  const shortly = kinds.map((all) =>
    Object.fromEntries(Object.entries(all).map(([kind, attempts]) => [kind, Math.round(attempts * part)])),
  );
  const held = playDay(accounts, shortly, assumptions);
  const keys = (kind) => held.reduce((sum, counts) => sum + counts[kind].keys, 0);
  const attempts = held.reduce((sum, counts) => sum + counts.attempts, 0);
  // There are about as many operators as domains; each session is an attempt.
  return {
    domain: keys('domain'),
    asn: keys('domain'),
    network: keys('network'),
    mailbox: keys('mailbox'),
    session: attempts,
  };
}

// The contents of the counters after a day: simulates every attempt of every account, and counts keys and their entries.
import { createPeople } from './people.mjs';
import { createRandom } from './random.mjs';

/** The maximum entries of a packed sorted set in Redis (`zset-max-listpack-entries`); above that, each entry has its own node. */
export const PACKED = 128;
export const KINDS = ['address', 'mailbox', 'network', 'domain'];
const KIND_NAMES = ['ordinary', 'floods', 'waves'];
/** Above this, only a part of a day is simulated: the first attempts of the largest accounts, and one in twenty of the others. */
const WHOLE = 1e8;
const LARGEST = 100;
const EVERY = 20;
const FIRST = 500_000;

/**
 * Every count lives 24 h, so at any time during similar days the counters contain the attempts of a day. Accounts do not
 * share keys: they are simulated in sequence, in a table that is large enough for the largest account.
 * @param kinds attempts of each account by kind
 * @returns for each account its attempts, and for each kind of key: `keys`, `packed` and `spread` entries
 */
export function playDay(accounts, kinds, assumptions, whole = total(kinds) <= 1.1 * WHOLE) {
  const maxAttempts = whole ? Number.POSITIVE_INFINITY : FIRST;
  const table = createTable(2 * Math.min(maxAttempts, Math.max(...kinds.map(sum))));
  let neighbour;
  return accounts.map((account) => {
    const all = kinds[account.index];
    if (!whole && account.index > LARGEST && account.index % EVERY !== 0)
      return scale(neighbour, sum(all) / Math.max(1, neighbour.attempts));
    const share = Math.min(1, maxAttempts / Math.max(1, sum(all)));
    const played = Object.fromEntries(KIND_NAMES.map((kind) => [kind, Math.round(all[kind] * share)]));
    neighbour = scale(playAccount(account, played, assumptions, table), 1 / share);
    return neighbour;
  });
}

function scale(held, factor) {
  if (factor === 1) return held;
  const scaled = { attempts: held.attempts * factor, hottest: held.hottest * factor };
  for (const kind of KINDS)
    scaled[kind] = {
      keys: held[kind].keys * factor,
      packed: held[kind].packed * factor,
      spread: held[kind].spread * factor,
    };
  return scaled;
}

function total(kinds) {
  return kinds.reduce((sofar, kind) => sofar + sum(kind), 0);
}

function playAccount(account, kinds, assumptions, table) {
  const people = createPeople(assumptions, createRandom(assumptions.seed, `people of ${account.id}`));
  const tally = createTally(table.of(sum(kinds)));
  for (const kind of KIND_NAMES) {
    const next = people[kind];
    for (let left = kinds[kind]; left > 0; left -= 1) tally.add(next());
  }
  return tally.held();
}

/** Content of the counters for the attempts of an account, made by `createPeople`. @param networks counts by number */
export function createTally(networks) {
  const domains = createDomains();
  const held = { attempts: 0, address: none(), mailbox: none(), network: none(), domain: none(), hottest: 0 };
  return {
    add({ network, domain, mailbox, retry }) {
      held.attempts += 1;
      count(held.network, networks.add(network));
      held.address.packed += 1;
      if (retry) return;
      held.address.keys += 1;
      count(held.domain, domains.add(domain));
      held.mailbox.packed += 1;
      held.mailbox.keys = mailbox;
    },
    held: () => ({ ...held, hottest: domains.hottest() }),
  };
}

/** @param reached number of entries of the key, including this entry */
function count(held, reached) {
  if (reached === 1) held.keys += 1;
  if (reached <= PACKED) held.packed += 1;
  else held.spread += 1;
  // A set that is too large for packing is converted completely.
  if (reached === PACKED + 1) {
    held.packed -= PACKED;
    held.spread += PACKED;
  }
}

function none() {
  return { keys: 0, packed: 0, spread: 0 };
}

function sum({ ordinary, floods, waves }) {
  return ordinary + floods + waves;
}

/** Counts by number, in a single piece of memory that every account reuses. */
export function createTable(maxKeys) {
  const room = 2 ** Math.ceil(Math.log2(Math.max(64, maxKeys)));
  const allKeys = new Uint32Array(room);
  const allCounts = new Uint32Array(room);
  return {
    of(expected) {
      const size = Math.min(room, 2 ** Math.ceil(Math.log2(Math.max(64, 2 * expected))));
      const keys = allKeys.subarray(0, size).fill(0);
      const counts = allCounts.subarray(0, size).fill(0);
      const mask = size - 1;
      return {
        add(key) {
          let at = Math.imul(key, 0x9e3779b1) & mask;
          at ^= at >>> 7;
          while (keys[at] !== 0 && keys[at] !== key) at = (at + 1) & mask;
          keys[at] = key;
          counts[at] += 1;
          return counts[at];
        },
      };
    },
  };
}

function createDomains() {
  const counts = new Map();
  let max = 0;
  return {
    add(domain) {
      const reached = (counts.get(domain) ?? 0) + 1;
      counts.set(domain, reached);
      if (reached > max) max = reached;
      return reached;
    },
    hottest: () => max,
  };
}

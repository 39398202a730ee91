// Memory of counters in Redis that a day uses.
import { KINDS } from './keys.mjs';

/** Bytes of an account in Redis. */
export function bytesHeld(held, { account, kinds }) {
  const entries = KINDS.reduce((sum, kind) => {
    const { keys, packed, spread } = held[kind];
    const cost = kinds[kind];
    return sum + keys * cost.key + Math.max(0, packed - keys) * cost.packed + spread * cost.spread;
  }, 0);
  return account + entries;
}

/** Counters that nodes share, on a test's server. */
import { createFingerprint } from '../../src/address/fingerprint.ts';
import { readRedisUrl } from '../../src/config/redis-url.ts';
import type { RedisServers } from '../../src/model/redis-servers.ts';
import type { VelocityEvent } from '../../src/model/velocity-event.ts';
import type { LocalCounters } from '../../src/velocity/counters.ts';
import { createMemoryCounters } from '../../src/velocity/memory/memory.ts';
import {
  createSharedCounters,
  type SharedCounters,
  type SharedCountersOptions,
} from '../../src/velocity/redis/redis.ts';
import type { RedisCounters } from '../../src/velocity/redis/redis-counters.ts';

/** Long deadlines, so that a busy machine does not make these nodes count locally. */
export const PATIENT = { deadlineMs: 30_000, patienceMs: 30_000 };

/** A started node; its store is empty unless `options` say otherwise. */
export async function openSharedCounters(
  url: string,
  options: Partial<SharedCountersOptions> = {},
): Promise<SharedCounters> {
  const counters = createSharedCounters({
    servers: readRedisUrl(url) as RedisServers,
    fingerprint: createFingerprint(Buffer.alloc(32)),
    memory: createMemoryCounters(),
    clock: Date.now,
    liveAttempts: async function* () {},
    creditsUsed: async () => 0,
    onFault: () => {},
    onDegraded: () => {},
    ...options,
  });
  await counters.start();
  return counters;
}

/** Counts stored attempts again, as a rebuild does. */
export function restoreBy({ recall }: Pick<RedisCounters, 'recall'>): LocalCounters['restore'] {
  return async (chunks) => {
    const byAccount = new Map<string, VelocityEvent[]>();
    for await (const attempts of chunks)
      for (const attempt of attempts as readonly VelocityEvent[])
        byAccount.set(attempt.account, [...(byAccount.get(attempt.account) ?? []), attempt]);
    for (const [account, stored] of byAccount) await recall(account, stored);
  };
}

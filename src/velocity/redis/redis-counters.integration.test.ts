import type { Redis } from 'ioredis';
import { afterAll } from 'vitest';
import { SERVER_PROPERTY_RUNS } from '../../../test/support/property-runs.ts';
import { restoreBy } from '../../../test/support/shared-counters.ts';
import { sharedRedisUrl } from '../../../test/support/shared-servers.ts';
import { createFingerprint } from '../../address/fingerprint.ts';
import { readRedisUrl } from '../../config/redis-url.ts';
import type { RedisServers } from '../../model/redis-servers.ts';
import { describeCounters } from '../counters.suite.ts';
import type { CountRequest } from '../counters.ts';
import { connect } from './connect.ts';
import { createRedisCounters } from './redis-counters.ts';

const redisUrl = await sharedRedisUrl();
const client = connect(readRedisUrl(redisUrl) as RedisServers) as Redis;
await new Promise((resolve) => client.once('ready', resolve));
afterAll(() => client.disconnect());

let made = 0;
describeCounters(
  'redis',
  async () => {
    made += 1;
    const counters = createRedisCounters({
      connection: { client },
      prefix: `test${process.pid}-${made}:`,
      maxAttemptsPerAccount: 1_048_576,
      fingerprint: createFingerprint(Buffer.alloc(32)),
    });
    // No stored attempts that the counts could lack.
    const arrive = async (arrival: CountRequest) => {
      const arrived = await counters.checkAndCount(arrival);
      return arrived.incomplete ? counters.countAnyway(arrival, arrived) : arrived;
    };
    return {
      counters: { ...counters, checkAndCount: arrive, restore: restoreBy(counters) },
      close: async () => {},
    };
  },
  SERVER_PROPERTY_RUNS,
);

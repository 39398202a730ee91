/** How long the keys of an account stay on the server. */
import { Redis } from 'ioredis';
import { afterAll, expect, it } from 'vitest';
import { sharedRedisUrl } from '../../../test/support/shared-servers.ts';
import { createFingerprint } from '../../address/fingerprint.ts';
import { readRedisUrl } from '../../config/redis-url.ts';
import type { RedisServers } from '../../model/redis-servers.ts';
import { connect } from './connect.ts';
import { createKeys } from './key-names.ts';
import { createRedisCounters } from './redis-counters.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const START = Date.UTC(2040, 0, 1);
const redisUrl = await sharedRedisUrl();
const client = connect(readRedisUrl(redisUrl) as RedisServers);
const raw = new Redis(redisUrl);
await new Promise((resolve) => client.once('ready', resolve));
afterAll(() => {
  client.disconnect();
  raw.disconnect();
});

const fingerprint = createFingerprint(Buffer.alloc(32));
const prefix = `expiry${process.pid}:`;
const counters = createRedisCounters({
  connection: { client },
  prefix,
  maxAttemptsPerAccount: 1_048_576,
  fingerprint,
});

it('keeps each key for a day after its last attempt', async () => {
  const own = createKeys(prefix, fingerprint).ofAccount('acc_a');
  const event = { account: 'acc_a', network: '203.0.113.7', domain: 'example.com', mailbox: 'ada' };
  const keys = [own.network(event.network), own.domain(event.domain), own.mailbox(event.mailbox)];
  // The mark of a complete account: nothing that is stored is missing.
  await raw.hset(own.state, 'm', 1);
  const stepMs = 7 * 60_000;
  for (let at = START; at < START + 3 * HOUR_MS; at += stepMs) {
    const attempt = { ...event, id: `req_${at}`, at, addressHash: `address ${at}` };
    const result = await counters.checkAndCount({
      bucket: 'acc_a',
      window: null,
      credit: null,
      event: attempt,
    });
    expect(result.counted?.counts.partial).toBe(false);
    for (const key of keys) {
      const left = await raw.pttl(key);
      expect(left).toBeGreaterThan(DAY_MS - 60_000);
      // As if the time until the next attempt had passed.
      await raw.pexpire(key, left - stepMs);
    }
  }
});

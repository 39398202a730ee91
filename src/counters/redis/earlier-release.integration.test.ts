/** Keys left by an earlier release, and nodes of it that still count: during an upgrade both count the same attempts. */
import { Redis } from 'ioredis';
import { afterAll, expect, it } from 'vitest';
import { sharedRedisUrl } from '../../../test/support/shared-servers.ts';
import { createFingerprint } from '../../address/fingerprint.ts';
import { readRedisUrl } from '../../config/redis-url.ts';
import type { RedisServers } from '../../model/redis-servers.ts';
import type { VelocityEvent } from '../../model/velocity-event.ts';
import { connect } from './connect.ts';
import { createKeys } from './keys.ts';
import { createRedisCounters } from './redis-counters.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const redisUrl = await sharedRedisUrl();
const client = connect(readRedisUrl(redisUrl) as RedisServers);
const raw = new Redis(redisUrl);
await new Promise((resolve) => client.once('ready', resolve));
afterAll(() => {
  client.disconnect();
  raw.disconnect();
});

const fingerprint = createFingerprint(Buffer.alloc(32));
const prefix = `earlier${process.pid}:`;
const counters = createRedisCounters({
  connection: { client },
  prefix,
  maxAttemptsPerAccount: 1_048_576,
  fingerprint,
});
const START = Date.UTC(2040, 0, 1);
let made = 0;

function attemptOf(account: string, at: number): VelocityEvent {
  made += 1;
  const addressHash = `address-${made}`;
  const common = { network: '203.0.113.7', domain: 'example.com', mailbox: 'ada' };
  return { id: `req_${made}`, account, at, addressHash, ...common };
}

/** Counts an attempt like a node of that release: it removes everything that is older than a day. */
async function countAsEarlier({ id, account, at, network, domain, mailbox, addressHash }: VelocityEvent) {
  const own = createKeys(prefix, fingerprint).of(account);
  const [networkKey, domainKey, mailboxKey] = [
    own.network(network ?? ''),
    own.domain(domain),
    own.mailbox(mailbox),
  ];
  await raw.hset(own.state, { t: at, b: 0, m: 1 });
  await raw.zadd(mailboxKey, 'NX', at, `#${addressHash}|${id}`);
  await raw.zadd(mailboxKey, 'LT', -at, `@${addressHash}`);
  await raw.zadd(domainKey, 'GT', at, addressHash);
  await raw.zadd(networkKey, at, id);
  for (const key of [networkKey, domainKey, mailboxKey]) await raw.pexpire(key, DAY_MS);
  const day = at - DAY_MS;
  const windowOf = async (key: string) => {
    const total = (await raw.zcard(key)) - (await raw.zremrangebyscore(key, '-inf', day));
    return [await raw.zcount(key, `(${at - HOUR_MS}`, '+inf'), total];
  };
  const [network1h, network24h] = await windowOf(networkKey);
  const [domain1h, domain24h] = await windowOf(domainKey);
  await raw.zremrangebyscore(mailboxKey, -day, day);
  const mailbox24h = await raw.zcount(mailboxKey, '-inf', 0);
  return { network1h, network24h, domain1h, domain24h, mailbox24h };
}

async function countAsNow(event: VelocityEvent) {
  const result = await counters.checkAndCount({ bucket: event.account, window: null, credit: null, event });
  const { partial, ...counts } = result.counted?.counts ?? { partial: true };
  expect(partial).toBe(false);
  return counts;
}

it('continues the counts of an earlier release', async () => {
  await countAsEarlier(attemptOf('acc_a', START));
  await countAsEarlier(attemptOf('acc_a', START + 23 * HOUR_MS));
  const whole = { network24h: 3, domain24h: 3, mailbox24h: 3 };
  expect(await countAsNow(attemptOf('acc_a', START + DAY_MS - 1))).toEqual({
    ...whole,
    network1h: 2,
    domain1h: 2,
  });
  expect(await countAsNow(attemptOf('acc_a', START + DAY_MS))).toEqual({
    ...whole,
    network1h: 2,
    domain1h: 2,
  });
});

it('counts together with nodes of an earlier release', async () => {
  const times = Array.from({ length: 40 }, (_, step) => START + step * 17 * 60_000);
  for (const [step, at] of times.entries()) {
    const count = step % 3 === 1 ? countAsEarlier : countAsNow;
    const inHour = times.filter((time) => time <= at && time > at - HOUR_MS).length;
    const attempt = attemptOf('acc_b', at);
    if (step === 0) await raw.hset(createKeys(prefix, fingerprint).of('acc_b').state, 'm', 1);
    expect(await count(attempt)).toEqual({
      network1h: inHour,
      network24h: step + 1,
      domain1h: inHour,
      domain24h: step + 1,
      mailbox24h: step + 1,
    });
  }
});

it('keeps each key for a day after its last attempt', async () => {
  const own = createKeys(prefix, fingerprint).of('acc_c');
  const keys = [own.network('203.0.113.7'), own.domain('example.com'), own.mailbox('ada')];
  await raw.hset(own.state, 'm', 1);
  const stepMs = 7 * 60_000;
  for (let at = START; at < START + 3 * HOUR_MS; at += stepMs) {
    await countAsNow(attemptOf('acc_c', at));
    for (const key of keys) {
      const left = await raw.pttl(key);
      expect(left).toBeGreaterThan(DAY_MS - 60_000);
      // As if the time until the next attempt had passed.
      await raw.pexpire(key, left - stepMs);
    }
  }
});

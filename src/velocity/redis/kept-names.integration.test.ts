/** The data on the server reveal nothing about the people who signed up. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../../../test/support/redis-server.ts';
import { openSharedCounters, PATIENT } from '../../../test/support/shared-counters.ts';
import { createFingerprint } from '../../address/fingerprint.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.close());

it('the server has no domain, IP or address in clear text, and all nodes use the same names', async () => {
  const fingerprint = createFingerprint(Buffer.alloc(32, 7));
  const open = () => openSharedCounters(server.url, { ...PATIENT, fingerprint });
  const nodes = [await open(), await open()];
  const people = Array.from({ length: 40 }, (_, number) => ({
    email: `person.${number}@shop-${number % 4}.example.com`,
    mailbox: `person@shop-${number % 4}.example.com`,
    domain: `shop-${number % 4}.example.com`,
    network: number % 2 ? `203.0.113.${number % 8}` : `2001:db8:0:${number % 8}::/64`,
  }));
  let counts = {};
  for (const [number, { email, mailbox, domain, network }] of people.entries()) {
    const result = await nodes[number % 2]?.checkAndCount({
      bucket: 'acc_a:live',
      window: { windowMs: 5_000, admits: 1_000 },
      credit: { month: '2026-05', cap: 1_000, used: 0, exact: false },
      event: {
        id: `req_${number}`,
        account: 'acc_a',
        at: Date.now(),
        network,
        domain,
        addressHash: fingerprint(email),
        mailbox: fingerprint(mailbox),
      },
    });
    counts = result?.counted?.counts ?? {};
  }
  expect(counts).toMatchObject({ network1h: 5, domain24h: 10, mailbox24h: 10, partial: false });
  await Promise.all(nodes.map((node) => node.close()));

  const stored = await everythingIn(server.url);
  expect(stored.length).toBeGreaterThan(100);
  const personal = people.flatMap(({ email, domain, network, mailbox }) => [email, domain, network, mailbox]);
  for (const text of new Set([...personal, 'example', '203.0.113', '2001:db8', '@shop', 'person']))
    expect(stored.filter((content) => content.includes(text))).toEqual([]);
});

/** Every key, and every member and value in it. */
async function everythingIn(url: string): Promise<string[]> {
  const client = new Redis(url);
  const keys = await client.keys('*');
  const contents = await Promise.all(
    keys.map(async (key) => {
      const type = await client.type(key);
      if (type === 'zset') return client.zrange(key, '0', '-1');
      if (type === 'list') return client.lrange(key, 0, -1);
      if (type === 'hash') return Object.entries(await client.hgetall(key)).flat();
      return [(await client.get(key)) ?? ''];
    }),
  );
  client.disconnect();
  return [...keys, ...contents.flat()];
}

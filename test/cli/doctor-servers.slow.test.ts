/** The doctor of an installation on PostgreSQL and Redis: it names what is wrong with a server. */
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.ts';
import { examine } from '../support/examine.ts';
import { plant } from '../support/plant.ts';
import { startRedis } from '../support/redis-server.ts';
import { createInstallation } from '../support/service.ts';
import { newDatabase, sharedRedisUrl } from '../support/shared-servers.ts';

let dns: TestDnsServer;
beforeAll(async () => {
  dns = await startDnsServer();
  dns.set('mail.example', { mx: ['10 mx.mail.example'] });
});
afterAll(() => dns.close());

describe('an installation on PostgreSQL and Redis', () => {
  it('is reported as sound, and each unreachable server is named', async () => {
    const [url, redis] = [await newDatabase(), await sharedRedisUrl()];
    const settings = { GATEHOUSE_DNS_SERVERS: dns.address, DATABASE_URL: url, REDIS_URL: redis };
    const shared = await createInstallation(settings);
    const { find: findNone } = await examine(shared.environment);
    expect(findNone('database')?.found).toBe('there is no installation in it');
    await plant(shared);
    expect((await examine(shared.environment)).find('secret')?.found).toBe('none was used yet');
    await shared.json('user', 'list');
    const { checks, find } = await examine(shared.environment);
    expect(checks.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(find('database')?.found).toMatch(/^PostgreSQL \d+/);
    expect(checks.map(({ name }) => name)).toEqual([
      'settings',
      'service',
      'database',
      'secret',
      'free space',
      'clock',
      `resolver ${dns.address}`,
      'feeds',
      'counters',
    ]);
    expect(find('secret')?.found).toBe('it is in the database');
    const other = { ...shared.environment, GATEHOUSE_SECRET: 'ab'.repeat(32) };
    expect((await examine(other)).find('secret')?.found).toMatch(/^GATEHOUSE_SECRET is not the secret/);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const setValid = (isValid: boolean) =>
      client.query(
        `UPDATE pg_index SET indisvalid = ${isValid} WHERE indexrelid = 'accounts_pkey'::regclass`,
      );
    await setValid(false);
    expect((await examine(shared.environment)).find('database')).toMatchObject({
      state: 'warning',
      found: 'indexes that are not valid: accounts_pkey',
    });
    await setValid(true);
    await client.query(
      "UPDATE installation SET name = 'secret_check', value = '\\x00' WHERE name = 'secret'",
    );
    expect((await examine(shared.environment)).find('secret')?.found).toMatch(/is kept elsewhere$/);
    await client.end();
    expect(find('clock')?.found).toMatch(/agrees with PostgreSQL, Redis/);
    const evicting = await startRedis({ settings: { 'maxmemory-policy': 'allkeys-lru' } });
    const counted = { ...shared.environment, REDIS_URL: evicting.url };
    expect((await examine(counted)).find('counters')).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('allkeys-lru'),
    });
    const replica = new Redis(evicting.url);
    await replica.replicaof('127.0.0.1', 9);
    expect((await examine(counted)).find('counters')?.found).toBe('this server is a replica');
    replica.disconnect();
    await evicting.close();
    const away = await examine({
      ...shared.environment,
      DATABASE_URL: 'postgres://127.0.0.1:9/x',
      REDIS_URL: 'redis://127.0.0.1:9',
    });
    expect(away.find('database')?.found).toContain('ECONNREFUSED');
    expect(away.find('free space')?.state).not.toBe('failed');
    expect(away.find('counters')?.advice).toContain('REDIS_URL');
    await shared.remove();
  });
});

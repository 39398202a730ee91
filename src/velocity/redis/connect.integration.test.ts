/** A connection that reports a second error, which can happen over TLS after a certificate was refused. */
import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { startRedisCluster } from '../../../test/support/redis-cluster.ts';
import { startRedisWithSentinel } from '../../../test/support/redis-sentinel.ts';
import { type RedisServer, startRedis } from '../../../test/support/redis-server.ts';
import { readRedisUrl } from '../../config/redis-url.ts';
import type { RedisServers } from '../../model/redis-servers.ts';
import { connect, connectCluster } from './connect.ts';

/** The field in which ioredis keeps it. */
const streamOf = (client: Redis) => client.stream as NodeJS.EventEmitter;

async function expectSurvival(client: Redis): Promise<void> {
  await expect.poll(() => client.status, { timeout: 90_000 }).toBe('ready');
  client.on('error', () => {});
  const stream = streamOf(client);
  for (const message of ['the first', 'the second', 'the third']) {
    expect(() => stream.emit('error', new Error(message))).not.toThrow();
  }
}

it('does not crash the process with one server', async () => {
  const server = await startRedis();
  const client = connect(readRedisUrl(`redis://127.0.0.1:${server.port}`) as RedisServers) as Redis;
  await expectSurvival(client);
  client.disconnect();
  await server.close();
});

it('does not crash the process with a node of a cluster', async () => {
  const servers = await startRedisCluster();
  const [{ port }] = servers.nodes as [RedisServer, ...RedisServer[]];
  const cluster = connectCluster(readRedisUrl(`redis://127.0.0.1:${port}`) as RedisServers);
  cluster.on('error', () => {});
  await expect.poll(() => cluster.status, { timeout: 90_000 }).toBe('ready');
  await cluster.set('key', 'value');
  await expectSurvival(cluster.nodes().find(({ status }) => status === 'ready') as Redis);
  cluster.disconnect();
  await servers.close();
});

// A Sentinel needs 5 s to find its servers.
it('does not crash the process with a primary behind Sentinel', async () => {
  const setup = await startRedisWithSentinel({ servers: 'se&ver', sentinel: 'w@tch' });
  const url = `redis+sentinel://:se%26ver@127.0.0.1:${setup.sentinel.port}/${setup.name}?sentinel_password=w%40tch`;
  const client = connect(readRedisUrl(url) as RedisServers) as Redis;
  await expectSurvival(client);
  client.disconnect();
  await setup.close();
});

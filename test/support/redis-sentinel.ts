/** A primary with a replica, and a Sentinel that promotes the replica when the primary is gone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type RedisServer, startRedis } from './redis-server.ts';

export interface RedisWithSentinel {
  /** The Sentinel's name for the primary. */
  readonly name: string;
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  readonly sentinel: RedisServer;
  close(): Promise<void>;
}

const NAME = 'counters';
const DOWN_AFTER_MS = 300;

/** @param passwords of the servers and of the Sentinel */
export async function startRedisWithSentinel(passwords: {
  readonly servers: string;
  readonly sentinel: string;
}): Promise<RedisWithSentinel> {
  const options = { password: passwords.servers, settings: { masterauth: passwords.servers } };
  const [primary, replica] = await Promise.all([startRedis(options), startRedis(options)]);
  const follower = new Redis({ port: replica.port, password: passwords.servers });
  await follower.call('REPLICAOF', '127.0.0.1', primary.port);
  while (!(await follower.info('replication')).includes('master_link_status:up')) await sleep(20);
  follower.disconnect();
  const sentinel = await startRedis({
    password: passwords.sentinel,
    sentinel: [
      `sentinel monitor ${NAME} 127.0.0.1 ${primary.port} 1`,
      `sentinel auth-pass ${NAME} ${passwords.servers}`,
      `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
      `sentinel failover-timeout ${NAME} 2000`,
      '',
    ].join('\n'),
  });
  // It learns about the replica from the primary.
  const watcher = new Redis({ port: sentinel.port, password: passwords.sentinel });
  while (((await watcher.call('SENTINEL', 'replicas', NAME)) as unknown[]).length === 0) await sleep(50);
  watcher.disconnect();
  return {
    name: NAME,
    primary,
    replica,
    sentinel,
    async close() {
      await Promise.all([sentinel, replica, primary].map((server) => server.close()));
    },
  };
}

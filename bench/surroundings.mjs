// Parts of a shared installation beside its nodes, on loopback: a resolver, PostgreSQL, and Valkey or Redis.
import { Redis } from 'ioredis';
import pg from 'pg';
import { makeDirectory, removeDirectory } from './clean-up.mjs';
import { startDns } from './dns.mjs';
import { startPostgres, startRedis } from './servers.mjs';

/** Starts them and connects to both servers. `env`: the settings of a node, with `directory` as its data folder. */
export async function startSurroundings(name) {
  const directory = makeDirectory(name);
  const [dns, postgres, redisServer] = await Promise.all([startDns(), startPostgres(), startRedis()]);
  const database = new pg.Client({ connectionString: postgres.url });
  const redis = new Redis(redisServer.url);
  await database.connect();
  return {
    directory,
    postgres,
    redisServer,
    database,
    redis,
    env: {
      PORT: '0',
      DATABASE_URL: postgres.url,
      REDIS_URL: redisServer.url,
      GATEHOUSE_DATA_DIR: directory,
      GATEHOUSE_DNS_SERVERS: dns.address,
      GATEHOUSE_RDAP_BOOTSTRAP_URL: 'off',
      GATEHOUSE_FEEDS: 'off',
    },
    async stop() {
      await database.end();
      redis.disconnect();
      await Promise.all([postgres.stop(), redisServer.stop()]);
      dns.close();
      removeDirectory(directory);
    },
  };
}

/** A throw-away Redis Cluster: three masters on this machine that share the slots. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type RedisServer, startRedis } from './redis-server.ts';

export interface RedisCluster {
  /** For the service: all nodes, separated by commas. */
  readonly url: string;
  readonly nodes: readonly RedisServer[];
  close(): Promise<void>;
}

const SLOTS = 16_384;
const MASTERS = 3;

export async function startRedisCluster(): Promise<RedisCluster> {
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-node-timeout': '2000',
    'cluster-require-full-coverage': 'no',
  };
  const nodes = await Promise.all(Array.from({ length: MASTERS }, () => startRedis({ settings })));
  const clients = nodes.map(({ url }) => new Redis(url));
  const cluster: RedisCluster = {
    url: nodes.map(({ url }) => url).join(','),
    nodes,
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
  try {
    await Promise.all(
      clients.map((client, which) => {
        const first = Math.floor((SLOTS * which) / MASTERS);
        const last = Math.floor((SLOTS * (which + 1)) / MASTERS) - 1;
        return client.call('CLUSTER', 'ADDSLOTSRANGE', first, last);
      }),
    );
    for (const { port } of nodes.slice(1)) await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', port);
    while (!(await Promise.all(clients.map(isWhole))).every(Boolean)) await sleep(50);
  } catch (error) {
    await cluster.close();
    throw error;
  } finally {
    for (const client of clients) client.disconnect();
  }
  return cluster;
}

async function isWhole(client: Redis): Promise<boolean> {
  const info = String(await client.call('CLUSTER', 'INFO'));
  // Without full coverage its state is ok before it has heard of all slots.
  const signs = ['cluster_state:ok', `cluster_known_nodes:${MASTERS}`, `cluster_slots_assigned:${SLOTS}`];
  return signs.every((sign) => info.includes(`${sign}\r`));
}

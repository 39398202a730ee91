/** A throw-away Redis Cluster: three masters on this machine that share the slots, the first with a replica if a test needs it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type RedisServer, startRedis } from './redis-server.ts';

export interface RedisCluster {
  /** For the service: all nodes, separated by commas. */
  readonly url: string;
  /** The masters. */
  readonly nodes: readonly RedisServer[];
  close(): Promise<void>;
}

const SLOTS = 16_384;
const MASTERS = 3;

export async function startRedisCluster({ replica: hasReplica = false } = {}): Promise<RedisCluster> {
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-node-timeout': '2000',
    'cluster-require-full-coverage': 'no',
  };
  const count = MASTERS + (hasReplica ? 1 : 0);
  const all = await Promise.all(Array.from({ length: count }, () => startRedis({ settings })));
  const nodes = all.slice(0, MASTERS);
  const clients = all.map(({ url }) => new Redis(url));
  const cluster: RedisCluster = {
    url: nodes.map(({ url }) => url).join(','),
    nodes,
    async close() {
      await Promise.all(all.map((node) => node.close()));
    },
  };
  try {
    await Promise.all(
      clients.slice(0, MASTERS).map((client, which) => {
        const first = Math.floor((SLOTS * which) / MASTERS);
        const last = Math.floor((SLOTS * (which + 1)) / MASTERS) - 1;
        return client.call('CLUSTER', 'ADDSLOTSRANGE', first, last);
      }),
    );
    for (const { port } of all.slice(1)) await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', port);
    const isWhole = (client: Redis) => knows(client, count);
    while (!(await Promise.all(clients.map(isWhole))).every(Boolean)) await sleep(50);
    if (hasReplica) await replicate(clients[0] as Redis, clients[MASTERS] as Redis);
  } catch (error) {
    await cluster.close();
    throw error;
  } finally {
    for (const client of clients) client.disconnect();
  }
  return cluster;
}

async function replicate(master: Redis, replica: Redis): Promise<void> {
  await replica.call('CLUSTER', 'REPLICATE', String(await master.call('CLUSTER', 'MYID')));
  while (!(await replica.info('replication')).includes('master_link_status:up')) await sleep(50);
  // The other nodes learn about it a little later, and vote for it only then.
  while (!String(await master.call('CLUSTER', 'NODES')).includes(' slave ')) await sleep(50);
}

async function knows(client: Redis, count: number): Promise<boolean> {
  const info = String(await client.call('CLUSTER', 'INFO'));
  // Without full coverage its state is ok before it knows all slots.
  const signs = ['cluster_state:ok', `cluster_known_nodes:${count}`, `cluster_slots_assigned:${SLOTS}`];
  return signs.every((sign) => info.includes(`${sign}\r`));
}

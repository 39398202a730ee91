/** Several nodes of one installation: built service processes on one PostgreSQL and one Valkey or Redis, each with its own data folder. */
import { join } from 'node:path';
import pg from 'pg';
import type { Account } from '../../src/store/store.ts';
import { type Client, createClient } from './client.ts';
import { startDnsServer, type TestDnsServer } from './dns-server.ts';
import { HANG_MS } from './long-version.ts';
import { type Planted, plant } from './plant.ts';
import { createInstallation, type Environment, type Installation, type ServiceProcess } from './service.ts';
import { newDatabase, sharedRedisUrl } from './shared-servers.ts';

export interface Cluster {
  readonly installation: Installation;
  readonly nodes: readonly ServiceProcess[];
  /** A client for each node, without a key. */
  readonly clients: readonly Client[];
  readonly dns: TestDnsServer;
  /** Creates an account with a very high rate limit by default; every node knows it already. */
  account(fields?: Partial<Account>): Promise<Planted>;
  /** A value from each node's `/metrics`. */
  metric(name: string): Promise<number[]>;
  /** Queries the database directly. */
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  end(): Promise<void>;
}

export interface ClusterOptions {
  /** Default: a new one on the server of the tests. */
  readonly databaseUrl?: string;
  /** Default: the server of the tests. */
  readonly redisUrl?: string;
  readonly nodes: number;
  /** The settings of a node that differ from the others. */
  readonly environmentOf?: (index: number) => Environment;
  /** Runs a node; default: the command line. */
  readonly program?: readonly string[];
}

const KNOWN_MS = HANG_MS;

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { nodes: count, environmentOf = () => ({}) } = options;
  const { databaseUrl = await newDatabase(), redisUrl = await sharedRedisUrl() } = options;
  const dns = await startDnsServer();
  // Hosts of small domains: what is learned about them also goes through the shared store.
  dns.fallback = { mx: ['10 mx.example.com'] };
  const installation = await createInstallation({
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    GATEHOUSE_DNS_SERVERS: dns.address,
  });
  // Migrates, so that the nodes start at once.
  await plant(installation);
  const start = (index: number) =>
    installation.spawn(
      { GATEHOUSE_DATA_DIR: join(installation.directory, `node-${index}`), ...environmentOf(index) },
      options.program,
    );
  const nodes = await Promise.all(Array.from({ length: count }, (_, index) => start(index)));
  const clients = nodes.map(({ url }) => createClient(url));

  async function known({ live, test }: Planted): Promise<void> {
    const until = Date.now() + KNOWN_MS;
    for (const client of clients) {
      for (const key of [live, test]) {
        while ((await client.usage(key)).status !== 200) {
          if (Date.now() > until) throw new Error('a node does not know a new key');
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      }
    }
  }

  return {
    installation,
    nodes,
    clients,
    dns,
    async account(fields) {
      const planted = await plant(installation, { requestsPerSecond: 100_000, ...fields });
      await known(planted);
      return planted;
    },
    metric: (name) =>
      Promise.all(
        clients.map(async (client) => {
          const { text } = await client.send({ path: '/metrics' });
          return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
        }),
      ),
    async sql<Row extends object>(text: string, values: unknown[] = []) {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      try {
        return (await client.query<Row & pg.QueryResultRow>(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    async end() {
      for (const client of clients) client.close();
      await installation.remove();
      await dns.close();
    },
  };
}

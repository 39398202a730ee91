/** A node whose network loses every packet to Redis, to PostgreSQL, or to both, beside a node that reaches both; then the network works again. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../support/client.ts';
import { type Cluster, startCluster } from '../../support/cluster.ts';
import { BIN } from '../../support/command.ts';
import { until } from '../../support/expectations.ts';
import { figure } from '../../support/figures.ts';
import { settle } from '../../support/ledger.ts';
import { expectWithin, HANG_MS } from '../../support/long-version.ts';
import { isImpossible } from '../../support/missing-programs.ts';
import {
  findNetworks,
  type Network,
  PLACES,
  SERVICE_PORT,
  type ServerName,
  startNetwork,
} from '../../support/network.ts';
import { createDatabase, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import { type Outcome, startSteadyLoad } from '../../support/steady-load.ts';

const PATIENCE_MS = 180_000;
const PER_SECOND = 100;
const ANSWER_MS = 1_500;
const BACK_MS = 5_000;
const CUT = 0;
const WHOLE = 1;

const isLeftOut = isImpossible(findNetworks());

describe.skipIf(isLeftOut)('a node that is cut from', { timeout: PATIENCE_MS }, () => {
  let folder: string;
  let server: PostgresServer;
  let redis: RedisServer;
  let network: Network;
  let cluster: Cluster;
  let clients: readonly [Client, Client];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-network-'));
    chmodSync(folder, 0o777);
    server = await startPostgresServer({ settings: { unix_socket_directories: folder } });
    const redisSocket = join(folder, 'redis.sock');
    redis = await startRedis({ settings: { unixsocket: redisSocket } });
    const databaseUrl = new URL(await createDatabase(server.url));
    const postgresSocket = join(folder, `.s.PGSQL.${databaseUrl.port}`);
    network = await startNetwork({ postgres: postgresSocket, redis: redisSocket }, folder);
    cluster = await startCluster({ databaseUrl: databaseUrl.href, redisUrl: redis.url, nodes: 1 });
    const { installation } = cluster;
    databaseUrl.host = PLACES.postgres;
    await installation.spawn(
      {
        DATABASE_URL: databaseUrl.href,
        REDIS_URL: `redis://${PLACES.redis}`,
        GATEHOUSE_DATA_DIR: join(installation.directory, 'cut'),
        PORT: SERVICE_PORT,
      },
      [...network.enter, process.execPath, BIN],
    );
    clients = [createClient(network.url), cluster.clients[0] as Client];
  }, PATIENCE_MS);
  afterAll(async () => {
    clients?.[CUT].close();
    await cluster?.end();
    await network?.close();
    await redis?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const degraded = () =>
    Promise.all(
      clients.map(async (client) => {
        const { text } = await client.send({ path: '/metrics' });
        return /^gatehouse_counters_degraded 1$/m.test(text);
      }),
    );
  const ready = async () => (await clients[CUT].send({ path: '/readyz' })).status;
  const cut = (servers: readonly ServerName[]) => servers.forEach(network.cut);
  const heal = (servers: readonly ServerName[]) => servers.forEach(network.heal);

  async function start() {
    await until(async () => (await ready()) === 200 && !(await degraded()).includes(true));
    const account = await cluster.account();
    await until(async () => (await clients[CUT].usage(account.live)).status === 200);
    const load = startSteadyLoad({ clients, key: account.live, perSecond: PER_SECOND });
    const of = (node: number, since: number) =>
      load.outcomes.filter((each) => each.node === node && each.sentAt > since);
    const untilStored = async (since: number): Promise<number> => {
      const good = () => of(CUT, since).find(({ status }) => status === 200);
      await until(() => good() !== undefined);
      const { sentAt, milliseconds } = good() as Outcome;
      return sentAt + milliseconds - since;
    };
    await untilStored(performance.now());
    return { ...account, load, of, untilStored };
  }

  const isBad = ({ status }: Outcome) => status !== 200;

  async function expectTruth(accountId: string, outcomes: readonly Outcome[]): Promise<void> {
    const acknowledged = outcomes.filter(({ status }) => status === 200).length;
    await expect
      .poll(() => settle(cluster, accountId, outcomes), { timeout: HANG_MS, interval: 250 })
      .toEqual({ lost: [], unasked: [], records: acknowledged, credits: acknowledged });
  }

  it('Redis alone answers everything and counts locally, then with the others when the network is back', async () => {
    const { id, live, load, of, untilStored } = await start();
    cut(['redis']);
    const cutAt = performance.now();
    await until(async () => (await degraded())[CUT] === true);
    await untilStored(performance.now());
    expect((await degraded())[WHOLE]).toBe(false);
    expect(await ready()).toBe(200);
    heal(['redis']);
    const healedAt = performance.now();
    await until(async () => (await degraded())[CUT] === false);
    const backMs = performance.now() - healedAt;
    await load.stop();
    expect([...of(CUT, cutAt), ...of(WHOLE, cutAt)].filter(isBad)).toEqual([]);
    await expectTruth(id, load.outcomes);
    // Both count the attempts of both, also those counted by one alone.
    const ip = '81.20.9.1';
    const counts: number[] = [];
    for (let at = 0; at < 4; at += 1) {
      const { json } = await (clients[at % 2] as Client).assess(
        { email: `jo${at}@cut-harbour.com`, ip },
        live,
      );
      counts.push(json.signals.velocity.ip_signups_1h);
    }
    expect(counts).toEqual([1, 2, 3, 4]);
    figure('network-without-redis', 'whole-after-return-ms', backMs);
  });

  it.each<[string, readonly ServerName[]]>([
    ['PostgreSQL alone', ['postgres']],
    ['both', ['postgres', 'redis']],
  ])(
    '%s stores nothing and says so, the other node continues, and it serves again when the network is back',
    async (_name, servers) => {
      const { id, load, of, untilStored } = await start();
      cut(servers);
      const cutAt = performance.now();
      await until(async () => (await ready()) === 503);
      const notReadyMs = performance.now() - cutAt;
      heal(servers);
      const healedAt = performance.now();
      const backMs = await untilStored(healedAt);
      await load.stop();
      const during = of(CUT, cutAt).filter(({ sentAt, milliseconds }) => sentAt + milliseconds < healedAt);
      expect(during.length).toBeGreaterThan(0);
      expect(during.filter(({ status }) => ![500, 503].includes(status))).toEqual([]);
      for (const { milliseconds } of during) expectWithin(milliseconds, ANSWER_MS);
      expect(of(WHOLE, cutAt).filter(isBad)).toEqual([]);
      await expectTruth(id, load.outcomes);
      expectWithin(backMs, BACK_MS, 'until it is served again');
      if (servers.length > 1) return;
      figure('network-without-postgres', 'not-ready-after-ms', notReadyMs);
      figure('network-without-postgres', 'first-200-after-return-ms', backMs);
    },
  );
});

/** PostgreSQL with a synchronous standby: the name leads to the standby for a while, then the primary dies and the standby takes its place. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { type Cluster, startCluster } from '../../support/cluster.ts';
import { until } from '../../support/expectations.ts';
import { figure } from '../../support/figures.ts';
import { idOf, settle } from '../../support/ledger.ts';
import { expectWithin, HANG_MS } from '../../support/long-version.ts';
import { createDatabase, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { ask, promote, startStandby } from '../../support/postgres-standby.ts';
import { type Outcome, startSteadyLoad } from '../../support/steady-load.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

const NODES = 2;
const PER_SECOND = 100;
const PATIENCE_MS = 180_000;
const AWAY_MS = 4_000;
const BACK_MS = 5_000;

let primary: PostgresServer;
let standby: PostgresServer;
let proxy: TcpProxy;
let cluster: Cluster;
beforeAll(async () => {
  primary = await startPostgresServer();
  standby = await startStandby(primary);
  const url = new URL(await createDatabase(primary.url));
  proxy = await startTcpProxy(url.host);
  url.port = String(proxy.port);
  cluster = await startCluster({ databaseUrl: url.href, nodes: NODES });
}, PATIENCE_MS);
afterAll(async () => {
  await cluster?.end();
  await proxy?.close();
  await standby?.close();
  await primary?.close();
});

const hostOf = ({ url }: PostgresServer) => new URL(url).host;
const stored = (outcomes: readonly Outcome[], node: number, since: number) =>
  outcomes.filter((each) => each.node === node && each.status === 200 && each.sentAt > since);

/** Each node stores a signup that was sent after `since`. @returns milliseconds until the slowest of them did */
async function untilStored(outcomes: readonly Outcome[], since: number): Promise<number> {
  const nodes = Array.from({ length: NODES }, (_, node) => node);
  await until(() => nodes.every((node) => stored(outcomes, node, since).length > 0));
  const first = nodes.map((node) => stored(outcomes, node, since)[0] as Outcome);
  return Math.max(...first.map(({ sentAt, milliseconds }) => sentAt + milliseconds)) - since;
}

/** At the end exactly the acknowledged signups are stored, each charged once. */
async function expectTruth(accountId: string, outcomes: readonly Outcome[]): Promise<void> {
  const acknowledged = outcomes.filter(({ status }) => status === 200).length;
  await expect
    .poll(() => settle(cluster, accountId, outcomes), { timeout: HANG_MS, interval: 250 })
    .toEqual({ lost: [], unasked: [], records: acknowledged, credits: acknowledged });
}

it('a name that leads to the standby for a while stores nothing there, and leaves no node with it', {
  timeout: PATIENCE_MS,
}, async () => {
  const { id, live } = await cluster.account();
  const { id: keyId, key: revoked } = await cluster.installation.key(id, 'live');
  const load = startSteadyLoad({ clients: cluster.clients, key: live, perSecond: PER_SECOND });
  await untilStored(load.outcomes, performance.now());
  const requestId = idOf(load.outcomes.find(({ status }) => status === 200)?.text as string);
  for (const client of cluster.clients) await until(async () => (await client.usage(revoked)).status === 200);

  proxy.moveTo(hostOf(standby));
  proxy.drop();
  proxy.flow();
  const movedAt = performance.now();
  const refused = () => load.outcomes.filter(({ sentAt, status }) => sentAt > movedAt && status === 500);
  await until(() => refused().length > PER_SECOND);
  for (const client of cluster.clients)
    await until(async () => (await client.get(requestId, live)).status === 200);
  expect(load.outcomes.filter(({ sentAt, status }) => sentAt > movedAt && status === 200)).toEqual([]);

  // It is alive, but falls behind from now on: nodes that stay with it read old data.
  await ask(standby, 'SELECT pg_wal_replay_pause()');
  proxy.moveTo(hostOf(primary));
  const backMs = await untilStored(load.outcomes, performance.now());
  await cluster.installation.json('key', 'revoke', keyId);
  for (const client of cluster.clients) await until(async () => (await client.usage(revoked)).status === 401);
  await load.stop();
  await ask(standby, 'SELECT pg_wal_replay_resume()');
  await expectTruth(id, load.outcomes);
  expectWithin(backMs, BACK_MS, 'until it is served again');
  figure('name-led-to-standby', 'first-200-after-return-ms', backMs);
});

it('a primary that dies loses nothing that was acknowledged: the standby goes on, and nodes with it', {
  timeout: PATIENCE_MS,
}, async () => {
  const { id, live } = await cluster.account();
  const [client] = cluster.clients as [Client];
  const load = startSteadyLoad({ clients: cluster.clients, key: live, perSecond: PER_SECOND });
  await untilStored(load.outcomes, performance.now());
  await primary.stop('immediate');
  const diedAt = performance.now();
  await sleep(AWAY_MS);
  await promote(standby);
  proxy.moveTo(hostOf(standby));
  const backMs = await untilStored(load.outcomes, performance.now());
  await load.stop();
  const { outcomes } = load;
  expect(outcomes.filter(({ status }) => ![200, 500, 503].includes(status))).toEqual([]);
  expect(outcomes.filter(({ sentAt, status }) => sentAt < diedAt && status === 200).length).toBeGreaterThan(
    0,
  );
  await expectTruth(id, outcomes);
  const used = async () => (await client.usage(live)).json.assessments_used;
  await expect.poll(used).toBe(outcomes.filter(({ status }) => status === 200).length);
  expectWithin(backMs, BACK_MS, 'until it is served again');
  figure('database-failover', 'first-200-after-promotion-ms', backMs);
  figure('database-failover', 'lost', 0);
});

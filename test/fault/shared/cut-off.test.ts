/** Nodes that cannot reach PostgreSQL for more than 10 s: they fail closed, serve again soon after, and never accept a key that was revoked in that time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient } from '../../support/client.ts';
import { type Cluster, startCluster } from '../../support/cluster.ts';
import { problemOf, until } from '../../support/expectations.ts';
import { figure } from '../../support/figures.ts';
import { keepAsking, type Seen } from '../../support/keep-asking.ts';
import { newDatabase } from '../../support/shared-servers.ts';

import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

/** After this long without news of changes, a node stops answering. */
const CLOSED_MS = 10_000;
/** How long they are watched after they fail closed, and after they serve again. */
const WATCH_MS = 1_000;
const EVERY_MS = 50;
const PATIENCE_MS = 180_000;
const WAYS = ['silent', 'refused'] as const;

let cluster: Cluster;
const proxies: TcpProxy[] = [];
beforeAll(async () => {
  const databaseUrl = await newDatabase();
  for (const _ of WAYS) proxies.push(await startTcpProxy(new URL(databaseUrl).host));
  cluster = await startCluster({
    databaseUrl,
    nodes: WAYS.length + 1,
    environmentOf(index) {
      const proxy = proxies[index];
      if (proxy === undefined) return {};
      const url = new URL(databaseUrl);
      url.port = String(proxy.port);
      return { DATABASE_URL: url.href };
    },
  });
}, PATIENCE_MS);
afterAll(async () => {
  for (const proxy of proxies) proxy.flow();
  await cluster?.end();
  await Promise.all(proxies.map((proxy) => proxy.close()));
});

/** The cut lasts longer than the 10 s that nodes tolerate. */
it('fail closed, and serve again when the connection is back', { timeout: PATIENCE_MS }, async () => {
  const { id, live } = await cluster.account();
  const { id: keyId, key: revoked } = await cluster.installation.key(id, 'live');
  const whole = cluster.clients[WAYS.length] as Client;
  let signups = 0;
  const assess = (client: Client, key: string) => {
    signups += 1;
    return client.assess({ email: `jo${signups}@cut-harbour.com` }, key);
  };
  // A new key is known everywhere within a second.
  for (const client of cluster.clients)
    await expect.poll(async () => (await assess(client, revoked)).status).toBe(200);

  const [silent, refused] = proxies as [TcpProxy, TcpProxy];
  silent.stall();
  refused.drop();
  const cutAt = performance.now();
  await cluster.installation.json('key', 'revoke', keyId);
  const watches = WAYS.map((way, index) => {
    const client = cluster.clients[index] as Client;
    const other = createClient(cluster.nodes[index]?.url as string);
    const good = keepAsking(() => assess(client, live), EVERY_MS);
    const bad = keepAsking(() => assess(other, revoked), EVERY_MS);
    const probes = keepAsking(() => other.send({ path: '/readyz' }), EVERY_MS);
    return { way, client, other, good, bad, probes };
  });
  await until(async () => (await assess(whole, revoked)).status === 401);
  await sleep(CLOSED_MS);
  const latest = (seen: readonly Seen[]) => seen.at(-1)?.status;
  await until(() =>
    watches.every(({ good, probes }) => latest(good.seen) === 503 && latest(probes.seen) === 503),
  );
  const closedAt = performance.now();
  await sleep(WATCH_MS);
  for (const { client } of watches) {
    expect(problemOf(await assess(client, live))).toEqual({ status: 503, code: 'unavailable' });
    expect((await client.send({ path: '/readyz' })).status).toBe(503);
    expect((await client.send({ path: '/healthz' })).status).toBe(200);
  }
  const backAt = performance.now();
  silent.flow();
  refused.flow();
  await until(() => watches.every(({ good, bad }) => latest(good.seen) === 200 && latest(bad.seen) === 401));
  const openAt = performance.now();
  await sleep(WATCH_MS);
  const said = (seen: readonly Seen[], from: number, to = Number.POSITIVE_INFINITY) => [
    ...new Set(seen.filter(({ at }) => at >= from && at < to).map(({ status }) => status)),
  ];
  for (const { other, good, bad, probes } of watches) {
    await Promise.all([good.stop(), bad.stop(), probes.stop()]);
    other.close();
  }
  for (const { way, good, bad, probes } of watches) {
    // A request sent just before may have waited until the network was back.
    const answered = good.seen.filter(({ at, milliseconds }) => at + milliseconds < backAt);
    expect(said(answered, cutAt), way).not.toContain(200);
    expect(said(answered, closedAt), way).toEqual([503]);
    expect(said(probes.seen, closedAt, backAt), way).toEqual([503]);
    expect(said(bad.seen, cutAt), way).not.toContain(200);
    expect(said(bad.seen, openAt), way).toEqual([401]);
    expect(said(good.seen, openAt), way).toEqual([200]);
    const closed = probes.seen.find(({ status }) => status === 503);
    const open = good.seen.find(({ at, status }) => at > backAt && status === 200);
    figure(`cut-${way}`, 'not-ready-after-ms', (closed?.at ?? Number.NaN) - cutAt);
    figure(`cut-${way}`, 'first-200-after-return-ms', (open?.at ?? 0) + (open?.milliseconds ?? 0) - backAt);
    figure(`cut-${way}`, 'slowest-answer-ms', Math.max(...good.seen.map(({ milliseconds }) => milliseconds)));
  }
});

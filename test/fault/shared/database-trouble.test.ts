/** PostgreSQL that other clients keep busy, and Redis that accepts nothing: a long lock, too many connections, a slow script, a full memory. */
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Cluster, startCluster } from '../../support/cluster.ts';
import { until } from '../../support/expectations.ts';
import { expectWithin, rounds } from '../../support/long-version.ts';
import type { Planted } from '../../support/plant.ts';
import { createDatabase, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';

const PATIENCE_MS = 180_000;
const HELD_MS = rounds(700, 5_000);
const ANSWER_MS = 1_500;
const MAX_CONNECTIONS = 60;
/** The burst of the free plan, in 5 s. */
const BURST = 15;

let server: PostgresServer;
let redis: RedisServer;
let cluster: Cluster;
let databaseUrl: string;
let account: Planted;
let signups = 0;
beforeAll(async () => {
  server = await startPostgresServer({ settings: { max_connections: String(MAX_CONNECTIONS) } });
  redis = await startRedis();
  databaseUrl = await createDatabase(server.url);
  cluster = await startCluster({ databaseUrl, redisUrl: redis.url, nodes: 2 });
  account = await cluster.account();
}, PATIENCE_MS);
afterAll(async () => {
  await cluster?.end();
  await redis?.close();
  await server?.close();
});

async function assess() {
  signups += 1;
  const client = cluster.clients[signups % 2] as Cluster['clients'][0];
  const began = performance.now();
  const { status } = await client.assess(
    { email: `jo${signups}@trouble-harbour-${signups}.com` },
    account.live,
  );
  return { status, milliseconds: performance.now() - began };
}

/** Signups one after the other until the fault ends. */
async function assessUntil(isOver: () => boolean) {
  const answers: Awaited<ReturnType<typeof assess>>[] = [];
  while (!isOver()) answers.push(await assess());
  return answers;
}

const untilServed = () =>
  until(async () => (await assess()).status === 200 && (await assess()).status === 200);

async function expectTruth(): Promise<void> {
  const sql = `SELECT (SELECT used::int FROM credits WHERE account_id = $1)
    - (SELECT count(*)::int FROM assessments WHERE account_id = $1 AND mode = 'live') AS more`;
  await expect.poll(async () => (await cluster.sql<{ more: number }>(sql, [account.id]))[0]?.more).toBe(0);
}

/** Signups of a new account, on both nodes together. */
async function expectLimit(): Promise<void> {
  const { live } = await cluster.account({ plan: 'free', requestsPerSecond: null });
  const [first, second] = cluster.clients as [Cluster['clients'][0], Cluster['clients'][0]];
  const ask = (client: Cluster['clients'][0], at: number) =>
    client.assess({ email: `jo${at}@limit-harbour-${at}.com` }, live);
  const answers = await Promise.all(
    Array.from({ length: 36 }, (_, at) => ask(at % 2 === 0 ? first : second, at)),
  );
  expect(answers.filter(({ status }) => status !== 429).length).toBe(BURST);
}

/** Sends no query first: a busy server would refuse it. */
function connectPlainly(): Redis {
  const client = new Redis(redis.url, { enableReadyCheck: false });
  client.on('error', () => {});
  onTestFinished(() => client.disconnect());
  return client;
}

async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  onTestFinished(() => client.end().catch(() => {}));
  await client.connect();
  return client;
}

it('a long lock gives errors within a second, and none after it is released', {
  timeout: PATIENCE_MS,
}, async () => {
  await untilServed();
  const locker = await connectTo(databaseUrl);
  await locker.query('BEGIN; LOCK TABLE credits IN ACCESS EXCLUSIVE MODE');
  const until = performance.now() + HELD_MS;
  const answers = await assessUntil(() => performance.now() > until);
  await locker.query('ROLLBACK');
  expect(answers.filter(({ status }) => status === 200)).toEqual([]);
  for (const { milliseconds } of answers) expectWithin(milliseconds, ANSWER_MS);
  await untilServed();
  await expectTruth();
});

it('when others take all connections, nodes keep theirs, and nodes without any recover afterwards', {
  timeout: PATIENCE_MS,
}, async () => {
  await untilServed();
  const storm: pg.Client[] = [];
  for (let full = false; !full; ) {
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', () => {});
    await client.connect().then(
      () => storm.push(client),
      () => {
        full = true;
      },
    );
  }
  onTestFinished(async () => {
    await Promise.all(storm.map((client) => client.end().catch(() => {})));
  });
  await untilServed();
  // Their connections end, and new ones cannot be opened.
  const [first] = storm as [pg.Client];
  const sql = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1';
  await first.query(sql, [new URL(databaseUrl).pathname.slice(1)]);
  const end = performance.now() + HELD_MS;
  for (const { milliseconds } of await assessUntil(() => performance.now() > end))
    expectWithin(milliseconds, ANSWER_MS);
  await Promise.all(storm.splice(0).map((client) => client.end()));
  await untilServed();
  await expectTruth();
});

it.each<[string, (client: Redis) => Promise<() => Promise<unknown>>]>([
  [
    'a slow script',
    async (client) => {
      await client.config('SET', 'busy-reply-threshold', '100');
      const script = client.eval('while true do end', 0).catch(() => {});
      return async () => {
        const killer = connectPlainly();
        await killer.script('KILL');
        await script;
      };
    },
  ],
  [
    'a full memory',
    async (client) => {
      await client.config('SET', 'maxmemory', '1');
      return () => client.config('SET', 'maxmemory', '0');
    },
  ],
])(
  '%s in Redis costs no answer: nodes count alone until it is over',
  { timeout: PATIENCE_MS },
  async (_what, begin) => {
    await untilServed();
    const client = connectPlainly();
    onTestFinished(() => client.disconnect());
    const end = await begin(client);
    const answers: Awaited<ReturnType<typeof assess>>[] = [];
    await until(async () => {
      answers.push(await assess());
      return (await cluster.metric('gatehouse_counters_degraded')).every((value) => value === 1);
    });
    for (let at = 0; at < 10; at += 1) answers.push(await assess());
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    await end();
    await until(async () =>
      (await cluster.metric('gatehouse_counters_degraded')).every((value) => value === 0),
    );
    await expectTruth();
    await expectLimit();
  },
);

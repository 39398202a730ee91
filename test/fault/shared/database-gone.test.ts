/** PostgreSQL stopped, hung and slow under load: an answer within a second, no 200 without a stored signup, and no credit for an error. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../support/client.ts';
import { type Cluster, startCluster } from '../../support/cluster.ts';
import { until } from '../../support/expectations.ts';
import { figure } from '../../support/figures.ts';
import { type Asking, keepAsking, type Seen } from '../../support/keep-asking.ts';
import { idOf, settle } from '../../support/ledger.ts';
import { expectWithin, HANG_MS, IS_LONG, rounds } from '../../support/long-version.ts';
import { createDatabase, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';

import { countStatuses, type Outcome, percentile, startSteadyLoad } from '../../support/steady-load.ts';

const NODES = 2;
const PER_SECOND = rounds(30, 100);
/** Signups that are answered before the fault begins. */
const WELL = 50;
const AWAY_MS = rounds(2_000, 4_000);
/** The promise is a second; the load shares the cores with the service that it measures. */
const ANSWER_MS = 2_000;
const SLOWEST_MS = 4_000;
const BACK_MS = 5_000;
/** How long all requests must succeed before it counts as served again. */
const WATCH_MS = 1_000;
const OTHERS_EVERY_MS = 50;
const PATIENCE_MS = 180_000;

let server: PostgresServer;
let cluster: Cluster;
let running = true;
beforeAll(async () => {
  server = await startPostgresServer();
  cluster = await startCluster({ databaseUrl: await createDatabase(server.url), nodes: NODES });
}, PATIENCE_MS);
afterAll(async () => {
  await cluster?.end();
  await server?.close();
});
afterEach(async () => {
  if (!running) await server.start();
  running = true;
  server.resume();
});

const refusals = new Set(['internal_error', 'unavailable']);
const codeOf = ({ text }: Outcome) => (JSON.parse(text) as { error: { code: string } }).error.code;

/** At the end exactly the acknowledged signups are stored, and each has cost one credit. */
async function expectTruth(accountId: string, outcomes: readonly Outcome[]): Promise<void> {
  const acknowledged = outcomes.filter(({ status }) => status === 200).length;
  const readStored = () => settle(cluster, accountId, outcomes);
  await expect
    .poll(readStored, { timeout: HANG_MS, interval: 250 })
    .toEqual({ lost: [], unasked: [], records: acknowledged, credits: acknowledged });
}

/** Calls the other operations for the signup that was assessed first. */
function askOthers(
  client: Client,
  key: string,
  outcomes: readonly Outcome[],
): { name: string; asking: Asking }[] {
  const requestId = idOf(outcomes.find(({ status }) => status === 200)?.text ?? '');
  const feedback = { request_id: requestId, outcome: 'false_positive' };
  return [
    { name: 'get', asking: keepAsking(() => client.get(requestId, key), OTHERS_EVERY_MS) },
    { name: 'usage', asking: keepAsking(() => client.usage(key), OTHERS_EVERY_MS) },
    { name: 'feedback', asking: keepAsking(() => client.feedback(feedback, key), OTHERS_EVERY_MS) },
  ];
}

/** @param wellAt when all requests succeeded again */
function expectServedAgain(name: string, seen: readonly Seen[], wellAt: number): void {
  const statuses = Object.keys(countStatuses(seen));
  expect(
    statuses.filter((status) => !['200', '500', '503'].includes(status)),
    name,
  ).toEqual([]);
  expectWithin(Math.max(...seen.map(({ milliseconds }) => milliseconds)), SLOWEST_MS, name);
  const last = seen.filter(({ at }) => at > wellAt);
  if (IS_LONG) expect(countStatuses(last), name).toEqual({ 200: last.length });
  else expect(countStatuses(last)[200], name).toBeGreaterThan(0);
}

/** For a while, each node answered every signup, and each other operation succeeded. */
function isServedAgain(
  outcomes: readonly Outcome[],
  others: readonly { readonly asking: Asking }[],
): boolean {
  const since = performance.now() - WATCH_MS;
  const recent = outcomes.filter(({ sentAt }) => sentAt > since);
  const isWell = (seen: readonly Pick<Seen, 'status'>[]) =>
    seen.length > 0 && seen.every(({ status }) => status === 200);
  return (
    Array.from({ length: NODES }, (_, at) => recent.filter(({ node }) => node === at)).every(isWell) &&
    others.every(({ asking }) => isWell(asking.seen.filter(({ at }) => at > since)))
  );
}

const STOPPED = {
  fault: 'database-stopped',
  go: async () => {
    running = false;
    await server.stop('immediate');
  },
  comeBack: async () => {
    await server.start();
    running = true;
  },
};
const HUNG = {
  fault: 'database-hung',
  go: async () => server.pause(),
  comeBack: async () => server.resume(),
};

describe.each([STOPPED, HUNG])('$fault', ({ fault, go, comeBack }) => {
  it(
    'gives errors within a second and charges nothing; all requests succeed again when it is back',
    async () => {
      const { id, live } = await cluster.account();
      const load = startSteadyLoad({ clients: cluster.clients, key: live, perSecond: PER_SECOND });
      const [client] = cluster.clients as [Client];
      const good = () => load.outcomes.filter(({ status }) => status === 200).length;
      await expect.poll(good, { timeout: PATIENCE_MS / 2, interval: 25 }).toBeGreaterThan(WELL);
      const others = askOthers(client, live, load.outcomes);
      const goneAt = performance.now();
      await go();
      await sleep(AWAY_MS);
      const backAt = performance.now();
      await comeBack();
      const upAt = performance.now();
      await until(() => isServedAgain(load.outcomes, others));
      const wellAt = performance.now() - WATCH_MS;
      await Promise.all([load.stop(), ...others.map(({ asking }) => asking.stop())]);

      const { outcomes } = load;
      const during = outcomes.filter(({ sentAt }) => sentAt > goneAt && sentAt < backAt);
      const failed = outcomes.filter(({ status }) => status !== 200);
      const statuses = countStatuses(outcomes);
      expect(Object.keys(statuses).filter((status) => !['200', '500', '503'].includes(status))).toEqual([]);
      expect(statuses[500]).toBeGreaterThan(0);
      for (const failure of failed) expect(refusals).toContain(codeOf(failure));
      expectWithin(percentile(outcomes, 0.99), ANSWER_MS, 'p99');
      expectWithin(percentile(outcomes, 1), SLOWEST_MS, 'the slowest');
      const firstGood = Array.from({ length: NODES }, (_, node) =>
        Math.min(
          ...outcomes
            .filter((answer) => answer.node === node && answer.status === 200 && answer.sentAt > upAt)
            .map(({ sentAt, milliseconds }) => sentAt + milliseconds),
        ),
      );
      const backMs = Math.max(...firstGood) - upAt;
      expectWithin(backMs, BACK_MS, 'until it is served again');
      // A busy machine may be late again; `isServedAgain` has seen a whole second without an error.
      if (IS_LONG) expect(failed.filter(({ sentAt }) => sentAt > wellAt)).toEqual([]);
      for (const { name, asking } of others) expectServedAgain(name, asking.seen, wellAt);
      await expectTruth(id, outcomes);
      for (const node of cluster.nodes) process.kill(node.pid, 0);

      const first500 = failed.find(({ status }) => status === 500);
      figure(fault, 'first-500-ms', first500?.milliseconds ?? Number.NaN);
      figure(fault, 'slowest-answer-ms', percentile(during, 1));
      const reads = others.flatMap(({ asking }) => asking.seen.map(({ milliseconds }) => milliseconds));
      figure(fault, 'slowest-other-operation-ms', Math.max(...reads));
      figure(fault, 'answers-500', statuses[500] ?? 0);
      figure(fault, 'answers-503', statuses[503] ?? 0);
      figure(fault, 'first-200-after-return-ms', backMs);
    },
    PATIENCE_MS,
  );
});

describe('database-slow', () => {
  const CALLERS = 300;
  const PAUSE_MS = 30;
  const CYCLES = 8;
  const STOPPED_MS = 800;
  const GOING_MS = 80;
  /** Requests in progress cost memory; waiting ones are limited. */
  const MORE_MB = 200;

  const resident = async () =>
    ((await cluster.metric('gatehouse_process_resident_memory_bytes'))[0] as number) / 2 ** 20;

  it(
    'refuses signups above its capacity as unavailable, in bounded memory, and charges nothing for them',
    async () => {
      const { id, live } = await cluster.account();
      const [node] = cluster.nodes as [Cluster['nodes'][0]];
      const client = createClient(node.url, live);
      const before = await resident();
      const outcomes: Outcome[] = [];
      let stop = false;
      let peak = before;
      const callers = Array.from({ length: CALLERS }, async (_, caller) => {
        for (let turn = 0; !stop; turn += 1) {
          outcomes.push(await signUp(client, `${caller}-${turn}`));
          await sleep(PAUSE_MS);
        }
      });
      const isRefused = () => outcomes.some(({ status }) => status === 503);
      for (let cycle = 0; cycle < CYCLES || !isRefused(); cycle += 1) {
        server.pause();
        await sleep(STOPPED_MS);
        peak = Math.max(peak, await resident());
        server.resume();
        await sleep(GOING_MS);
      }
      const backAt = performance.now();
      stop = true;
      await Promise.all(callers);
      const again = await signUp(client, 'again');
      outcomes.push(again);
      client.close();

      const statuses = countStatuses(outcomes);
      expect(again.status).toBe(200);
      expectWithin(performance.now() - backAt, BACK_MS, 'until it is served again');
      expect(statuses[503]).toBeGreaterThan(0);
      expect(statuses[200]).toBeGreaterThan(0);
      expect(Object.keys(statuses).filter((status) => !['200', '500', '503'].includes(status))).toEqual([]);
      expectWithin(percentile(outcomes, 0.99), ANSWER_MS, 'p99');
      expectWithin(percentile(outcomes, 1), SLOWEST_MS, 'the slowest');
      expect(peak - before).toBeLessThan(MORE_MB);
      await expectTruth(id, outcomes);

      figure('database-slow', 'answers-200', statuses[200] ?? 0);
      figure('database-slow', 'answers-500', statuses[500] ?? 0);
      figure('database-slow', 'answers-503', statuses[503] ?? 0);
      figure('database-slow', 'slowest-answer-ms', percentile(outcomes, 1));
      figure('database-slow', 'memory-before-mb', before);
      figure('database-slow', 'memory-most-mb', peak);
    },
    PATIENCE_MS,
  );

  async function signUp(client: Client, name: string): Promise<Outcome> {
    const sentAt = performance.now();
    const body = { email: `${name}@slow-harbour.com` };
    const { status, text } = await client.assess(body).catch(() => ({ status: 0, text: '' }));
    return { node: 0, sentAt, milliseconds: performance.now() - sentAt, status, text };
  }
});

/** Valkey or Redis stopped, hung and emptied under load: no answer is lost, no extra credit is given, and all counts come back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Assessment } from '../../../src/contract/messages.ts';
import { evidenceOf } from '../../../src/signup/rebuild-answer.ts';
import type { StoredAssessment } from '../../../src/store/stored-assessment.ts';
import type { Answer } from '../../support/client.ts';
import { type Cluster, startCluster } from '../../support/cluster.ts';
import { until } from '../../support/expectations.ts';
import { figure } from '../../support/figures.ts';
import { readStored, settle } from '../../support/ledger.ts';
import { expectWithin, HANG_MS, IS_LONG, rounds } from '../../support/long-version.ts';
import type { Planted } from '../../support/plant.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import { PATIENT_STORE } from '../../support/running-service.ts';
import { countStatuses, type Outcome, percentile, startSteadyLoad } from '../../support/steady-load.ts';

const NODES = 2;
const PER_SECOND = rounds(30, 100);
const WELL_MS = rounds(500, 1_500);
const AWAY_MS = rounds(1_500, 4_000);
const BACK_MS = 1_500;
const PATIENCE_MS = 180_000;
/** The burst of the free plan in 5 s. */
const BURST = 15;
/** Enough that some are refused, but few enough that even a busy machine answers them within a window. */
const MANY = rounds(36, 100);

let redis: RedisServer;
let cluster: Cluster;
beforeAll(async () => {
  redis = await startRedis();
  cluster = await startCluster({
    redisUrl: redis.url,
    nodes: NODES,
    // These tests are about counting; on a busy machine a commit may be late.
    ...(!IS_LONG && { program: PATIENT_STORE }),
  });
}, PATIENCE_MS);
afterAll(async () => {
  await cluster?.end();
  await redis?.close();
});
let away = false;
afterEach(async () => {
  redis.resume();
  if (away) await redis.restart();
  away = false;
});

let signups = 0;
/** One attempt from an IP, to each node in turn. */
function attempt(key: string, ip: string): Promise<Answer<Assessment>> {
  signups += 1;
  const client = cluster.clients[signups % NODES] as Cluster['clients'][0];
  return client.assess({ email: `jo${signups}@outage-harbour-${signups}.com`, ip }, key);
}
const attempts = (count: number, key: string, ip: string) =>
  Promise.all(Array.from({ length: count }, () => attempt(key, ip)));

async function partialOf({ json }: Pick<Answer<Assessment>, 'json'>): Promise<boolean> {
  const [stored] = await readStored(cluster.sql, [json.request_id]);
  return evidenceOf(stored as StoredAssessment).velocity.partial;
}

const degraded = () => cluster.metric('gatehouse_counters_degraded');

/** Milliseconds until a node counts with the others again, and all of the `before` attempts are counted. */
async function untilWhole(key: string, ip: string, before: number): Promise<number> {
  const began = performance.now();
  let count = before;
  let whole = 0;
  while (whole < NODES) {
    const answer = await attempt(key, ip);
    count += 1;
    const exact = answer.json.signals.velocity.ip_signups_24h === count;
    whole = exact && !(await partialOf(answer)) ? whole + 1 : 0;
    if (performance.now() - began > HANG_MS)
      throw new Error(`after ${HANG_MS} ms ${answer.text} is not number ${count}`);
  }
  return performance.now() - began;
}

const STOPPED = {
  fault: 'counters-stopped',
  go: async () => {
    away = true;
    await redis.kill();
  },
  comeBack: async () => {
    await redis.restart();
    away = false;
  },
};
const HUNG = {
  fault: 'counters-hung',
  go: async () => redis.pause(),
  comeBack: async () => redis.resume(),
};

describe.each([STOPPED, HUNG])('$fault', ({ fault, go, comeBack }) => {
  let steady: Planted;
  let capped: Planted;
  let free: Planted;
  beforeAll(async () => {
    await until(async () => (await degraded()).every((value) => value === 0));
    [steady, capped, free] = await Promise.all([
      cluster.account(),
      cluster.account({ monthlyQuota: 40 }),
      cluster.account({ plan: 'free', requestsPerSecond: null }),
    ]);
  });

  it(
    'keeps every answer and exact credits; marks counts as incomplete, and completes them afterwards',
    async () => {
      const ip = '81.20.2.1';
      const first = await attempts(3, capped.live, ip);
      const load = startSteadyLoad({ clients: cluster.clients, key: steady.live, perSecond: PER_SECOND });
      await sleep(WELL_MS);
      const well = [...load.outcomes];
      const goneAt = performance.now();
      await go();
      await until(async () => (await degraded()).every((value) => value === 1));
      const marked = await attempts(4, capped.live, ip);
      for (const answer of marked) {
        expect(answer.status).toBe(200);
        expect(await partialOf(answer)).toBe(true);
      }
      const burst = await attempts(MANY, free.live, '81.20.2.2');
      expect(countStatuses(burst)).toEqual({ 200: NODES * BURST, 429: MANY - NODES * BURST });
      const last = await attempts(60, capped.live, '81.20.2.3');
      expect(countStatuses(last)).toEqual({ 200: 33, 429: 27 });
      await sleep(Math.max(0, AWAY_MS - (performance.now() - goneAt)));

      await cluster.installation.json('account', 'set', capped.id, '--monthly-quota', '10000');
      const limits = () =>
        Promise.all(
          cluster.clients.map(async (client) => (await client.usage(capped.live)).json.assessments_limit),
        );
      await until(async () => (await limits()).every((limit) => limit === 10_000));
      await comeBack();
      const backMs = await untilWhole(capped.live, ip, first.length + marked.length);
      await load.stop();

      const during = load.outcomes.filter(({ sentAt }) => sentAt > goneAt && sentAt < goneAt + AWAY_MS);
      expectAnswered(load.outcomes);
      expect(during.length).toBeGreaterThan(0);
      const truth = async () => {
        const { lost, unasked, records, credits } = await settle(cluster, steady.id, load.outcomes);
        return { lost, unasked, more: credits - records };
      };
      // A signup that was late was answered with an error, and is undone a moment later.
      await expect.poll(truth).toEqual({ lost: [], unasked: [], more: 0 });
      expectWithin(backMs, BACK_MS, 'until all is counted again');
      tellFigures(fault, well, during, backMs);
    },
    PATIENCE_MS,
  );
});

/** All signups in the long version; on a busy machine a commit may be late, which is an error that charges nothing. */
function expectAnswered(outcomes: readonly Outcome[]): void {
  const late = IS_LONG ? [] : [500, 503];
  expect(outcomes.filter(({ status }) => ![200, ...late].includes(status))).toEqual([]);
}

function tellFigures(fault: string, well: Outcome[], during: Outcome[], backMs: number): void {
  figure(fault, 'p99-before-ms', percentile(well, 0.99));
  figure(fault, 'p99-during-ms', percentile(during, 0.99));
  figure(fault, 'slowest-during-ms', percentile(during, 1));
  figure(fault, 'errors-5xx', during.filter(({ status }) => status >= 500 || status === 0).length);
  figure(fault, 'whole-after-return-ms', backMs);
}

describe('counters that were emptied', () => {
  /** Two new accounts sign up from one IP, the counters are emptied, and both continue. */
  async function countAfterEmptying() {
    await until(async () => (await degraded()).every((value) => value === 0));
    const [{ id, live }, other] = await Promise.all([
      cluster.account({ monthlyQuota: 60 }),
      cluster.account(),
    ]);
    const ip = '81.20.3.1';
    const before = [...(await attempts(50, live, ip)), ...(await attempts(10, other.live, ip))];
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    const began = performance.now();
    const answer = await attempt(live, ip);
    const first = performance.now() - began;
    const next = await attempts(5, live, ip);
    const burst = await attempts(50, live, ip);
    const ofOther = await attempt(other.live, ip);
    const counted = [...before, answer, ...next, ...burst, ofOther].filter(({ status }) => status === 200);
    return { id, first, answer, next, burst, ofOther, counted };
  }

  async function someArePartial(answers: readonly Answer<Assessment>[]): Promise<boolean> {
    const partial = await Promise.all(answers.map(partialOf));
    return partial.includes(true);
  }

  it(
    'are restored from stored signups: velocity and quota continue',
    async () => {
      let seen = await countAfterEmptying();
      // On a busy machine a counter may be late for a signup, which is then counted with the data of its node.
      while (!IS_LONG && (await someArePartial(seen.counted))) seen = await countAfterEmptying();
      const { id, first, answer, next, burst, ofOther } = seen;
      expect(answer.json.signals.velocity).toMatchObject({ ip_signups_1h: 51, ip_signups_24h: 51 });
      expect(answer.headers['x-quota-used']).toBe('51');
      expect(await partialOf(answer)).toBe(false);
      const counts = next.map(({ json }) => json.signals.velocity.ip_signups_24h);
      expect(counts.toSorted((a, b) => a - b)).toEqual([52, 53, 54, 55, 56]);
      expect(countStatuses(burst)).toEqual({ 200: 4, 429: 46 });
      expect(ofOther.json.signals.velocity.ip_signups_24h).toBe(11);
      const [{ used } = { used: 0 }] = await cluster.sql<{ used: number }>(
        'SELECT used::int FROM credits WHERE account_id = $1',
        [id],
      );
      expect(used).toBe(60);
      figure('counters-emptied', 'first-answer-ms', first);
    },
    PATIENCE_MS,
  );
});

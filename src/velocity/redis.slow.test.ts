/** Counters that nodes share: the same counts on all nodes while the server answers, and each node alone while it does not. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { atOnce } from '../../test/support/at-once.ts';
import { until } from '../../test/support/expectations.ts';
import { expectWithin } from '../../test/support/long-version.ts';
import { SERVER_PROPERTY_RUNS } from '../../test/support/property-runs.ts';
import { type RedisCluster, startRedisCluster } from '../../test/support/redis-cluster.ts';
import { type RedisServer, startRedis } from '../../test/support/redis-server.ts';
import { openSharedCounters, PATIENT, restoreBy } from '../../test/support/shared-counters.ts';
import { sharedRedisUrl } from '../../test/support/shared-servers.ts';
import { createFingerprint } from '../address/fingerprint.ts';
import { readRedisUrl } from '../config/redis-url.ts';
import type { RedisServers } from '../model/redis-servers.ts';
import type { VelocityEvent } from '../model/velocity-event.ts';
import { describeCounters } from './counters.suite.ts';
import type { CountRequest, CreditClaim } from './counters.ts';
import { connect } from './redis/connect.ts';
import type { SharedCounters, SharedCountersOptions } from './redis/redis.ts';
import { createRedisCounters } from './redis/redis-counters.ts';

const redisUrl = await sharedRedisUrl();

const WINDOW = { windowMs: 5000, admits: 1_000_000 };
let serial = 0;

type Counted = Awaited<ReturnType<SharedCounters['checkAndCount']>>;

/** Content of the store. */
let stored: VelocityEvent[] = [];
let used = 0;
/** The store answers once this resolves. */
let storeAnswers = Promise.resolve();
let readings: string[] = [];
async function* liveAttempts(since: number, account: string) {
  readings.push(account);
  await storeAnswers;
  yield stored.filter((attempt) => attempt.account === account && attempt.at > since);
}

const changes: boolean[] = [];
const open: SharedCounters[] = [];
async function node(url: string, options: Partial<SharedCountersOptions> = {}): Promise<SharedCounters> {
  const counters = await openSharedCounters(url, {
    prefix: 'test:',
    liveAttempts,
    creditsUsed: async () => used,
    onDegraded: (degraded) => changes.push(degraded),
    ...options,
  });
  open.push(counters);
  return counters;
}

beforeEach(() => {
  stored = [];
  used = 0;
  storeAnswers = Promise.resolve();
  readings = [];
  changes.length = 0;
});
afterEach(async () => {
  for (const counters of open.splice(0)) await counters.close();
});

/** A signup now, from one network, at one domain, with its own address. */
function signup(account: string, change: Partial<VelocityEvent> = {}): VelocityEvent {
  serial += 1;
  return {
    id: `req_${serial}`,
    account,
    at: Date.now(),
    network: '203.0.113.7',
    domain: 'example.com',
    addressHash: `address-${serial}`,
    mailbox: `address-${serial}`,
    ...change,
  };
}

function arrivalOf(
  attempt: VelocityEvent,
  credit: CreditClaim | null = null,
  admits = WINDOW.admits,
): CountRequest {
  return { bucket: `${attempt.account}:live`, window: { ...WINDOW, admits }, credit, event: attempt };
}

const arrive = async (counters: SharedCounters, attempt: VelocityEvent) =>
  counters.checkAndCount(arrivalOf(attempt));
const countsOf = async (counters: SharedCounters, attempt: VelocityEvent) =>
  (await arrive(counters, attempt)).counted?.counts;
const newAccount = () => {
  serial += 1;
  return `acc_${serial}`;
};

describeCounters(
  'shared',
  async () => {
    serial += 1;
    const prefix = `shared${process.pid}-${serial}:`;
    const client = connect(readRedisUrl(redisUrl) as RedisServers);
    await new Promise((resolve) => client.once('ready', resolve));
    const fingerprint = createFingerprint(Buffer.alloc(32));
    const maxAttemptsPerAccount = 1_048_576;
    const redis = createRedisCounters({ connection: { client }, prefix, maxAttemptsPerAccount, fingerprint });
    return {
      counters: { ...(await node(redisUrl, { ...PATIENT, prefix })), restore: restoreBy(redis) },
      close: async () => client.disconnect(),
    };
  },
  SERVER_PROPERTY_RUNS,
);

describe('a cluster', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.close());

  it('counts every account on its own server', async () => {
    const counters = await node(cluster.url, PATIENT);
    for (let number = 0; number < 30; number += 1) {
      const account = newAccount();
      const credit = { month: '2026-05', cap: 2, used: 0, exact: false };
      expect((await counters.checkAndCount(arrivalOf(signup(account), credit))).credit).toBe('reserved');
      const second = await counters.checkAndCount(arrivalOf(signup(account), credit));
      expect(second.counted?.counts).toMatchObject({ network1h: 2, domain24h: 2, partial: false });
      await second.counted?.undo();
      expect(await countsOf(counters, signup(account))).toMatchObject({ network1h: 2, domain24h: 2 });
      expect((await counters.peek(`${account}:live`, WINDOW, Date.now())).remaining).toBe(WINDOW.admits - 3);
    }
    const keyCounts = await Promise.all(cluster.nodes.map(({ url }) => keysAt(url)));
    expect(keyCounts.every((keys) => keys > 0)).toBe(true);
  });

  it('continues on the other servers when one is gone', { timeout: 90_000 }, async () => {
    const counters = await node(cluster.url);
    const accounts = Array.from({ length: 30 }, newAccount);
    for (const account of accounts) await arrive(counters, signup(account));
    await cluster.nodes[1]?.kill();
    const partial = async () => {
      const all = await Promise.all(accounts.map((account) => countsOf(counters, signup(account))));
      return all.filter((counts) => counts?.partial).length;
    };
    await expect.poll(partial, { timeout: 90_000 }).toBeGreaterThan(0);
    expect(await partial()).toBeLessThan(25);
  });
});

describe('several nodes', () => {
  it('admit exactly the burst, whichever node the requests reach', async () => {
    const nodes = await Promise.all([
      node(redisUrl, PATIENT),
      node(redisUrl, PATIENT),
      node(redisUrl, PATIENT),
    ]);
    const account = newAccount();
    const all = await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        nodes[at % 3]?.checkAndCount(arrivalOf(signup(account), null, 30)),
      ),
    );
    const admitted = all.filter((arrived) => arrived?.rate?.admitted);
    expect(admitted).toHaveLength(30);
    const counts = admitted.map((arrived) => arrived?.counted?.counts.network1h as number);
    expect(counts.every((count) => count <= 30)).toBe(true);
    expect(await countsOf(nodes[0] as SharedCounters, signup(account))).toMatchObject({
      network1h: 31,
      domain24h: 31,
      partial: false,
    });
  });

  it('reserve no more credits than there are, and return unused ones', async () => {
    const [nodeA, nodeB] = [await node(redisUrl, PATIENT), await node(redisUrl, PATIENT)];
    const account = newAccount();
    const claim = (known: number, exact = false) => ({ month: '2026-05', cap: 10, used: known, exact });
    const ask = (counters: SharedCounters, credit: CreditClaim) =>
      counters.checkAndCount(arrivalOf(signup(account), credit));
    used = 8;
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, at) => ask(at % 2 ? nodeA : nodeB, claim(8))),
    );
    const reserved = all.filter(({ credit }) => credit === 'reserved');
    expect(reserved).toHaveLength(2);
    expect(all.filter(({ credit }) => credit === 'refused')).toHaveLength(38);
    expect(await countsOf(nodeA, signup(account))).toMatchObject({ network1h: 3 });
    await reserved[0]?.counted?.undo();
    await reserved[0]?.counted?.undo();
    expect((await ask(nodeB, claim(8))).credit).toBe('reserved');
    expect((await ask(nodeB, claim(8))).credit).toBe('refused');
    // The store reports more credits left than expected, and then fewer.
    expect((await ask(nodeA, claim(8, true))).credit).toBe('reserved');
    expect((await ask(nodeB, claim(9))).credit).toBe('reserved');
    expect((await ask(nodeB, claim(0))).credit).toBe('refused');
  });
});

describe('the stored attempts of an account', () => {
  it('are counted once, by the first caller', async () => {
    const server = await startRedis();
    onTestFinished(server.close);
    const [nodeA, nodeB] = [await node(server.url, PATIENT), await node(server.url, PATIENT)];
    let answer = () => {};
    storeAnswers = new Promise((resolve) => {
      answer = resolve;
    });
    const account = newAccount();
    stored = [1, 2, 3].map((ago) => signup(account, { at: Date.now() - ago * 60_000 }));
    stored.push(signup(account, { at: Date.now() - 2 * 3_600_000, network: null }));
    used = 7;
    const credit = { month: '2026-05', cap: 100, used: 0, exact: false };
    const both = [nodeA, nodeB].map((counters) => counters.checkAndCount(arrivalOf(signup(account), credit)));
    // The second caller checks whether the first one is done.
    const isPolling = async () =>
      /^cmdstat_hexists:/m.test(`${await command(server.url, 'INFO commandstats')}`);
    await until(isPolling);
    answer();
    const [first, second] = (await Promise.all(both)) as [Counted, Counted];
    const counts = [first.counted?.counts, second.counted?.counts];
    expect(counts.map((each) => each?.partial)).toEqual([false, false]);
    expect(await countsOf(nodeA, signup(account))).toEqual({
      network1h: 6,
      network24h: 6,
      domain1h: 6,
      domain24h: 7,
      mailbox24h: 1,
      partial: false,
    });
    expect(readings).toEqual([account]);
  });

  it('are counted again after the server was emptied', async () => {
    const server = await startRedis();
    const counters = await node(server.url, PATIENT);
    const account = newAccount();
    for (let count = 0; count < 4; count += 1) {
      const attempt = signup(account);
      await arrive(counters, attempt);
      stored.push(attempt);
    }
    await command(server.url, 'FLUSHALL');
    expect(await countsOf(counters, signup(account))).toMatchObject({ network1h: 5, partial: false });
    await server.close();
  });

  it('delay callers only briefly: counts are partial until the attempts are loaded', async () => {
    const counters = await node(redisUrl, { deadlineMs: PATIENT.deadlineMs });
    const account = newAccount();
    stored = [signup(account)];
    let answer = () => {};
    storeAnswers = new Promise((resolve) => {
      answer = resolve;
    });
    const started = performance.now();
    expect(await countsOf(counters, signup(account))).toMatchObject({ network1h: 1, partial: true });
    expectWithin(performance.now() - started, 350);
    const again = performance.now();
    expect(await countsOf(counters, signup(account))).toMatchObject({ partial: true });
    expectWithin(performance.now() - again, 100);
    answer();
    let counts: Awaited<ReturnType<typeof countsOf>>;
    let attempts = stored.length + 2;
    await until(async () => {
      counts = await countsOf(counters, signup(account));
      attempts += 1;
      return counts?.partial === false;
    });
    expect(counts?.network1h).toBe(attempts);
  });
});

describe('a hot account', () => {
  it('forgets its oldest attempts, and marks counts as partial', async () => {
    const prefix = `hot${serial}:`;
    const counters = await node(redisUrl, { ...PATIENT, maxAttemptsPerAccount: 128, prefix });
    const account = newAccount();
    const at = Date.now() - 3_600_000;
    let counts: Awaited<ReturnType<typeof countsOf>>;
    for (let ms = 0; ms < 400; ms += 1) {
      counts = await countsOf(counters, signup(account, { at: at + ms }));
      if (ms < 126 || ms > 130) expect(counts?.partial).toBe(ms > 126);
    }
    expect(counts?.network24h).toBeGreaterThan(100);
    expect(counts?.network24h).toBeLessThanOrEqual(128);
    expect(counts?.domain24h).toBe(counts?.network24h);
  });

  it('does not affect other accounts, however many new keys it sends', async () => {
    const prefix = `flood${serial}:`;
    const counters = await node(redisUrl, { ...PATIENT, maxAttemptsPerAccount: 128, prefix });
    const [hot, quiet] = [newAccount(), newAccount()];
    const at = Date.now() - 3_600_000;
    for (let ms = 0; ms < 1_000; ms += 1) {
      const own = { network: `network-${ms}`, domain: `${ms}.example` };
      const flood = await countsOf(counters, signup(hot, { ...own, at: at + ms }));
      if (ms > 130) expect(flood?.partial).toBe(true);
      if (ms % 100 !== 0) continue;
      const seen = ms / 100 + 1;
      expect(await countsOf(counters, signup(quiet, { at: at + ms }))).toMatchObject({
        network24h: seen,
        domain24h: seen,
        partial: false,
      });
    }
  });
});

describe('without the server', () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await startRedis();
  });
  afterEach(() => server.close());

  const untilComplete = (counters: SharedCounters, account: string) =>
    expect
      .poll(async () => (await countsOf(counters, signup(account)))?.partial, {
        interval: 50,
        timeout: 90_000,
      })
      .toBe(false);

  it('each node counts alone and marks counts as partial; when the server is back, nothing is missing', async () => {
    const [nodeA, nodeB] = [await node(server.url, PATIENT), await node(server.url, PATIENT)];
    const account = newAccount();
    const store = async (counters: SharedCounters) => {
      const attempt = signup(account);
      const { counted, rate } = await arrive(counters, attempt);
      expect(rate?.admitted).toBe(true);
      stored.push(attempt);
      return counted?.counts;
    };
    expect(await store(nodeA)).toMatchObject({ network1h: 1, partial: false });
    expect(await store(nodeB)).toMatchObject({ network1h: 2, partial: false });
    await server.kill();
    expect(await store(nodeA)).toMatchObject({ network1h: 2, partial: true });
    expect(await store(nodeB)).toMatchObject({ network1h: 2, partial: true });
    const undone = await arrive(nodeB, signup(account));
    const started = performance.now();
    for (let count = 0; count < 50; count += 1)
      expect(await atOnce(nodeA.peek(`${account}:live`, WINDOW, Date.now()))).not.toBe('waits');
    expectWithin(performance.now() - started, 50);
    expect(changes).toEqual([true, true]);
    await undone.counted?.undo();
    await server.restart();
    const returned = performance.now();
    await expect.poll(() => changes.length, { interval: 20 }).toBe(4);
    expectWithin(performance.now() - returned, 1_500);
    expect(await store(nodeA)).toMatchObject({ network1h: 5, domain24h: 5, partial: false });
    expect(await store(nodeB)).toMatchObject({ network1h: 6, domain24h: 6, partial: false });
  });

  it('what was blocked while the server was away is so on every node when it is back', async () => {
    const [nodeA, nodeB] = [await node(server.url, PATIENT), await node(server.url, PATIENT)];
    const account = newAccount();
    const of = async (counters: SharedCounters, network: string) => {
      const attempt = signup(account, { network });
      const { counted } = await arrive(counters, attempt);
      stored.push(attempt);
      return counted;
    };
    for (let made = 0; made < 5; made += 1) await (await of(nodeA, `192.0.2.${made}`))?.markBlocked();
    stored = stored.map((attempt) => ({ ...attempt, blocked: true }));
    const before = await of(nodeA, '192.0.2.10');
    expect((await of(nodeB, '198.51.100.1'))?.voices.domainVoices1h()).toMatchObject({ all: 7, blocked: 5 });
    await server.kill();
    await before?.markBlocked();
    await (await of(nodeA, '192.0.2.11'))?.markBlocked();
    const late = await of(nodeA, '192.0.2.12');
    await server.restart();
    await expect.poll(() => changes.length, { interval: 20 }).toBe(2);
    await expect
      .poll(async () => (await of(nodeB, '198.51.100.1'))?.voices.domainVoices1h(), { interval: 100 })
      .toMatchObject({ all: 9, blocked: 7 });
    await late?.markBlocked();
    expect((await of(nodeB, '198.51.100.1'))?.voices.domainVoices1h()).toMatchObject({ all: 9, blocked: 8 });
  });

  it('an account that the server has lost is rebuilt with what was blocked', async () => {
    const account = newAccount();
    stored = Array.from({ length: 9 }, (_, number) =>
      signup(account, { network: `192.0.2.${number}`, blocked: number < 4, named: number % 2 === 0 }),
    );
    const { counted } = await arrive(await node(server.url, PATIENT), signup(account));
    expect(counted?.voices.domainVoices1h()).toMatchObject({ all: 10, blocked: 4, named: 3 });
  });

  it('a server that hangs delays requests by 0.1 s, and later ones not at all', async () => {
    const counters = await node(server.url);
    const account = newAccount();
    await arrive(counters, signup(account));
    server.pause();
    const started = performance.now();
    const all = await Promise.all(Array.from({ length: 5 }, () => countsOf(counters, signup(account))));
    expectWithin(performance.now() - started, 300);
    expect(all.every((counts) => counts?.partial)).toBe(true);
    expect(await counters.checkAndCount(arrivalOf(signup(account)))).toMatchObject({ credit: 'unknown' });
    expect(await atOnce(counters.checkAndCount(arrivalOf(signup(account))))).not.toBe('waits');
    server.resume();
    const resumed = performance.now();
    await untilComplete(counters, account);
    expectWithin(performance.now() - resumed, 1_500);
    expect((await countsOf(counters, signup(account)))?.network1h).toBeGreaterThanOrEqual(9);
  });

  it.each([
    ['is out of memory', 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'],
    ['became a replica', 'REPLICAOF 127.0.0.1 1', 'REPLICAOF NO ONE'],
  ])('a server that %s counts as unavailable until it works again', async (_name, breaking, repair) => {
    const counters = await node(server.url, PATIENT);
    const account = newAccount();
    expect(await countsOf(counters, signup(account))).toMatchObject({ partial: false });
    await command(server.url, breaking);
    expect(await countsOf(counters, signup(account))).toMatchObject({ network1h: 2, partial: true });
    await sleep(500);
    expect(await countsOf(counters, signup(account))).toMatchObject({ network1h: 3, partial: true });
    await command(server.url, repair);
    await untilComplete(counters, account);
  });

  it('if the database in the URL does not exist, this is reported, and nothing is counted in another database', async () => {
    const reasons: string[] = [];
    const onDegraded = (_degraded: boolean, why: string) => reasons.push(why);
    const counters = await node(`${redisUrl}/999`, { onDegraded, prefix: 'nowhere:' });
    for (let round = 0; round < 4; round += 1) {
      expect((await arrive(counters, signup('acc'))).credit).toBe('unknown');
      await sleep(100);
    }
    expect(reasons).toEqual([expect.stringContaining('DB index is out of range')]);
    const client = new Redis(redisUrl);
    expect(await client.keys('nowhere:*')).toEqual([]);
    client.disconnect();
  });

  it('if a server refuses the password or does not run, the reason is reported', async () => {
    const reasonsAt = async (url: string) => {
      const reasons: string[] = [];
      await node(url, { onDegraded: (_degraded, why) => reasons.push(why) });
      return reasons;
    };
    await command(server.url, 'CONFIG SET requirepass right');
    const refused = await Promise.all([server.url.replace('//', '//:wrong@'), server.url].map(reasonsAt));
    expect(refused).toEqual([[expect.stringContaining('WRONGPASS')], [expect.stringContaining('NOAUTH')]]);
    await server.kill();
    expect(await reasonsAt(server.url)).toEqual([expect.stringContaining('ECONNREFUSED')]);
  });

  it('the service starts without the server, and uses it as soon as it runs', async () => {
    await server.kill();
    const started = performance.now();
    const counters = await node(server.url, PATIENT);
    expectWithin(performance.now() - started, 2_500);
    expect(changes).toEqual([true]);
    const account = newAccount();
    expect(await countsOf(counters, signup(account))).toMatchObject({ network1h: 1, partial: true });
    await server.restart();
    await untilComplete(counters, account);
    expect(changes).toEqual([true, false]);
  });
});

async function keysAt(url: string): Promise<number> {
  const redis = new Redis(url);
  return redis.dbsize().finally(() => redis.disconnect());
}

async function command(url: string, text: string): Promise<unknown> {
  const redis = new Redis(url);
  const [name = '', ...args] = text.split(' ');
  return redis.call(name, ...args).finally(() => redis.disconnect());
}

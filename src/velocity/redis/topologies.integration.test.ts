/** Each way to reach the shared counters, with real servers, and the message if something else answers at the address. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { find } from '../../../scripts/system-package.mjs';
import { HANG_MS } from '../../../test/support/long-version.ts';
import { isSkipped } from '../../../test/support/missing-programs.ts';
import { type RedisCluster, startRedisCluster } from '../../../test/support/redis-cluster.ts';
import { startRedisWithSentinel } from '../../../test/support/redis-sentinel.ts';
import { freePort, type RedisServer, startRedis } from '../../../test/support/redis-server.ts';
import { openSharedCounters } from '../../../test/support/shared-counters.ts';
import { sharedPostgresUrl } from '../../../test/support/shared-servers.ts';
import type { VelocityEvent } from '../../model/velocity-event.ts';
import type { SharedCounters } from './redis.ts';

interface DegradedReport {
  readonly degraded: boolean;
  readonly why: string;
  readonly advice: string;
}

const openssl = find(['openssl']);
let serial = 0;
const stored: VelocityEvent[] = [];
const opened: { close(): Promise<void> }[] = [];
const servers: { close(): unknown }[] = [];
afterAll(async () => {
  for (const counters of opened) await counters.close();
  for (const server of servers) await server.close();
});

async function* liveAttempts(since: number, account: string) {
  yield stored.filter((attempt) => attempt.account === account && attempt.at > since);
}

async function node(url: string): Promise<{ counters: SharedCounters; reports: DegradedReport[] }> {
  const reports: DegradedReport[] = [];
  const counters = await openSharedCounters(url, {
    prefix: 'topology:',
    liveAttempts,
    patienceMs: 10_000,
    deadlineMs: 1_000,
    onDegraded: (degraded, why, advice) => reports.push({ degraded, why, advice }),
    onFurtherReason: (why, advice) => reports.push({ degraded: true, why, advice }),
  });
  opened.push(counters);
  return { counters, reports };
}

async function arrive(counters: SharedCounters, account: string) {
  serial += 1;
  const attempt: VelocityEvent = {
    id: `req_${serial}`,
    account,
    at: Date.now(),
    network: '203.0.113.7',
    domain: 'example.com',
    addressHash: `address-${serial}`,
    mailbox: `address-${serial}`,
  };
  const request = {
    bucket: `${account}:live`,
    window: { windowMs: 5_000, admits: 1_000 },
    credit: null,
    event: attempt,
  };
  const { counted } = await counters.checkAndCount(request);
  stored.push(attempt);
  return counted?.counts;
}

/** The counts of the second of two nodes, after an attempt at each. */
async function countedTogether(
  url: string,
  account: string,
): Promise<{ account: string; counts: Awaited<ReturnType<typeof arrive>> }> {
  const [nodeA, nodeB] = [await node(url), await node(url)];
  for (const { reports } of [nodeA, nodeB]) await countsWithOthers(reports);
  // On a busy machine a first answer may be late, and the counts are marked as partial.
  const counts = [await arrive(nodeA.counters, account), await arrive(nodeB.counters, account)];
  if (counts.some((each) => each?.partial)) return countedTogether(url, `${account}-again`);
  return { account, counts: counts[1] };
}

/** On a busy machine a start may end before the server has answered; the node counts alone for a moment. */
const countsWithOthers = (reports: readonly DegradedReport[]) =>
  vi.waitUntil(() => reports.at(-1)?.degraded !== true, { timeout: HANG_MS });

const BOTH = { network1h: 2, domain24h: 2, partial: false };

describe.concurrent('a cluster named by one URL', () => {
  it('is used as a cluster, also if it starts after the service', { timeout: 300_000 }, async ({
    expect,
  }) => {
    const cluster = await startRedisCluster();
    servers.push(cluster);
    const [{ url }] = cluster.nodes as [RedisServer, ...RedisServer[]];
    expect((await countedTogether(url, 'cluster-0')).counts).toMatchObject(BOTH);
    const { counters, reports } = await node(url);
    for (let account = 1; account < 20; account += 1) {
      await countsWithOthers(reports);
      expect(await arrive(counters, `cluster-${account}`)).toMatchObject({ network1h: 1 });
    }
    const keys = await Promise.all(
      cluster.nodes.map(async ({ port }) => {
        const client = new Redis(port);
        return client.dbsize().finally(() => client.disconnect());
      }),
    );
    expect(Math.min(...keys)).toBeGreaterThan(0);
    for (const server of cluster.nodes) server.pause();
    const late = await node(url);
    expect(late.reports[0]).toMatchObject({ degraded: true });
    for (const server of cluster.nodes) server.resume();
    await expect.poll(() => late.reports.at(-1)?.degraded, { timeout: HANG_MS }).toBe(false);
    await expect
      .poll(() => arrive(late.counters, 'cluster-1'), { timeout: HANG_MS })
      .toMatchObject({ partial: false });
    const withDatabase = await node(`${url}/3`);
    await expect
      .poll(() => withDatabase.reports.at(-1)?.advice, { timeout: HANG_MS })
      .toContain('remove the number at the end of REDIS_URL');
  });
});

describe.concurrent('a cluster that changes', () => {
  const window = { windowMs: 60_000, admits: 4 };
  /** How many of some requests over all nodes are admitted. */
  async function admitted(nodes: readonly SharedCounters[], account: string): Promise<number> {
    const bucket = `${account}:test`;
    const all: boolean[] = [];
    for (let at = 0; at < 8; at += 1) {
      const counters = nodes[at % nodes.length] as SharedCounters;
      all.push((await counters.admit(bucket, window, Date.now())).admitted);
    }
    return all.filter(Boolean).length;
  }

  it('goes on after a failover to a replica: no signup is refused, and counts and limits are whole again', {
    timeout: 300_000,
  }, async ({ expect }) => {
    const cluster = await startRedisCluster({ replica: true });
    servers.push(cluster);
    const [master, second] = cluster.nodes as [RedisServer, RedisServer];
    const account = await accountOf(cluster, 0);
    const [nodeA, nodeB] = [await node(cluster.url), await node(second.url)];
    expect(await arrive(nodeA.counters, account)).toMatchObject({ network1h: 1, partial: false });
    // A replica may lack the latest changes.
    await withClients([master], async ([client]) => expect(await client?.call('WAIT', 1, 10_000)).toBe(1));
    await master.kill();
    const during = await arrive(nodeA.counters, account);
    expect(during).toMatchObject({ network1h: 2 });
    for (const { counters, reports } of [nodeA, nodeB]) {
      // A node that noticed nothing has always counted with the others.
      await expect.poll(() => reports.at(-1)?.degraded ?? false, { timeout: 240_000 }).toBe(false);
      await expect
        .poll(async () => (await arrive(counters, account))?.partial, { timeout: 240_000 })
        .toBe(false);
    }
    const before = (await arrive(nodeA.counters, account))?.network1h as number;
    expect(await arrive(nodeB.counters, account)).toMatchObject({ network1h: before + 1, partial: false });
    expect(before).toBe(stored.filter((attempt) => attempt.account === account).length - 1);
    expect(await admitted([nodeA.counters, nodeB.counters], account)).toBe(4);
  });

  it('continues while a slot with counts moves to another server', { timeout: 300_000 }, async ({
    expect,
  }) => {
    const cluster = await startRedisCluster();
    servers.push(cluster);
    const account = await accountOf(cluster, 1);
    const [nodeA, nodeB] = [await node(cluster.url), await node(cluster.url)];
    for (const { reports } of [nodeA, nodeB]) await countsWithOthers(reports);
    expect(await arrive(nodeA.counters, account)).toMatchObject({ network1h: 1 });
    await moveSlot(cluster, account, 1, 2);
    for (const { counters } of [nodeA, nodeB])
      await expect
        .poll(async () => (await arrive(counters, account))?.partial, { timeout: HANG_MS })
        .toBe(false);
    const before = (await arrive(nodeA.counters, account))?.network1h as number;
    expect(before).toBe(stored.filter((attempt) => attempt.account === account).length);
    expect(await arrive(nodeB.counters, account)).toMatchObject({ network1h: before + 1, partial: false });
    expect(await admitted([nodeA.counters, nodeB.counters], account)).toBe(4);
  });
});

/** An account whose counts are in a slot of this master. */
async function accountOf({ nodes }: RedisCluster, master: number): Promise<string> {
  return withClients(nodes, async (clients) => {
    for (let at = 0; ; at += 1) {
      const account = `moves-${master}-${at}`;
      const slot = Number(await clients[0]?.call('CLUSTER', 'KEYSLOT', account));
      if (Math.floor((slot * nodes.length) / 16_384) === master) return account;
    }
  });
}

/** The same steps as `redis-cli --cluster reshard`. */
async function moveSlot({ nodes }: RedisCluster, account: string, from: number, to: number): Promise<void> {
  await withClients(nodes, async (clients) => {
    const [source, target] = [clients[from] as Redis, clients[to] as Redis];
    const slot = Number(await source.call('CLUSTER', 'KEYSLOT', account));
    const ids = await Promise.all(
      clients.map(async (client) => String(await client.call('CLUSTER', 'MYID'))),
    );
    await target.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', ids[from] as string);
    await source.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', ids[to] as string);
    const keys = (await source.call('CLUSTER', 'GETKEYSINSLOT', slot, 1_000)) as string[];
    expect(keys.length).toBeGreaterThan(0);
    const { port } = nodes[to] as RedisServer;
    await source.call('MIGRATE', '127.0.0.1', port, '', 0, 5_000, 'KEYS', ...keys);
    for (const client of [target, source, ...clients])
      await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', ids[to] as string);
  });
}

async function withClients<T>(
  nodes: readonly RedisServer[],
  work: (clients: readonly Redis[]) => Promise<T>,
): Promise<T> {
  const clients = nodes.map(({ port }) => new Redis(port));
  return work(clients).finally(() => {
    for (const client of clients) client.disconnect();
  });
}

describe.concurrent('Sentinel', () => {
  it('names the primary, and in the long version its successor after a failover', {
    timeout: 300_000,
  }, async ({ expect }) => {
    const setup = await startRedisWithSentinel({ servers: 'se&ver', sentinel: 'w@tch' });
    servers.push(setup);
    const host = `127.0.0.1:${setup.sentinel.port}`;
    const url = `redis+sentinel://:se%26ver@127.0.0.1:9,${host}/${setup.name}?sentinel_password=w%40tch`;
    const { account, counts } = await countedTogether(url, 'sentinel');
    expect(counts).toMatchObject(BOTH);
    const { counters, reports } = await node(url);
    await countsWithOthers(reports);
    expect(await arrive(counters, account)).toMatchObject({ network1h: 3 });
    await setup.primary.kill();
    expect(await arrive(counters, account)).toMatchObject({ partial: true });
    await expect.poll(() => reports.at(-1)?.degraded, { timeout: HANG_MS }).toBe(false);
    expect(await arrive(counters, account)).toMatchObject({ network1h: 5, partial: false });
    const replica = new Redis({ port: setup.replica.port, password: 'se&ver' });
    expect(await replica.keys(`topology:{${account}}*`)).not.toEqual([]);
    replica.disconnect();

    // On a busy machine the start may end before the server has given a reason; then it is reported once more.
    const expectAdvice = async (other: string, advice: string) => {
      const { reports } = await node(other);
      await expect
        .poll(() => reports.at(-1), { timeout: HANG_MS })
        .toMatchObject({ advice: expect.stringContaining(advice) });
    };
    await expectAdvice(url.replace(setup.name, 'other'), 'know no primary with this name');
    await expectAdvice(url.replace('w%40tch', 'wrong'), '?sentinel_password=');
    await expectAdvice(url.replace('se%26ver', 'wrong'), 'right user and password');
    await expectAdvice(`redis://:w%40tch@${host}`, 'redis+sentinel://host:26379/name');
    await expectAdvice('redis+sentinel://127.0.0.1:9/name', 'Sentinels in REDIS_URL by host and port');
  });
});

describe.concurrent('a Unix socket', () => {
  it('connects to its server, with a password and a database', async () => {
    const folder = `/tmp/gatehouse-socket-${process.pid}`;
    const path = `${folder}.sock`;
    const server = await startRedis({ password: 'secret', settings: { unixsocket: path } });
    servers.push(server);
    const { counts } = await countedTogether(`unix://:secret@${path}?db=2`, 'socket');
    expect(counts).toMatchObject(BOTH);
    const client = new Redis({ path, db: 2, password: 'secret' });
    expect(await client.dbsize()).toBeGreaterThan(0);
    client.disconnect();
    const { reports } = await node(`redis+unix://${join(folder, 'none.sock')}`);
    const expected = { why: expect.stringContaining('ENOENT'), advice: expect.stringContaining('socket') };
    await vi.waitFor(() => expect(reports.at(-1)).toMatchObject(expected), { timeout: HANG_MS });
  });
});

describe.concurrent('TLS', () => {
  it.skipIf(isSkipped(openssl === undefined ? 'Redis over TLS: install openssl' : undefined))(
    'is used with a server whose certificate authority is known',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-tls-'));
      servers.push({ close: () => rm(folder, { recursive: true }) });
      const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
      const made =
        '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost'.split(' ');
      const names = ['-addext', 'subjectAltName=DNS:localhost'];
      execFileSync(openssl as string, ['req', ...made, ...names, '-keyout', key, '-out', cert], {
        stdio: 'ignore',
      });
      const port = await freePort();
      const files = { 'tls-cert-file': cert, 'tls-key-file': key, 'tls-ca-cert-file': cert };
      const tls = { 'tls-port': String(port), 'tls-auth-clients': 'no', ...files };
      servers.push(await startRedis({ settings: tls }));
      const url = `rediss://localhost:${port}`;
      const [unknown, plain, other] = await Promise.all(
        [url, url.replace('rediss', 'redis'), url.replace('localhost', '127.0.0.1')].map(node),
      );
      const expectAdvice = (reports: readonly DegradedReport[] | undefined, advice: RegExp) =>
        vi.waitFor(() => expect(reports?.at(-1)?.advice).toMatch(advice), { timeout: HANG_MS });
      await expectAdvice(unknown?.reports, /NODE_EXTRA_CA_CERTS/);
      await expectAdvice(plain?.reports, /begins with rediss:\/\/ if the server uses TLS/);
      await expectAdvice(other?.reports, /NODE_EXTRA_CA_CERTS|certificate contains/);
      // Certificate authorities are read once, when a process starts.
      const script = `
      import { connect } from './dist/velocity/redis/connect.js';
      import { readRedisUrl } from './dist/config/redis-url.js';
      const client = connect(readRedisUrl('${url}'));
      client.on('error', ({ message }) => process.stderr.write(message));
      client.on('ready', async () => { process.stdout.write(await client.ping()); client.disconnect(); });`;
      const environment = { ...process.env, NODE_EXTRA_CA_CERTS: cert };
      const args = ['--input-type=module', '-e', script];
      const patience = { encoding: 'utf8', timeout: HANG_MS } as const;
      expect(execFileSync(process.execPath, args, { env: environment, ...patience })).toBe('PONG');
    },
  );
});

describe.concurrent('a server that starts late', () => {
  it('is reported once more when the reason changes', async ({ expect }) => {
    const port = await freePort();
    const { reports } = await node(`redis://127.0.0.1:${port}`);
    servers.push(await startRedis({ password: 'secret', settings: { port: String(port) } }));
    await expect.poll(() => reports.length, { timeout: HANG_MS }).toBe(2);
    expect(reports.map(({ why }) => why)).toEqual([
      // On a busy machine the refusal may come late.
      expect.stringMatching(/ECONNREFUSED|no connection in time/),
      expect.stringContaining('NOAUTH'),
    ]);
  });
});

describe.concurrent('a server that cannot be used is reported with the reason and what to set:', () => {
  const startServer = async () => {
    const server = await startRedis();
    servers.push(server);
    return server;
  };
  const listening = async (made: Server): Promise<string> => {
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
    const sockets = new Set<Socket>();
    made.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
    servers.push({
      close() {
        for (const socket of sockets) socket.destroy();
        made.close();
      },
    });
    return `127.0.0.1:${(made.address() as AddressInfo).port}`;
  };

  it.each<[string, () => Promise<string> | string, string, string]>([
    ['nothing there', () => 'redis://127.0.0.1:9', 'ECONNREFUSED', 'nothing listens there'],
    [
      'nothing at a name of two addresses',
      () => 'redis://localhost:9',
      'ECONNREFUSED',
      'nothing listens there',
    ],
    ['an unknown host', () => 'redis://no-such-host.invalid', 'ENOTFOUND', 'host name is not known'],
    [
      'an HTTP server',
      async () => `redis://${await listening(createHttpServer((_request, response) => response.end('no')))}`,
      'Unknown RESP type',
      'is not Valkey or Redis',
    ],
    [
      'PostgreSQL',
      async () => `redis://${new URL(await sharedPostgresUrl()).host}`,
      'closed before the server answered',
      'check that REDIS_URL names a Valkey or Redis',
    ],
    [
      'what never answers',
      async () => `redis://${await listening(createServer())}`,
      'the connection is open, but the server does not answer',
      'the server may also hang',
    ],
    [
      'a replica',
      async () => {
        const { port } = await startServer();
        const client = new Redis(port);
        await client.call('REPLICAOF', '127.0.0.1', '1');
        client.disconnect();
        return `redis://127.0.0.1:${port}`;
      },
      'READONLY',
      'this server is a replica: set REDIS_URL to the primary',
    ],
    [
      'several servers that are no cluster',
      async () => {
        const { port } = await startServer();
        return `redis://127.0.0.1:${port},redis://localhost:${port}`;
      },
      'cluster support disabled',
      'set one URL in REDIS_URL',
    ],
    [
      'TLS to a server without',
      async () => `rediss://127.0.0.1:${(await startServer()).port}`,
      '',
      'redis:// instead of rediss://',
    ],
  ])('%s', { timeout: 180_000 }, async (_name, urlOf, why, advice) => {
    const { reports } = await node(await urlOf());
    expect(reports[0]?.why).not.toBe('');
    // On a busy machine the start may end before the server has given a reason; then it is reported once more.
    await vi.waitFor(
      () =>
        expect(reports.at(-1)).toEqual({
          degraded: true,
          why: expect.stringContaining(why),
          advice: expect.stringContaining(advice),
        }),
      HANG_MS,
    );
    expect(reports.length).toBeLessThanOrEqual(2);
  });
});

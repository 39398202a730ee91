/** PostgreSQL whose disk is really full: that of its tables, then of tables and log, with a crash of the server. Nothing acknowledged is lost, and nodes need no restart. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Client } from '../../support/client.ts';
import { type Cluster, startCluster } from '../../support/cluster.ts';
import { problemOf, until } from '../../support/expectations.ts';
import { settle } from '../../support/ledger.ts';
import { IS_LONG } from '../../support/long-version.ts';
import { isImpossible } from '../../support/missing-programs.ts';
import type { Planted } from '../../support/plant.ts';
import { type PostgresServer, serverUser, startPostgresServer } from '../../support/postgres-server.ts';
import { ask } from '../../support/postgres-standby.ts';
import { sharedRedisUrl } from '../../support/shared-servers.ts';

const DISK_MB = 96;
const PATIENCE_MS = 180_000;

const disk = mkdtempSync(join(tmpdir(), 'gatehouse-full-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk]).status === 0;
if (!mounted) rmSync(disk, { recursive: true });

describe.skipIf(
  isImpossible(mounted ? undefined : 'a full disk of PostgreSQL: only root may mount a small one'),
)('a full disk of PostgreSQL', { timeout: PATIENCE_MS }, () => {
  const ballast = join(disk, 'ballast');
  const answers: Answer<unknown>[] = [];
  let server: PostgresServer;
  let cluster: Cluster;
  let client: Client;
  let account: Planted;

  beforeAll(async () => {
    const { uid, gid } = serverUser() as { uid: number; gid: number };
    const space = join(disk, 'space');
    mkdirSync(space);
    for (const path of [disk, space]) chownSync(path, uid, gid);
    server = await startPostgresServer();
    await ask(server, `CREATE TABLESPACE small LOCATION '${space}'`);
    await ask(server, 'CREATE DATABASE full_disk TABLESPACE small');
    const databaseUrl = new URL(server.url);
    databaseUrl.pathname = '/full_disk';
    cluster = await startCluster({
      databaseUrl: databaseUrl.href,
      redisUrl: await sharedRedisUrl(),
      nodes: 1,
    });
    [client] = cluster.clients as [Client];
    account = await cluster.account();
  }, PATIENCE_MS);
  afterAll(async () => {
    await cluster?.end();
    await server?.close();
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  async function assess() {
    const email = `jo${answers.length}@full-harbour-${answers.length}.com`;
    const answer = await client.assess({ email, session_id: 'x'.repeat(2_000) }, account.live);
    answers.push(answer);
    return answer;
  }
  const untilServed = () =>
    until(async () => {
      const ready = (await client.send({ path: '/readyz' })).status;
      return (await assess()).status === 200 && ready === 200;
    });

  function fill(): void {
    const { bavail, bsize } = statfsSync(disk);
    try {
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize)), { flag: 'a' });
    } catch (error) {
      // The server may have used some of it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  async function expectTruth(): Promise<void> {
    const acknowledged = answers.filter(({ status }) => status === 200).length;
    await expect
      .poll(() => settle(cluster, account.id, answers), { interval: 250 })
      .toEqual({ lost: [], unasked: [], records: acknowledged, credits: acknowledged });
  }

  it('that of its tables: who wants something stored is told, reading goes on, and space is all that it needs', async () => {
    await untilServed();
    const { request_id: requestId } = (answers.at(-1) as Answer<{ request_id: string }>).json;
    await until(async () => {
      fill();
      return (await assess()).status !== 200;
    });
    expect(problemOf(answers.at(-1) as Answer<unknown>)).toEqual({ status: 503, code: 'storage_full' });
    expect((await client.get(requestId, account.live)).status).toBe(200);
    expect((await client.usage(account.live)).status).toBe(200);
    const isReady = async () => (await client.send({ path: '/readyz' })).status === 200;
    while (IS_LONG && (await isReady())) await assess();
    rmSync(ballast);
    await untilServed();
    await expectTruth();
  });

  it('that of its tables and its log: refusals charge nothing, and after a crash, with space, all is there', async () => {
    await server.stop();
    const log = join(server.data, 'pg_wal');
    execFileSync('mv', [log, join(disk, 'pg_wal')]);
    execFileSync('ln', ['-s', join(disk, 'pg_wal'), log]);
    await server.start();
    await untilServed();
    // Whichever has no place first, rows or the next segment of the log.
    await until(async () => {
      fill();
      await ask(server, 'SELECT pg_switch_wal()').catch(() => {});
      return (await assess()).status !== 200;
    });
    const { status, text } = answers.at(-1) as Answer<unknown>;
    expect([500, 503]).toContain(status);
    expect(text).toMatch(/"(?:internal_error|unavailable|storage_full)"/);
    expect((await client.send({ path: '/healthz' })).status).toBe(200);
    rmSync(ballast);
    if (server.isRunning()) await server.stop('immediate').catch(() => {});
    await server.start();
    await untilServed();
    await expectTruth();
  });
});

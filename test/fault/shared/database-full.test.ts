/** PostgreSQL whose disk is really full: that of its tables, of its write-ahead log, or of both, with a crash of the server. Nothing acknowledged is lost, and nodes need no restart. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
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

const DISK_MB = 96;
const PATIENCE_MS = 180_000;

const disk = mkdtempSync(join(tmpdir(), 'gatehouse-full-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk]).status === 0;
if (!mounted) rmSync(disk, { recursive: true });

/** Parts of the server that are on the small disk. */
const PARTS = [
  { name: 'tables', hasTables: true, hasLog: false },
  { name: 'log', hasTables: false, hasLog: true },
  { name: 'tables and log', hasTables: true, hasLog: true },
];
const isLeftOut = isImpossible(
  mounted ? undefined : 'a full disk of PostgreSQL: only root may mount a small one',
);

afterAll(() => {
  if (!mounted) return;
  execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

// The case of the write-ahead log needs a server that crashes, and then starts again.
describe.skipIf(isLeftOut).each(PARTS)(
  'a full disk with the $name of PostgreSQL',
  { timeout: PATIENCE_MS },
  ({ hasTables, hasLog }) => {
    const ballast = join(disk, 'ballast');
    const answers: Answer<unknown>[] = [];
    let server: PostgresServer;
    let cluster: Cluster;
    let client: Client;
    let account: Planted;

    beforeAll(async () => {
      server = await startPostgresServer();
      if (hasLog) await moveLog();
      if (hasTables) await ask(server, `CREATE TABLESPACE small LOCATION '${own(join(disk, 'space'))}'`);
      await ask(server, `CREATE DATABASE full_disk${hasTables ? ' TABLESPACE small' : ''}`);
      const databaseUrl = new URL(server.url);
      databaseUrl.pathname = '/full_disk';
      cluster = await startCluster({ databaseUrl: databaseUrl.href, nodes: 1 });
      [client] = cluster.clients as [Client];
      account = await cluster.account();
      await untilServed();
    }, PATIENCE_MS);
    afterAll(async () => {
      await cluster?.end();
      await server?.close();
      for (const name of readdirSync(disk)) rmSync(join(disk, name), { recursive: true });
    });

    async function moveLog(): Promise<void> {
      await server.stop();
      const [log, moved] = [join(server.data, 'pg_wal'), join(own(disk), 'pg_wal')];
      execFileSync('mv', [log, moved]);
      execFileSync('ln', ['-s', moved, log]);
      await server.start();
    }

    async function assess() {
      const email = `jo${answers.length}@full-harbour-${answers.length}.com`;
      const answer = await client.assess({ email, session_id: 'x'.repeat(2_000) }, account.live);
      answers.push(answer);
      return answer;
    }
    const isReady = async () => (await client.send({ path: '/readyz' })).status === 200;
    const untilServed = () => until(async () => (await assess()).status === 200 && (await isReady()));

    function fill(): void {
      const { bavail, bsize } = statfsSync(disk);
      try {
        writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize)), { flag: 'a' });
      } catch (error) {
        // The server may have used some of it in the meantime.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }

    async function expectTruth(): Promise<void> {
      const acknowledged = answers.filter(({ status }) => status === 200).length;
      await expect
        .poll(() => settle(cluster, account.id, answers), { interval: 250 })
        .toEqual({ lost: [], unasked: [], records: acknowledged, credits: acknowledged });
    }

    it.runIf(!hasLog)(
      'refuses writes, keeps serving reads, and recovers as soon as there is space',
      async () => {
        const { request_id: requestId } = (answers.at(-1) as Answer<{ request_id: string }>).json;
        await until(async () => {
          fill();
          return (await assess()).status !== 200;
        });
        expect(problemOf(answers.at(-1) as Answer<unknown>)).toEqual({ status: 503, code: 'storage_full' });
        expect((await client.get(requestId, account.live)).status).toBe(200);
        expect((await client.usage(account.live)).status).toBe(200);
        while (IS_LONG && (await isReady())) await assess();
        rmSync(ballast);
        await untilServed();
        await expectTruth();
      },
    );

    it.runIf(hasLog)(
      'charges nothing for refusals, and has everything after a crash once there is space',
      async () => {
        // With both, either can run out of space first: rows, or the next segment of the write-ahead log.
        await until(async () => {
          fill();
          await ask(server, 'SELECT pg_switch_wal()').catch(() => {});
          return (await assess()).status !== 200;
        });
        const { status, text } = answers.at(-1) as Answer<unknown>;
        if (!hasTables) await expect.poll(server.logged).toMatch(/PANIC: .*"pg_wal.*No space left on device/);
        expect([500, 503]).toContain(status);
        expect(text).toMatch(/"(?:internal_error|unavailable|storage_full)"/);
        expect((await client.send({ path: '/healthz' })).status).toBe(200);
        rmSync(ballast);
        if (server.isRunning()) await server.stop('immediate').catch(() => {});
        await server.start();
        await untilServed();
        await expectTruth();
      },
    );
  },
);

/** Makes a folder, if there is none, in which the server may write. */
function own(folder: string): string {
  const { uid, gid } = serverUser() as { uid: number; gid: number };
  mkdirSync(folder, { recursive: true });
  chownSync(folder, uid, gid);
  return folder;
}

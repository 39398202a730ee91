/** The procedure of docs/backup.md for PostgreSQL, with the real programs: a dump beside a running service, restored into an empty database, is the installation. */
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gatehouse } from '../support/command.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { plant } from '../support/plant.ts';
import {
  createDatabase,
  hasOldest,
  type PostgresServer,
  startPostgresServer,
} from '../support/postgres-server.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { everythingStored } from '../support/stored.ts';

const run = promisify(execFile);
const NEWEST = 18;
const OLDEST = 14;

/** Only the same or a newer release can make a dump. */
function releaseOf(): 'newest' | 'oldest' | undefined {
  const { stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  const major = Number(/ (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
  if (major >= NEWEST) return 'newest';
  return major >= OLDEST && hasOldest() ? 'oldest' : undefined;
}

/** As in docs/backup.md. */
async function dumpAndRestore({ from, to, dump }: Record<'from' | 'to' | 'dump', string>): Promise<void> {
  await run('pg_dump', ['--format=custom', `--file=${dump}`, from]);
  await run('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${to}`, dump]);
}

let server: PostgresServer | undefined;
beforeAll(async () => {
  const release = releaseOf();
  if (release !== undefined) server = await startPostgresServer({ release });
});
afterAll(() => server?.close());

it('a dump of a running installation is restored byte for byte, and the doctor reports it as sound', async ({
  skip,
}) => {
  if (server === undefined) {
    isSkipped('pg_dump: install postgresql-client, 14 or newer');
    return skip();
  }
  const dns = await startDnsServer();
  const [from, to] = [await createDatabase(server.url), await createDatabase(server.url)];
  const settings = { GATEHOUSE_DNS_SERVERS: dns.address };
  const installation = await createInstallation({ ...settings, DATABASE_URL: from });
  const restored = await createInstallation({ ...settings, DATABASE_URL: to });
  try {
    const { live } = await plant(installation);
    const service = await installation.start();
    const headers = { authorization: `Bearer ${live}`, 'content-type': 'application/json' };
    const bodies = new Map<string, string>();
    for (let n = 0; n < 10; n += 1) {
      const body = JSON.stringify({ email: `p${n}@example.com` });
      const answer = await (
        await fetch(`${service.url}/v1/assess`, { method: 'POST', headers, body })
      ).text();
      bodies.set((JSON.parse(answer) as { request_id: string }).request_id, answer);
    }
    const dump = join(installation.directory, 'gatehouse.dump');
    await dumpAndRestore({ from, to, dump });
    const second = await restored.start();
    for (const [id, body] of bodies)
      expect(await (await fetch(`${second.url}/v1/assess/${id}`, { headers })).text()).toBe(body);
    const usage = (await (await fetch(`${second.url}/v1/usage`, { headers })).json()) as {
      assessments_used: number;
    };
    expect(usage.assessments_used).toBe(bodies.size);
    const after = await fetch(`${second.url}/v1/assess`, {
      method: 'POST',
      headers,
      body: '{"email":"q@example.com"}',
    });
    expect(after.status).toBe(200);
    expect(await gatehouse(['doctor'], restored.environment)).toMatchObject({ status: 0 });
  } finally {
    await Promise.all([installation.remove(), restored.remove(), dns.close()]);
  }
});

it('people erased after a dump are erased again by the first start on it', async ({ skip }) => {
  if (server === undefined) return skip();
  const [from, to] = [await createDatabase(server.url), await createDatabase(server.url)];
  const installation = await createInstallation({ GATEHOUSE_STORE_EMAILS: 'on', DATABASE_URL: from });
  const restored = await createInstallation({ GATEHOUSE_STORE_EMAILS: 'on', DATABASE_URL: to });
  try {
    const { id, live } = await plant(installation);
    const service = await installation.start();
    const headers = { authorization: `Bearer ${live}`, 'content-type': 'application/json' };
    for (const email of ['zoe.quandt@gmail.com', 'zoequandt+shop@gmail.com', 'other@example.com']) {
      const body = JSON.stringify({ email, ip: '198.51.100.7' });
      expect((await fetch(`${service.url}/v1/assess`, { method: 'POST', headers, body })).status).toBe(200);
    }
    const dump = join(installation.directory, 'older.dump');
    await dumpAndRestore({ from, to, dump });
    const person = ['--account', id, '--email', 'zoe.quandt@gmail.com', '--yes'];
    expect(await installation.json('privacy', 'erase', ...person)).toMatchObject({ assessments: 2 });
    expect(await tracesIn(installation)).toEqual([]);
    expect(await tracesIn(restored)).toEqual(['zoe.quandt', 'zoequandt']);

    const list = (of: Installation) => join(of.environment.GATEHOUSE_DATA_DIR as string, 'erasures.jsonl');
    mkdirSync(dirname(list(restored)), { recursive: true });
    copyFileSync(list(installation), list(restored));
    const second = await restored.start();
    expect(second.output()).toContain('erasing again who was erased');
    expect(await tracesIn(restored)).toEqual([]);
    const usage = await (await fetch(`${second.url}/v1/usage`, { headers })).json();
    expect(usage).toMatchObject({ assessments_used: 3 });
  } finally {
    await Promise.all([installation.remove(), restored.remove()]);
  }
});

async function tracesIn(installation: Installation): Promise<string[]> {
  const stored = await everythingStored(installation);
  return ['zoe.quandt', 'zoequandt'].filter((trace) => stored.some((part) => part.includes(trace)));
}

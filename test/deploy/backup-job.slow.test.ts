/** The script of the CronJob that dumps PostgreSQL, with the real programs: what it keeps can be restored, and half dumps are none. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../support/command.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { plant } from '../support/plant.ts';
import {
  createDatabase,
  hasOldest,
  type PostgresServer,
  startPostgresServer,
} from '../support/postgres-server.ts';
import { createInstallation, type Installation } from '../support/service.ts';

const SCRIPT = join(ROOT, 'deploy/kubernetes/backup/backup.sh');
const NEWEST = 18;
const OLDEST = 14;
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-dumps-'));
let server: PostgresServer | undefined;
let installation: Installation | undefined;

beforeAll(async () => {
  const { stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  const major = Number(/ (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
  const release = major >= NEWEST ? 'newest' : major >= OLDEST && hasOldest() ? 'oldest' : undefined;
  if (release === undefined) return;
  server = await startPostgresServer({ release });
  const url = await createDatabase(server.url);
  installation = await createInstallation({ DATABASE_URL: url });
  await plant(installation);
  mkdirSync(join(folder, 'backups'));
  writeFileSync(join(folder, 'url'), `${url}\n`);
});
afterAll(async () => {
  await installation?.remove();
  await server?.close();
  rmSync(folder, { recursive: true });
});

function runJob(urlFile = join(folder, 'url')) {
  const BACKUPS = join(folder, 'backups');
  const env = { PATH: process.env.PATH ?? '', BACKUPS, KEEP: '2', DATABASE_URL_FILE: urlFile };
  return spawnSync('sh', [SCRIPT], { env, encoding: 'utf8' });
}

it('keeps the newest dumps, whole ones alone', async ({ skip }) => {
  if (server === undefined) {
    isSkipped('pg_dump: install postgresql-client, 14 or newer');
    return skip();
  }
  const backups = join(folder, 'backups');
  for (const old of ['2026-01-01', '2026-01-02', '2026-01-03'])
    writeFileSync(join(backups, `gatehouse-${old}T03-00-00Z.dump`), 'an older one');
  writeFileSync(join(backups, 'gatehouse-2026-01-04T03-00-00Z.dump.partial'), 'half');
  writeFileSync(join(folder, 'wrong'), 'postgres://nobody@127.0.0.1:9/none');
  expect(runJob(join(folder, 'wrong')).status).not.toBe(0);
  // A job that failed has removed nothing that was good.
  expect(readdirSync(backups).filter((name) => name.endsWith('.dump'))).toHaveLength(3);
  expect(runJob()).toMatchObject({ status: 0, stderr: '' });
  const [older, newest = '', ...others] = readdirSync(backups).sort();
  expect([older, others]).toEqual(['gatehouse-2026-01-03T03-00-00Z.dump', []]);
  const to = await createDatabase(server.url);
  const restore = ['--no-owner', '--exit-on-error', `--dbname=${to}`, join(backups, newest)];
  expect(spawnSync('pg_restore', restore, { encoding: 'utf8' })).toMatchObject({ status: 0 });
});

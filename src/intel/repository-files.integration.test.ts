import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeRepository } from './repository.suite.ts';
import { createFileRepository } from './repository-files.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-intel-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

describeRepository(() => createFileRepository(dataDir));

/** The driver from the build, for another process. */
const DRIVER = new URL('../../dist/platform/sqlite-driver.js', import.meta.url).href;
/** Another process that takes the lock as `openFileLock` does, reports it, and keeps the lock. */
const HOLDER = `
  import(process.argv[1]).then(({ openSqlite }) => {
    globalThis.connection = openSqlite(process.argv[2]);
    connection.exec('BEGIN IMMEDIATE');
    process.stdout.write('held');
  });
  setInterval(() => {}, 1000);
`;

it('the lock is refused while another process has it, and free once that process was killed', async () => {
  const { lock } = createFileRepository(dataDir);
  expect(await lock.tryHold(async () => 'free')).toBe('free');
  const child = spawn(process.execPath, ['-e', HOLDER, DRIVER, join(dataDir, 'intel', 'feeds.lock')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(await lock.tryHold(async () => 'taken')).toBeUndefined();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await lock.tryHold(async () => 'taken')).toBe('taken');
});

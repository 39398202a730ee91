import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openConnection } from '../sqlite-connection.ts';
import type { checkLater as CheckLater } from './damage.ts';

it('a large file is checked while it is in use: damage is reported once, with what to do', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-damage-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'gatehouse.db');
  const connection = openConnection(file);
  connection.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = connection.prepare('INSERT INTO rows (text) VALUES (?)');
  for (let at = 0; at < 500; at += 1) insert.run('x'.repeat(100));
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.close();
  // The thread is a module of the build.
  const { checkLater } = (await import(
    new URL('../../../dist/store/records/damage.js', import.meta.url).href
  )) as { checkLater: typeof CheckLater };
  const faults: string[] = [];
  const check = () => checkLater(file, ({ message }) => faults.push(message), { startMs: 0, minBytes: 0 });
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(4_096, 7), 0, 4_096, 8_192);
  await handle.close();
  const end = check();
  await expect.poll(() => faults.length).toBeGreaterThan(0);
  await end();
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(/gatehouse\.db: .*(damaged|malformed).*restore the newest backup/);
});

it('a file that is gone when it would be checked is reported, and ends nothing', async () => {
  const { checkLater } = (await import(
    new URL('../../../dist/store/records/damage.js', import.meta.url).href
  )) as { checkLater: typeof CheckLater };
  const faults: string[] = [];
  const end = checkLater('/nowhere/gatehouse.db', ({ message }) => faults.push(message), { startMs: 0 });
  await expect.poll(() => faults).toEqual([expect.stringMatching(/^\/nowhere\/gatehouse\.db: ENOENT/)]);
  await end();
});

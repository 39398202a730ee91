import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { BUILT_THREADS, PATIENT_READS } from '../../../test/support/built-threads.ts';
import { openSqlite } from '../../platform/sqlite-driver.ts';
import { describeStore } from '../store.suite.ts';
import { openCommittedSignups } from './committed-signups.ts';
import { readSecret } from './secret-file.ts';
import { openSqliteStore } from './sqlite.ts';

const forTests = { ...BUILT_THREADS, indexing: PATIENT_READS };
const temporary = () => mkdtemp(join(tmpdir(), 'gatehouse-store-'));

describeStore('SQLite', 0, async () => {
  const directory = await temporary();
  return {
    open: () => openSqliteStore({ directory, forTests }),
    follow: (options) => openCommittedSignups({ ...options, file: join(directory, 'gatehouse.db') }),
    remove: () => rm(directory, { recursive: true }),
  };
});

describe('a SQLite store', () => {
  const directories: string[] = [];
  const make = async () => {
    const directory = await temporary();
    directories.push(directory);
    return join(directory, 'data');
  };
  afterEach(async () => {
    for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
  });

  it('is readable by its owner only', async () => {
    const directory = await make();
    const store = openSqliteStore({ directory, forTests });
    readSecret(directory);
    expect((await stat(directory)).mode & 0o077).toBe(0);
    expect((await stat(join(directory, 'gatehouse.db'))).mode & 0o077).toBe(0);
    expect((await stat(join(directory, 'secret.key'))).mode & 0o077).toBe(0);
    await store.close();
  });

  it('commits many writes together, each durable before it is acknowledged', async () => {
    const batches: number[] = [];
    const store = openSqliteStore({
      directory: await make(),
      forTests,
      onBatch: (jobs) => batches.push(jobs),
    });
    const save = (requestId: string) =>
      store.saveFeedback({ requestId, outcome: 'false_positive', note: null, keyId: 'k', at: 0 });
    await Promise.all(Array.from({ length: 200 }, (_, index) => save(`req_${index}`)));
    expect(batches.reduce((sum, jobs) => sum + jobs, 0)).toBe(200);
    expect(batches.length).toBeLessThan(20);
    await store.close();
    await expect(save('req_late')).rejects.toThrow('closed');
  });

  it('commits together what comes within a few turns of the event loop', async () => {
    const batches: number[] = [];
    const store = openSqliteStore({
      directory: await make(),
      forTests,
      onBatch: (jobs) => batches.push(jobs),
    });
    const saves: Promise<void>[] = [];
    for (const requestId of ['req_1', 'req_2', 'req_3']) {
      saves.push(store.saveFeedback({ requestId, outcome: 'false_positive', note: null, keyId: 'k', at: 0 }));
      await nextTurn();
      await nextTurn();
    }
    await Promise.all(saves);
    expect(batches).toEqual([3]);
    await store.close();
  });

  it('refuses a database of a newer version', async () => {
    const directory = await make();
    await openSqliteStore({ directory, forTests }).close();
    const database = openSqlite(join(directory, 'gatehouse.db'));
    database.exec('PRAGMA user_version = 999');
    database.close();
    expect(() => openSqliteStore({ directory, forTests })).toThrow('newer');
  });

  it('reports a writer that cannot run, refuses its jobs, and closes', async () => {
    const faults: string[] = [];
    const store = openSqliteStore({
      directory: await make(),
      forTests: { writer: new URL('data:text/javascript,throw new Error("no disk")') },
      onFault: (error) => faults.push(error.message),
    });
    await expect(
      store.saveFeedback({ requestId: 'req_1', outcome: 'false_positive', note: null, keyId: 'k', at: 0 }),
    ).rejects.toThrow('writer thread stopped');
    expect(faults).toContain('the writer thread stopped (no disk); another one starts in 250 ms');
  });
});

describe('readSecret', () => {
  it('makes a secret once and reads the same one later', async () => {
    const directory = await temporary();
    const secret = readSecret(directory);
    expect(secret).toHaveLength(32);
    expect(readSecret(directory)).toEqual(secret);
    await rm(directory, { recursive: true });
  });

  it('keeps a configured secret, and refuses another', async () => {
    const directory = await temporary();
    const configured = Buffer.alloc(32, 7);
    expect(readSecret(directory, configured)).toEqual(configured);
    expect(readSecret(directory)).toEqual(configured);
    expect(() => readSecret(directory, Buffer.alloc(32, 8))).toThrow(
      `in ${join(directory, 'secret.key')}: unset GATEHOUSE_SECRET, or set it to the content of that file`,
    );
    await rm(directory, { recursive: true });
  });
});

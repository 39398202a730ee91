/** The writer of a command's store has no thread: it commits, waits for a lock and fails like one with a thread. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { BUILT_THREADS } from '../../../test/support/built-threads.ts';
import { lockDatabase } from '../../../test/support/crash-database.ts';
import { openSqliteStore } from '../sqlite/sqlite.ts';

const MONTH = '2026-05';
const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function open(directory?: string, lockMs = 5_000) {
  const folder = directory ?? (await mkdtemp(join(tmpdir(), 'gatehouse-inline-')));
  const batches: number[] = [];
  const store = openSqliteStore({
    directory: folder,
    inline: true,
    forTests: { ...BUILT_THREADS, deadlines: { waitMs: 60_000, answerMs: 60_000, lockMs } },
    onBatch: (jobs) => batches.push(jobs),
  });
  endings.push(
    () => rm(folder, { recursive: true, force: true }),
    () => store.close(),
  );
  return { store, folder, file: join(folder, 'gatehouse.db'), batches };
}

it('commits jobs submitted together in one batch, visible to every other connection', async () => {
  const { store, folder, batches } = await open();
  const records = Array.from({ length: 20 }, () => anAssessment());
  const outcomes = await Promise.all(records.map((record) => store.record(record)));
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(records.map(() => 'recorded'));
  expect(batches).toEqual([20]);
  const { store: other } = await open(folder);
  expect(await other.creditsUsed('acc_a', MONTH)).toBe(20);
});

it('fails only the write that breaks a constraint', async () => {
  const { store } = await open();
  const outcomes = await Promise.allSettled([
    store.record(anAssessment()),
    store.saveFeedback({
      requestId: null as never,
      outcome: 'false_positive',
      note: null,
      keyId: 'k',
      at: 0,
    }),
    store.record(anAssessment()),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await store.creditsUsed('acc_a', MONTH)).toBe(2);
});

it('says that the file is locked, and writes again after the lock', async () => {
  const { store, file } = await open(undefined, 1);
  const unlock = lockDatabase(file);
  await expect(store.record(anAssessment())).rejects.toThrow(
    `the database ${file} failed: database is locked`,
  );
  unlock();
  expect((await store.record(anAssessment())).outcome).toBe('recorded');
});

it('refuses writes after it was closed', async () => {
  const { store } = await open();
  await store.record(anAssessment());
  await store.close();
  await expect(store.record(anAssessment())).rejects.toThrow('the store is closed');
});

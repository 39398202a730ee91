/** Retention in the embedded store: records older than the configured days are removed everywhere, in small steps, and their space is used again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { BUILT_THREADS, PATIENT_READS, PATIENT_WRITES } from '../../../test/support/built-threads.ts';
import { until } from '../../../test/support/expectations.ts';
import { createMakeId } from '../../contract/identifiers.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../sqlite/sqlite.ts';
import { inTransaction, openConnection, type SqliteConnection } from '../sqlite-connection.ts';
import type { StatementsJob } from '../sqlite-jobs.ts';
import type { Store } from '../store.ts';
import { toSqlite } from '../to-sqlite.ts';
import { createRemoveOld } from './remove-old.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const ACCOUNT = 'acc_retention';
const RETENTION = { days: 2 };

let directory: string;
let store: Store;
let isOpen = false;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-retention-'));
});
afterEach(async () => {
  if (isOpen) await close();
  rmSync(directory, { recursive: true });
});

const open = ({ forTests, ...options }: Partial<SqliteStoreOptions> = {}) => {
  store = openSqliteStore({
    directory,
    ...options,
    forTests: { ...BUILT_THREADS, deadlines: PATIENT_WRITES, indexing: PATIENT_READS, ...forTests },
  });
  isOpen = true;
};
/** Only once: `node:sqlite` refuses to close twice. */
const close = async () => {
  isOpen = false;
  await store.close();
};
const openService = (options: Partial<SqliteStoreOptions> = {}) =>
  open({ prompt: true, retention: RETENTION, patientClock: () => NOW, forTests: { idleMs: 5 }, ...options });

/** `count` assessments a day, each with feedback and a challenge; the oldest day first. @returns their ids by day */
async function fill(days: readonly number[], count: number): Promise<Map<number, string[]>> {
  // Its ids never go back in time.
  const makeId = createMakeId();
  const ids = new Map<number, string[]>();
  for (const day of days) {
    const at = NOW - day * DAY_MS;
    const records = Array.from({ length: count }, (_, index) => {
      const requestId = makeId('req', at + index);
      return anAssessment({ requestId, accountId: ACCOUNT, at: at + index });
    });
    await Promise.all(records.map((record) => store.record(record)));
    ids.set(
      day,
      records.map(({ requestId }) => requestId),
    );
    await Promise.all(
      records.map(async ({ requestId }) => {
        await store.saveFeedback({ requestId, outcome: 'false_positive', note: null, keyId: 'key', at });
        const challenge = { requestId, accountId: ACCOUNT, expiresAt: at, at };
        await store.openChallenge({ ...challenge, returnUrl: null });
      }),
    );
  }
  return ids;
}

const isStored = async (requestId: string) =>
  (await store.findStored(requestId, { accountId: ACCOUNT, mode: 'live' })) !== undefined;

async function found(): Promise<string[]> {
  const { rows } = await store.findAssessments(ACCOUNT, {}, null, 100);
  return rows.map(({ requestId }) => requestId).sort();
}

const withConnection = <T>(work: (connection: SqliteConnection) => T): T => {
  const connection = openConnection(join(directory, 'gatehouse.db'));
  try {
    return work(connection);
  } finally {
    connection.close();
  }
};
const number = (sql: string) =>
  withConnection((connection) => Object.values(connection.prepare(sql).get() as object)[0] as number);

it('removes old assessments with everything that belongs to them, and keeps the rest and the credits', async () => {
  open();
  const ids = await fill([9, 3, 1, 0], 3);
  const kept = [1, 0].flatMap((day) => ids.get(day) ?? []).sort();
  expect(await found()).toHaveLength(12);
  await close();

  const removing: number[] = [];
  openService({ onRemoving: (from) => removing.push(from) });
  await until(async () => !(await isStored(ids.get(3)?.[2] as string)));
  await until(() => number('SELECT count(*) FROM challenges') === kept.length);
  expect(removing).toEqual([Date.UTC(2026, 4, 8)]);
  for (const requestId of [9, 3].flatMap((day) => ids.get(day) ?? [])) {
    expect(await isStored(requestId)).toBe(false);
    expect(await store.findFeedback(requestId)).toBeUndefined();
    expect(await store.findChallenge(requestId)).toBeUndefined();
  }
  for (const requestId of kept) expect(await store.findFeedback(requestId)).toBeDefined();
  expect(await found()).toEqual(kept);
  expect(await store.creditsUsed(ACCOUNT, '2026-05')).toBe(12);
  await close();

  openService();
  expect(await found()).toEqual(kept);
});

it('counts back from the newest assessment if the clock is ahead, and a command removes nothing', async () => {
  open();
  const ids = await fill([3, 0], 1);
  await close();
  open({ retention: RETENTION, patientClock: () => NOW, forTests: { idleMs: 5 } });
  expect(await isStored(ids.get(3)?.[0] as string)).toBe(true);
  await close();
  openService({ patientClock: () => NOW + 1_000 * DAY_MS });
  await until(async () => !(await isStored(ids.get(3)?.[0] as string)));
  expect(await isStored(ids.get(0)?.[0] as string)).toBe(true);
});

it('works in short transactions, continues after a failed one, and its space is used again', async () => {
  open();
  await fill([9], 2_000);
  await fill([0], 1);
  await close();
  const pages = number('PRAGMA page_count');

  const steps: { batches: number; assessments: number; rows: number }[] = [];
  const calls: string[] = [];
  const connection = openConnection(join(directory, 'gatehouse.db'));
  try {
    const count = (sql: string) => (connection.prepare(sql).get() as { n: number }).n;
    const countRemaining = () => ({
      batches: count('SELECT count(*) AS n FROM assessment_batches'),
      assessments: count('SELECT sum(count) AS n FROM assessment_batches'),
      rows: Math.max(
        count('SELECT count(*) AS n FROM feedback'),
        count('SELECT count(*) AS n FROM challenges'),
      ),
    });
    const createPrune = () =>
      createRemoveOld({
        reads: connection,
        retention: RETENTION,
        clock: () => NOW,
        onRemoving: () => calls.push('removing'),
        removeFromHistory: async () => void calls.push('history'),
        async submit({ statements }: StatementsJob) {
          if (calls.push('step') === 5) throw new Error('the disk was full');
          const before = countRemaining();
          inTransaction(connection, () => {
            for (const { sql, values } of statements.map(toSqlite)) connection.prepare(sql).run(values);
          });
          const after = countRemaining();
          steps.push({
            batches: before.batches - after.batches,
            assessments: before.assessments - after.assessments,
            rows: before.rows - after.rows,
          });
        },
      });
    const prune = createPrune();
    const all = async (step: typeof prune) => {
      while ((await step(200)) === 200);
    };
    await expect(all(prune)).rejects.toThrow('the disk was full');
    // The next start does this.
    await all(createPrune());
    expect(countRemaining()).toEqual({ batches: 1, assessments: 1, rows: 1 });
  } finally {
    connection.close();
  }
  expect(calls.slice(0, 3)).toEqual(['removing', 'history', 'step']);
  expect(Math.max(...steps.map(({ batches }) => batches))).toBeLessThanOrEqual(16);
  expect(Math.max(...steps.map(({ assessments }) => assessments))).toBeLessThanOrEqual(512);
  expect(Math.max(...steps.map(({ rows }) => rows))).toBeLessThanOrEqual(200);

  open();
  await fill([-1], 1_500);
  await close();
  expect(number('PRAGMA page_count')).toBeLessThanOrEqual(pages * 1.05);
});

it('releases the space on the disk with VACUUM, as the documents say', async () => {
  open();
  await fill([9], 1_000);
  await fill([0], 1);
  await close();
  const pages = number('PRAGMA page_count');
  openService();
  await until(() => number('SELECT count(*) FROM challenges') === 1);
  await close();
  expect(number('PRAGMA page_count')).toBe(pages);
  withConnection((connection) => connection.exec('VACUUM'));
  expect(number('PRAGMA page_count')).toBeLessThan(pages / 2);
  open();
  expect(await found()).toHaveLength(1);
});

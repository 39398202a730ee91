/** Deleting an account in the embedded store: its records are removed from batches and sealed runs, in short steps. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { BUILT_THREADS, PATIENT_READS } from '../../../test/support/built-threads.ts';
import { until } from '../../../test/support/expectations.ts';
import { openSqliteStore } from '../sqlite/sqlite.ts';
import { inTransaction, openConnection, type SqliteConnection } from '../sqlite-connection.ts';
import type { Store } from '../store.ts';
import { createEraseRecords } from './erase-records.ts';
import { createRecordSource } from './record-source.ts';
import { createRemoveAccount } from './remove-account.ts';

const [GONE, KEPT] = ['acc_gone', 'acc_kept'];
const RECORDS = 2_000;
const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);

let directory: string;
let store: Store;
let connection: SqliteConnection;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-account-'));
  store = openSqliteStore({
    directory,
    forTests: { ...BUILT_THREADS, indexing: { runSize: 256, ...PATIENT_READS } },
  });
  const records = Array.from({ length: RECORDS }, (_, at) =>
    anAssessment({ accountId: at % 3 === 0 ? KEPT : GONE, at: NOW + at }),
  );
  await Promise.all(records.map((record) => store.record(record)));
  connection = openConnection(join(directory, 'gatehouse.db'));
  await until(async () => (await store.indexing()) === null);
});
afterAll(async () => {
  connection?.close();
  await store?.close();
  rmSync(directory, { recursive: true });
});

const runs = () => readdirSync(join(directory, 'history')).map((name) => join(directory, 'history', name));
const source = () => createRecordSource(connection).readAfter(0, RECORDS);
const searched = async (account: string) => {
  const ids: string[] = [];
  for await (const rows of store.exportAssessments(account, {}))
    ids.push(...rows.map(({ requestId }) => requestId));
  return ids;
};

it('works in short steps, continues after a failed one, and does not change other accounts', async () => {
  const kept = source().filter(({ accountId }) => accountId === KEPT);
  expect((await searched(GONE)).length + kept.length).toBe(RECORDS);
  const found = await searched(KEPT);
  const days = await store.dayCounts(KEPT, 0, Date.UTC(2026, 4, 12));
  await until(() => runs().length === Math.floor(RECORDS / 256));

  const steps: number[] = [];
  const removed: string[] = [];
  const create = () => {
    const erase = createEraseRecords((sql) => connection.prepare(sql));
    return createRemoveAccount({
      reads: connection,
      history: { removeAccount: async (accountId) => void removed.push(accountId) },
      committer: {
        async submit({ erased = [] }) {
          if (steps.push(erased.length) === 2) throw new Error('the disk was full');
          expect(inTransaction(connection, () => erase(erased))).toBe(erased.length);
        },
      },
    });
  };
  const all = async (step: ReturnType<typeof create>) => {
    while (!(await step(GONE)));
  };
  const first = create();
  await expect(all(first)).rejects.toThrow('the disk was full');
  const remaining = source().length;
  expect(remaining).toBeLessThan(RECORDS);
  expect(remaining).toBeGreaterThan(kept.length);
  // The next start does this, and so does the same process a minute later.
  await all(create());
  await all(first);
  expect(Math.max(...steps)).toBeLessThanOrEqual(512);
  expect(source()).toEqual(kept);
  expect(removed).toEqual([GONE, GONE]);

  // The index still contains them; the store removes them there, too.
  while (!(await store.removeAccountAssessments(GONE)));
  await until(() => runs().every((file) => !readFileSync(file).includes(GONE)));
  expect(await searched(GONE)).toEqual([]);
  expect(await searched(KEPT)).toEqual(found);
  expect(await store.dayCounts(KEPT, 0, Date.UTC(2026, 4, 12))).toEqual(days);
  expect(await store.dayCounts(GONE, 0, Date.UTC(2026, 4, 12))).toEqual([]);
});

it('does not index records of the account that are still stored', async () => {
  await store.record(anAssessment({ accountId: GONE, at: NOW + RECORDS }));
  expect(await searched(GONE)).toEqual([]);
});

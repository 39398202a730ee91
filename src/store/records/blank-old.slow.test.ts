/** IPs and addresses in the embedded store: blanked after the configured days, in batches and in the index, whatever happens meanwhile. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { BUILT_THREADS, PATIENT_READS, PATIENT_WRITES } from '../../../test/support/built-threads.ts';
import { until } from '../../../test/support/expectations.ts';
import { insertRecords } from '../../../test/support/insert-records.ts';
import { blankPersonalData } from '../../signup/blank-personal-data.ts';
import { firstIdAt } from '../request-time.ts';
import type { SqlValue } from '../sql-database.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../sqlite/sqlite.ts';
import { inTransaction, openConnection } from '../sqlite-connection.ts';
import type { StatementsJob } from '../sqlite-jobs.ts';
import type { Store } from '../store.ts';
import { toSqlite } from '../to-sqlite.ts';
import { createBlankOld } from './blank-old.ts';
import { createEraseRecords } from './erase-records.ts';
import { createRecordSource } from './record-source.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const END = Date.UTC(2026, 4, 11);
const READER = { accountId: 'acc_a', mode: 'live' } as const;
const PERSONAL = { days: 2, blank: blankPersonalData };

let directory: string;
let store: Store;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-blank-'));
});
afterEach(async () => {
  await store?.close();
  rmSync(directory, { recursive: true });
});

const open = ({ forTests, ...options }: Partial<SqliteStoreOptions> = {}) => {
  const indexing = { runSize: 8, ...PATIENT_READS };
  store = openSqliteStore({
    directory,
    ...options,
    forTests: { ...BUILT_THREADS, deadlines: PATIENT_WRITES, indexing, ...forTests },
  });
};
const openService = () =>
  open({ prompt: true, personalData: PERSONAL, patientClock: () => NOW, forTests: { idleMs: 5 } });
const file = () => join(directory, 'gatehouse.db');

async function fill(day: number, count: number): Promise<string[]> {
  const records = Array.from({ length: count }, (_, index) =>
    anAssessment({ at: NOW - day * DAY_MS + index, email: 'jo@example.com', sessionId: 's 1' }),
  );
  await Promise.all(records.map((record) => store.record(record)));
  return records.map(({ requestId }) => requestId);
}

const isBlank = async (requestId: string) =>
  (await store.findStored(requestId, READER))?.emailMasked === '***@example.com';
const byIp = async () => {
  const ip = { first: '203.0.113.7', last: '203.0.113.7' };
  return (await store.findAssessments('acc_a', { ip }, null, 100)).rows.map(({ requestId }) => requestId);
};

it('blanks old records in rows and sealed runs, and keeps counts, verdicts and hashes', async () => {
  open();
  const old = await fill(3, 20);
  const fresh = await fill(0, 6);
  const before = await store.findStored(old[0] as string, READER);
  expect(await byIp()).toHaveLength(26);
  const days = await store.dayCounts('acc_a', 0, END);
  await until(() => readdirSync(join(directory, 'history')).length === 3);
  await store.close();

  openService();
  await until(async () => (await Promise.all(old.map(isBlank))).every(Boolean));
  expect(await store.findStored(old[0] as string, READER)).toEqual({
    ...before,
    email: null,
    emailMasked: '***@example.com',
    ip: null,
    network: null,
  });
  expect(await isBlank(fresh[0] as string)).toBe(false);
  await until(() => noted('index_blanked_until') === Date.UTC(2026, 4, 8));
  expect((await byIp()).sort()).toEqual([...fresh].sort());
  expect(await store.dayCounts('acc_a', 0, END)).toEqual(days);
  const { rows } = await store.findAssessments('acc_a', { sessionId: 's 1' }, null, 100);
  expect(rows.filter(({ ip, email }) => ip === null && email === '***@example.com')).toHaveLength(20);
});

function noted(name: string): number | undefined {
  const connection = openConnection(file());
  try {
    const row = connection.prepare('SELECT value FROM meta WHERE name = ?').get(name);
    return (row as { value: number } | undefined)?.value;
  } finally {
    connection.close();
  }
}

it('blanks a row whose newest record is erased while rows beside it are blanked', async () => {
  open();
  const at = NOW - 3 * DAY_MS;
  const id = (end: string) => `${firstIdAt(at)}${end.padStart(16, '0')}`;
  // Three rows, the newest record of the first after those of the others.
  for (const ends of [
    ['1', '9'],
    ['2', '5'],
    ['3', '4'],
  ])
    await Promise.all(ends.map((end) => store.record(anAssessment({ at, requestId: id(end) }))));
  await store.record(anAssessment({ at: NOW }));
  await store.close();
  const connection = openConnection(file());
  const erase = createEraseRecords((sql) => connection.prepare(sql));
  const blankedIndex: number[] = [];
  const start = () =>
    createBlankOld({
      reads: connection,
      retention: PERSONAL,
      clock: () => NOW,
      blankHistory: async (until) => void blankedIndex.push(until),
      submit: async ({ statements }) =>
        inTransaction(connection, () => {
          for (const { sql, values } of statements.map(toSqlite)) connection.prepare(sql).run(values);
        }),
    });
  let step = start();
  const rows = () => connection.prepare('SELECT last_id FROM assessment_batches ORDER BY last_id').all();
  const source = createRecordSource(connection);
  /** When signups came of which the IP is stored. */
  const addresses = () => source.readAfter(0, 1_000).flatMap(({ ip, at }) => (ip === null ? [] : [at]));
  const unblanked = connection
    .prepare(
      'SELECT seq, ids, attempts, details, crc32 FROM assessment_batches ORDER BY seq LIMIT 1 OFFSET 1',
    )
    .get() as Record<string, SqlValue>;
  try {
    expect(rows()).toMatchObject([{ last_id: id('4') }, { last_id: id('5') }, { last_id: id('9') }, {}]);
    expect(await step(200)).toBe(200);
    inTransaction(connection, () => erase([id('9')]));
    expect(rows()).toMatchObject([{ last_id: id('1') }, { last_id: id('4') }, { last_id: id('5') }, {}]);
    while ((await step(200)) > 0);
    expect(source.readAfter(0, 1_000)).toHaveLength(6);
    expect(addresses()).toEqual([NOW]);
    expect(blankedIndex).toHaveLength(1);
    // As an erasure that read the row before and wrote it after: it has the index read the row again, too.
    const { seq, ids, attempts, details, crc32 } = unblanked;
    const write = connection.prepare(
      'UPDATE assessment_batches SET ids = ?, attempts = ?, details = ?, crc32 = ? WHERE seq = ?',
    );
    write.run([ids, attempts, details, crc32, seq]);
    while ((await step(200)) > 0);
    expect(addresses()).toEqual([NOW]);
    expect(blankedIndex).toHaveLength(2);
    while ((await step(200)) > 0);
    expect(blankedIndex).toHaveLength(2);
    // The same while no service runs, with the row a second earlier.
    write.run([ids, attempts, details, crc32, seq]);
    const earlier = `${firstIdAt(at - 1_000)}0000000000000000`;
    connection
      .prepare('UPDATE assessment_batches SET last_id = ? WHERE seq = ?')
      .run([earlier, seq as number]);
    step = start();
    while ((await step(200)) > 0);
    expect(addresses()).toEqual([NOW]);
  } finally {
    connection.close();
  }
  open();
});

it('continues after a failed step and a restart, with a concurrent erasure, in short transactions', async () => {
  open();
  const ids = await fill(3, 320);
  await store.close();
  const connection = openConnection(file());
  const source = createRecordSource(connection);
  const prepare = (sql: string) => connection.prepare(sql);
  const erase = createEraseRecords(prepare);
  const isDone = () =>
    source.readAfter(0, 1_000).every(({ ip, requestId }) => ip === null || !ids.includes(requestId));
  let calls = 0;
  const changed: number[] = [];
  const make = () =>
    createBlankOld({
      reads: connection,
      retention: PERSONAL,
      clock: () => NOW + 10 * DAY_MS,
      blankHistory: async () => expect(isDone()).toBe(true),
      async submit({ statements }: StatementsJob) {
        calls += 1;
        if (calls === 2) throw new Error('the disk was full');
        // Between the read and the write.
        if (calls === 1) inTransaction(connection, () => erase([ids[0] as string]));
        changed.push(statements.length);
        inTransaction(connection, () => {
          for (const { sql, values } of statements.map(toSqlite)) connection.prepare(sql).run(values);
        });
      },
    });
  const all = async (step: ReturnType<typeof make>) => {
    while ((await step(200)) === 200);
  };
  try {
    // A newer record, from which the days are counted back.
    insertRecords(connection, 10_000, [anAssessment({ at: NOW })]);
    await expect(all(make())).rejects.toThrow('the disk was full');
    await all(make());
    const records = source.readAfter(0, 1_000);
    expect(records.filter(({ ip }) => ip === null)).toHaveLength(ids.length - 1);
    expect(records.some(({ requestId }) => requestId === ids[0])).toBe(false);
    // Two rows and the saved progress.
    expect(Math.max(...changed)).toBeLessThanOrEqual(3);
  } finally {
    connection.close();
  }
  open();
});

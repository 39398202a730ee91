import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../sqlite-driver.ts';
import { MAX_ROWS_READ } from '../history-search.ts';
import { SLOT_MS } from '../history-store.ts';
import { bucketWidth, latencyBucket } from '../history-traffic.ts';
import type { Store } from '../store.ts';
import { ASSESSMENT_COLUMNS } from './jobs.ts';
import { openSqliteStore } from './sqlite.ts';

/** The threads run the built modules. */
const BUILT = '../../../dist/store/sqlite/';
const THREADS = {
  writer: new URL(`${BUILT}writer.js`, import.meta.url),
  checkpointer: new URL(`${BUILT}checkpointer.js`, import.meta.url),
  logThread: new URL(`${BUILT}history-thread.js`, import.meta.url),
};
const ACCOUNT = 'acc_a';
const SPAN = { mode: 'live', from: 0, to: 100 * SLOT_MS } as const;

describe('the index of the log', () => {
  let directory: string;
  /** Patient: a busy machine is slow. */
  const open = (options = {}) =>
    openSqliteStore({ directory, ...THREADS, indexing: { patienceMs: 60_000 }, ...options });
  const index = () => join(directory, 'log-index.db');
  const edit = (file: string, sql: string) => {
    const database = openSqlite(join(directory, file));
    database.exec(sql);
    database.close();
  };
  const withStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = open();
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  const allowed = async (store: Store) =>
    (await store.traffic(ACCOUNT, SPAN)).slots.reduce((sum, { allow }) => sum + allow, 0);

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-log-'));
    await open().close();
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('is readable by its owner only', async () => {
    await withStore(allowed);
    expect((await stat(index())).mode & 0o077).toBe(0);
  });

  it('goes on where it ended, and counts nothing twice', async () => {
    edit('gatehouse.db', fill(1, 7_000));
    expect(await withStore(allowed)).toBe(7_000);
    edit('gatehouse.db', fill(7_001, 7_005));
    expect(await withStore(allowed)).toBe(7_005);
  });

  it.each([
    ['of another database', () => edit('log-index.db', "UPDATE progress SET request_id = 'req_else'")],
    ['ahead of its database', () => edit('log-index.db', 'UPDATE progress SET seq = 5000')],
    ['of another version', () => edit('log-index.db', 'PRAGMA user_version = 77')],
    ['damaged', () => writeFile(index(), 'x'.repeat(20_000))],
    ['gone', () => rm(index())],
  ])('is made anew where it is %s', async (_what, spoil) => {
    edit('gatehouse.db', fill(1, 300));
    await withStore(allowed);
    await spoil();
    await withStore(async (store) => {
      expect(await allowed(store)).toBe(300);
      edit('gatehouse.db', fill(301, 303));
      expect(await allowed(store)).toBe(303);
      expect((await store.findAssessments(ACCOUNT, { domain: 'd3.example' }, null, 9)).rows).toHaveLength(4);
    });
  });

  it('answers from what it includes where the rest would take too long, and says so until nothing is left', async () => {
    edit('gatehouse.db', fill(1, 7_000));
    const store = open({ indexing: { minSlice: 100, maxSlice: 100, patienceMs: 0 } });
    const seen: number[] = [];
    for (let progress = await store.indexing(); progress !== null; progress = await store.indexing()) {
      expect(progress.total).toBe(7_000);
      expect(progress.secondsLeft).toBeGreaterThanOrEqual(1);
      seen.push(progress.indexed);
      // The oldest come first; more may have been indexed between the two questions.
      expect(await allowed(store)).toBeGreaterThanOrEqual(progress.indexed);
      expect((await store.findAssessment(ACCOUNT, 'req_7000'))?.row.requestId).toBe('req_7000');
    }
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(await allowed(store)).toBe(7_000);
    await store.close();
  });

  it('is shared by stores on the same place', async () => {
    const [one, two] = [open(), open()];
    edit('gatehouse.db', fill(1, 12_000));
    expect(await Promise.all([allowed(one), allowed(two)])).toEqual([12_000, 12_000]);
    await Promise.all([one.close(), two.close()]);
  });

  it('is looked through a bounded number at a time, without leaving anything out', async () => {
    const last = MAX_ROWS_READ + 5_000;
    edit('gatehouse.db', fill(1, last));
    edit('gatehouse.db', 'UPDATE assessments SET score = 99 WHERE seq IN (2, 3)');
    await withStore(async (store) => {
      const found: string[] = [];
      const partial: boolean[] = [];
      let after = null;
      do {
        const page = await store.findAssessments(ACCOUNT, { scoreMin: 99 }, after, 50);
        found.push(...page.rows.map(({ requestId }) => requestId));
        partial.push(page.partial);
        after = page.next;
      } while (after !== null);
      expect(found).toEqual(['req_3', 'req_2']);
      expect(partial).toEqual([true, false]);
    });
  });

  it('tells of a thread that cannot run, fails what was asked, and closes', async () => {
    const faults: string[] = [];
    const store = open({
      logThread: new URL('data:text/javascript,throw new Error("no disk")'),
      onFault: (error: Error) => faults.push(error.message),
    });
    const starting = { code: 'unavailable', retryAfterSeconds: 5 };
    await expect(store.traffic(ACCOUNT, SPAN)).rejects.toMatchObject(starting);
    await expect(store.traffic(ACCOUNT, SPAN)).rejects.toMatchObject(starting);
    expect(faults).toEqual(['the log thread stopped (no disk); another one starts in 250 ms']);
    await store.close();
    await expect(store.traffic(ACCOUNT, SPAN)).rejects.toThrow('closed');
  });
});

describe('feedback of an older database', () => {
  it('is found by the account it belongs to', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-log-'));
    const database = openSqlite(join(directory, 'gatehouse.db'));
    const folder = new URL('./migrations/', import.meta.url);
    const older = (await readdir(folder)).sort().slice(0, 3);
    for (const name of older) database.exec(await readFile(new URL(name, folder), 'utf8'));
    database.exec('PRAGMA user_version = 3');
    database.exec(fill(1, 9));
    database.exec(`INSERT INTO feedback VALUES ('req_4', 'false_positive', NULL, 'key_a', 10)`);
    database.close();
    const store = openSqliteStore({ directory, ...THREADS });
    const { rows } = await store.findAssessments(ACCOUNT, { feedback: 'any' }, null, 9);
    expect(rows.map(({ requestId }) => requestId)).toEqual(['req_4']);
    await store.close();
    await rm(directory, { recursive: true });
  });
});

describe('buckets of latencies', () => {
  it('follow each other without gaps, exact at first and then within a sixteenth', () => {
    let lowest = 0;
    for (let milliseconds = 0; milliseconds < 20_000; milliseconds += 1) {
      const bucket = latencyBucket(milliseconds);
      if (bucket !== lowest) {
        expect(bucket).toBe(lowest + bucketWidth(lowest));
        lowest = bucket;
      }
      expect(milliseconds - bucket).toBeLessThanOrEqual(milliseconds < 64 ? 0 : milliseconds / 16);
    }
  });
});

/** Those of every release. */
const COLUMNS = ASSESSMENT_COLUMNS.filter((name) => name !== 'shadow').join(', ');

/** Assessments as the writer would have committed them, with these numbers. */
function fill(first: number, last: number): string {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n WHERE i < ${last})`;
  return `BEGIN;
    ${numbers} INSERT INTO assessments (seq, ${COLUMNS}) SELECT i, 'req_' || i, '${ACCOUNT}', 'key_a', 'live', i, 'allow', 0, '',
      'd' || (i % 100) || '.example', 'address', 'mailbox', 'j***@example.com', NULL, NULL, NULL, '', 0, NULL FROM n;
    ${numbers} INSERT INTO assessment_documents SELECT i, '{"processed_ms":5}', '{}' FROM n;
    COMMIT`;
}

import { copyFile, cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { BUILT_THREADS } from '../../../test/support/built-threads.ts';
import { idOf, insertRecords } from '../../../test/support/insert-records.ts';
import { openSqlite } from '../../platform/sqlite-driver.ts';
import { SLOT_MS } from '../history-store.ts';
import { bucketWidth, latencyBucket } from '../history-traffic.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';

const ACCOUNT = 'acc_a';
const SPAN = { mode: 'live', from: 0, to: 100 * SLOT_MS } as const;

describe('the index of the history', () => {
  /** An empty store, made once: opening one starts threads. */
  let empty: string;
  /** With 300 assessments, indexed in runs. */
  let indexed: string;
  let directory: string;
  /** Long limits, because a busy machine is slow. */
  const open = ({ forTests, ...options }: Partial<SqliteStoreOptions> = {}) =>
    openSqliteStore({
      directory,
      ...options,
      forTests: { ...BUILT_THREADS, indexing: { patienceMs: 60_000 }, ...forTests },
    });
  const runs = () => join(directory, 'history');
  /** The first of three runs. */
  const first = () => join(runs(), '0000000000000001.run');
  const RUNS = { forTests: { indexing: { patienceMs: 60_000, runSize: 128 } } };
  const edit = (sql: string) => {
    const database = openSqlite(join(directory, 'gatehouse.db'));
    database.exec(sql);
    database.close();
  };
  /** @param idsFrom what makes the ids other ones */
  const fill = (first: number, last: number, idsFrom = 0) => {
    const database = openSqlite(join(directory, 'gatehouse.db'));
    insertRecords(database, first, recordsOf(first, last, idsFrom));
    database.close();
  };
  const withStore = async <T>(
    work: (store: Store) => Promise<T>,
    options: Partial<SqliteStoreOptions> = {},
  ): Promise<T> => {
    const store = open(options);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  const allowed = async (store: Store) =>
    (await store.traffic(ACCOUNT, SPAN)).slots.reduce((sum, { allow }) => sum + allow, 0);

  const newDirectory = () => mkdtemp(join(tmpdir(), 'gatehouse-log-'));
  const copyOf = async (folder: string) => {
    directory = await newDirectory();
    await cp(folder, directory, { recursive: true });
  };
  beforeAll(async () => {
    empty = directory = await newDirectory();
    await open().close();
    await copyOf(empty);
    indexed = directory;
    fill(1, 300);
    await withStore(allowed, RUNS);
    expect(await readdir(runs())).toHaveLength(2);
  });
  afterAll(() => Promise.all([empty, indexed].map((folder) => rm(folder, { recursive: true }))));
  beforeEach(() => copyOf(empty));
  afterEach(() => rm(directory, { recursive: true }));
  const beIndexed = async () => {
    await rm(directory, { recursive: true });
    await copyOf(indexed);
  };

  it('is readable by its owner only', async () => {
    fill(1, 300);
    await withStore(allowed, RUNS);
    expect((await stat(runs())).mode & 0o077).toBe(0);
    expect((await stat(first())).mode & 0o077).toBe(0);
  });

  it('continues where it stopped, and counts nothing twice', async () => {
    fill(1, 7_000);
    expect(await withStore(allowed)).toBe(7_000);
    fill(7_001, 7_005);
    expect(await withStore(allowed)).toBe(7_005);
  });

  it.each([
    ['of another version', () => spoil((run) => run.write('GHRUN00', run.length - 8))],
    [
      'damaged at its end',
      () => spoil((run) => run.writeInt8(run.readInt8(run.length - 40) ^ 1, run.length - 40)),
    ],
    ['damaged at its beginning', () => spoil((run) => run.writeInt8(run.readInt8(3) ^ 1, 3))],
    ['cut', () => truncate(first(), 3_000)],
    ['empty', () => truncate(first(), 0)],
    ['that of other numbers', () => copyFile(join(runs(), '0000000000000129.run'), first())],
    ['gone', () => rm(first())],
    ['gone with all others', () => rm(runs(), { recursive: true })],
    [
      'of another database',
      () => {
        edit('DELETE FROM assessment_batches');
        fill(1, 300, 1_000);
      },
    ],
  ])('rebuilds a run that is %s', async (_what, change) => {
    await beIndexed();
    await change();
    await withStore(async (store) => {
      // Damage inside is noticed when it is read.
      await store.findAssessments(ACCOUNT, { scoreMax: 0 }, null, 500).catch(() => null);
      expect(await allowed(store)).toBe(300);
      fill(301, 303);
      expect(await allowed(store)).toBe(303);
      expect((await store.findAssessments(ACCOUNT, { domain: 'd3.example' }, null, 9)).rows).toHaveLength(4);
    }, RUNS);
    expect(await readdir(runs())).toHaveLength(2);
  });

  it('rebuilds runs after an older copy of the database was restored', async () => {
    await beIndexed();
    // A batch of three whole ones.
    edit('DELETE FROM assessment_batches WHERE seq > 96');
    expect(await withStore(allowed, RUNS)).toBe(96);
    fill(97, 200);
    expect(await withStore(allowed, RUNS)).toBe(200);
    expect(await readdir(runs())).toHaveLength(1);
  });

  async function spoil(change: (run: Buffer) => unknown): Promise<void> {
    const run = await readFile(first());
    change(run);
    await writeFile(first(), run);
  }

  it('answers from the indexed part if the rest would take too long, and gives its progress until nothing is left', async () => {
    fill(1, 7_000);
    const store = open({ forTests: { indexing: { minSlice: 100, maxSlice: 100, patienceMs: 0 } } });
    const seen: number[] = [];
    for (let progress = await store.indexing(); progress !== null; progress = await store.indexing()) {
      expect(progress.total).toBe(7_000);
      expect(progress.secondsLeft).toBeGreaterThanOrEqual(1);
      seen.push(progress.indexed);
      // The oldest come first; more may have been indexed between the two questions.
      expect(await allowed(store)).toBeGreaterThanOrEqual(progress.indexed);
      expect((await store.findAssessment(ACCOUNT, idOf(7_000, 7_000)))?.row.requestId).toBe(
        idOf(7_000, 7_000),
      );
    }
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(await allowed(store)).toBe(7_000);
    await store.close();
  });

  it('is shared by stores in the same folder', async () => {
    const [first, second] = [open(RUNS), open(RUNS)];
    fill(1, 1_000);
    expect(await Promise.all([allowed(first), allowed(second)])).toEqual([1_000, 1_000]);
    expect(await readdir(runs())).toHaveLength(Math.floor(1_000 / 128));
    await Promise.all([first.close(), second.close()]);
  });

  it('reports a thread that cannot run, rejects its questions, and closes', async () => {
    const faults: string[] = [];
    const store = open({
      forTests: { historyThread: new URL('data:text/javascript,throw new Error("no disk")') },
      onFault: (error: Error) => faults.push(error.message),
    });
    const starting = { code: 'unavailable', retryAfterSeconds: 5 };
    await expect(store.traffic(ACCOUNT, SPAN)).rejects.toMatchObject(starting);
    await expect(store.traffic(ACCOUNT, SPAN)).rejects.toMatchObject(starting);
    expect(faults).toEqual(['the history thread stopped (no disk); another one starts in 250 ms']);
    await store.close();
    await expect(store.traffic(ACCOUNT, SPAN)).rejects.toThrow('closed');
  });
});

describe('latency buckets', () => {
  it('have no gaps, are exact at first, and then within a sixteenth', () => {
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

/** Assessments with these numbers. */
function recordsOf(first: number, last: number, idsFrom: number) {
  return Array.from({ length: last - first + 1 }, (_, place) => {
    const number = first + place;
    return anAssessment({
      requestId: idOf(number, idsFrom + number),
      accountId: ACCOUNT,
      at: number,
      verdict: 'allow',
      emailDomain: `d${number % 100}.example`,
    });
  });
}

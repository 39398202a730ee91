import { copyFile, cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BUILT_THREADS } from '../../../test/support/built-threads.ts';
import { openSqlite } from '../../sqlite-driver.ts';
import { SLOT_MS } from '../history-store.ts';
import { bucketWidth, latencyBucket } from '../history-traffic.ts';
import type { Store } from '../store.ts';
import { openSqliteStore } from './sqlite.ts';

const ACCOUNT = 'acc_a';
const SPAN = { mode: 'live', from: 0, to: 100 * SLOT_MS } as const;

describe('the index of the log', () => {
  /** An empty store, made once: opening one starts threads. */
  let empty: string;
  /** With 300 assessments, indexed in runs. */
  let indexed: string;
  let directory: string;
  /** Long limits, because a busy machine is slow. */
  const open = (options = {}) =>
    openSqliteStore({ directory, ...BUILT_THREADS, indexing: { patienceMs: 60_000 }, ...options });
  const runs = () => join(directory, 'history');
  /** The first of three runs. */
  const first = () => join(runs(), '0000000000000001.run');
  const RUNS = { indexing: { patienceMs: 60_000, runSize: 128 } };
  const edit = (file: string, sql: string) => {
    const database = openSqlite(join(directory, file));
    database.exec(sql);
    database.close();
  };
  const withStore = async <T>(work: (store: Store) => Promise<T>, options = {}): Promise<T> => {
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
    edit('gatehouse.db', fill(1, 300));
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
    edit('gatehouse.db', fill(1, 300));
    await withStore(allowed, RUNS);
    expect((await stat(runs())).mode & 0o077).toBe(0);
    expect((await stat(first())).mode & 0o077).toBe(0);
  });

  it('replaces the index of older versions', async () => {
    for (const suffix of ['', '-wal', '-shm']) await writeFile(join(directory, `log-index.db${suffix}`), '');
    await withStore(allowed);
    expect((await readdir(directory)).filter((name) => name.startsWith('log-index'))).toEqual([]);
  });

  it('continues where it stopped, and counts nothing twice', async () => {
    edit('gatehouse.db', fill(1, 7_000));
    expect(await withStore(allowed)).toBe(7_000);
    edit('gatehouse.db', fill(7_001, 7_005));
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
      () => edit('gatehouse.db', "UPDATE assessments SET request_id = 'other_' || seq"),
    ],
  ])('rebuilds a run that is %s', async (_what, change) => {
    await beIndexed();
    await change();
    await withStore(async (store) => {
      // Damage inside is noticed when it is read.
      await store.findAssessments(ACCOUNT, { scoreMax: 0 }, null, 500).catch(() => null);
      expect(await allowed(store)).toBe(300);
      edit('gatehouse.db', fill(301, 303));
      expect(await allowed(store)).toBe(303);
      expect((await store.findAssessments(ACCOUNT, { domain: 'd3.example' }, null, 9)).rows).toHaveLength(4);
    }, RUNS);
    expect(await readdir(runs())).toHaveLength(2);
  });

  it('rebuilds runs after an older copy of the database was restored', async () => {
    await beIndexed();
    for (const table of ['assessments', 'assessment_documents'])
      edit('gatehouse.db', `DELETE FROM ${table} WHERE seq > 100`);
    expect(await withStore(allowed, RUNS)).toBe(100);
    edit('gatehouse.db', fill(101, 200));
    expect(await withStore(allowed, RUNS)).toBe(200);
    expect(await readdir(runs())).toHaveLength(1);
  });

  async function spoil(change: (run: Buffer) => unknown): Promise<void> {
    const run = await readFile(first());
    change(run);
    await writeFile(first(), run);
  }

  it('answers from the indexed part if the rest would take too long, and gives its progress until nothing is left', async () => {
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

  it('is shared by stores in the same folder', async () => {
    const [first, second] = [open(RUNS), open(RUNS)];
    edit('gatehouse.db', fill(1, 1_000));
    expect(await Promise.all([allowed(first), allowed(second)])).toEqual([1_000, 1_000]);
    expect(await readdir(runs())).toHaveLength(Math.floor(1_000 / 128));
    await Promise.all([first.close(), second.close()]);
  });

  it('reports a thread that cannot run, rejects its questions, and closes', async () => {
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
  it('is found by its account', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-log-'));
    const database = openSqlite(join(directory, 'gatehouse.db'));
    const folder = new URL('./migrations/', import.meta.url);
    const older = (await readdir(folder)).sort().slice(0, 3);
    for (const name of older) database.exec(await readFile(new URL(name, folder), 'utf8'));
    database.exec('PRAGMA user_version = 3');
    database.exec(fill(1, 9));
    database.exec(`INSERT INTO feedback VALUES ('req_4', 'false_positive', NULL, 'key_a', 10)`);
    database.close();
    const store = openSqliteStore({ directory, ...BUILT_THREADS, indexing: { patienceMs: 60_000 } });
    const { rows } = await store.findAssessments(ACCOUNT, { feedback: 'any' }, null, 9);
    expect(rows.map(({ requestId }) => requestId)).toEqual(['req_4']);
    await store.close();
    await rm(directory, { recursive: true });
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

/** The columns of every release before the batches. */
const COLUMNS = `request_id, account_id, key_id, mode, at, verdict, score, reasons, email_domain, address_hash,
  mailbox_hash, email_masked, email, ip, network, country_code, asn, session_id`;

/** Assessments with these numbers, as the writer commits them. */
function fill(first: number, last: number): string {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n WHERE i < ${last})`;
  return `BEGIN;
    ${numbers} INSERT INTO assessments (seq, ${COLUMNS}) SELECT i, 'req_' || i, '${ACCOUNT}', 'key_a', 'live', i, 'allow', 0, '',
      'd' || (i % 100) || '.example', 'address', 'mailbox', 'j***@example.com', NULL, NULL, NULL, '', 0, NULL FROM n;
    ${numbers} INSERT INTO assessment_documents SELECT i, '{"processed_ms":5}', '{}' FROM n;
    COMMIT`;
}

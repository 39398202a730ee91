/** Reads the database file of an installation without the service, or locks it. */
import { join } from 'node:path';
import type { KeyMode } from '../../src/model/key-mode.ts';
import { openSqlite } from '../../src/platform/sqlite-driver.ts';
import { createRecordSource } from '../../src/store/records/record-source.ts';
import type { Installation } from './service.ts';

export interface StoredFeedback {
  readonly outcome: string;
  readonly note: string | null;
}

export interface DatabaseView {
  /** Number of stored live assessments. */
  liveCount(): number;
  /** Number of live assessments from an IP. */
  countOf(ip: string): number;
  /** Number of distinct live addresses of a domain. */
  addressesOf(domain: string): number;
  /** The ids of the stored live or sandbox assessments. */
  ids(mode: 'live' | 'test'): Set<string>;
  feedback(requestId: string): StoredFeedback | undefined;
  /** `ok`, or what is damaged in the file. */
  integrity(): string;
  close(): void;
}

export function databaseFile({ environment }: Pick<Installation, 'environment'>): string {
  return join(environment.GATEHOUSE_DATA_DIR as string, 'gatehouse.db');
}

/** Read-only; sees every commit, also those of a running service. */
export function viewDatabase(file: string): DatabaseView {
  const database = openSqlite(file, { readOnly: true });
  const batches = createRecordSource(database);
  const checksums = database.prepare('SELECT total(crc32) AS sum FROM assessment_batches WHERE seq <= ?');
  const checksumsTo = (seq: number) => (checksums.get(seq) as { sum: number }).sum;
  let version: number | undefined;
  let records: ReturnType<typeof batches.readAfter> = [];
  let known = 0;
  /** Reads what other connections have committed since; everything again if a row that was read has changed. */
  function of(wanted: KeyMode) {
    const [{ data_version: now }] = database.pragma('data_version') as [{ data_version: number }];
    if (now !== version) {
      const newest = records.at(-1)?.seq ?? 0;
      const isSame = checksumsTo(newest) === known;
      const more = batches.readAfter(isSame ? newest : 0, Number.MAX_SAFE_INTEGER);
      records = isSame ? [...records, ...more] : more;
      known = checksumsTo(records.at(-1)?.seq ?? 0);
      version = now;
    }
    return records.filter(({ mode }) => mode === wanted);
  }
  return {
    liveCount: () => of('live').length,
    countOf: (address) => of('live').filter(({ ip }) => ip === address).length,
    addressesOf(domain) {
      const own = of('live').filter(({ emailDomain }) => emailDomain === domain);
      return new Set(own.map(({ addressHash }) => addressHash)).size;
    },
    ids: (mode) => new Set(of(mode).map(({ requestId }) => requestId)),
    feedback(requestId) {
      const sql = 'SELECT outcome, note FROM feedback WHERE request_id = ?';
      return database.prepare(sql).get(requestId) as StoredFeedback | undefined;
    },
    integrity() {
      const row = database.prepare('PRAGMA integrity_check').get() as { integrity_check: string };
      return row.integrity_check;
    },
    close: () => database.close(),
  };
}

/** Takes the write lock, as another program with the open file may. Returns a function that releases it; more calls have no effect. */
export function lockDatabase(file: string): () => void {
  const database = openSqlite(file);
  // The service may be writing just now.
  database.pragma('busy_timeout = 5000');
  database.exec('BEGIN IMMEDIATE');
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    database.exec('ROLLBACK');
    database.close();
  };
}

/** Keeps the file in use without locking anything, so that its shared files stay; returns a function that closes it. */
export function holdDatabase(file: string): () => void {
  const database = openSqlite(file);
  database.prepare('SELECT count(*) FROM assessment_batches').get();
  return () => database.close();
}

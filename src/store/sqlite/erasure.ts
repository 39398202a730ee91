/** Erases in SQLite: records in their places, and what free places of the file still have. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createRedactAudit } from '../audit.ts';
import { createErasureNotes } from '../erasure-statements.ts';
import type { ErasureStore } from '../erasure-store.ts';
import type { SqliteHistory } from '../history-index/history.ts';
import type { RecordChanges } from '../records/record-changes.ts';
import type { SqlDatabase } from '../sql-database.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { JobQueue } from '../sqlite-jobs.ts';
import type { Checkpoints } from '../writer/checkpoints.ts';

export interface ErasureStoreOptions {
  readonly file: string;
  readonly reads: SqliteConnection;
  readonly database: Pick<SqlDatabase, 'query' | 'change' | 'nextVersion' | 'newVersion'>;
  readonly changes: Pick<RecordChanges, 'anonymize'>;
  readonly committer: JobQueue;
  readonly history: Pick<SqliteHistory, 'rebuildIndex'>;
  readonly checkpoints: Pick<Checkpoints, 'emptyWal'>;
}

/** Written at once: a few milliseconds of the writer. */
const ZEROS_BYTES = 131_072;
const FILL = `INSERT INTO zeros (bytes) VALUES (zeroblob(${ZEROS_BYTES}))`;
const REMOVE = 'DELETE FROM zeros WHERE number IN (SELECT number FROM zeros LIMIT 1) RETURNING number';
/** Ratio of its rest to its work. */
const REST = 2;

export function createErasureStore(options: ErasureStoreOptions): ErasureStore {
  const { file, reads, database, changes, committer, history, checkpoints } = options;
  const { submit } = committer;
  const readFree = reads.prepare('PRAGMA freelist_count');
  const readSize = reads.prepare('PRAGMA page_size');
  const freePages = () => (readFree.get() as { freelist_count: number }).freelist_count;

  async function step(sql: string): Promise<number> {
    const started = performance.now();
    const { result } = await submit({ statements: [{ sql, values: [] }], resultOf: 0 });
    await sleep(REST * (performance.now() - started));
    return result?.changes ?? 0;
  }

  return {
    anonymizeAssessments: changes.anonymize,
    ...createErasureNotes(database),
    redactAudit: createRedactAudit(database),
    rebuildIndex: history.rebuildIndex,
    /** Overwrites the free pages of an earlier version, which left them as they were: zeros take every one, and leave it again. Rows that are deleted now are overwritten at once (`connection.ts`). */
    async overwriteFreed(stopping = () => false) {
      const { page_size: pageBytes } = readSize.get() as { page_size: number };
      // Others free pages meanwhile: what was free at first is taken after as many steps, and some.
      const maxSteps = 2 + (2 * freePages() * pageBytes) / ZEROS_BYTES;
      for (let steps = 0; steps < maxSteps && freePages() > 0 && !stopping(); steps += 1) await step(FILL);
      while (!stopping() && (await step(REMOVE)) > 0);
      if (!stopping()) await checkpoints.emptyWal();
    },
    async rewriteAll() {
      await rewrite(file);
      await checkpoints.emptyWal();
    },
  };
}

/** Rewrites a file in a thread, because SQLite does it in one call. */
function rewrite(file: string): Promise<void> {
  const worker = new Worker(new URL('./rewrite-thread.js', import.meta.url), {
    workerData: { file },
  });
  return new Promise((resolve, reject) => {
    worker.once('error', (error: Error) => reject(new Error(`cannot write ${file} again: ${error.message}`)));
    worker.once('exit', () => resolve());
  });
}

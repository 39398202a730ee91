/** Recall of a service on SQLite. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILT_THREADS, PATIENT_READS } from '../../../test/support/built-threads.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite.ts';
import { describeLiveRecall } from './live-recall.suite.ts';

describeLiveRecall('SQLite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-recall-'));
  const forTests = { ...BUILT_THREADS, indexing: PATIENT_READS };
  return {
    open: () => openSqliteStore({ directory, forTests }),
    remove: () => rm(directory, { recursive: true }),
  };
});

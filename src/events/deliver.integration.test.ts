import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILT_THREADS, PATIENT_READS } from '../../test/support/built-threads.ts';
import { openCommittedSignups } from '../store/sqlite/committed-signups.ts';
import { openSqliteStore } from '../store/sqlite/sqlite.ts';
import { describeDeliveries } from './deliver.suite.ts';

describeDeliveries('SQLite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-events-'));
  const forTests = { ...BUILT_THREADS, indexing: PATIENT_READS };
  return {
    open: () => openSqliteStore({ directory, forTests }),
    follow: async (since, make) =>
      openCommittedSignups({ file: join(directory, 'gatehouse.db'), since, make }),
    remove: () => rm(directory, { recursive: true }),
  };
});

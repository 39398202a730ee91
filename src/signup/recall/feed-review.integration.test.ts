/** Review of feeds on SQLite. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILT_THREADS, PATIENT_READS } from '../../../test/support/built-threads.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite.ts';
import { describeFeedReview } from './feed-review.suite.ts';

describeFeedReview('SQLite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-review-'));
  const forTests = { ...BUILT_THREADS, indexing: PATIENT_READS };
  return {
    open: () => openSqliteStore({ directory, forTests }),
    remove: () => rm(directory, { recursive: true }),
  };
});

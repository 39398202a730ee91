/** The history over many small sealed runs of the same time gives the same answers as over one run. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { BUILT_THREADS } from '../../../test/support/built-threads.ts';
import { createMakeId } from '../../contract/identifiers.ts';
import { openSqliteStore } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import { describeHistory } from '../store-history.suite.ts';
import { describeListCandidates } from '../store-list-candidates.suite.ts';

describe('SQLite with small runs', () => {
  let directory: string;
  let store: Store;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-runs-'));
    store = openSqliteStore({
      directory,
      forTests: { ...BUILT_THREADS, indexing: { runSize: 61, patienceMs: 60_000 } },
    });
  });
  afterAll(async () => {
    await store.close();
    await rm(directory, { recursive: true });
  });
  const makeId = createMakeId();
  describeHistory(() => store, makeId);
  describeListCandidates(() => store, makeId);
});

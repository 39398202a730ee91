import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { HANG_MS } from '../../../test/support/long-version.ts';
import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';

import { createMakeId } from '../../contract/identifiers.ts';
import type { AssessmentRecord } from '../store.ts';
import { createUncertainCommits } from '../uncertain-commits.ts';
import { undoRecords } from './committer.ts';
import { type Database, openDatabase } from './database.ts';
import { openPostgresStore, type PostgresStore } from './postgres.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
/** More than one statement checks. */
const MANY = 1_100;
const makeId = createMakeId();

describe('uncertain records', () => {
  let store: PostgresStore;
  let database: Database;
  beforeAll(async () => {
    const url = await newMigratedDatabase();
    store = await openPostgresStore({ url });
    database = openDatabase({ url, connections: 1, deadlineMs: HANG_MS });
  });
  afterAll(() => Promise.all([store.close(), database.close()]));

  it('are all checked once more at the end, however many there are', async () => {
    const records = Array.from({ length: MANY }, () => anAssessment());
    await Promise.all(records.map((record) => store.record(record)));
    expect(await store.creditsUsed('acc_a', '2026-05')).toBe(MANY);
    const faults: Error[] = [];
    const uncertain = createUncertainCommits({
      undo: undoRecords(database),
      onFault: (error) => faults.push(error),
    });
    uncertain.add(records.map(({ requestId }) => requestId));
    await uncertain.close();
    expect([await store.creditsUsed('acc_a', '2026-05'), faults]).toEqual([0, []]);
    const last = (records.at(-1) as AssessmentRecord).requestId;
    expect(await store.findStored(last, { accountId: 'acc_a', mode: 'live' })).toBeUndefined();
  });

  it('are given up and reported if the database is gone at the end', async () => {
    const unreachable = openDatabase({ url: 'postgres://nobody@127.0.0.1:9/nothing', connections: 1 });
    const faults: Error[] = [];
    const uncertain = createUncertainCommits({
      undo: undoRecords(unreachable),
      onFault: (error) => faults.push(error),
    });
    uncertain.add([makeId('req', NOW)]);
    await uncertain.close();
    await unreachable.close();
    expect(faults).toHaveLength(1);
  });
});

/** Reports about many signups, on SQLite: what somebody else reports in between stays, and counts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anAccount } from '../../test/support/an-account.ts';
import { anAssessment } from '../../test/support/an-assessment.ts';
import { BUILT_THREADS } from '../../test/support/built-threads.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { WholeAssessment } from '../store/history-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite.ts';
import type { Store } from '../store/store.ts';
import { createReportMany } from './report-many.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const makeId = createMakeId();
const accountId = makeId('acc', NOW);
const user = { name: 'Jo', email: 'jo@example.com' } as Parameters<
  ReturnType<typeof createReportMany>
>[0]['user'];

let directory: string;
let store: Store;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-reports-'));
  store = openSqliteStore({ directory, forTests: BUILT_THREADS });
  await store.saveAccount(anAccount({ id: accountId }));
});
afterAll(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

it('leaves a report that was made after the signups were read', async () => {
  const signups = [1, 2, 3].map((at) =>
    anAssessment({ requestId: makeId('req', NOW), accountId, at: NOW - at, verdict: 'allow' }),
  );
  for (const signup of signups) await store.record(signup);
  const read = await Promise.all(signups.map(({ requestId }) => store.findAssessment(accountId, requestId)));
  const [first, second] = signups.map(({ requestId }) => requestId) as [string, string];
  const theirs = { outcome: 'false_positive', note: 'phoned', keyId: 'Al', at: NOW } as const;
  await store.saveFeedback({ ...theirs, requestId: first });
  const auditEntry = (action: string, target: string, detail: string) => {
    return { at: NOW, by: 'jo@example.com', accountId, action, target, detail };
  };
  const call = { user, now: NOW + 1, auditEntry };
  const done = await createReportMany(store)(call, 'fraud', read as readonly WholeAssessment[]);
  expect(done).toMatchObject({ other: 1, same: 0 });
  expect(done.reports.map(({ requestId }) => requestId)).toEqual(
    signups.slice(1).map(({ requestId }) => requestId),
  );
  expect(await store.findFeedback(first)).toMatchObject({ outcome: 'false_positive', note: 'phoned' });
  expect(await store.findFeedback(second)).toMatchObject({ outcome: 'false_negative' });
  const { entries } = await store.auditEntries(accountId, null, 9);
  expect(entries.map(({ action }) => action)).toEqual(['feedback.give']);
});

/** The effects of an undo while the same account continues. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { BUILT_THREADS } from '../../../test/support/built-threads.ts';
import type { IdempotencyClaim } from '../../model/idempotency-claim.ts';
import { createIdempotencyStore } from '../idempotency.ts';
import { createAssessmentStore } from '../sqlite/assessments.ts';
import { migrate } from '../sqlite/migrate.ts';
import { createSqlDatabase } from '../sqlite/sql-database.ts';
import { openConnection } from '../sqlite-connection.ts';
import { createCommitter } from '../writer/committer.ts';
import { createLiveAttempts } from './live-attempts.ts';
import { createRecordSource } from './record-source.ts';
import { createUndoRecords } from './undo-records.ts';

const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function open(removeFromIndex = async () => {}) {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-undo-'));
  endings.push(() => rm(directory, { recursive: true }));
  const file = join(directory, 'gatehouse.db');
  const reads = openConnection(file);
  migrate(reads);
  const sizes: number[] = [];
  const committer = createCommitter({
    file,
    writer: BUILT_THREADS.writer,
    deadlines: { waitMs: 60_000, answerMs: 60_000, lockMs: 60_000 },
    health: { succeeded: () => {}, failed: () => {} },
    onUncertain: () => {},
    onBatch: (jobs) => sizes.push(jobs),
    onFault: () => {},
    onDeath: () => {},
    stuckMs: undefined,
  });
  endings.push(async () => {
    await committer.close();
    reads.close();
  });
  const source = createRecordSource(reads);
  const undo = createUndoRecords({ reads, source, removeFromIndex, committer });
  const database = createSqlDatabase(reads, committer);
  const store = createAssessmentStore({
    database,
    source,
    attempts: createLiveAttempts(reads),
    committer,
  });
  const keys = createIdempotencyStore({ database, isShared: false });
  return { store, keys, undo, sizes, source };
}

it('frees the credit, even between two signups of the account in one batch', async () => {
  const { store, undo, sizes } = await open();
  const [undone, first, before, after] = Array.from({ length: 4 }, () => ({ ...anAssessment(), cap: 3 }));
  if (!undone || !first || !before || !after) throw new Error('never');
  await store.record(undone);
  // The first one goes to the writer alone; the following ones go together.
  const recording = [store.record(first), store.record(before)];
  const undoing = undo([undone.requestId]);
  await Promise.resolve().then(() => {});
  recording.push(store.record(after));
  const outcomes = await Promise.all(recording);
  await undoing;
  expect(Math.max(...sizes)).toBeGreaterThanOrEqual(3);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['recorded', 'recorded', 'recorded']);
  expect(await store.creditsUsed('acc_a', '2026-05')).toBe(3);
});

it('frees the credit at once and only once, even if the index cannot be updated', async () => {
  let broken = true;
  const { store, undo, source } = await open(async () => {
    if (broken) throw new Error('the disk of the index is full');
  });
  const [kept, undone] = [anAssessment(), anAssessment()];
  await store.record(kept);
  await store.record(undone);
  const credits = () => store.creditsUsed('acc_a', '2026-05');
  for (const _ of [1, 2, 3]) {
    await expect(undo([undone.requestId])).rejects.toThrow('the disk of the index is full');
    expect(await credits()).toBe(1);
  }
  // A process that starts meanwhile continues it.
  expect(undo.listBegun()).toEqual([undone.requestId]);
  broken = false;
  await undo([undone.requestId]);
  await undo([undone.requestId]);
  expect([await credits(), undo.listBegun()]).toEqual([1, []]);
  expect(source.readAfter(0, 10).map(({ requestId }) => requestId)).toEqual([kept.requestId]);
});

it('frees the idempotency key too, but keeps what a repeated request already got as its answer', async () => {
  const { store, keys, undo } = await open();
  const records = ['undone', 'kept'].map((keyHash) => keyedRecord(keyHash));
  for (const record of records) await store.record(record);
  const [undone, kept] = records.map(({ claim }) => claim) as [IdempotencyClaim, IdempotencyClaim];
  const stored = { outcome: 'stored', requestId: kept.requestId, answer: null };
  expect(await keys.claimKey({ ...kept, requestId: 'req_again' })).toEqual(stored);
  await undo([undone.requestId, kept.requestId]);
  expect(await keys.claimKey({ ...undone, requestId: 'req_again' })).toEqual({ outcome: 'claimed' });
  expect(await keys.claimKey({ ...kept, requestId: 'req_again' })).toEqual(stored);
  expect(await store.creditsUsed('acc_a', '2026-05')).toBe(1);
  expect(undo.listBegun()).toEqual([]);
});

function keyedRecord(keyHash: string) {
  const record = anAssessment();
  const { accountId, mode, requestId, at } = record;
  const operation = 'assessSignup';
  return {
    ...record,
    claim: { accountId, mode, operation, keyHash, bodyDigest: 'body', requestId, at },
  };
}

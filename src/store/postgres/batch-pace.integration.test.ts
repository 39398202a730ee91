/** Requests share batches, and a stuck batch delays no other account. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';
import { createMakeId } from '../../contract/identifiers.ts';
import { openPostgresStore } from './postgres.ts';

const makeId = createMakeId();

it('stores for other accounts while a batch waits for the credits of one account', async () => {
  const url = await newMigratedDatabase();
  const store = await openPostgresStore({ url });
  const [busy, free] = [makeId('acc', Date.now()), makeId('acc', Date.now())];
  for (const accountId of [busy, free]) await store.record(anAssessment({ accountId }));
  const blocker = new pg.Client({ connectionString: url });
  await blocker.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT * FROM credits WHERE account_id = $1 FOR UPDATE', [busy]);
  const order: string[] = [];
  const held = store.record(anAssessment({ accountId: busy })).then(() => order.push('busy'));
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  for (let count = 0; count < 3; count += 1)
    await store.record(anAssessment({ accountId: free })).then(() => order.push('free'));
  await blocker.query('COMMIT');
  await held;
  expect(order).toEqual(['free', 'free', 'free', 'busy']);
  await blocker.end();
  await store.close();
});

it('puts everything that arrives during a batch into the next batch', async () => {
  const url = await newMigratedDatabase();
  const sizes: number[] = [];
  const store = await openPostgresStore({ url, onBatch: (jobs) => sizes.push(jobs) });
  const accountId = makeId('acc', Date.now());
  const waiting: Promise<unknown>[] = [];
  for (let count = 0; count < 20; count += 1) {
    waiting.push(store.record(anAssessment({ accountId })));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(waiting);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20);
  // A very busy machine may need longer than one batch for all of them.
  expect(sizes.length).toBeLessThan(11);
  await store.close();
});

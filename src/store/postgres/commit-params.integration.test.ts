/** A batch charges the credits of each account in it, few or many. */
import { expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';
import { createMakeId } from '../../contract/identifiers.ts';
import { openPostgresStore } from './postgres.ts';

const makeId = createMakeId();

it.each([1, 3, 4, 5, 12])('charges %i accounts of one batch, in live mode only', async (count) => {
  const sizes: number[] = [];
  const store = await openPostgresStore({
    url: await newMigratedDatabase(),
    onBatch: (jobs) => sizes.push(jobs),
  });
  const accounts = Array.from({ length: count }, () => makeId('acc', Date.now()));
  const round = () =>
    Promise.all(
      accounts.flatMap((accountId, index) => [
        ...Array.from({ length: index + 1 }, () => store.record(anAssessment({ accountId, cap: 5_000 }))),
        store.record(anAssessment({ accountId, mode: 'test', cap: null })),
      ]),
    );
  await round();
  const second = await round();
  const expected = accounts.flatMap((_, index) => {
    const live = Array.from({ length: index + 1 }, (__, at) => index + 2 + at);
    return [...live, live.at(-1)];
  });
  expect(second.map(({ outcome, used }) => [outcome, used])).toEqual(
    expected.map((used) => ['recorded', used]),
  );
  for (const [index, accountId] of accounts.entries())
    expect(await store.creditsUsed(accountId, '2026-05')).toBe(2 * (index + 1));
  // The first round creates rows of credits, the second finds them.
  expect(sizes.length).toBeLessThanOrEqual(4);
  await store.close();
});

/** Idempotency keys of several nodes on one PostgreSQL: one node handles a request, even if another one hangs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';
import { createMakeId } from '../../contract/identifiers.ts';
import type { IdempotencyClaim } from '../../model/idempotency-claim.ts';
import { LEASE_MS } from '../idempotency-store.ts';
import { undoRecords } from './committer.ts';
import { type Database, openDatabase } from './database.ts';
import { openPostgresStore, type PostgresStore } from './postgres.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const makeId = createMakeId();

const claimOf = (accountId: string, values: Partial<IdempotencyClaim> = {}): IdempotencyClaim => ({
  accountId,
  mode: 'live',
  operation: 'assessSignup',
  keyHash: 'key',
  bodyDigest: 'body',
  requestId: makeId('req', NOW),
  at: NOW,
  ...values,
});
const recordOf = (claim: IdempotencyClaim) =>
  anAssessment({ requestId: claim.requestId, accountId: claim.accountId, claim });
const storedAs = ({ requestId }: IdempotencyClaim) => ({ outcome: 'stored', requestId, answer: null });

describe('an idempotency key on two nodes', () => {
  let nodes: [PostgresStore, PostgresStore];
  let database: Database;
  beforeAll(async () => {
    const url = await newMigratedDatabase();
    nodes = [await openPostgresStore({ url }), await openPostgresStore({ url })];
    database = openDatabase({ url, connections: 2 });
  });
  afterAll(() => Promise.all([...nodes.map((node) => node.close()), database.close()]));

  it('is claimed by one of many simultaneous requests', async () => {
    const accountId = makeId('acc', NOW);
    const claims = Array.from({ length: 40 }, () => claimOf(accountId));
    const results = await Promise.all(claims.map((claim, at) => nodes[at % 2 === 0 ? 0 : 1].claimKey(claim)));
    const claimed = claims.filter((_, at) => results[at]?.outcome === 'claimed');
    expect(claimed).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'busy')).toHaveLength(39);
    await nodes[0].record(recordOf(claimed[0] as IdempotencyClaim));
    expect(await nodes[1].claimKey(claimOf(accountId))).toEqual(storedAs(claimed[0] as IdempotencyClaim));
  });

  it('is taken over if its node takes too long, and only the late commit then fails', async () => {
    const [slow, quick] = nodes;
    const accountId = makeId('acc', NOW);
    const [first, other] = [claimOf(accountId), claimOf(accountId, { keyHash: 'other' })];
    await Promise.all([slow.claimKey(first), slow.claimKey(other)]);
    const inTime = claimOf(accountId, { at: NOW + LEASE_MS - 1 });
    expect(await quick.claimKey(inTime)).toEqual({ outcome: 'busy' });
    const second = claimOf(accountId, { at: NOW + LEASE_MS });
    expect(await quick.claimKey(second)).toEqual({ outcome: 'claimed' });
    const unkeyed = anAssessment({ requestId: makeId('req', NOW), accountId });
    const late = await Promise.allSettled([
      slow.record(recordOf(first)),
      slow.record(recordOf(other)),
      slow.record(unkeyed),
    ]);
    expect(late.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(slow.canCommit()).toBe(true);
    await quick.record(recordOf(second));
    expect(await slow.claimKey(claimOf(accountId))).toEqual(storedAs(second));
    expect(await slow.creditsUsed(accountId, '2026-05')).toBe(3);
  });

  it('of feedback is taken over in the same way, and the late feedback is not saved', async () => {
    const [slow, quick] = nodes;
    const accountId = makeId('acc', NOW);
    const requestId = makeId('req', NOW);
    await slow.record(anAssessment({ requestId, accountId }));
    const feedback = { requestId, outcome: 'false_positive', note: null, keyId: 'key_a', at: NOW } as const;
    const [first, second] = [0, LEASE_MS].map((late) =>
      claimOf(accountId, { operation: 'submitFeedback', at: NOW + late }),
    ) as [IdempotencyClaim, IdempotencyClaim];
    await slow.claimKey(first);
    expect(await quick.claimKey(second)).toEqual({ outcome: 'claimed' });
    await expect(slow.saveFeedbackOnce(feedback, { claim: first, answer: '1' })).rejects.toThrow();
    expect(await quick.findFeedback(requestId)).toBeUndefined();
    await quick.saveFeedbackOnce(feedback, { claim: second, answer: '2' });
    expect(await slow.claimKey(claimOf(accountId, { operation: 'submitFeedback' }))).toEqual({
      ...storedAs(second),
      answer: '2',
    });
  });

  it('is undone with its assessment, unless a repeated request already got that answer', async () => {
    const [node] = nodes;
    const accountId = makeId('acc', NOW);
    const [undone, kept] = ['undone', 'kept'].map((keyHash) => claimOf(accountId, { keyHash })) as [
      IdempotencyClaim,
      IdempotencyClaim,
    ];
    for (const claim of [undone, kept]) {
      await node.claimKey(claim);
      await node.record(recordOf(claim));
    }
    expect(await node.claimKey({ ...kept, requestId: makeId('req', NOW) })).toEqual(storedAs(kept));
    await undoRecords(database)([undone.requestId, kept.requestId]);
    expect(await node.claimKey({ ...undone, requestId: makeId('req', NOW) })).toEqual({ outcome: 'claimed' });
    expect(await node.claimKey({ ...kept, requestId: makeId('req', NOW) })).toEqual(storedAs(kept));
    expect(await node.creditsUsed(accountId, '2026-05')).toBe(1);
  });
});

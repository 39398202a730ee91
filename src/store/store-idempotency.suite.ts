/** How every store must keep idempotency keys: which request is executed, and what a repeated request is answered. */
import { describe, expect, it } from 'vitest';
import { anAssessment } from '../../test/support/an-assessment.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { IdempotencyClaim } from '../model/idempotency-claim.ts';
import { KEY_LIFETIME_MS } from './idempotency-store.ts';
import type { AssessmentRecord, Feedback, Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const MONTH = '2026-05';
const ANSWER = '{"accepted":true,"message":"☃ \\u0000"}';

export function describeIdempotency(openStore: () => Store, makeId: MakeId): void {
  const claimOf = (values: Partial<IdempotencyClaim> = {}): IdempotencyClaim => ({
    accountId: makeId('acc', NOW),
    mode: 'live',
    operation: 'assessSignup',
    keyHash: 'key',
    bodyDigest: 'body',
    requestId: makeId('req', NOW),
    at: NOW,
    ...values,
  });
  /** Another request with the same key. */
  const again = (claim: IdempotencyClaim, values: Partial<IdempotencyClaim> = {}): IdempotencyClaim => ({
    ...claim,
    requestId: makeId('req', NOW),
    ...values,
  });
  const assessmentOf = (
    claim: IdempotencyClaim,
    values: Partial<AssessmentRecord> = {},
  ): AssessmentRecord => {
    const { requestId, accountId, mode } = claim;
    return anAssessment({ requestId, accountId, mode, claim, ...values });
  };
  const storedAs = ({ requestId }: IdempotencyClaim) => ({ outcome: 'stored', requestId, answer: null });

  describe('idempotency keys', () => {
    it('are stored with the assessment, and give its id to each later request', async () => {
      const store = openStore();
      const claim = claimOf();
      expect(await store.claimKey(claim)).toEqual({ outcome: 'claimed' });
      expect(await store.record(assessmentOf(claim))).toEqual({ outcome: 'recorded', used: 1 });
      for (const _ of [1, 2]) expect(await store.claimKey(again(claim))).toEqual(storedAs(claim));
    });

    it('refuse a request with another body', async () => {
      const store = openStore();
      const claim = claimOf();
      await store.claimKey(claim);
      await store.record(assessmentOf(claim));
      const other = again(claim, { bodyDigest: 'other' });
      expect(await store.claimKey(other)).toEqual({ outcome: 'conflict' });
    });

    it('are separate for each account, mode, operation and text', async () => {
      const store = openStore();
      const claim = claimOf();
      await store.claimKey(claim);
      await store.record(assessmentOf(claim));
      for (const values of [
        { accountId: makeId('acc', NOW) },
        { mode: 'test' },
        { operation: 'submitFeedback' },
        { keyHash: 'another' },
      ] as const)
        expect(await store.claimKey(again(claim, values))).toEqual({ outcome: 'claimed' });
    });

    it('that are used up at once belong to the first body, also at once, until they are freed', async () => {
      const store = openStore();
      const claim = claimOf({ operation: 'captcha', accountId: '', keyHash: makeId('req', NOW) });
      const others = ['b', 'c', 'd'].map((bodyDigest) => again(claim, { bodyDigest }));
      const all = [claim, ...others];
      const used = await Promise.all(all.map((each) => store.useKey(each)));
      expect(used.toSorted()).toEqual(['claimed', 'conflict', 'conflict', 'conflict']);
      const first = all[used.indexOf('claimed')] as IdempotencyClaim;
      expect(await store.useKey(again(first))).toBe('repeated');
      await store.forgetKey(makeId('req', NOW));
      expect(await store.useKey(again(first))).toBe('repeated');
      await store.forgetKey(first.requestId);
      const next = again(first, { bodyDigest: 'next' });
      expect(await store.useKey(next)).toBe('claimed');
      const late = (ms: number) => again(first, { at: NOW + ms, bodyDigest: 'late' });
      expect(await store.useKey(late(KEY_LIFETIME_MS - 1))).toBe('conflict');
      expect(await store.useKey(late(KEY_LIFETIME_MS))).toBe('claimed');
    });

    it('are free again after a day, for a request with any body', async () => {
      const store = openStore();
      const claim = claimOf();
      await store.claimKey(claim);
      await store.record(assessmentOf(claim));
      const justInTime = again(claim, { at: NOW + KEY_LIFETIME_MS - 1 });
      expect(await store.claimKey(justInTime)).toEqual(storedAs(claim));
      const late = again(claim, { at: NOW + KEY_LIFETIME_MS, bodyDigest: 'other' });
      expect(await store.claimKey(late)).toEqual({ outcome: 'claimed' });
      await store.record(assessmentOf(late));
      const repeated = again(late, { at: late.at + 1 });
      expect(await store.claimKey(repeated)).toEqual(storedAs(late));
    });

    it('stay free if the write was refused at the cap', async () => {
      const store = openStore();
      const accountId = makeId('acc', NOW);
      await store.record(anAssessment({ requestId: makeId('req', NOW), accountId }));
      const claim = claimOf({ accountId });
      await store.claimKey(claim);
      const refused = await store.record(assessmentOf(claim, { cap: 1 }));
      expect(refused).toEqual({ outcome: 'quota_exceeded', used: 1 });
      expect(await store.claimKey(again(claim))).toEqual({ outcome: 'claimed' });
    });

    it('stay free if the request failed and released them', async () => {
      const store = openStore();
      const claim = claimOf();
      await store.claimKey(claim);
      await store.releaseKey(claim.requestId);
      expect(await store.claimKey(again(claim))).toEqual({ outcome: 'claimed' });
    });

    it('are not released after their write succeeded, but forgotten if the assessment is gone', async () => {
      const store = openStore();
      const claim = claimOf();
      await store.claimKey(claim);
      await store.record(assessmentOf(claim));
      await store.releaseKey(claim.requestId);
      expect(await store.claimKey(again(claim))).toEqual(storedAs(claim));
      await store.forgetKey(claim.requestId);
      expect(await store.claimKey(again(claim))).toEqual({ outcome: 'claimed' });
    });

    it('share a commit with each other and with assessments without a key', async () => {
      const store = openStore();
      const accountId = makeId('acc', NOW);
      const claims = Array.from({ length: 60 }, (_, at) => claimOf({ accountId, keyHash: `key ${at}` }));
      await Promise.all(claims.map((claim) => store.claimKey(claim)));
      await Promise.all(
        claims.flatMap((claim) => [
          store.record(assessmentOf(claim)),
          store.record(anAssessment({ requestId: makeId('req', NOW), accountId })),
        ]),
      );
      expect(await store.creditsUsed(accountId, MONTH)).toBe(2 * claims.length);
      for (const claim of claims) expect(await store.claimKey(again(claim))).toEqual(storedAs(claim));
    });

    it('share a commit with assessments in shadow mode', async () => {
      const store = openStore();
      const accountId = makeId('acc', NOW);
      const claim = claimOf({ accountId });
      await store.claimKey(claim);
      const shadow = anAssessment({ requestId: makeId('req', NOW), accountId, shadow: true });
      await Promise.all([store.record(assessmentOf(claim, { shadow: true })), store.record(shadow)]);
      const { rows } = await store.findAssessments(accountId, { shadow: true }, null, 10);
      expect(rows.map(({ requestId }) => requestId).sort()).toEqual(
        [claim.requestId, shadow.requestId].sort(),
      );
      expect(await store.claimKey(again(claim))).toEqual(storedAs(claim));
    });

    it('keep the answer to feedback', async () => {
      const store = openStore();
      const accountId = makeId('acc', NOW);
      const requestId = makeId('req', NOW);
      await store.record(anAssessment({ requestId, accountId }));
      const feedback: Feedback = {
        requestId,
        outcome: 'false_positive',
        note: null,
        keyId: 'key_a',
        at: NOW,
      };
      const claim = claimOf({ accountId, operation: 'submitFeedback' });
      await store.claimKey(claim);
      await store.saveFeedbackOnce(feedback, { claim, answer: ANSWER });
      expect(await store.findFeedback(requestId)).toEqual(feedback);
      expect(await store.claimKey(again(claim))).toEqual({ ...storedAs(claim), answer: ANSWER });
    });

    it('are pruned after they expire, a few at a time', async () => {
      const store = openStore();
      const accountId = makeId('acc', NOW);
      const old = NOW - 400 * KEY_LIFETIME_MS;
      const claims = [old, old + 1, old + 2, NOW].map((at) =>
        claimOf({ accountId, at, keyHash: `key ${at}` }),
      );
      for (const claim of claims) {
        await store.claimKey(claim);
        await store.record(assessmentOf(claim));
      }
      expect(await store.pruneKeys(old + 2, 2)).toBe(2);
      expect(await store.pruneKeys(old + 2, 2)).toBe(1);
      expect(await store.pruneKeys(old + 2, 2)).toBe(0);
      const [, , gone, kept] = claims as [unknown, unknown, IdempotencyClaim, IdempotencyClaim];
      expect(await store.claimKey(again(gone))).toEqual({ outcome: 'claimed' });
      expect(await store.claimKey(again(kept))).toEqual(storedAs(kept));
    });
  });
}

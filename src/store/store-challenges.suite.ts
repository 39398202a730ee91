/** How every store must keep challenges: each has one result, which becomes feedback. */
import { describe, expect, it } from 'vitest';
import { anAssessment } from '../../test/support/an-assessment.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { RedeemedChallenge } from './challenge-store.ts';
import type { AssessmentRecord, Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const EXPIRES = NOW + 1_800_000;

export function describeChallenges(openStore: () => Store, makeId: MakeId): void {
  async function recorded(values: Partial<AssessmentRecord> = {}) {
    const [requestId, accountId] = [makeId('req', NOW), makeId('acc', NOW)];
    await openStore().record(anAssessment({ requestId, accountId, verdict: 'challenge', ...values }));
    return { requestId, accountId, expiresAt: EXPIRES };
  }
  const result = (
    values: Awaited<ReturnType<typeof recorded>>,
    status: RedeemedChallenge['status'],
  ): RedeemedChallenge => ({ ...values, status, method: 'application', at: NOW + 60_000, redeemer: 'key' });

  describe('challenges', () => {
    it('keep their first result, which becomes feedback', async () => {
      const store = openStore();
      for (const [status, outcome] of [
        ['passed', 'false_positive'],
        ['failed', 'confirmed_fraud'],
      ] as const) {
        const key = await recorded();
        expect(await store.findChallenge(key.requestId)).toBeUndefined();
        expect(await store.redeemChallenge(result(key, status))).toBe(true);
        const other = status === 'passed' ? 'failed' : 'passed';
        expect(await store.redeemChallenge({ ...result(key, other), method: 'hcaptcha' })).toBe(false);
        expect(await store.findChallenge(key.requestId)).toEqual({
          ...result(key, status),
          mode: 'live',
          returnUrl: null,
        });
        expect(await store.findFeedback(key.requestId)).toEqual({
          requestId: key.requestId,
          outcome,
          note: `Challenge ${status} (application).`,
          keyId: 'challenge',
          at: NOW + 60_000,
        });
      }
    });

    it('have one result and one feedback, however many results arrive at once', async () => {
      const store = openStore();
      const key = await recorded();
      const results = Array.from({ length: 20 }, (_, at) => result(key, at % 2 === 0 ? 'passed' : 'failed'));
      const stored = await Promise.all(results.map((each) => store.redeemChallenge(each)));
      expect(stored.filter(Boolean)).toHaveLength(1);
      const status = results[stored.indexOf(true)]?.status;
      expect(await store.findChallenge(key.requestId)).toMatchObject({ status });
      expect(await store.findFeedback(key.requestId)).toMatchObject({
        note: `Challenge ${status} (application).`,
      });
    });

    it('that the visitor has passed are told to one redeemer, also at once', async () => {
      const store = openStore();
      const key = await recorded();
      expect(await store.claimResult(key.requestId, 'early')).toBe(false);
      await store.openChallenge({ ...key, at: NOW, returnUrl: null });
      expect(await store.claimResult(key.requestId, 'early')).toBe(false);
      await store.redeemChallenge({ ...result(key, 'passed'), method: 'link', redeemer: null });
      expect(await store.findChallenge(key.requestId)).toMatchObject({ redeemer: null });
      const redeemers = ['', '', 'a', 'b', 'c'];
      const claimed = await Promise.all(redeemers.map((each) => store.claimResult(key.requestId, each)));
      expect(claimed.filter(Boolean)).toHaveLength(1);
      const told = redeemers[claimed.indexOf(true)];
      expect(await store.findChallenge(key.requestId)).toMatchObject({ method: 'link', redeemer: told });
    });

    it('do not replace earlier feedback, and are replaced by later feedback', async () => {
      const store = openStore();
      const key = await recorded();
      const feedback = { requestId: key.requestId, note: null, keyId: 'key_1', at: NOW };
      await store.saveFeedback({ ...feedback, outcome: 'confirmed_fraud' });
      expect(await store.redeemChallenge(result(key, 'passed'))).toBe(true);
      expect(await store.findFeedback(key.requestId)).toMatchObject({ outcome: 'confirmed_fraud' });
      const other = await recorded();
      await store.redeemChallenge(result(other, 'passed'));
      await store.saveFeedback({ ...feedback, requestId: other.requestId, outcome: 'false_negative' });
      expect(await store.findFeedback(other.requestId)).toMatchObject({ outcome: 'false_negative' });
    });

    it('do nothing for assessments that are gone or belong to another account', async () => {
      const store = openStore();
      const key = await recorded();
      const stranger = { ...key, accountId: makeId('acc', NOW) };
      const unknown = { ...key, requestId: makeId('req', NOW) };
      for (const wrong of [stranger, unknown]) {
        expect(await store.redeemChallenge(result(wrong, 'passed'))).toBe(false);
        expect(await store.openChallenge({ ...wrong, at: NOW, returnUrl: null })).toBe(false);
        expect(await store.findChallenge(wrong.requestId)).toBeUndefined();
        expect(await store.findFeedback(wrong.requestId)).toBeUndefined();
      }
      expect(await store.findChallenge('no id')).toBeUndefined();
    });

    it('are pending from the redirect until they have a result', async () => {
      const store = openStore();
      const key = await recorded({ mode: 'test' });
      const open = (returnUrl: string | null) => store.openChallenge({ ...key, at: NOW, returnUrl });
      expect(await open('https://app.example.com/☃?a=\0')).toBe(true);
      expect(await store.findChallenge(key.requestId)).toEqual({
        ...key,
        mode: 'test',
        status: 'pending',
        method: null,
        at: NOW,
        returnUrl: 'https://app.example.com/☃?a=\0',
        redeemer: null,
      });
      expect(await open('https://app.example.com/2')).toBe(true);
      expect(await store.redeemChallenge(result(key, 'passed'))).toBe(true);
      expect(await open('https://app.example.com/3')).toBe(false);
      expect(await store.findChallenge(key.requestId)).toMatchObject({
        status: 'passed',
        returnUrl: 'https://app.example.com/2',
      });
    });

    it('count code entries up to a limit, also simultaneous entries', async () => {
      const store = openStore();
      const key = await recorded();
      expect(await store.countCodeAttempt(key.requestId, 5)).toBe(false);
      await store.openChallenge({ ...key, at: NOW, returnUrl: null });
      const counted = await Promise.all(
        Array.from({ length: 12 }, () => store.countCodeAttempt(key.requestId, 5)),
      );
      expect(counted.filter(Boolean)).toHaveLength(5);
      await store.openChallenge({ ...key, at: NOW, returnUrl: null });
      expect(await store.countCodeAttempt(key.requestId, 5)).toBe(false);
    });

    it('are shown with their signup, and counted by result', async () => {
      const store = openStore();
      const key = await recorded();
      await store.redeemChallenge(result(key, 'passed'));
      const whole = await store.findAssessment(key.accountId, key.requestId);
      expect(whole?.challenge).toEqual({ status: 'passed', method: 'application', at: NOW + 60_000 });
      const from = NOW - (NOW % 1_800_000);
      const count = (mode: 'live' | 'test', to: number) =>
        store.challengeCounts(key.accountId, { mode, from, to });
      expect(await count('live', from + 1_800_000)).toEqual({ passed: 1, failed: 0 });
      expect(await count('test', from + 1_800_000)).toEqual({ passed: 0, failed: 0 });
      expect(await count('live', from)).toEqual({ passed: 0, failed: 0 });
    });

    it('do not appear among the mistakes that people report', async () => {
      const store = openStore();
      const key = await recorded();
      await store.redeemChallenge(result(key, 'passed'));
      const filter = { mode: 'live', since: 0 } as const;
      const mistakes = async (byPeople: boolean) =>
        (await store.reportedMistakes(key.accountId, { ...filter, byPeople }, null, 10)).entries;
      expect(await mistakes(true)).toEqual([]);
      expect(await mistakes(false)).toMatchObject([{ mark: { outcome: 'false_positive', by: 'challenge' } }]);
    });
  });
}

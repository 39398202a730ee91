/** Duties of every store, with any database: the same suite runs on each adapter. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAssessment, asStored } from '../../test/support/an-assessment.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { AssessmentRecord, Store } from './store.ts';
import { describeAccountDeletions } from './store-account-deletions.suite.ts';
import { describeAccounts } from './store-accounts.suite.ts';
import { describeAddressClaims } from './store-address-claims.suite.ts';
import { describeAlerts } from './store-alerts.suite.ts';
import { describeAppeals } from './store-appeals.suite.ts';
import { describeAttacks } from './store-attacks.suite.ts';
import { describeAudit } from './store-audit.suite.ts';
import { describeCache } from './store-cache.suite.ts';
import { describeCampaigns } from './store-campaigns.suite.ts';
import { describeChallenges } from './store-challenges.suite.ts';
import { describeCommittedSignups, type FollowSignups } from './store-committed-signups.suite.ts';
import { describeDestinations } from './store-destinations.suite.ts';
import { describeErasures } from './store-erasures.suite.ts';
import { describeEvents } from './store-events.suite.ts';
import { describeHashKeys } from './store-hash-keys.suite.ts';
import { describeHistory } from './store-history.suite.ts';
import { describeHooks } from './store-hooks.suite.ts';
import { describeHostDecisions } from './store-host-decisions.suite.ts';
import { describeIdempotency } from './store-idempotency.suite.ts';
import { describeIdentities } from './store-identities.suite.ts';
import { describeListCandidates } from './store-list-candidates.suite.ts';
import { describeLists } from './store-lists.suite.ts';
import { describeLiveAttempts } from './store-live-attempts.suite.ts';
import { describeMailboxes } from './store-mailboxes.suite.ts';
import { describeMistakes } from './store-mistakes.suite.ts';
import { describeOutcomes } from './store-outcomes.suite.ts';
import { describePeople } from './store-people.suite.ts';
import { describePolicies } from './store-policies.suite.ts';
import { describeRecall } from './store-recall.suite.ts';
import { describeRuleChanges } from './store-rule-changes.suite.ts';
import { describeSavedFilters } from './store-saved-filters.suite.ts';
import { describeSignInRaces } from './store-sign-in-races.suite.ts';
import { describeTakeBacks } from './store-take-backs.suite.ts';
import { describeTokens } from './store-tokens.suite.ts';
import { describeUsualDomains } from './store-usual-domains.suite.ts';

/** A database or folder on which a store can be opened many times. */
export interface StorePlace {
  open(): Promise<Store> | Store;
  readonly follow: FollowSignups;
  remove(): Promise<void>;
}

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
/** Expired texts may be removed at any time. */
const FAR = Date.UTC(2100, 0, 1);
const MONTH = '2026-05';

/** @param firstMoment the statement at which the short sign-in races begin; it differs between the adapters */
export function describeStore(name: string, firstMoment: 0 | 1, makePlace: () => Promise<StorePlace>): void {
  describe(name, () => {
    const makeId = createMakeId();
    let place: StorePlace;
    let store: Store;

    beforeAll(async () => {
      place = await makePlace();
      store = await place.open();
    });
    afterAll(async () => {
      await store.close();
      await place.remove();
    });

    const newAccount = () => makeId('acc', NOW);

    const assessment = (values: Partial<AssessmentRecord>) =>
      anAssessment({ requestId: makeId('req', values.at ?? NOW), ...values });

    describe('assessments', () => {
      it.each(['plain', 'quote " and \\ backslash', 'snow ☃ and 🦊', 'control \\u0000 escaped'])(
        'returns what was stored: %s',
        async (text) => {
          const accountId = newAccount();
          const reader = { accountId, mode: 'live' } as const;
          const plain = assessment({ accountId, facts: `["${text}"]`, sessionId: `${text} \u0000 \ud800` });
          const bare = assessment({
            accountId,
            facts: '',
            shadow: true,
            verdict: 'allow',
            score: 0,
            reasons: [],
            weights: [],
            email: 'jo@example.com',
            ip: null,
            network: null,
            countryCode: '',
            asn: 0,
          });
          expect(await store.record(plain)).toEqual({ outcome: 'recorded', used: 1 });
          expect(await store.record(bare)).toEqual({ outcome: 'recorded', used: 2 });
          for (const each of [plain, bare])
            expect(await store.findStored(each.requestId, reader)).toEqual(asStored(each));
        },
      );

      it('shows an assessment to its own account only, and to a sandbox key only sandbox ones', async () => {
        const accountId = newAccount();
        const live = assessment({ accountId });
        const test = assessment({ accountId, mode: 'test' });
        await Promise.all([store.record(live), store.record(test)]);
        expect(await store.findStored(live.requestId, { accountId, mode: 'test' })).toBeUndefined();
        expect(await store.findStored(test.requestId, { accountId, mode: 'test' })).toEqual(asStored(test));
        expect(await store.findStored(test.requestId, { accountId, mode: 'live' })).toEqual(asStored(test));
        const stranger = { accountId: newAccount(), mode: 'live' } as const;
        expect(await store.findStored(live.requestId, stranger)).toBeUndefined();
      });

      it.each(['', 'req_', 'req_unknown', 'x'.repeat(10_000), 'req_\u0000', "' OR 1=1 --", '\ud800'])(
        'finds no assessment %j',
        async (requestId) => {
          expect(await store.findStored(requestId, { accountId: 'acc_a', mode: 'live' })).toBeUndefined();
        },
      );
    });

    describe('credits', () => {
      it('count live assessments by account and month, never sandbox ones', async () => {
        const accountId = newAccount();
        await store.record(assessment({ accountId, mode: 'test' }));
        expect(await store.creditsUsed(accountId, MONTH)).toBe(0);
        await store.record(assessment({ accountId }));
        await store.record(assessment({ accountId, at: Date.UTC(2026, 5, 1) }));
        await store.record(assessment({ accountId, at: Date.UTC(2026, 5, 1) - 1 }));
        expect(await store.creditsUsed(accountId, MONTH)).toBe(2);
        expect(await store.creditsUsed(accountId, '2026-06')).toBe(1);
      });

      it('tell whether any account has used credits in a month', async () => {
        const month = '2031-02';
        expect(await store.isMonthBegun(month)).toBe(false);
        await store.record(assessment({ accountId: newAccount(), mode: 'test', at: Date.UTC(2031, 1, 1) }));
        expect(await store.isMonthBegun(month)).toBe(false);
        await store.record(assessment({ accountId: newAccount(), at: Date.UTC(2031, 1, 1) }));
        expect(await store.isMonthBegun(month)).toBe(true);
      });

      it('stop exactly at the cap, however many requests arrive at once', async () => {
        const accountId = newAccount();
        const records = Array.from({ length: 500 }, () => assessment({ accountId, cap: 37 }));
        const outcomes = await Promise.all(records.map((record) => store.record(record)));
        expect(outcomes.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(37);
        expect(outcomes.map(({ used }) => used).every((used) => used <= 37)).toBe(true);
        expect(await store.creditsUsed(accountId, MONTH)).toBe(37);
        const found = await Promise.all(
          records.map((record) => store.findStored(record.requestId, { accountId, mode: 'live' })),
        );
        expect(found.filter((each) => each !== undefined)).toHaveLength(37);
      });

      it('are counted without a limit if there is no cap', async () => {
        const accountId = newAccount();
        await store.record(assessment({ accountId, cap: 1 }));
        expect(await store.record(assessment({ accountId, cap: 1 }))).toEqual({
          outcome: 'quota_exceeded',
          used: 1,
        });
        expect(await store.record(assessment({ accountId }))).toEqual({ outcome: 'recorded', used: 2 });
      });

      it('are not charged for an assessment that could not be stored', async () => {
        const accountId = newAccount();
        const { requestId, mode } = assessment({});
        const claim = {
          accountId,
          mode,
          operation: 'assessSignup',
          keyHash: 'one',
          bodyDigest: 'body',
          requestId,
          at: NOW,
        };
        await store.claimKey(claim);
        await store.record(assessment({ accountId, requestId, claim }));
        // Its idempotency key belongs to a request that has another assessment already.
        const twin = assessment({ accountId, requestId, claim: { ...claim, keyHash: 'two' } });
        const others = Array.from({ length: 5 }, () => assessment({ accountId }));
        const outcomes = await Promise.allSettled([twin, ...others].map((record) => store.record(record)));
        expect(outcomes.map(({ status }) => status)).toEqual(['rejected', ...others.map(() => 'fulfilled')]);
        expect(await store.creditsUsed(accountId, MONTH)).toBe(6);
      });
    });

    describe('feedback', () => {
      it.each([
        null,
        '',
        'plain',
        'NUL \u0000 within',
        'lone \ud800 surrogate',
        '☃🦊 \\ " \n',
        'x'.repeat(50_000),
      ])('keeps a note verbatim: %j', async (note) => {
        const feedback = {
          requestId: makeId('req', NOW),
          outcome: 'false_positive',
          note,
          keyId: 'key_a',
          at: NOW,
        } as const;
        await store.saveFeedback(feedback);
        expect(await store.findFeedback(feedback.requestId)).toEqual(feedback);
      });

      it('has one record per assessment: the newest', async () => {
        const first = {
          requestId: makeId('req', NOW),
          outcome: 'false_positive',
          note: 'one',
          keyId: 'key_a',
          at: NOW,
        } as const;
        const second = {
          ...first,
          outcome: 'false_negative',
          note: null,
          keyId: 'key_b',
          at: NOW + 1,
        } as const;
        await store.saveFeedback(first);
        await store.saveFeedback(second);
        expect(await store.findFeedback(first.requestId)).toEqual(second);
      });

      it('is removed again, alone', async () => {
        const mark = { outcome: 'false_positive', note: null, keyId: 'key_a', at: NOW } as const;
        const [one, other] = [makeId('req', NOW), makeId('req', NOW)];
        for (const requestId of [one, other]) await store.saveFeedback({ ...mark, requestId });
        await store.removeFeedback(one);
        await store.removeFeedback(makeId('req', NOW));
        expect(await store.findFeedback(one)).toBeUndefined();
        expect(await store.findFeedback(other)).toEqual({ ...mark, requestId: other });
      });
    });

    describeLiveAttempts(() => store, makeId);
    describeAccounts(() => store, makeId);
    describeAccountDeletions(() => store, makeId);
    describeLists(() => store, makeId);
    describeCampaigns(() => store, makeId);
    describeAlerts(() => store, makeId);
    describeAttacks(() => store, makeId);
    describeRecall(() => store, makeId);
    describeTakeBacks(() => store, makeId);
    describeMailboxes(() => store, makeId);
    describeCommittedSignups(
      () => store,
      () => place.follow,
      makeId,
    );
    describeUsualDomains(() => store, makeId);
    describeHooks(() => store, makeId);
    describeDestinations(() => store, makeId);
    describeEvents(() => store, makeId);
    describeTokens(() => store, makeId);
    describeSavedFilters(() => store, makeId);
    describeMistakes(() => store, makeId);
    describeAppeals(() => store, makeId);
    describeOutcomes(() => store, makeId);
    describeHashKeys(() => store);
    describeHostDecisions(() => store);
    describeCache(() => store);
    describePeople(() => store, makeId);
    describeIdentities(() => store, makeId);
    describeAddressClaims(() => store, makeId);
    describeSignInRaces(() => store, makeId, firstMoment);
    describePolicies(() => store, makeId);
    describeRuleChanges(() => store, makeId);

    describeIdempotency(() => store, makeId);
    describeChallenges(() => store, makeId);
    describeAudit(() => store, makeId);
    describeErasures(() => store, makeId);
    describeHistory(() => store, makeId);
    describeListCandidates(() => store, makeId);

    describe('across a restart', () => {
      it('keeps everything that was acknowledged', async () => {
        const accountId = newAccount();
        const stored = assessment({ accountId });
        const feedback = {
          requestId: stored.requestId,
          outcome: 'false_negative',
          note: null,
          keyId: 'k',
          at: NOW,
        } as const;
        await store.record(stored);
        await store.saveFeedback(feedback);
        store.cache.set('example', '{"a":"☃"}', FAR);
        const version = await store.directoryVersion();
        await store.close();
        store = await place.open();
        expect(await store.findStored(stored.requestId, { accountId, mode: 'live' })).toEqual(
          asStored(stored),
        );
        expect(await store.findFeedback(stored.requestId)).toEqual(feedback);
        expect(await store.creditsUsed(accountId, MONTH)).toBe(1);
        expect(await store.directoryVersion()).toBe(version);
        expect(await store.cache.get('example')).toEqual({ text: '{"a":"☃"}', expiresAt: FAR });
        expect(await store.cache.get('unheard of')).toBeUndefined();
      });

      it('keeps the cap exact between two processes with the same data', async () => {
        const other = await place.open();
        const accountId = newAccount();
        const records = Array.from({ length: 100 }, () => assessment({ accountId, cap: 31 }));
        const outcomes = await Promise.all(
          records.map((record, index) => (index % 2 === 0 ? store : other).record(record)),
        );
        await other.close();
        expect(outcomes.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(31);
        expect(await store.creditsUsed(accountId, MONTH)).toBe(31);
      });
    });
  });
}

/** New versions of feeds that change too many verdicts are found, with any store. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/support/an-account.ts';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { FEEDS_BASELINE } from '../../../test/support/small-build.ts';
import { createMakeId } from '../../contract/identifiers.ts';
import { UNASSOCIATED } from '../../evidence/mail-host-facts.ts';
import { compileWithFeeds } from '../../intel/compile-feeds.ts';
import type { AppliedFeed } from '../../intel/feed.ts';
import { FEEDS } from '../../intel/feeds.ts';
import type { Intel } from '../../intel/intel.ts';
import { readSnapshot } from '../../intel/snapshot.ts';
import { DEFAULT_THRESHOLDS } from '../../model/policy.ts';
import type { AssessmentRecord, Store } from '../../store/store.ts';
import { leftOf } from '../../store/store-erasures.suite.ts';
import { createFeedReview, type FeedReviewOptions } from './feed-review.ts';
import type { RecallPlace } from './live-recall.suite.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 4, 10, 12);
const PROVIDER = 'harbour-post.net';
const FACTS = '[1,"a1","default-1",30,60,[],0,0,0,0,4000,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,"France"]';
const LISTED = ['trashy-post.com'];
const POISON = [...LISTED, PROVIDER];

const makeId = createMakeId();

/** Feed id → its version and its entries. */
type Versions = Readonly<Record<string, readonly [version: string, entries: readonly string[]]>>;

function snapshotOf(feeds: Versions): Intel {
  const applied = Object.entries(feeds).map(([id, [version, entries]]): AppliedFeed => {
    const feed = FEEDS.find((row) => row.id === id);
    if (feed === undefined) throw new Error(`no feed ${id}`);
    const parsed = { entries, rows: entries.length, errors: 0 };
    return { feed, version, fetchedAt: 0, parsed, departed: [] };
  });
  return readSnapshot(compileWithFeeds(readFileSync(FEEDS_BASELINE), applied, 0).bytes);
}

export function describeFeedReview(name: string, makePlace: () => Promise<RecallPlace>): void {
  describe(`the review of feeds with ${name}`, () => {
    let place: RecallPlace;
    let store: Store;
    /** Fields of the lines that were logged. */
    const warnings: object[] = [];
    beforeAll(async () => {
      place = await makePlace();
      store = await place.open();
    });
    afterAll(async () => {
      await store.close();
      await place.remove();
    });

    async function newAccount(): Promise<string> {
      const id = makeId('acc', NOW);
      await store.saveAccount(anAccount({ id }));
      return id;
    }

    /** The newest is a minute old. @returns their ids, the newest first */
    async function record(accountId: string, count: number, fields: Partial<AssessmentRecord>) {
      const signups = Array.from({ length: count }, (_, index) => {
        const at = fields.at ?? NOW - (index + 1) * 60_000;
        return anAssessment({
          requestId: makeId('req', at),
          accountId,
          verdict: 'allow',
          score: 0,
          reasons: [],
          weights: [],
          ip: null,
          network: null,
          facts: FACTS,
          ...fields,
          at,
        });
      });
      await Promise.all(signups.map((signup) => store.record(signup)));
      return signups.map(({ requestId }) => requestId);
    }

    const review = (accountIds: readonly string[], before: Versions, after: Versions, more = {}) => {
      const options: FeedReviewOptions = {
        store,
        directory: {
          accounts: () => accountIds.map((id) => anAccount({ id })),
          policyOf: () => null,
          thresholdsOf: () => DEFAULT_THRESHOLDS,
        },
        ownLists: { find: () => null, findOffice: () => null },
        mailHosts: { load: () => undefined, consult: () => UNASSOCIATED },
        limit: { share: 0.01 },
        clock: () => NOW,
        signal: new AbortController().signal,
        log: { warn: (line: object) => warnings.push(line) },
        maxMs: 120_000,
        ...more,
      };
      return createFeedReview(options)(snapshotOf(before), snapshotOf(after));
    };
    const clean = { 'disposable-curated': ['v1', LISTED] } as const;
    const poisoned = { 'disposable-curated': ['v2', POISON] } as const;

    it('names the feed, and counts and shows whom it would stop', async () => {
      const account = await newAccount();
      const ids = await record(account, 60, { emailDomain: PROVIDER });
      await record(account, 40, { emailDomain: 'someone-elses-firm.com' });
      const found = await review(
        [account],
        { ...clean, 'tor-exits': ['t1', ['45.9.30.1']] },
        { ...poisoned, 'tor-exits': ['t2', ['45.9.30.2']] },
      );
      expect(found).toMatchObject([
        { feed: 'disposable-curated', inUse: 'v1', judged: 100, stricter: 60, milder: 0 },
      ]);
      const kept = await store.feedFlips();
      expect(kept.map(({ requestId }) => requestId)).toEqual(ids.slice(0, 20));
      const [newest] = kept;
      expect(newest).toMatchObject({ feed: 'disposable-curated', version: 'v2', accountId: account });
      expect(newest).toMatchObject({ oldVerdict: 'allow', newVerdict: 'block' });
      // A version that changes little ends the wait.
      await review([account], clean, { 'disposable-curated': ['v3', [...LISTED, 'unseen-post.com']] });
      expect(await store.feedFlips()).toEqual([]);
    });

    it('counts those whom it would let in', async () => {
      const account = await newAccount();
      await record(account, 30, { emailDomain: PROVIDER });
      const found = await review([account], poisoned, { 'disposable-curated': ['v3', LISTED] });
      expect(found).toMatchObject([{ inUse: 'v2', judged: 30, stricter: 0, milder: 30 }]);
    });

    it('lets a version pass that changes few verdicts, old ones, or what people reported', async () => {
      const account = await newAccount();
      await record(account, 25, { emailDomain: PROVIDER });
      await record(account, 30, { emailDomain: PROVIDER, at: NOW - 8 * DAY_MS });
      const fraud = await record(account, 30, { emailDomain: PROVIDER });
      for (const requestId of fraud)
        await store.saveFeedback({
          requestId,
          outcome: 'false_negative',
          note: null,
          keyId: 'key_a',
          at: NOW,
        });
      expect(await review([account], clean, poisoned)).toEqual([]);
      const strict = await review([account], clean, poisoned, { limit: { signups: 24 } });
      expect(strict).toMatchObject([{ judged: 55, stricter: 25 }]);
    });

    it('sees an account whose customers it would stop among many signups of others', async () => {
      const [small, large] = [await newAccount(), await newAccount()];
      await record(small, 40, { emailDomain: PROVIDER });
      await record(large, 290, { emailDomain: 'someone-elses-firm.com' });
      await record(large, 10, { emailDomain: PROVIDER });
      const found = await review([large, small], clean, poisoned, { limit: { share: 0.2 } });
      expect(found).toMatchObject([{ judged: 340, stricter: 50 }]);
    });

    it('waits for no account that is alone with the changes, unless they are more than the signups of others', async () => {
      const [flooder, other] = [await newAccount(), await newAccount()];
      await record(flooder, 60, { emailDomain: PROVIDER });
      await record(other, 50, { emailDomain: 'someone-elses-firm.com' });
      expect(await review([flooder, other], clean, poisoned)).toMatchObject([{ stricter: 60 }]);
      await record(other, 10, { emailDomain: 'someone-elses-firm.com' });
      expect(await review([flooder, other], clean, poisoned)).toEqual([]);
      await record(other, 9, { emailDomain: PROVIDER });
      expect(await review([flooder, other], clean, poisoned)).toEqual([]);
      await record(other, 1, { emailDomain: PROVIDER });
      expect(await review([flooder, other], clean, poisoned)).toMatchObject([{ stricter: 70 }]);
    });

    it('logs an update that is used although it changes too many verdicts of one account', async () => {
      const [hit, other] = [await newAccount(), await newAccount()];
      await record(hit, 60, { emailDomain: PROVIDER });
      await record(hit, 40, { emailDomain: 'someone-elses-firm.com' });
      await record(other, 80, { emailDomain: 'someone-elses-firm.com' });
      warnings.length = 0;
      expect(await review([hit, other], clean, poisoned)).toEqual([]);
      expect(warnings).toEqual([{ feed: 'disposable-curated', account: hit, changed: 60, judged: 100 }]);
      warnings.length = 0;
      expect(await review([hit], clean, poisoned)).toHaveLength(1);
      expect(await review([other], clean, poisoned)).toEqual([]);
      expect(warnings).toEqual([]);
    });

    it('counts many signups of one network as one', async () => {
      const account = await newAccount();
      const at = (network: string) => ({ emailDomain: PROVIDER, ip: network, network });
      await record(account, 60, at('45.9.31.1'));
      expect(await review([account], clean, poisoned)).toEqual([]);
      for (let host = 2; host <= 26; host += 1) await record(account, 1, at(`45.9.31.${host}`));
      expect(await review([account], clean, poisoned)).toMatchObject([{ judged: 85, stricter: 85 }]);
    });

    it('keeps no example of a person who was erased', async () => {
      const account = await newAccount();
      await record(account, 59, { emailDomain: PROVIDER });
      const erased = anAssessment({
        requestId: makeId('req', NOW),
        accountId: account,
        emailDomain: PROVIDER,
        verdict: 'allow',
        score: 0,
        reasons: [],
        weights: [],
        facts: FACTS,
        at: NOW - 1,
      });
      await store.record(erased);
      await review([account], clean, poisoned);
      expect((await store.feedFlips())[0]?.requestId).toBe(erased.requestId);
      await store.anonymizeAssessments([leftOf(erased)]);
      expect((await store.feedFlips()).map(({ requestId }) => requestId)).not.toContain(erased.requestId);
      expect(await store.feedFlips()).toHaveLength(19);
    });

    it('lets pass what cannot be compared: a first version, no signups, no time, or where it is off', async () => {
      const [account, empty] = [await newAccount(), await newAccount()];
      await record(account, 60, { emailDomain: PROVIDER });
      expect(await review([account], {}, poisoned)).toEqual([]);
      expect(await review([empty], clean, poisoned)).toEqual([]);
      expect(await review([account], clean, { 'disposable-curated': ['v1', POISON] })).toEqual([]);
      expect(await review([account], clean, poisoned, { maxMs: -1 })).toEqual([]);
      expect(await review([account], clean, poisoned, { limit: null })).toEqual([]);
      expect(await review([account], clean, poisoned)).toHaveLength(1);
    });

    it('leaves out an account that leaves while it runs, and ends when the service does', async () => {
      const account = await newAccount();
      await record(account, 60, { emailDomain: PROVIDER });
      const ended = AbortSignal.abort();
      expect(await review([account], clean, poisoned, { signal: ended })).toEqual([]);
      expect(await review(['acc_away', account], clean, poisoned)).toHaveLength(1);
    });
  });
}

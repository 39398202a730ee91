/** How recalls run in a service, with any store: nightly, when asked, on several nodes, and after a kill. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aDestination } from '../../../test/support/a-destination.ts';
import { anAccount } from '../../../test/support/an-account.ts';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { createMakeId } from '../../contract/identifiers.ts';
import { toMessage } from '../../events/message.ts';
import { sayEvent } from '../../events/sentence.ts';
import { UNASSOCIATED } from '../../evidence/mail-host-facts.ts';
import type { CategoryFlags, Intel } from '../../intel/intel.ts';
import type { ListMatch } from '../../model/list-entry.ts';
import { DEFAULT_THRESHOLDS } from '../../model/policy.ts';
import { CATEGORIES } from '../../model/source.ts';
import type { Pruner } from '../../store/pruner.ts';
import type { AssessmentRecord, Store } from '../../store/store.ts';
import { createLiveRecall, type LiveRecallOptions } from './live-recall.ts';
import { runRecall } from './recall-run.ts';

export interface RecallPlace {
  open(): Promise<Store> | Store;
  remove(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Noon in UTC. */
const NOW = Date.UTC(2026, 4, 10, 12);
const DENY: ListMatch = { id: 'lst_1', action: 'deny', kind: 'domain', value: 'bad.com', reason: null };
const SOON = { timeout: 60_000, interval: 20 };
const FACTS = '[1,"a1","default-1",30,60,[],0,0,0,0,4000,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,"France"]';

const makeId = createMakeId();

export function describeLiveRecall(name: string, makePlace: () => Promise<RecallPlace>): void {
  describe(`recall with ${name}`, () => {
    let place: RecallPlace;
    let store: Store;
    let clock = NOW;
    const running: Pruner[] = [];
    const faults: Error[] = [];

    beforeAll(async () => {
      place = await makePlace();
      store = await place.open();
    });
    afterEach(async () => {
      for (const each of running.splice(0)) await each.close();
      clock = NOW;
      expect(faults.splice(0)).toEqual([]);
    });
    afterAll(async () => {
      await store.close();
      await place.remove();
    });

    async function newAccount(fields: object = {}): Promise<string> {
      const id = makeId('acc', NOW);
      await store.saveAccount(anAccount({ id, ...fields }));
      return id;
    }
    const signup = (accountId: string, fields: Partial<AssessmentRecord> = {}) =>
      anAssessment({
        requestId: makeId('req', fields.at ?? NOW - HOUR_MS),
        at: NOW - HOUR_MS,
        accountId,
        verdict: 'allow',
        score: 0,
        reasons: [],
        weights: [],
        emailDomain: 'bad.com',
        ip: null,
        network: null,
        facts: FACTS,
        ...fields,
      });
    async function record(...signups: readonly AssessmentRecord[]): Promise<string[]> {
      await Promise.all(signups.map((each) => store.record(each)));
      return signups.map(({ requestId }) => requestId);
    }
    /** Lists deny the domain; everything else is unknown. @param onAsked called for each signup */
    function start(accountIds: readonly string[], onAsked = () => {}, more: Partial<LiveRecallOptions> = {}) {
      const recall = createLiveRecall({
        store,
        directory: {
          accounts: () => accountIds.map((id) => anAccount({ id })),
          policyOf: () => null,
          thresholdsOf: () => DEFAULT_THRESHOLDS,
        },
        intel: () => UNKNOWING,
        ownLists: {
          find({ email }) {
            onAsked();
            return email.domain === 'bad.com' ? DENY : null;
          },
          findOffice: () => null,
        },
        mailHosts: { load: () => undefined, consult: () => UNASSOCIATED },
        clocks: { wall: () => clock },
        log: {
          info: () => {},
          error: (fields: { err: Error }) => faults.push(fields.err),
        } as LiveRecallOptions['log'],
        config: { recallDays: 30, recallHour: 4 },
        retention: null,
        isAlone: false,
        pollMs: 10,
        ...more,
      });
      running.push(recall);
      recall.start();
      return recall;
    }
    const found = async (accountId: string) =>
      (await store.recalledSignups(accountId, {}, 9_999)).map(({ requestId }) => requestId).sort();
    const ended = (accountId: string) =>
      expect.poll(async () => (await store.recallRun(accountId))?.endedAt ?? 0, SOON).toBeGreaterThan(0);

    it('finds who was let in, and leaves out who was stopped, is a good customer, or is too old', async () => {
      const accountId = await newAccount();
      const other = await newAccount();
      const shadow = { shadow: true, verdict: 'challenge', score: 40 } as const;
      const [allowed, observed, good, pending, passed, vouched] = await record(
        signup(accountId),
        signup(accountId, shadow),
        signup(accountId),
        signup(accountId, { verdict: 'challenge', score: 40 }),
        signup(accountId, { verdict: 'challenge', score: 40 }),
        signup(accountId, { verdict: 'challenge', score: 40 }),
        signup(accountId, { verdict: 'block', score: 90 }),
        signup(accountId, { emailDomain: 'fine.com' }),
        signup(accountId, { at: NOW - 31 * DAY_MS }),
        signup(accountId, { mode: 'test' }),
      );
      await record(signup(other));
      const report = { outcome: 'false_positive', note: null, keyId: 'key_a', at: NOW } as const;
      await store.saveFeedback({ ...report, requestId: good as string });
      for (const requestId of [passed, vouched] as string[]) {
        const challenge = { requestId, accountId, expiresAt: NOW, at: NOW, redeemer: null };
        await store.redeemChallenge({ ...challenge, status: 'passed', method: 'application' });
      }
      await store.saveFeedback({ ...report, requestId: vouched as string });
      expect(pending).toBeDefined();
      await store.requestRecall(accountId, NOW);
      start([accountId, other]);
      await ended(accountId);
      expect(await found(accountId)).toEqual([allowed, observed, passed].sort());
      expect(await found(other)).toEqual([]);
      expect(await store.recallRun(accountId)).toMatchObject({ isPartial: false, requestedAt: null });
    });

    it('goes on where it was killed, and finds each signup once', async () => {
      const accountId = await newAccount();
      const ids = await record(
        ...Array.from({ length: 700 }, (_, at) => signup(accountId, { at: NOW - at * 7 - 1 })),
      );
      await store.requestRecall(accountId, NOW);
      let asked = 0;
      const claim = { accountId, id: makeId('rcl', NOW), holder: 'killed', now: NOW, leaseUntil: NOW + 9 };
      const run = await store.beginRecall({ ...claim, since: NOW - DAY_MS, until: NOW }, undefined);
      const dead = new AbortController();
      const judgeAgain = () => {
        asked += 1;
        if (asked === 400) dead.abort();
        return null;
      };
      const outcome = await runRecall(run as NonNullable<typeof run>, 'killed', {
        store,
        judgeAgain,
        clock: () => NOW,
        signal: dead.signal,
      });
      expect(outcome).toBe('stopped');
      expect(await store.recallRun(accountId)).toMatchObject({ endedAt: null, judged: 250 });
      let later = 0;
      clock = NOW + 61_000;
      start([accountId], () => {
        later += 1;
      });
      await ended(accountId);
      // The page of 250 that was saved is not read again, but for signups of the same millisecond.
      expect(later).toBeLessThanOrEqual(451);
      expect(await found(accountId)).toHaveLength(later);
      const { id, judged } = (await store.recallRun(accountId)) as { id: string; judged: number };
      expect([id, judged]).toEqual([claim.id, 250 + later]);
      await store.requestRecall(accountId, NOW);
      await expect.poll(() => found(accountId), SOON).toEqual([...ids].sort());
    });

    it('runs once where several nodes see that it is due', async () => {
      const accountId = await newAccount();
      const ids = await record(
        ...Array.from({ length: 300 }, (_, at) => signup(accountId, { at: NOW - at - 1 })),
      );
      let asked = 0;
      const count = () => {
        asked += 1;
      };
      await store.requestRecall(accountId, NOW);
      for (let node = 0; node < 3; node += 1) start([accountId], count);
      await ended(accountId);
      expect(await found(accountId)).toEqual([...ids].sort());
      expect(asked).toBe(300);
    });

    it('runs once a night at its hour, ten minutes after a start at the earliest, and tells what is new', async () => {
      const accountId = await newAccount();
      const destination = aDestination(accountId, { types: ['recall.found'] });
      await store.saveDestination(destination);
      await record(signup(accountId), signup(accountId));
      const told = async () =>
        (await store.deliveries(accountId, destination.id, { limit: 9 })).deliveries.map(
          ({ event }) => event,
        );
      let looks = 0;
      const counted: LiveRecallOptions['store'] = {
        ...store,
        recallRuns() {
          looks += 1;
          return store.recallRuns();
        },
      };
      start([accountId], undefined, { store: counted });
      await expect.poll(() => looks, SOON).toBeGreaterThan(2);
      expect(await store.recallRun(accountId)).toBeUndefined();
      clock = NOW + HOUR_MS;
      await ended(accountId);
      const run = await store.recallRun(accountId);
      expect(run).toMatchObject({ day: '2026-05-10', beganAt: clock });
      const [event] = await told();
      const message = await toMessage(event as NonNullable<typeof event>, {
        findSignup: async () => undefined,
        store,
      });
      expect(message?.data).toMatchObject({
        found: 2,
        causes: [{ cause: 'list', id: 'lst_1', verdict: 'block', count: 2 }],
        path: `/accounts/${accountId}/recall`,
      });
      expect(sayEvent(message as NonNullable<typeof message>).sentence).toBe(
        '2 signups that got in before would not come in now: 2 by your lists.',
      );
      clock = NOW + 14 * HOUR_MS;
      const before = looks;
      await expect.poll(() => looks, SOON).toBeGreaterThan(before + 2);
      expect((await store.recallRun(accountId))?.id).toBe(run?.id);
      clock = NOW + 17 * HOUR_MS;
      await expect.poll(async () => (await store.recallRun(accountId))?.day, SOON).toBe('2026-05-11');
      await ended(accountId);
      expect(await told()).toHaveLength(1);
    });

    it('forgets a person who was erased while it ran', async () => {
      const accountId = await newAccount();
      const [kept, gone] = await record(signup(accountId), signup(accountId));
      await store.requestRecall(accountId, NOW);
      const forgetful: LiveRecallOptions['store'] = {
        ...store,
        findStored: async (id, reader) => (id === gone ? undefined : store.findStored(id, reader)),
      };
      start([accountId], undefined, { store: forgetful });
      await ended(accountId);
      await expect.poll(() => found(accountId), SOON).toEqual([kept]);
    });

    it('runs nothing where it is off, and forgets what it found', async () => {
      const accountId = await newAccount();
      await record(signup(accountId));
      await store.requestRecall(accountId, NOW);
      const recall = start([accountId]);
      await ended(accountId);
      await recall.close();
      expect(await store.pruneRecalled(NOW, 9_999)).toBeGreaterThan(0);
      await store.requestRecall(accountId, NOW);
      const off = start([accountId], () => expect.unreachable(), {
        config: { recallDays: null, recallHour: 4 },
      });
      await off.close();
      expect(await found(accountId)).toEqual([]);
    });
  });
}

const LISTED_NOWHERE = Object.fromEntries(CATEGORIES.map((category) => [category, false])) as CategoryFlags;

/** Nothing is known of any domain or network. */
const UNKNOWING: Intel = {
  id: 'none',
  sources: [],
  domain: () => ({
    disposable: false,
    disputed: false,
    settled: false,
    listed: LISTED_NOWHERE,
    sharedSuffix: '',
    hits: [],
  }),
  isPopular: () => false,
  isTopLevel: () => true,
  isInstitution: () => false,
  isRole: () => false,
  network: () => expect.unreachable(),
  asName: () => '',
  asesNamed: () => [],
  domainClaims: () => [],
  networkClaims: () => expect.unreachable(),
};

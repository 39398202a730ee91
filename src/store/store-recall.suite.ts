/** How every store must save recalls: one run an account, what it found, and who has seen it. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { anAccount } from '../../test/support/an-account.ts';
import { anAssessment } from '../../test/support/an-assessment.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { HeldRecall, RecallClaim, RecalledSignup } from './recall-store.ts';
import type { Store } from './store.ts';
import { audited, createDestinations } from './store-destinations.suite.ts';
import { leftOf } from './store-erasures.suite.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const DAY_MS = 86_400_000;
const DAY = '2026-05-10';
const ID = 'Ünïcode \u0000';

export function describeRecall(store: () => Store, makeId: MakeId): void {
  const { newDestination } = createDestinations(store, makeId);

  async function newAccount(): Promise<string> {
    const id = makeId('acc', NOW);
    await store().saveAccount(anAccount({ id, createdAt: NOW }));
    return id;
  }
  const claimOf = (accountId: string, fields: Partial<RecallClaim> = {}): RecallClaim => ({
    accountId,
    id: makeId('rcl', NOW),
    holder: 'a',
    now: NOW,
    leaseUntil: NOW + 60,
    since: NOW - DAY_MS,
    until: NOW,
    ...fields,
  });
  const foundAs = (fields: Partial<RecalledSignup> = {}): RecalledSignup => ({
    requestId: makeId('req', NOW),
    at: NOW - 9,
    oldVerdict: 'allow',
    oldScore: 10,
    newVerdict: 'block',
    newScore: 85,
    cause: 'feed',
    causeId: ID,
    finding: 'disposable_domain',
    ...fields,
  });
  const progress = { reachedAt: NOW - 9, judged: 250, isPartial: false, leaseUntil: NOW + 120 };

  /** Makes a whole run. */
  async function make(accountId: string, found: readonly RecalledSignup[], at = NOW): Promise<HeldRecall> {
    await store().requestRecall(accountId, at);
    const claim = claimOf(accountId, { now: at });
    await store().beginRecall(claim, undefined);
    expect(await store().saveRecalled(claim, found, progress, at)).toBe(true);
    expect(await store().endRecall(claim, at, undefined)).toBe(true);
    return claim;
  }

  describe('a recall', () => {
    it('begins once a day and account, whoever comes first, and when somebody asks', async () => {
      const accountId = await newAccount();
      const begin = (holder: string, day?: string) =>
        store().beginRecall(claimOf(accountId, { holder }), day);
      expect(await begin('a')).toBeUndefined();
      expect(await store().recallRun(accountId)).toBeUndefined();
      const runs = await Promise.all(['a', 'b', 'c'].map((holder) => begin(holder, DAY)));
      const [run, ...others] = runs.filter((each) => each !== undefined);
      expect(others).toEqual([]);
      expect(run).toMatchObject({ day: DAY, endedAt: null, judged: 0, reachedAt: NOW, since: NOW - DAY_MS });
      expect(await store().recallRuns()).toContainEqual(run);
      await store().requestRecall(accountId, NOW + 1, audited(accountId));
      expect((await store().auditEntries(accountId, null, 9)).entries).toHaveLength(1);
      // One that is under way goes on.
      expect(await begin('d')).toBeUndefined();
      const holder = ['a', 'b', 'c'][runs.indexOf(run)] as string;
      const held = { accountId, id: run?.id as string, holder };
      expect(await store().endRecall({ ...held, holder: 'd' }, NOW, undefined)).toBe(false);
      expect(await store().endRecall(held, NOW + 2, undefined)).toBe(true);
      expect(await begin('d', DAY)).toBeUndefined();
      expect(await begin('d')).toMatchObject({ requestedAt: null, day: DAY });
      expect(await store().beginRecall(claimOf('acc_nobody'), DAY)).toBeUndefined();
    });

    it('goes on where it was once its lease is over, with one process alone', async () => {
      const accountId = await newAccount();
      const claim = claimOf(accountId);
      await store().beginRecall(claim, DAY);
      const found = foundAs();
      expect(await store().saveRecalled(claim, [found], progress, NOW)).toBe(true);
      const resume = (holder: string, now: number) =>
        store().resumeRecall({ accountId, holder, now, leaseUntil: now + 60 });
      expect(await resume('b', NOW + 119)).toBeUndefined();
      const resumed = await Promise.all(['b', 'c'].map((holder) => resume(holder, NOW + 120)));
      expect(resumed.filter((run) => run !== undefined)).toMatchObject([{ judged: 250, reachedAt: NOW - 9 }]);
      const late = foundAs();
      expect(await store().saveRecalled(claim, [late], progress, NOW)).toBe(false);
      expect(await store().recalledSignups(accountId, {}, 9)).toEqual([found]);
      await store().freeRecalls();
      expect(await resume('d', NOW + 121)).toBeDefined();
    });

    it('keeps what it finds again, forgets the rest, and never shows another account anything', async () => {
      const accountId = await newAccount();
      const other = await newAccount();
      const [kept, gone] = [foundAs({ at: NOW - 7 }), foundAs({ cause: 'list', newVerdict: 'challenge' })];
      await make(accountId, [gone, kept]);
      const foreign = foundAs();
      await make(other, [foreign]);
      const of = (filter: object) => store().recalledSignups(accountId, filter, 9);
      expect(await of({})).toEqual([kept, gone]);
      expect(await of({ newVerdict: 'challenge' })).toEqual([gone]);
      expect(await of({ cause: 'feed', causeId: ID })).toEqual([kept]);
      expect(await of({ cause: 'feed', causeId: 'x' })).toEqual([]);
      expect(await store().recallCounts(accountId)).toEqual([
        { cause: 'feed', causeId: ID, newVerdict: 'block', count: 1, fresh: 1 },
        { cause: 'list', causeId: ID, newVerdict: 'challenge', count: 1, fresh: 1 },
      ]);
      await store().forgetRecalled(accountId, [foreign.requestId]);
      const changed = { ...kept, newScore: 90, cause: 'campaign' as const };
      await make(accountId, [changed], NOW + 5);
      expect(await of({})).toEqual([changed]);
      expect(await store().recallCounts(accountId)).toMatchObject([{ count: 1, fresh: 0 }]);
      expect(await store().recalledSignups(other, {}, 9)).toEqual([foreign]);
      expect(await store().dismissRecalled(accountId, NOW)).toBe(1);
      expect(await store().recalledSignups(other, {}, 9)).toEqual([foreign]);
    });

    it('leaves out what somebody has seen, until it would get another verdict', async () => {
      const accountId = await newAccount();
      const [seen, worse] = [foundAs(), foundAs({ newVerdict: 'challenge' })];
      await make(accountId, [seen, worse]);
      expect(await store().dismissRecalled(accountId, NOW + 1, audited(accountId))).toBe(2);
      expect(await store().dismissRecalled(accountId, NOW + 1, audited(accountId))).toBe(0);
      expect((await store().auditEntries(accountId, null, 9)).entries).toHaveLength(1);
      expect(await store().countSeenRecalled(accountId)).toBe(2);
      const blocked = { ...worse, newVerdict: 'block' as const };
      await make(accountId, [seen, blocked], NOW + 5);
      expect(await store().recalledSignups(accountId, {}, 9)).toEqual([blocked]);
      expect(await store().recallCounts(accountId)).toMatchObject([{ count: 1, fresh: 1 }]);
      expect(await store().countSeenRecalled(accountId)).toBe(1);
    });

    it('tells what it found once, with its end', async () => {
      const destination = await newDestination({ types: ['recall.found'] });
      const { accountId, id } = destination;
      const claim = claimOf(accountId);
      await store().beginRecall(claim, DAY);
      const end = (holder: string) => store().endRecall({ ...claim, holder }, NOW, { found: 3 });
      expect(await Promise.all([end('b'), end('a'), end('a')])).toContain(true);
      const { deliveries } = await store().deliveries(accountId, id, { limit: 9 });
      expect(deliveries.map(({ event }) => [event.type, event.object, event.data])).toEqual([
        ['recall.found', claim.id, { found: 3 }],
      ]);
    });

    it('loses a person who is erased, and old signups a few at a time', async () => {
      const accountId = await newAccount();
      const stored = anAssessment({ requestId: makeId('req', NOW), accountId });
      await store().record(stored);
      const erased = foundAs({ requestId: stored.requestId });
      const old = [1, 2, 3].map((at) => foundAs({ at }));
      const young = foundAs();
      await make(accountId, [erased, young, ...old]);
      await store().anonymizeAssessments([leftOf(stored)]);
      expect(await store().recalledSignups(accountId, {}, 9)).toHaveLength(4);
      expect(await store().pruneRecalled(9, 2)).toBe(2);
      while ((await store().pruneRecalled(9, 2)) > 0);
      expect(await store().recalledSignups(accountId, {}, 9)).toEqual([young]);
    });

    it('is gone with its account', async () => {
      const accountId = await newAccount();
      await make(accountId, [foundAs(), foundAs()]);
      await store().beginAccountDeletion(accountId, NOW);
      expect(await store().recallRun(accountId)).toBeUndefined();
      while (await store().removeAccountRows(accountId, 1));
      expect(await store().recalledSignups(accountId, {}, 9)).toEqual([]);
    });
  });
}

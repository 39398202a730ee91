/** Data that every store must erase about a person, and data that it must keep. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { anAssessment, asStored } from '../../test/support/an-assessment.ts';
import { createMakeId, type MakeId } from '../contract/identifiers.ts';
import type { AuditEntry } from './audit-store.ts';
import type { AnonymousAssessment } from './erasure-store.ts';
import { timeOfId } from './request-time.ts';
import type { AssessmentRecord, Store } from './store.ts';
import type { StoredAssessment } from './stored-assessment.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const DAY = { from: Date.UTC(2026, 4, 10), to: Date.UTC(2026, 4, 11) };
const HASH = 'x'.repeat(22);

/** Row as `signup/anonymize.ts` makes it. */
export function leftOf(stored: AssessmentRecord): AnonymousAssessment {
  const { cap: _, claim: __, ...kept } = stored;
  return {
    erasedId: stored.requestId,
    replacement: {
      ...kept,
      requestId: createMakeId()('req', timeOfId(stored.requestId) ?? stored.at),
      emailDomain: 'erased.invalid',
      addressHash: HASH,
      mailboxHash: HASH,
      email: null,
      emailMasked: '***@erased.invalid',
      ip: null,
      network: null,
      countryCode: '',
      asn: 0,
      sessionId: null,
      facts:
        '[1,"a1","default-1",30,60,["plus_alias",12,0,"hosting",30.5,1],0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]',
    },
  };
}

export function describeErasures(store: () => Store, makeId: MakeId): void {
  describe('an erasure', () => {
    it('leaves anonymous assessments with the same counts, which no search for erased data finds', async () => {
      const accountId = makeId('acc', NOW);
      const of = (fields: Partial<AssessmentRecord>) =>
        anAssessment({ requestId: makeId('req', NOW), accountId, ...fields });
      const person = { mailboxHash: 'zoe-mailbox', sessionId: 'zoe-session', email: 'zoe@example.com' };
      const erased = [of(person), of({ ...person, mode: 'test', verdict: 'block' })] as const;
      const others = Array.from({ length: 5 }, () => of({}));
      await Promise.all(
        [others[0], erased[0], others[1], erased[1], ...others.slice(2)].map((each) =>
          store().record(each as AssessmentRecord),
        ),
      );
      const [first] = erased;
      await store().saveFeedback({ ...MARK, requestId: first.requestId, note: 'zoe phoned' });
      const challenge = { requestId: first.requestId, accountId, expiresAt: NOW + 1_000, at: NOW };
      await store().openChallenge({ ...challenge, returnUrl: 'https://zoe.example' });
      await store().redeemChallenge({
        ...challenge,
        status: 'passed',
        method: 'application',
        redeemer: 'key',
      });
      const before = await countsOf(store(), accountId);

      const changes = erased.map(leftOf);
      await store().anonymizeAssessments(changes);
      // A second time, as after a crash: there is nothing left to do.
      await store().anonymizeAssessments(changes);

      expect(await countsOf(store(), accountId)).toEqual(before);
      for (const [at, { erasedId, replacement }] of changes.entries()) {
        const reader = { accountId, mode: 'test' } as const;
        const live = at === 0 ? ({ accountId, mode: 'live' } as const) : reader;
        expect(await store().findStored(erasedId, live)).toBeUndefined();
        expect(await store().findAssessment(accountId, erasedId)).toBeUndefined();
        expect(await store().findStored(replacement.requestId, live)).toEqual(
          asStored({ ...(replacement as StoredAssessment & { facts: string }), cap: null, claim: null }),
        );
      }
      for (const search of [
        { sessionId: 'zoe-session' },
        { domain: 'example.com', requestId: first.requestId },
      ])
        expect((await store().findAssessments(accountId, search, null, 10)).rows).toEqual([]);
      const byMailbox = store().replayableAssessments(
        accountId,
        { mode: 'live', since: 0, mailbox: 'zoe-mailbox' },
        10,
      );
      for await (const page of byMailbox) expect(page).toEqual([]);
      expect(await store().findFeedback(first.requestId)).toBeUndefined();
      expect(await store().findChallenge(first.requestId)).toBeUndefined();
      const [{ replacement }] = changes as [AnonymousAssessment];
      expect(await store().findFeedback(replacement.requestId)).toMatchObject({
        outcome: MARK.outcome,
        note: null,
      });
      expect(await store().findChallenge(replacement.requestId)).toMatchObject({
        status: 'passed',
        returnUrl: null,
      });
      for (const other of others)
        expect(await store().findStored(other.requestId, { accountId, mode: 'live' })).toEqual(
          asStored(other),
        );
      await store().overwriteFreed();
      expect(await countsOf(store(), accountId)).toEqual(before);
    });

    it('is recorded once, as hashes only, until it ends', async () => {
      const account = makeId('acc', NOW);
      const person = { account, hashes: ['a'.repeat(22), 'b'.repeat(22)], until: NOW };
      const other = { ...person, until: NOW + 1 };
      const noted = async () => (await store().erasures()).filter((each) => each.person.account === account);
      await store().noteErasure(person, 'jo@example.com');
      await store().noteErasure(other, null);
      await store().noteErasure(person, 'al@example.com');
      expect(await noted()).toEqual([
        { person, by: 'jo@example.com', appliedAt: null },
        { person: other, by: null, appliedAt: null },
      ]);
      await store().endErasure(person, NOW + 5);
      await store().noteErasure(person, 'al@example.com');
      expect(await noted()).toEqual([
        { person, by: null, appliedAt: NOW + 5 },
        { person: other, by: null, appliedAt: null },
      ]);
    });

    it('replaces and removes cached texts in one step, and says so to every node', async () => {
      const { cache } = store();
      const expiresAt = NOW + 1_000;
      for (const name of ['gone', 'less', 'stays'])
        cache.set(`erasure:${name}`, `text of ${name} \u0000`, expiresAt);
      await expect.poll(() => cache.read('erasure:stays')).toBeDefined();
      const before = await store().hostDecisionsVersion();
      await store().replaceCachedTexts([
        { name: 'erasure:gone', stored: null },
        { name: 'erasure:less', stored: { text: 'less \u0000', expiresAt } },
        { name: 'erasure:never', stored: { text: 'nothing', expiresAt } },
      ]);
      expect(
        await Promise.all(['gone', 'less', 'never', 'stays'].map((name) => cache.read(`erasure:${name}`))),
      ).toEqual([
        undefined,
        { text: 'less \u0000', expiresAt },
        undefined,
        { text: 'text of stays \u0000', expiresAt },
      ]);
      const after = await store().hostDecisionsVersion();
      expect(after).toBeGreaterThan(before);
      await store().replaceCachedTexts([]);
      expect(await store().hostDecisionsVersion()).toBeGreaterThan(after);
      expect(await store().hostDecisionsSince(before)).toEqual([]);
    });

    it("removes texts from the account's audit log, and changes nothing else there", async () => {
      const [accountId, otherId] = [makeId('acc', NOW), makeId('acc', NOW)];
      const entry = (of: string, target: string, detail = ''): AuditEntry => ({
        at: NOW,
        by: 'jo@example.com',
        accountId: of,
        action: 'list.deny',
        target,
        detail,
      });
      const many = Array.from({ length: 520 }, (_, at) => entry(accountId, `target ${at}`));
      const own = { ...entry(accountId, 'z***@example.com', 'zoe phoned'), subject: HASH };
      for (const each of [
        entry(accountId, 'zoe@example.com', 'zoe \u0000'),
        own,
        ...many,
        entry(otherId, 'zoe@example.com'),
      ])
        await store().audit(each);
      const changed = await store().redactAudit(accountId, ({ target, detail, subject }) => {
        if (subject === HASH) return { target: 'own', detail: '', subject: 'gone' };
        if (target !== 'zoe@example.com') return undefined;
        return { target: 'erased', detail: detail.replace('zoe', 'erased') };
      });
      expect(changed).toBe(2);
      const { entries } = await store().auditEntries(accountId, null, 600);
      expect(entries).toEqual([
        ...many.toReversed(),
        entry(accountId, 'own'),
        entry(accountId, 'erased', 'erased \u0000'),
      ]);
      const subjects: (string | undefined)[] = [];
      await store().redactAudit(accountId, ({ subject }) => {
        subjects.push(subject);
        return undefined;
      });
      expect(subjects.filter((subject) => subject !== undefined)).toEqual(['gone']);
      expect((await store().auditEntries(otherId, null, 10)).entries).toEqual([
        entry(otherId, 'zoe@example.com'),
      ]);
    });
  });
}

const MARK = { outcome: 'false_positive', keyId: 'key_a', at: NOW } as const;

/** Everything that charts and bills are made from. */
async function countsOf(store: Store, accountId: string) {
  const spans = (['live', 'test'] as const).map((mode) => ({ ...DAY, mode }));
  const both = <T>(read: (span: (typeof spans)[0]) => Promise<T>) => Promise.all(spans.map(read));
  return {
    credits: await store.creditsUsed(accountId, '2026-05'),
    days: await store.dayCounts(accountId, DAY.from, DAY.to),
    traffic: (await both((span) => store.traffic(accountId, span))).map(({ readAt: _, ...rest }) => rest),
    labels: await both((span) => store.labelCounts(accountId, span)),
    challenges: await both((span) => store.challengeCounts(accountId, span)),
  };
}

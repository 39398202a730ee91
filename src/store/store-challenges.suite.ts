/** How every store must keep challenges: each has one result, which becomes feedback. */
import { describe, expect, it } from 'vitest';
import { anAssessment } from '../../test/support/an-assessment.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { MailLimits, RedeemedChallenge } from './challenge-store.ts';
import type { AssessmentRecord, Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const EXPIRES = NOW + 1_800_000;
const HOUR_MS = 3_600_000;
const LIMITS: MailLimits = {
  perChallenge: 2,
  perMailbox: [
    { max: 3, withinMs: HOUR_MS },
    { max: 4, withinMs: 24 * HOUR_MS },
  ],
  firstOfNetwork: { max: 5, withinMs: 24 * HOUR_MS },
};

export function describeChallenges(openStore: () => Store, makeId: MakeId): void {
  async function recorded(values: Partial<AssessmentRecord> = {}) {
    const requestId = makeId('req', NOW);
    const { accountId = makeId('acc', NOW) } = values;
    await openStore().record(anAssessment({ requestId, verdict: 'challenge', ...values, accountId }));
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
      // Nobody can have a code that was never mailed.
      expect(await store.countCodeAttempt(key.requestId, 5)).toBe(false);
      await store.orderMail({ ...key, at: NOW, returnUrl: null }, LIMITS);
      const counted = await Promise.all(
        Array.from({ length: 12 }, () => store.countCodeAttempt(key.requestId, 5)),
      );
      expect(counted.filter(Boolean)).toHaveLength(5);
      await store.openChallenge({ ...key, at: NOW, returnUrl: null });
      expect(await store.countCodeAttempt(key.requestId, 5)).toBe(false);
    });

    it('order mails up to a limit for each, also at once', async () => {
      const store = openStore();
      const key = await recorded({ mode: 'test' });
      const order = () => store.orderMail({ ...key, at: NOW, returnUrl: null }, LIMITS);
      const orders = await Promise.all(Array.from({ length: 20 }, order));
      expect(orders.toSorted()).toEqual([...Array(2).fill('ordered'), ...Array(18).fill('used')]);
      await store.redeemChallenge(result(key, 'passed'));
      expect(await order()).toBe('closed');
      const stranger = { ...key, accountId: makeId('acc', NOW), at: NOW, returnUrl: null };
      expect(await store.orderMail(stranger, LIMITS)).toBe('closed');
    });

    it('order mails up to a limit for each mailbox of an account, also at once, until its time is over', async () => {
      const store = openStore();
      const accountId = makeId('acc', NOW);
      const signups = (mailboxHash: string, values: Partial<AssessmentRecord> = {}) =>
        Promise.all(Array.from({ length: 20 }, () => recorded({ accountId, mailboxHash, ...values })));
      const orderAll = async (keys: Awaited<ReturnType<typeof signups>>, at = NOW) => {
        const orders = keys.map((key) => store.orderMail({ ...key, at, returnUrl: null }, LIMITS));
        return (await Promise.all(orders)).filter((order) => order === 'ordered').length;
      };
      const mine = await signups('mine');
      expect(await orderAll(mine)).toBe(3);
      const another = { ...(await recorded({ accountId, mailboxHash: 'mine' })), at: NOW, returnUrl: null };
      expect(await store.orderMail(another, LIMITS)).toBe('mailbox');
      expect(await store.findChallenge(another.requestId)).toMatchObject({ status: 'pending' });
      expect(await orderAll(await signups('other'))).toBe(3);
      expect(await orderAll(await signups('mine', { accountId: makeId('acc', NOW) }))).toBe(3);
      expect(await orderAll(await signups('mine', { mode: 'test' }))).toBe(20);
      expect(await orderAll(await signups('mine'), NOW + HOUR_MS - 1)).toBe(0);
      // The limit of a day has place for one more than that of an hour.
      expect(await orderAll(await signups('mine'), NOW + HOUR_MS)).toBe(1);
      expect(await orderAll(await signups('mine'), NOW + 3 * HOUR_MS)).toBe(0);
    });

    it('order a mail for a network that ordered none for the mailbox, up to a limit for all', async () => {
      const store = openStore();
      const accountId = makeId('acc', NOW);
      const order = async (network: string | null) => {
        const key = await recorded({ accountId, mailboxHash: 'theirs', network });
        return store.orderMail({ ...key, at: NOW, returnUrl: null }, LIMITS);
      };
      for (let at = 0; at < 3; at += 1) expect(await order('192.0.2.1')).toBe('ordered');
      const orders = [];
      for (const network of ['192.0.2.1', null, '192.0.2.2', '192.0.2.2', '192.0.2.3', '192.0.2.4'])
        orders.push(await order(network));
      expect(orders).toEqual(['mailbox', 'mailbox', 'ordered', 'mailbox', 'ordered', 'mailbox']);
    });

    it('forget the networks of mails that count no more', async () => {
      const store = openStore();
      const accountId = makeId('acc', NOW);
      const order = async (network: string) => {
        const key = await recorded({ accountId, mailboxHash: 'theirs', network });
        return store.orderMail({ ...key, at: NOW, returnUrl: null }, LIMITS);
      };
      for (const network of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'])
        expect(await order(network)).toBe('ordered');
      while ((await store.forgetNetworks(NOW - 1, 2)) > 0) expect(await order('192.0.2.2')).toBe('mailbox');
      expect(await order('192.0.2.2')).toBe('mailbox');
      expect(await store.forgetNetworks(NOW, 1)).toBe(1);
      while ((await store.forgetNetworks(NOW, 100)) > 0);
      expect(await order('192.0.2.2')).toBe('ordered');
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

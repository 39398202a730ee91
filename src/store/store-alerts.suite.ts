/** How every store must save alerts. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { aDestination } from '../../test/support/a-destination.ts';
import { anAccount } from '../../test/support/an-account.ts';
import { aSighting, asOpenAlert } from '../../test/support/an-alert.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { Alert, AlertSighting } from '../model/alert.ts';
import type { Destination } from '../model/event.ts';
import type { Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 0);
const MINUTE_MS = 60_000;

const tell = ({ kind, count }: Alert) => ({ kind, count });

export function describeAlerts(store: () => Store, makeId: MakeId): void {
  describe('alerts', () => {
    async function newAccount(): Promise<string> {
      const id = makeId('acc', NOW);
      await store().saveAccount(anAccount({ id, name: 'alerts', createdAt: NOW }));
      return id;
    }
    const see = (sighting: AlertSighting, id = makeId('alr', sighting.at)) =>
      store().seeAlert(id, sighting, tell);
    const opened = async (sighting: AlertSighting) => (await see(sighting)) as Alert;
    const listed = async (accountId: string, state?: 'open' | 'closed') =>
      (await store().alerts(accountId, { state, limit: 100 })).alerts.filter(
        (alert) => alert.accountId === accountId,
      );

    it('are read as they were seen, by their own account alone', async () => {
      const sighting = aSighting(await newAccount(), { note: 'Ünïcode \u0000 & a lone \ud800' });
      const id = makeId('alr', NOW);
      const alert = await see(sighting, id);
      expect(alert).toEqual(asOpenAlert(id, sighting));
      expect(await listed(sighting.accountId)).toEqual([alert]);
      expect(await listed(await newAccount())).toEqual([]);
      expect(await store().recentAlerts(NOW)).toContainEqual(alert);
    });

    it('are not opened for an account that is not there', async () => {
      expect(await see(aSighting('acc_nobody'))).toBeUndefined();
    });

    it('open once while others see the same, however many at once', async () => {
      const accountId = await newAccount();
      const seen = await Promise.all(Array.from({ length: 8 }, () => see(aSighting(accountId))));
      expect(new Set(seen.map((alert) => alert?.id)).size).toBe(1);
      const others = [
        { subject: 'key_other' },
        { kind: 'blocked' },
        { accountId: await newAccount() },
      ] as const;
      for (const other of others)
        expect((await opened(aSighting(accountId, other))).id).not.toBe(seen[0]?.id);
    });

    it('grow, and keep what the most signups shared', async () => {
      const accountId = await newAccount();
      const first = await opened(aSighting(accountId));
      const shares = [{ feature: 'session', value: 's_1', share: 0.8, usual: 0 }] as const;
      const later = { at: NOW + MINUTE_MS, shares };
      expect(await see(aSighting(accountId, { ...later, count: 400, usual: 9 }))).toEqual({
        ...first,
        seenAt: later.at,
      });
      expect(await see(aSighting(accountId, { ...later, count: 900, usual: 9 }))).toEqual({
        ...first,
        seenAt: later.at,
        count: 900,
        usual: 9,
        shares,
      });
      const kept = await see(aSighting(accountId, { at: NOW, count: 901, shares: null }));
      expect(kept).toMatchObject({ seenAt: later.at, count: 901, shares });
    });

    it('close once nobody has seen them for a while, and open anew after that', async () => {
      const accountId = await newAccount();
      const alert = await opened(aSighting(accountId));
      const close = (seenBefore: number, kind: 'signups' | 'feed' = 'signups') =>
        store().closeUnseenAlerts([kind], seenBefore, NOW + MINUTE_MS, tell);
      const ownOf = (alerts: readonly Alert[]) => alerts.filter((each) => each.accountId === accountId);
      expect(ownOf(await close(NOW))).toEqual([]);
      expect(ownOf(await close(NOW + 1, 'feed'))).toEqual([]);
      const closed = { ...alert, closedAt: NOW + MINUTE_MS };
      const ended = await Promise.all([close(NOW + 1), close(NOW + 1)]);
      expect(ownOf(ended.flat())).toEqual([closed]);
      expect(await listed(accountId, 'open')).toEqual([]);
      const again = await opened(aSighting(accountId, { at: NOW + 2 * MINUTE_MS }));
      expect(again.id).not.toBe(alert.id);
      expect(await listed(accountId)).toEqual([again, closed]);
      expect([await listed(accountId, 'open'), await listed(accountId, 'closed')]).toEqual([
        [again],
        [closed],
      ]);
      expect(ownOf(await store().recentAlerts(NOW + MINUTE_MS))).toEqual([again, closed]);
      expect(ownOf(await store().recentAlerts(NOW + MINUTE_MS + 1))).toEqual([again]);
    });

    it('are told once when they open, and once when they close, however many see it', async () => {
      const accountId = await newAccount();
      const destination = aDestination(accountId);
      await store().saveDestination(destination);
      const seen = await Promise.all([see(aSighting(accountId)), see(aSighting(accountId))]);
      const close = () => store().closeUnseenAlerts(['signups'], NOW + 1, NOW + MINUTE_MS, tell);
      await Promise.all([close(), close()]);
      const id = (seen[0] as Alert).id;
      const told = async () =>
        (await store().deliveries(accountId, destination.id, { limit: 100 })).deliveries
          .map(({ event: { type, object, data } }) => ({ type, object, data }))
          .toReversed();
      const data = { kind: 'signups', count: 420 };
      expect(await told()).toEqual([
        { type: 'alert.opened', object: id, data },
        { type: 'alert.closed', object: id, data },
      ]);
      await store().blankAlerts([id]);
      expect(await told()).toEqual([]);
    });

    it('of the installation are told to every account that wants alerts, once', async () => {
      const subject = await newAccount();
      const wanting = [aDestination(subject), aDestination(await newAccount())];
      const other = aDestination(await newAccount(), { types: ['key.changed'] });
      for (const destination of [...wanting, other]) await store().saveDestination(destination);
      const { id } = await opened(aSighting('', { kind: 'feed', subject }));
      await see(aSighting('', { kind: 'feed', subject, at: NOW + 1 }));
      await store().closeUnseenAlerts(['feed'], NOW + 2, NOW + 2, tell);
      const told = async ({ accountId, id: destination }: Destination) =>
        (await store().deliveries(accountId, destination, { limit: 9 })).deliveries
          .filter(({ event: { object } }) => object === id)
          .map(({ event: { type } }) => type)
          .toReversed();
      for (const destination of wanting)
        expect(await told(destination)).toEqual(['alert.opened', 'alert.closed']);
      expect(await told(other)).toEqual([]);
    });

    it('are listed page by page, with those of the installation', async () => {
      const accountId = await newAccount();
      const own = await opened(aSighting(accountId));
      const shared = await opened(aSighting('', { kind: 'feed', subject: accountId }));
      const first = await store().alerts(accountId, { limit: 1 });
      expect(first).toEqual({ alerts: [shared], next: shared.id });
      expect((await store().alerts(accountId, { limit: 1, after: first.next })).alerts).toEqual([own]);
    });

    it('forget what their signups share, and go once they are old', async () => {
      const accountId = await newAccount();
      const [old, open] = [
        await opened(aSighting(accountId, { at: NOW - 9 * MINUTE_MS })),
        await opened(aSighting(accountId, { subject: 'key_2' })),
      ];
      await store().closeUnseenAlerts(['signups'], NOW - 8 * MINUTE_MS, NOW - 8 * MINUTE_MS, tell);
      expect(await store().blankOldAlerts(NOW - 8 * MINUTE_MS, 100)).toBe(0);
      expect(await store().blankOldAlerts(NOW - 7 * MINUTE_MS, 100)).toBeGreaterThan(0);
      expect(await store().blankOldAlerts(NOW - 7 * MINUTE_MS, 100)).toBe(0);
      expect((await listed(accountId)).map(({ shares }) => shares.length)).toEqual([1, 0]);
      await store().blankAlerts([]);
      await store().blankAlerts([open.id]);
      expect((await listed(accountId)).map(({ shares }) => shares.length)).toEqual([0, 0]);
      expect(await store().pruneAlerts(NOW - 7 * MINUTE_MS, 100)).toBeGreaterThan(0);
      expect((await listed(accountId)).map(({ id }) => id)).toEqual([open.id]);
      expect(old.id).not.toBe(open.id);
    });
  });
}

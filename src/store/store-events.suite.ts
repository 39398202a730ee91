/** How every store must save what an account tells others. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { aLearnedCampaign } from '../../test/support/a-campaign.ts';
import { aDestination } from '../../test/support/a-destination.ts';
import { aKey } from '../../test/support/a-key.ts';
import { anAssessment } from '../../test/support/an-assessment.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { Delivery, Destination, NewEvent } from '../model/event.ts';
import type { ListEntry } from '../model/list-entry.ts';
import type { Store } from './store.ts';
import { audited, createDestinations } from './store-destinations.suite.ts';
import { encodeText } from './text.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const DAY_MS = 86_400_000;
const NAME = 'Ünïcode "\u0000" & a lone \ud800';

export function describeEvents(store: () => Store, makeId: MakeId): void {
  const { newDestination } = createDestinations(store, makeId);

  const anAlert = (accountId: string, fields: Partial<NewEvent> = {}): NewEvent => ({
    accountId,
    type: 'alert.opened',
    object: 'alr_1',
    at: NOW,
    data: { rule: 'volume' },
    ...fields,
  });
  const deliveries = async ({ accountId, id }: Destination) =>
    (await store().deliveries(accountId, id, { limit: 100 })).deliveries.toReversed();
  const events = async (destination: Destination) =>
    (await deliveries(destination)).map(({ event }) => event);
  const told = async (destination: Destination) =>
    (await events(destination)).map(({ type, object }) => `${type} ${object}`);

  describe('events', () => {
    it('are stored where an enabled destination of the account wants them, and nowhere else', async () => {
      const wants = await newDestination({ types: ['alert.opened'] });
      const { accountId } = wants;
      const other = await newDestination();
      const rest = [
        aDestination(accountId, { types: ['alert.opened', 'alert.closed'] }),
        aDestination(accountId, { disabled: { at: NOW, reason: 'person' } }),
      ] as const;
      for (const destination of rest) await store().saveDestination(destination);
      await store().saveEvent(anAlert(accountId));
      await store().saveEvent(anAlert(accountId, { type: 'alert.closed' }));
      await store().saveEvent(anAlert(accountId, { type: 'campaign.ended' }));
      expect(await told(wants)).toEqual(['alert.opened alr_1']);
      expect(await told(rest[0])).toEqual(['alert.opened alr_1', 'alert.closed alr_1']);
      expect(await told(rest[1])).toEqual([]);
      expect(await told(other)).toEqual([]);
      const [event] = await events(wants);
      expect(event).toEqual({
        seq: expect.any(Number),
        id: expect.stringMatching(/^evt_[0-9a-f]{26}$/),
        accountId,
        type: 'alert.opened',
        object: 'alr_1',
        at: NOW,
        data: { rule: 'volume' },
      });
      expect((await events(rest[0]))[0]?.id).toBe(event?.id);
    });

    it('are stored once where they have an id', async () => {
      const destination = await newDestination();
      const event = anAlert(destination.accountId, { id: `evt_${destination.id}` });
      await store().saveEvent(event);
      await store().saveEvent({ ...event, data: {} });
      expect(await deliveries(destination)).toHaveLength(1);
    });

    it('of a campaign tell that it opens, reaches the next power of two, and ends', async () => {
      const destination = await newDestination();
      const learned = aLearnedCampaign(destination.accountId, 'postfarm.example', { members: 9, letIn: 0 });
      await store().saveLearned(learned);
      for (const members of [9, 15, 16, 17, 31, 70]) await store().saveLearned({ ...learned, members });
      await store().endSilent(learned.id, { lastAt: learned.lastAt, at: NOW + 5 });
      const by = { by: NAME, note: '', at: NOW + 9 };
      await store().decideCampaign(destination.accountId, learned.id, { action: 'reopen', ...by });
      await store().decideCampaign(destination.accountId, learned.id, { action: 'end', ...by });
      const all = await events(destination);
      expect(all.map(({ type, data }) => `${type} ${data.members}`)).toEqual([
        'campaign.opened 9',
        'campaign.grew 16',
        'campaign.grew 70',
        'campaign.ended 70',
        'campaign.opened 70',
        'campaign.ended 70',
      ]);
      expect(new Set(all.map(({ object }) => object))).toEqual(new Set([learned.id]));
      expect(all[0]).toMatchObject({
        at: learned.openedAt,
        data: { scope: learned.scope, mark_text: learned.markText, since: learned.since, let_in: 0 },
      });
      expect(all[3]).toMatchObject({ at: NOW + 5, data: { ended_reason: 'silence' } });
      expect(all[5]).toMatchObject({ at: NOW + 9, data: { ended_reason: 'person' } });
      await store().blankCampaignScopes([learned.id]);
      expect(await events(destination)).toEqual([]);
    });

    it('of feedback tell each outcome once', async () => {
      const destination = await newDestination();
      const assessment = anAssessment({ accountId: destination.accountId });
      await store().record(assessment);
      const feedback = { requestId: assessment.requestId, keyId: 'key_1', note: null, at: NOW };
      await store().saveFeedback({ ...feedback, outcome: 'false_positive' });
      await store().saveFeedback({ ...feedback, outcome: 'false_positive', note: 'a person' });
      await store().saveFeedback({ ...feedback, outcome: 'false_negative', at: NOW + 1 });
      await store().removeFeedback(assessment.requestId);
      const all = await events(destination);
      expect(all.map(({ at, data }) => ({ at, ...data }))).toEqual([
        { at: NOW, outcome: 'false_positive', actor: 'key_1' },
        { at: NOW + 1, outcome: 'false_negative', actor: 'key_1' },
      ]);
      expect(new Set(all.map(({ type, object }) => `${type} ${object}`)).size).toBe(1);
    });

    it('of list entries and keys tell each change, without whom an entry is about', async () => {
      const destination = await newDestination();
      const { accountId } = destination;
      const entry: ListEntry = {
        id: makeId('lst', NOW),
        accountId,
        action: 'deny',
        kind: 'domain',
        value: 'example.com',
        shown: 'example.com',
        reason: NAME,
        author: 'jo@example.com',
        createdAt: NOW,
        expiresAt: null,
        hits: 0,
        lastHitAt: null,
      };
      const byJo = { at: NOW, by: 'nat', action: 'list', target: '', detail: '' };
      await store().saveListEntry(entry);
      await store().addListHits(new Map([[entry.id, { hits: 3, at: NOW }]]));
      await store().saveListEntry({ ...entry, id: makeId('lst', NOW), expiresAt: NOW + 1 });
      await store().removeListEntry(entry.id, { ...byJo, accountId });
      const ip = {
        ...entry,
        id: makeId('lst', NOW),
        kind: 'ip',
        value: '192.0.2.1',
        shown: '192.0.2.1',
      } as const;
      await store().saveListEntry(ip);
      const key = aKey({
        id: makeId('key', NOW),
        accountId,
        name: 'shop "1"',
        enforcedShare: 10,
        hash: makeId('key', NOW),
        createdAt: NOW,
      });
      const by = (name: string) => ({ at: NOW, by: name, accountId, action: 'key', target: '', detail: '' });
      await store().saveKey(key, by(NAME));
      await store().storeLastUses('keys', new Map([[key.hash, NOW]]));
      await store().changeKey(key.id, { enforcedShare: 50 }, by('kim'));
      const rotation = { hash: makeId('key', NOW), prefix: 'sk_live_wxyz', at: NOW, previousUntil: NOW + 9 };
      await store().rotateKey(key.id, rotation, by('lee'));
      await store().endPreviousSecret(key.id, NOW + 1, by('max'));
      await store().changeKey(key.id, { revokedAt: NOW });
      const all = await events(destination);
      expect(all.map(({ type, object, data }) => `${type} ${object} ${data.change}`)).toEqual([
        `list.changed ${entry.id} added`,
        `list.changed ${entry.id} changed`,
        `list.changed ${entry.id} removed`,
        `list.changed ${ip.id} added`,
        `key.changed ${key.id} created`,
        `key.changed ${key.id} changed`,
        `key.changed ${key.id} rotated`,
        `key.changed ${key.id} changed`,
        `key.changed ${key.id} revoked`,
      ]);
      expect(all.map(({ data }) => data.actor ?? data.by)).toEqual([
        'jo@example.com',
        'jo@example.com',
        'nat',
        'jo@example.com',
        encodeText(NAME),
        'kim',
        'lee',
        'max',
        undefined,
      ]);
      expect(all[1]?.data).toMatchObject({ action: 'deny', value: 'example.com', expires_at: NOW + 1 });
      expect(all[3]?.data).toMatchObject({ kind: 'ip', value: null });
      expect(all[4]?.data).toMatchObject({ mode: 'live', prefix: 'sk_live_abcd', enforced_share: 10 });
    });

    it('of signups are stored once, by verdict, from when they were wanted', async () => {
      const destination = await newDestination({ verdicts: ['block'] });
      const { accountId } = destination;
      const wanted = await store().wantedSignups();
      expect(wanted?.verdicts.get(accountId)).toEqual(new Set(['block']));
      const signup = (at: number, verdict: 'allow' | 'block'): NewEvent => {
        const object = makeId('req', at);
        const id = `evt_${object}`;
        return { id, accountId, type: 'signup.assessed', object, at, data: {}, verdict };
      };
      const [early, blocked, allowed] = [
        signup(NOW - 1, 'block'),
        signup(NOW, 'block'),
        signup(NOW, 'allow'),
      ];
      for (const until of [NOW + 7, NOW + 5])
        await store().saveSignupEvents([early, blocked, allowed], until);
      expect(await told(destination)).toEqual([`signup.assessed ${blocked.object}`]);
      expect((await store().wantedSignups())?.since).toBeGreaterThanOrEqual(NOW + 7);
    });
  });

  describe('deliveries', () => {
    const LEASE = { leaseUntil: NOW + 100, limit: 10 };
    const begin = ({ id }: Destination, now = NOW) =>
      store().beginTries(id, { ...LEASE, now, leaseUntil: now + 100 });
    const objects = (begun: readonly Delivery[]) => begun.map(({ event }) => event.object);
    const end = (delivery: Delivery, fields: object = {}) =>
      store().endTry(delivery, {
        state: 'delivered',
        nextAt: 0,
        triedAt: NOW,
        status: 200,
        problem: null,
        ...fields,
      });
    async function withEvents(...names: string[]): Promise<Destination> {
      const destination = await newDestination();
      for (const object of names) await store().saveEvent(anAlert(destination.accountId, { object }));
      return destination;
    }

    it('of one object begin one after the other, those of others side by side', async () => {
      const destination = await withEvents('a', 'a', 'b', 'a');
      const first = await begin(destination);
      expect(objects(first)).toEqual(['a', 'b']);
      expect(await begin(destination)).toEqual([]);
      const [a, b] = first as [Delivery, Delivery];
      await end(b);
      await end(a, { state: 'pending', nextAt: NOW + 50, status: 500, problem: NAME });
      expect(await begin(destination, NOW + 49)).toEqual([]);
      const again = await begin(destination, NOW + 50);
      expect(again).toMatchObject([{ event: a.event, tries: 2, status: 500, problem: NAME }]);
      await end(again[0] as Delivery);
      const [third] = await begin(destination);
      expect(third?.event.seq).toBeGreaterThan(a.event.seq);
      await end(third as Delivery, { state: 'failed' });
      expect(await begin(destination)).toHaveLength(1);
      expect((await deliveries(destination)).map(({ state }) => state)).toEqual([
        'delivered',
        'failed',
        'delivered',
        'pending',
      ]);
    });

    it('of a destination keep no other waiting before they are due', async () => {
      const destination = await withEvents('a', 'b');
      const { id } = destination;
      const waits = async (now: number) =>
        (await store().waitingDestinations(now)).some((each) => each.id === id);
      const [a, b] = (await begin(destination)) as [Delivery, Delivery];
      expect([await waits(NOW), await waits(NOW + 100)]).toEqual([false, true]);
      await end(a, { state: 'pending', nextAt: NOW + 70 });
      await end(b, { state: 'pending', nextAt: NOW + 60 });
      expect([await waits(NOW + 59), await waits(NOW + 60)]).toEqual([false, true]);
      // The one that waits longest is first.
      const options = { now: NOW + 99, leaseUntil: NOW + 200, limit: 1 };
      expect(objects(await store().beginTries(id, options))).toEqual(['b']);
      expect(objects(await store().beginTries(id, options))).toEqual(['a']);
    });

    it('have one try at a time, however many processes ask, and another when that was lost', async () => {
      const destination = await withEvents('a', 'b', 'c');
      const begun = await Promise.all([1, 2, 3, 4].map(() => begin(destination)));
      expect(objects(begun.flat()).sort()).toEqual(['a', 'b', 'c']);
      const [lost] = begun.flat();
      const later = await begin(destination, NOW + 100);
      expect(later.map(({ tries }) => tries)).toEqual([2, 2, 2]);
      // An end by whoever lost the lease has no effect.
      await end(lost as Delivery, { state: 'failed' });
      expect((await deliveries(destination)).map(({ state }) => state)).toEqual(Array(3).fill('pending'));
    });

    it('wait where the destination is paused or disabled', async () => {
      const destination = await withEvents('a');
      const { accountId, id } = destination;
      const waiting = async (now = NOW) =>
        (await store().waitingDestinations(now)).filter((each) => each.id === id);
      expect(await waiting()).toEqual([destination]);
      await store().pauseDestination(id, NOW + 10);
      expect(await waiting()).toEqual([]);
      expect(await waiting(NOW + 10)).toHaveLength(1);
      await store().changeDestination(accountId, id, { disabled: { at: NOW, reason: 'gone' } });
      expect(await waiting(NOW + 10)).toEqual([]);
      await store().changeDestination(accountId, id, { disabled: null });
      expect(await waiting()).toHaveLength(1);
      for (const delivery of await begin(destination)) await end(delivery);
      expect(await waiting()).toEqual([]);
    });

    it('are given up where the destination is enabled too late for them, and sent where it is not', async () => {
      const destination = await withEvents('a', 'b');
      const { accountId, id } = destination;
      const [first, second] = await deliveries(destination);
      const until = Math.max(first?.until ?? 0, second?.until ?? 0);
      const gone = { at: NOW, reason: 'gone' } as const;
      await store().changeDestination(accountId, id, { disabled: gone });
      await store().changeDestination(accountId, id, { disabled: null, since: until - 1_000_000 });
      const states = async () => (await deliveries(destination)).map(({ state }) => state);
      expect(await states()).toEqual(['pending', 'pending']);
      // A change of one that is not disabled gives nothing up.
      await store().changeDestination(accountId, id, { disabled: null, since: until + 1 });
      expect(await states()).toEqual(['pending', 'pending']);
      await store().changeDestination(accountId, id, { disabled: gone });
      await store().changeDestination(accountId, id, { disabled: null, since: until + 1 });
      expect(await states()).toEqual(['failed', 'failed']);
      expect((await deliveries(destination))[0]?.problem).toMatch(
        'too long while the destination was disabled',
      );
    });

    it('are free again for a service that starts alone, once their lease is that old', async () => {
      const destination = await withEvents('a');
      const [first] = await begin(destination);
      await store().freeTries(NOW + 50);
      expect(await begin(destination)).toEqual([]);
      await store().freeTries(NOW + 101);
      expect(await begin(destination)).toMatchObject([{ event: first?.event, tries: 2 }]);
    });

    it('are made again on demand, and shown page by page', async () => {
      const destination = await withEvents('a', 'b', 'c');
      const { accountId, id } = destination;
      for (const delivery of await begin(destination)) await end(delivery);
      const [, second] = await events(destination);
      const other = await newDestination();
      const replay = (account: string, to: string, event: string) =>
        store().replayDelivery(account, to, event, NOW + DAY_MS, audited(account));
      expect(await replay(accountId, id, 'evt_unknown\u0000')).toBe(false);
      expect(await replay(other.accountId, id, second?.id as string)).toBe(false);
      expect(await replay(accountId, id, second?.id as string)).toBe(true);
      expect((await store().auditEntries(accountId, null, 9)).entries).toHaveLength(1);
      expect(await begin(destination)).toMatchObject([{ event: second, tries: 1, until: NOW + 2 * DAY_MS }]);
      const page = await store().deliveries(accountId, id, { limit: 2 });
      expect(objects(page.deliveries)).toEqual(['c', 'b']);
      const rest = await store().deliveries(accountId, id, { limit: 2, after: page.next });
      expect([objects(rest.deliveries), rest.next]).toEqual([['a'], null]);
      const pending = await store().deliveries(accountId, id, { limit: 2, state: 'pending' });
      expect(objects(pending.deliveries)).toEqual(['b']);
      expect((await store().deliveries(other.accountId, id, { limit: 2 })).deliveries).toEqual([]);
    });

    it('can be for one destination that chose no type', async () => {
      const { accountId, id } = await newDestination({ types: [], digestHour: 7 });
      const direct = { destinationId: id, accountId, at: NOW, data: {} };
      const event = await store().saveDirectEvent({ ...direct, type: 'test' });
      const options = { now: NOW, leaseUntil: NOW + 100 };
      const begun = await store().beginTry(id, event as string, options);
      expect(begun).toMatchObject({ tries: 1, event: { type: 'test', object: id } });
      expect(await store().beginTry(id, event as string, options)).toBeUndefined();
      const unknown = { ...direct, destinationId: 'dst_\u0000', type: 'test' } as const;
      expect(await store().saveDirectEvent(unknown)).toBeUndefined();
      const digests = await store().digestDestinations();
      const own = { id, accountId, hour: 7, timeZone: 'Europe/Berlin', lastDay: '', since: NOW };
      expect(digests.filter((each) => each.id === id)).toEqual([own]);
      const day = (text: string) => store().saveDigest({ ...direct, type: 'digest' }, text);
      expect((await Promise.all([1, 2, 3].map(() => day('2026-05-10')))).filter(Boolean)).toEqual([true]);
      expect(await day('2026-05-09')).toBe(false);
      expect(await day('2026-05-11')).toBe(true);
    });

    it('go when they are old, but not while they wait', async () => {
      const destination = await withEvents('a', 'b');
      const [first] = await begin(destination);
      await end(first as Delivery);
      const until = Math.max(...(await deliveries(destination)).map((each) => each.until));
      while ((await store().pruneEvents(NOW + 1, 100)) > 0);
      expect(objects(await deliveries(destination))).toEqual(['b']);
      while ((await store().pruneEvents(until + 1, 100)) > 0);
      expect(await deliveries(destination)).toEqual([]);
    });
  });
}

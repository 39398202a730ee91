import { describe, expect, it } from 'vitest';
import { asOpened } from '../../test/support/a-campaign.ts';
import { aMember } from '../../test/support/a-member.ts';
import type { Campaign, LearnedCampaign } from '../model/campaign.ts';
import { createWaveFollower, type FollowerOptions, type LearnedWaves } from './follow-signups.ts';
import type { WaveMember } from './wave-member.ts';

const DAY_MS = 86_400_000;
const BYTES = 2_000_000;

/** A kit at a domain of its own. */
const wave = (domain: string, count: number, minute = 0): WaveMember[] =>
  Array.from({ length: count }, (_, at) =>
    aMember(`x${(minute + at) * 7919}q${at * 31}z@${domain}`, minute + 2 * at),
  );
const KIT = wave('postfarm.example', 30);
const lastOf = (members: readonly WaveMember[]) => (members.at(-1) as WaveMember).at;

/** A follower of members that come page by page, and what it told, newest of each campaign. */
function follow(options: Partial<FollowerOptions> = {}) {
  const pages: (readonly WaveMember[] | null)[] = [];
  const told: LearnedWaves[] = [];
  const follower = createWaveFollower({
    next: async () => (pages.length > 0 ? (pages.shift() as WaveMember[] | null) : []),
    standing: [],
    usual: [],
    isFirst: false,
    clock: () => lastOf(KIT),
    tell: (learned) => void told.push(learned),
    bytes: BYTES,
    mailboxDays: 90,
    ...options,
  });
  return {
    follower,
    async learn(...more: (readonly WaveMember[] | null)[]) {
      pages.push(...more);
      do await follower.step();
      while (pages.length > 0);
      await follower.step();
    },
    changed: () => new Map(told.flatMap(({ changed }) => changed).map((each) => [each.id, each])),
    silent: () => told.flatMap(({ silent }) => silent),
    usual: () => told.flatMap(({ usual }) => usual),
    addresses: () => told.flatMap(({ addresses }) => addresses),
  };
}

async function learned(members: readonly WaveMember[] = KIT): Promise<LearnedCampaign> {
  const { learn, changed } = follow();
  await learn(members);
  const campaigns = [...changed().values()];
  return campaigns.sort((a, b) => b.members - a.members)[0] as LearnedCampaign;
}

describe('learning behind the commit', () => {
  it('tells of a wave while it comes, also while it learns of what was stored before', async () => {
    const live = follow();
    await live.learn();
    await live.learn(KIT.slice(0, 20));
    const [early] = live.changed().values();
    expect(early).toMatchObject({ scope: 'domain', scopeText: 'postfarm.example' });
    await live.learn(KIT.slice(20));
    expect(live.changed().get((early as LearnedCampaign).id)?.members).toBe(KIT.length);
  });

  it('tells which domains are usual, and begins with the stored ones', async () => {
    const people = Array.from({ length: 30 }, (_, at) =>
      aMember(`s${2_500_000 + 37 * at}@uni.example`, at * 18 * 60),
    );
    const before = follow();
    await before.learn();
    await before.learn(people.slice(0, 25));
    const stored = before.usual();
    expect(stored.at(-1)).toMatchObject({ domain: 'uni.example', people: expect.any(Number) });
    const after = follow({ usual: stored.slice(-1) });
    await after.learn(people);
    expect(after.usual().at(-1)?.people).toBeGreaterThanOrEqual(29);
    after.follower.removeAccount('acc_1');
    await after.learn([aMember('s1@uni.example', 31 * 24 * 60)]);
    expect(after.usual().at(-1)?.people).toBeGreaterThanOrEqual(29);
  });

  it('learns the same after a kill, wherever that was', async () => {
    const whole = follow();
    await whole.learn();
    for (const member of KIT) await whole.learn([member]);
    const expected = [...whole.changed().values()].map(({ id, members, lastAt }) => ({
      id,
      members,
      lastAt,
    }));
    expect(expected.length).toBeGreaterThan(0);
    for (const cut of [1, 7, 12, 29]) {
      const before = follow();
      await before.learn(KIT.slice(0, cut));
      const standing = [...before.changed().values()].map((each) => asOpened(each));
      const after = follow({ standing });
      await after.learn(KIT.slice(0, cut));
      await after.learn(KIT.slice(cut));
      const all = new Map([...before.changed(), ...after.changed()]);
      expect([...all.values()].map(({ id, members, lastAt }) => ({ id, members, lastAt }))).toEqual(expected);
    }
  });

  it('tells what opens at once, and how it grows now and then', async () => {
    const time = { now: 0 };
    const live = follow({ growthMs: 1_000, stopwatch: () => time.now });
    await live.learn();
    time.now = 1;
    await live.learn(KIT.slice(0, 20));
    const [opened] = live.changed().values();
    const { id, members } = opened as LearnedCampaign;
    await live.learn(KIT.slice(20));
    expect(live.changed().get(id)?.members).toBe(members);
    time.now = 1_000;
    await live.learn([]);
    expect(live.changed().get(id)?.members).toBe(KIT.length);
  });

  it('learns nothing while another process does', async () => {
    const { follower, changed, silent } = follow({
      next: async () => null,
      standing: [asOpened(await learned(), { lastAt: 0 })],
    });
    for (const _ of [1, 2, 3]) await follower.step();
    expect([changed().size, silent().length]).toEqual([0, 0]);
  });

  it('goes on with a campaign whose first members it does not know, and ends it when nobody comes', async () => {
    const stored = asOpened(await learned(), { members: 500, id: 'cmp_00000000000000000000000000' });
    const { learn, changed, silent } = follow({ standing: [stored], clock: () => stored.lastAt + 60_000 });
    await learn();
    await learn(wave('postfarm.example', 3, 70));
    expect(changed().get(stored.id)).toMatchObject({ members: 503, since: stored.since });
    const late = follow({ standing: [stored], clock: () => stored.lastAt + 30 * DAY_MS });
    await late.learn();
    expect([late.silent(), silent()]).toEqual([[{ id: stored.id, lastAt: stored.lastAt }], []]);
  });

  it('ends a stored campaign that turns out to be over when it is learned again', async () => {
    const stored = asOpened(await learned());
    const { learn, silent, changed } = follow({
      standing: [stored],
      clock: () => stored.lastAt + 30 * DAY_MS,
    });
    await learn(KIT);
    expect([silent(), changed().size]).toEqual([[{ id: stored.id, lastAt: stored.lastAt }], 0]);
  });

  it('tells of waves that are over only where nothing was stored before', async () => {
    const clock = () => lastOf(KIT) + 30 * DAY_MS;
    const [first, later] = [follow({ isFirst: true, clock }), follow({ clock })];
    await first.learn(KIT);
    await later.learn(KIT);
    const { id } = await learned();
    expect(first.changed().has(id) && first.silent().some((each) => each.id === id)).toBe(true);
    expect([later.changed().size, later.silent().length]).toEqual([0, 0]);
  });

  describe.each(['before it began', 'while it learns'])('a decision %s', (when) => {
    /** Members before and after a decision about the campaign of the first ones. */
    async function decide(change: (campaign: Campaign) => Campaign, more: readonly WaveMember[]) {
      const decided = change(asOpened(await learned(KIT.slice(0, 20))));
      const isBefore = when === 'before it began';
      const { follower, learn, changed } = follow({ standing: isBefore ? [decided] : [] });
      await learn(KIT.slice(0, 20));
      if (!isBefore) follower.decided(decided);
      await learn(more);
      return changed().get(decided.id)?.members ?? 0;
    }
    const end = (fields: Partial<Campaign>) => (campaign: Campaign) =>
      asOpened(campaign, {
        state: 'ended',
        ended: { at: campaign.lastAt, by: 'jo', reason: 'person' },
        ...fields,
      });

    it('closes what a person ended: members after it are counted anew', async () => {
      expect(await decide(end({}), KIT.slice(20, 22))).toBeLessThanOrEqual(20);
    });

    it('lets nothing open that a person dismissed', async () => {
      const decided = asOpened(await learned(), {
        state: 'ended',
        ended: { at: lastOf(KIT), by: 'jo', reason: 'person' },
        decision: 'dismissed',
      });
      const { follower, learn, changed } = follow({ standing: when === 'before it began' ? [decided] : [] });
      await learn([]);
      if (when !== 'before it began') follower.decided(decided);
      await learn(KIT);
      expect([...changed().values()].filter(({ key }) => key === decided.key)).toEqual([]);
    });
  });

  it('goes on with what a person opened again', async () => {
    const stored = asOpened(await learned());
    const ended = { state: 'ended', ended: { at: stored.lastAt, by: 'jo', reason: 'person' } } as const;
    const { follower, learn, changed } = follow({ standing: [asOpened(stored, ended)] });
    await learn(KIT);
    follower.decided(stored);
    await learn(wave('postfarm.example', 3, 70));
    expect(changed().get(stored.id)?.members).toBe(KIT.length + 3);
  });

  it('forgets an account that was deleted', async () => {
    const { follower, learn, changed } = follow({ clock: () => lastOf(KIT) + 30 * DAY_MS });
    follower.removeAccount('acc_other');
    await learn([]);
    await learn(KIT);
    const before = changed().size;
    follower.removeAccount('acc_1');
    await learn([]);
    expect([before > 0, changed().size]).toEqual([true, before]);
  });

  it('tells of a mailbox with several addresses, of what was stored before and of what comes', async () => {
    const of = (address: string, minute: number) =>
      aMember('jo@example.com', minute, { mailbox: 'jo', addressHash: address });
    const { learn, addresses } = follow();
    const told = () => [...new Set(addresses().map(({ address }) => address))].sort();
    await learn([of('jo', 0)], [of('jo+a', 5)]);
    expect(told()).toEqual(['jo', 'jo+a']);
    await learn([of('jo+b', 9)]);
    expect(told()).toEqual(['jo', 'jo+a', 'jo+b']);
    const off = follow({ mailboxDays: 0 });
    await off.learn([of('jo', 0), of('jo+a', 5)]);
    expect(off.addresses()).toEqual([]);
  });
});

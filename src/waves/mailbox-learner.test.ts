/** The learner of mailboxes keeps every address of a mailbox that has another than its own, whichever came first, and no others. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aMember } from '../../test/support/a-member.ts';
import { PROPERTY_RUNS } from '../../test/support/property-runs.ts';
import { dayOf, type MailboxUse } from '../model/mailbox-address.ts';
import { MailboxLearner } from './mailbox-learner.ts';
import { SeenMailboxes } from './seen-mailboxes.ts';
import type { WaveMember } from './wave-member.ts';

const DAY = 24 * 60;
const DAYS = 90;
const BYTES = 1_000_000;

/** A signup of `jo`'s mailbox. @param day after the start */
const signup = (address: string, day: number, facts: Partial<WaveMember> = {}) =>
  aMember('jo@example.com', day * DAY, { mailbox: 'jo', addressHash: address, ...facts });
const newLearner = () => new MailboxLearner({ days: DAYS, bytes: BYTES });

function learned(...members: readonly WaveMember[]): readonly MailboxUse[] {
  const learner = newLearner();
  for (const member of members) learner.learn(member);
  return learner.takeChanged();
}

describe('the learner of mailboxes', () => {
  it('keeps nothing of those who sign up as their mailbox is called', () => {
    expect(learned(signup('jo', 0), signup('jo', 1), aMember('al@example.com', 2))).toEqual([]);
  });

  it.each([
    ['the mailbox itself comes first', ['jo', 'jo+a', 'jo+b']],
    ['another spelling comes first', ['jo+a', 'jo', 'jo+b']],
    ['the mailbox itself comes last', ['jo+a', 'jo+b', 'jo']],
  ])('keeps every address once, where %s', (_, addresses) => {
    const uses = learned(...addresses.map((address, day) => signup(address, day)));
    expect(uses.map(({ address }) => address).sort()).toEqual(['jo', 'jo+a', 'jo+b']);
    const days = new Map(uses.map(({ address, at }) => [address, dayOf(at)]));
    for (const [day, address] of addresses.entries())
      expect(days.get(address)).toBe(dayOf(signup(address, day).at));
  });

  it('does not keep the mailbox itself when it came too long ago, or comes too long after', () => {
    const addressesOf = (uses: readonly MailboxUse[]) => uses.map(({ address }) => address);
    expect(addressesOf(learned(signup('jo', 0), signup('jo+a', DAYS)))).toEqual(['jo+a']);
    expect(addressesOf(learned(signup('jo', 0), signup('jo+a', DAYS - 1)))).toEqual(['jo+a', 'jo']);
    expect(addressesOf(learned(signup('jo+a', 0), signup('jo', DAYS)))).toEqual(['jo+a']);
    expect(addressesOf(learned(signup('jo+a', 0), signup('jo', DAYS - 1)))).toEqual(['jo+a', 'jo']);
  });

  it('joins no accounts and no mailboxes', () => {
    const others = [signup('jo', 0, { accountId: 'acc_2' }), signup('al', 0, { mailbox: 'al' })];
    expect(learned(...others, signup('jo+a', 1))).toMatchObject([{ accountId: 'acc_1', address: 'jo+a' }]);
  });

  it('says of an address that it was blocked if it was each time', () => {
    const blocked = { isBlocked: true };
    const uses = learned(
      signup('jo', 0, blocked),
      signup('jo+a', 1, blocked),
      signup('jo+b', 1, blocked),
      signup('jo+b', 2),
      signup('jo+b', 3, blocked),
    );
    const isBlocked = Object.fromEntries(uses.map((use) => [use.address, use.isBlocked]));
    expect(isBlocked).toEqual({ jo: true, 'jo+a': true, 'jo+b': false });
    const once = learned(signup('jo', 0), signup('jo', 1, blocked), signup('jo+a', 2));
    expect(once.find(({ address }) => address === 'jo')).toMatchObject({ isBlocked: false });
  });

  it('tells what changed once, and the same for the same members', () => {
    const members = [signup('jo', 0), signup('jo+a', 1), signup('jo+b', 2)];
    const learner = newLearner();
    for (const member of members) learner.learn(member);
    expect(learner.takeChanged()).toEqual(learned(...members));
    expect(learner.takeChanged()).toEqual([]);
    learner.learn(signup('jo+b', 3));
    expect(learner.takeChanged()).toMatchObject([{ address: 'jo+b' }, { address: 'jo' }]);
  });
});

describe('the memory of mailboxes', () => {
  it('knows the last day of each, as a list would', () => {
    const step = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 99 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const seen = new SeenMailboxes(BYTES);
        const list = new Map<number, { day: number; isBlocked: boolean }>();
        for (const [id, day, isBlocked] of steps) {
          const print = Math.imul(id, 0x85ebca6b);
          seen.note(print, day, isBlocked);
          const known = list.get(print);
          list.set(print, {
            day: Math.max(day, known?.day ?? 0),
            isBlocked: isBlocked && known?.isBlocked !== false,
          });
        }
        for (let id = 0; id <= 40; id += 1) {
          const print = Math.imul(id, 0x85ebca6b);
          expect(seen.dayOf(print)).toBe(list.get(print)?.day ?? 0);
          expect(seen.isBlocked(print)).toBe(list.get(print)?.isBlocked ?? false);
        }
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('forgets those that came longest ago when it is full, and keeps the newest', () => {
    const slots = 4_096;
    const seen = new SeenMailboxes(2 * 6 * slots);
    const prints = Array.from({ length: 4 * slots }, (_, at) => Math.imul(at + 1, 0x9e3779b1) >>> 0);
    for (const print of prints) seen.note(print, 20_000, false);
    const isKnown = (print: number) => seen.dayOf(print) === 20_000;
    expect(prints.slice(-0.7 * slots).every(isKnown)).toBe(true);
    expect(prints.slice(0, slots).some(isKnown)).toBe(false);
  });
});

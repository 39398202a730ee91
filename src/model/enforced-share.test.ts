import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseEmail } from '../address/email.ts';
import { mailboxOf } from '../address/mailbox.ts';
import { isEnforced, isInShadow } from './enforced-share.ts';

const hashOf = (text: string) => createHmac('sha256', 'secret').update(text).digest('base64url').slice(0, 22);
const MAILBOXES = Array.from({ length: 10_000 }, (_, at) => hashOf(`jane.doe.${at}@gmail.com`));
const ofShare = (enforcedShare: number, id = 'key_01k0q8y5m9x3w7v2n4b6c8d0aa') =>
  MAILBOXES.map((mailbox) => isEnforced({ id, enforcedShare }, mailbox));
const count = (sides: readonly boolean[]) => sides.filter(Boolean).length;

describe('a share of people', () => {
  it('is that share within 2 %, and all or nobody at its ends', () => {
    for (const share of [1, 10, 25, 50, 90, 99])
      expect(Math.abs(count(ofShare(share)) / 100 - share)).toBeLessThan(2);
    expect([count(ofShare(0)), count(ofShare(100))]).toEqual([0, 10_000]);
    expect([0, 99, 100].map((enforcedShare) => isInShadow({ enforcedShare }))).toEqual([true, true, false]);
  });

  it('keeps everybody when it grows, one by one', () => {
    let before = ofShare(0);
    for (let share = 1; share <= 100; share += 1) {
      const after = ofShare(share);
      expect(before.every((was, at) => !was || after[at])).toBe(true);
      before = after;
    }
  });

  it('has other people with another key, also where the ids are alike', () => {
    const [one, two] = [ofShare(50), ofShare(50, 'key_01k0q8y5m9x3w7v2n4b6c8d0ab')];
    expect(Math.abs(count(one.map((is, at) => is && two[at] === true)) / 100 - 25)).toBeLessThan(2);
  });

  it('does not depend on how a person spells the address', () => {
    const spelled = (text: string) => hashOf(mailboxOf(parseEmail(text) as never));
    const spellings = ['jane.doe@gmail.com', 'JaneDoe@gmail.com', 'j.a.n.e.doe+news@Gmail.com'].map(spelled);
    for (const share of [10, 50, 90])
      expect(
        new Set(spellings.map((mailbox) => isEnforced({ id: 'key_a', enforcedShare: share }, mailbox))).size,
      ).toBe(1);
    expect(new Set(spellings).size).toBe(1);
  });
});

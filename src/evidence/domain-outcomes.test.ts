import { describe, expect, it } from 'vitest';
import type { SignupOutcome } from '../model/outcome.ts';
import { createDomainOutcomes, domainSets } from './domain-outcomes.ts';

const of = (domain: string, ...outcomes: SignupOutcome[]) =>
  outcomes.map((outcome, place) => ({ requestId: `${domain}${place}`, domain, outcome }));
const read = (...outcomes: SignupOutcome[]) => {
  const { known, bouncing } = domainSets(of('a.example', ...outcomes));
  return [...(known.size > 0 ? ['known'] : []), ...(bouncing.size > 0 ? ['bouncing'] : [])].join();
};

describe('what became of people of a domain', () => {
  it.each<[SignupOutcome[], string]>([
    [[], ''],
    [['paid', 'paid'], ''],
    [['paid', 'paid', 'paid'], 'known'],
    [['paid', 'paid', 'paid', 'banned'], ''],
    // The owner of mailboxes can confirm them all.
    [['verified', 'verified', 'verified', 'verified'], ''],
    [['bounced', 'bounced'], ''],
    [['bounced', 'bounced', 'bounced'], 'bouncing'],
    [['bounced', 'bounced', 'bounced', 'verified', 'verified', 'paid'], ''],
    [['never_verified', 'never_verified', 'complained', 'complained', 'complained'], ''],
  ])('%j: %s', (outcomes, expected) => {
    expect(read(...outcomes)).toBe(expected);
  });

  it('is read behind the signup, for each account, and again after a while', async () => {
    let [now, outcomes] = [0, of('a.example', 'paid', 'paid', 'paid')];
    const asked: string[] = [];
    const memory = createDomainOutcomes({
      read: async (account) => {
        asked.push(account);
        return account === 'acc_a' ? outcomes : [];
      },
      clock: () => now,
      ttlMs: 10,
    });
    const known = (account: string) => memory.isKnown(account, 'a.example');
    expect(known('acc_a')).toBe(false);
    await Promise.resolve();
    await Promise.resolve();
    expect([known('acc_a'), known('acc_b')]).toEqual([true, false]);
    outcomes = of('a.example', 'bounced', 'bounced', 'bounced');
    now = 10;
    expect(known('acc_a')).toBe(true);
    await Promise.resolve();
    await Promise.resolve();
    expect([known('acc_a'), memory.isBouncing('acc_a', 'a.example')]).toEqual([false, true]);
    expect(asked).toEqual(['acc_a', 'acc_b', 'acc_a']);
  });
});

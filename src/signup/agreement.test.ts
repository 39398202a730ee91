import { describe, expect, it } from 'vitest';
import type { Verdict } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import { createAgreement } from './agreement.ts';

function compare(...signups: readonly (readonly [Verdict, Verdict, ...ReasonCode[]])[]) {
  const agreement = createAgreement<number>();
  signups.forEach(([theirs, ours, ...reasons], at) => {
    agreement.add({ theirs, ours, score: 0, reasons }, () => at);
  });
  return agreement;
}

describe('agreement', () => {
  it('counts each pair of verdicts', () => {
    const agreement = compare(
      ['allow', 'allow'],
      ['allow', 'block'],
      ['block', 'block'],
      ['challenge', 'allow'],
    );
    expect(agreement.matrix()).toEqual({
      allow: { allow: 1, challenge: 0, block: 1 },
      challenge: { allow: 1, challenge: 0, block: 0 },
      block: { allow: 0, challenge: 0, block: 1 },
    });
    expect([agreement.compared, agreement.agreed]).toEqual([4, 2]);
  });

  it('groups disagreements by both verdicts and the set of reasons, largest group first', () => {
    const agreement = compare(
      ['allow', 'block', 'ip_hosting'],
      ['allow', 'challenge', 'ip_hosting', 'email_alias'],
      ['block', 'block', 'ip_hosting'],
      ['allow', 'challenge', 'email_alias', 'ip_hosting'],
      ['block', 'challenge', 'email_alias', 'ip_hosting'],
    );
    expect(agreement.groups(2)).toEqual([
      { theirs: 'allow', ours: 'challenge', reasons: ['ip_hosting', 'email_alias'], count: 2, first: 1 },
      { theirs: 'allow', ours: 'block', reasons: ['ip_hosting'], count: 1, first: 0 },
    ]);
    expect(agreement.groups(10)).toHaveLength(3);
  });
});

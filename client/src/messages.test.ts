import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as contract from '../../src/contract/messages.ts';
import { type OUTCOMES, VERDICTS } from '../../src/contract/messages.ts';
import type { ProblemCode } from '../../src/contract/problem.ts';
import { isVerdict } from './answer-meta.ts';
import type * as messages from './messages.ts';

/** The client's messages are read-only, and accept `undefined` for what may be left out of a request. */
type ReadOnly<T> = T extends object ? { readonly [K in keyof T]: ReadOnly<T[K]> } : T;
type Lenient<T> = {
  readonly [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K];
};

describe('the messages of the client', () => {
  it('are those of the contract', () => {
    expectTypeOf<messages.AssessmentRequest>().toEqualTypeOf<Lenient<contract.AssessmentRequest>>();
    expectTypeOf<messages.FeedbackRequest>().toEqualTypeOf<Lenient<contract.FeedbackRequest>>();
    expectTypeOf<messages.Assessment>().toEqualTypeOf<ReadOnly<contract.Assessment>>();
    expectTypeOf<messages.FeedbackResponse>().toEqualTypeOf<ReadOnly<contract.FeedbackResponse>>();
    expectTypeOf<messages.ChallengeRequest>().toEqualTypeOf<Lenient<contract.ChallengeRequest>>();
    expectTypeOf<messages.ChallengeResponse>().toEqualTypeOf<ReadOnly<contract.ChallengeResponse>>();
    expectTypeOf<messages.ChallengeMethod>().toEqualTypeOf<contract.ChallengeMethod>();
    expectTypeOf<Omit<messages.OutcomeRequest, 'outcomes'>>().toEqualTypeOf<
      Omit<Lenient<contract.OutcomeRequest>, 'outcomes'>
    >();
    expectTypeOf<messages.OutcomeItem>().toEqualTypeOf<Lenient<contract.OutcomeItem>>();
    expectTypeOf<messages.OutcomeResponse>().toEqualTypeOf<ReadOnly<contract.OutcomeResponse>>();
    expectTypeOf<messages.SignupOutcome>().toEqualTypeOf<contract.OutcomeItem['outcome']>();
    expectTypeOf<messages.AppealRequest>().toEqualTypeOf<Lenient<contract.AppealRequest>>();
    expectTypeOf<messages.AppealResponse>().toEqualTypeOf<ReadOnly<contract.AppealResponse>>();
    expectTypeOf<messages.Usage>().toEqualTypeOf<ReadOnly<contract.Usage>>();
    expectTypeOf<messages.ApiErrorCode>().toEqualTypeOf<ProblemCode>();
    expectTypeOf<messages.Verdict>().toEqualTypeOf<(typeof VERDICTS)[number]>();
    expectTypeOf<messages.Outcome>().toEqualTypeOf<(typeof OUTCOMES)[number]>();
    expectTypeOf<messages.PlanName>().toEqualTypeOf<contract.PlanName>();
  });

  it('know every verdict', () => {
    expect(VERDICTS.every(isVerdict)).toBe(true);
    expect(isVerdict('maybe')).toBe(false);
  });
});

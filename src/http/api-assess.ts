/** POST /v1/assess and GET /v1/assess/{request_id}. */
import type { Caller } from '../accounts/directory.ts';
import type { AssessmentRequest } from '../contract/messages.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { Problem } from '../contract/problem.ts';
import type { AssessmentStore } from '../store/store.ts';
import type { AnswerAttempt } from './answer-signup.ts';
import type { Operations } from './operation.ts';
import type { RateLimiter } from './rate-limit.ts';

export interface AssessRoutesOptions {
  readonly answerAttempt: AnswerAttempt;
  readonly store: Pick<AssessmentStore, 'findBody'>;
  readonly meter: RateLimiter;
}

/** What an assessment that this caller may not see is answered with, in every operation. */
export const UNKNOWN_ASSESSMENT = {
  message: 'No assessment has this request_id.',
  resolution: 'Send the request_id of an assessment that this key may read.',
};

export function assessRoutes(operations: Operations, options: AssessRoutesOptions): void {
  const { answerAttempt, store, meter } = options;

  operations.register<AssessmentRequest>(OPERATIONS.assessSignup, {
    handle: answerAttempt,
    refuse: answerAttempt,
  });

  operations.register(OPERATIONS.getAssessment, {
    async handle(exchange) {
      const body = await store.findBody(exchange.param, readerOf(exchange.caller));
      if (body === undefined) throw new Problem('missing_field', 'request_id', UNKNOWN_ASSESSMENT);
      await meter.peek(exchange);
      return body;
    },
  });
}

/** A live key reads all assessments of its account; a sandbox key only sandbox ones. */
export function readerOf({ account, key }: Caller) {
  return { accountId: account.id, mode: key.mode };
}

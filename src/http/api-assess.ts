/** POST /v1/assess and GET /v1/assess/{request_id}. */
import type { Caller } from '../accounts/directory.ts';
import type { AssessmentRequest } from '../contract/messages.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { Problem } from '../contract/problem.ts';
import type { AssessmentStore } from '../store/store.ts';
import type { AnswerSignup } from './answer-signup.ts';
import type { Operations } from './operation.ts';
import { asProblem } from './problems.ts';
import type { RateLimiter } from './rate-limit.ts';

export interface AssessRoutesOptions {
  readonly answerSignup: AnswerSignup;
  readonly store: Pick<AssessmentStore, 'findBody'>;
  readonly rateLimiter: RateLimiter;
}

/** The error texts of every operation for an assessment that does not exist or that this caller may not see. */
export const UNKNOWN_ASSESSMENT = {
  message: 'No assessment has this request_id.',
  resolution: 'Send the request_id of an assessment that this key may read.',
};

export function assessRoutes(operations: Operations, options: AssessRoutesOptions): void {
  const { answerSignup, store, rateLimiter } = options;

  // The rate limit also counts a signup that cannot be read.
  operations.register<AssessmentRequest>(OPERATIONS.assessSignup, async (context, read) =>
    answerSignup(context, await read().catch(asProblem)),
  );

  operations.register(OPERATIONS.getAssessment, async (context) => {
    const { request_id: requestId = '' } = context.params;
    const body = await store.findBody(requestId, readerOf(context.caller));
    if (body === undefined) throw new Problem('missing_field', 'request_id', UNKNOWN_ASSESSMENT);
    await rateLimiter.peek(context);
    return body;
  });
}

/** A live key reads all assessments of its account; a sandbox key only sandbox ones. */
export function readerOf({ account, key }: Caller) {
  return { accountId: account.id, mode: key.mode };
}

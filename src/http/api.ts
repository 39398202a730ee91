/** Answers the operations of the public API: a signup is assessed, its assessment read, its outcome reported, its challenge redeemed, the month read. */
import type { Caller } from '../accounts/directory.ts';
import { monthBounds } from '../accounts/quota.ts';
import { answerBodyOf } from '../assess/rebuild.ts';
import type { RedeemChallenge } from '../challenges/redeem-challenge.ts';
import type {
  AssessmentRequest,
  ChallengeRequest,
  FeedbackRequest,
  FeedbackResponse,
  Usage,
} from '../contract/messages.ts';
import { OPERATIONS, REPLAYED } from '../contract/operations.ts';
import { Problem } from '../contract/problem.ts';
import { toTimestamp } from '../contract/timestamp.ts';
import { monthOf } from '../store/month.ts';
import type { AssessmentStore, StoredAssessment } from '../store/store.ts';
import { type AnswerSignup, setShadowHeader } from './answer-signup.ts';
import { CHALLENGE_PAGE } from './challenge-page.ts';
import { checkIdempotencyKey, type Once } from './idempotency.ts';
import type { Operations } from './operation.ts';
import { readOrProblem } from './problems.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { RequestContext } from './request-context.ts';

export interface ApiOptions {
  readonly operations: Operations;
  readonly answerSignup: AnswerSignup;
  readonly store: Pick<AssessmentStore, 'findStored' | 'saveFeedback' | 'saveFeedbackOnce' | 'creditsUsed'>;
  readonly rateLimiter: RateLimiter;
  readonly once: Once;
}

/** The error texts of every operation for an assessment that does not exist or that this caller may not see. */
const UNKNOWN_ASSESSMENT = {
  message: 'No assessment has this request_id.',
  resolution: 'Send the request_id of an assessment that this key may read.',
};

const FEEDBACK_ANSWER = JSON.stringify({
  accepted: true,
  message: 'Feedback recorded.',
} satisfies FeedbackResponse);

export function apiRoutes(options: ApiOptions): void {
  const { operations, answerSignup, store, rateLimiter, once } = options;

  /** A live key reads all assessments of its account; a sandbox key only sandbox ones. */
  function find(requestId: string, { account, key }: Caller): Promise<StoredAssessment | undefined> {
    return store.findStored(requestId, { accountId: account.id, mode: key.mode });
  }

  // The rate limit also counts a signup that cannot be read.
  operations.register<AssessmentRequest>(OPERATIONS.assessSignup, (context, read) => {
    const message = readOrProblem(read);
    return message instanceof Promise
      ? message.then((read) => answerSignup(context, read))
      : answerSignup(context, message);
  });

  operations.register(OPERATIONS.getAssessment, async (context) => {
    const { request_id: requestId = '' } = context.params;
    const stored = known(await find(requestId, context.caller));
    const body = answerBodyOf(stored);
    if (stored.shadow) setShadowHeader(context, body);
    const peeking = rateLimiter.peek(context);
    if (peeking instanceof Promise) await peeking;
    return body;
  });

  // One record per assessment: the newest wins. A repeated request is not newer than what came after the first one.
  operations.register<FeedbackRequest>(OPERATIONS.submitFeedback, async (context, read) => {
    const { request_id: requestId, outcome, note = null } = await read();
    const { caller } = context;
    const toFeedback = () => ({ requestId, outcome, note, keyId: caller.key.id, at: context.at });
    const invalid = checkIdempotencyKey(context);
    if (invalid !== undefined) throw invalid;
    if (context.idempotencyKey === undefined) {
      known(await find(requestId, caller));
      await store.saveFeedback(toFeedback());
      return FEEDBACK_ANSWER;
    }
    const { text } = await once(context, {
      operation: 'submitFeedback',
      members: [requestId, outcome, note],
      async carryOut(claim) {
        known(await find(requestId, caller));
        await store.saveFeedbackOnce(toFeedback(), { claim, answer: FEEDBACK_ANSWER });
        return FEEDBACK_ANSWER;
      },
    });
    return text;
  });

  operations.register(OPERATIONS.getUsage, async (context) => {
    const { caller, at } = context;
    const { account, limits } = caller;
    const { start, end } = monthBounds(at);
    const used = await store.creditsUsed(account.id, monthOf(at));
    await rateLimiter.peek(context, used);
    return JSON.stringify({
      plan: account.plan,
      period_start: toTimestamp(start),
      period_end: toTimestamp(end - 1000),
      assessments_used: used,
      assessments_limit: limits.monthlyAssessments,
      overage_rate_per_1k: limits.overagePer1k,
      reset_at: toTimestamp(end),
    } satisfies Usage);
  });
}

export interface ChallengeRouteOptions {
  readonly operations: Operations;
  readonly redeemChallenge: RedeemChallenge;
  /** Where people reach the service, without a slash at the end. @throws Problem where that is not known */
  readonly originOf: (context: RequestContext) => string;
}

/** Takes what became of a challenged signup. */
export function challengeRoute({ operations, redeemChallenge, originOf }: ChallengeRouteOptions): void {
  operations.register<ChallengeRequest>(OPERATIONS.redeemChallenge, async (context, read) => {
    const { account, key } = context.caller;
    const pageUrl = () => `${originOf(context)}${CHALLENGE_PAGE}`;
    const caller = { accountId: account.id, mode: key.mode, pageUrl };
    const { response, isRepeated } = await redeemChallenge(await read(), caller);
    // A retry is safe: only the first answer with a result comes without it.
    if (isRepeated) context.header(REPLAYED, 'true');
    return JSON.stringify(response);
  });
}

/** @throws Problem */
function known(stored: StoredAssessment | undefined): StoredAssessment {
  if (stored === undefined) throw new Problem('missing_field', 'request_id', UNKNOWN_ASSESSMENT);
  return stored;
}

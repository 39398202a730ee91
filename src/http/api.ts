/** Answers the operations of the public API: a signup is assessed, its assessment read, its outcome reported, its challenge redeemed, the month read. */
import type { Caller } from '../accounts/directory.ts';
import type {
  AssessmentRequest,
  ChallengeRequest,
  FeedbackRequest,
  FeedbackResponse,
  Usage,
} from '../contract/messages.ts';
import { IDEMPOTENCY_KEY, OPERATIONS, REPLAYED } from '../contract/operations.ts';
import { Problem } from '../contract/problem.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { AssessSignup } from '../signup/assess-signup.ts';
import type { RedeemChallenge } from '../signup/challenges/redeem-challenge.ts';
import { UNNAMED } from '../signup/challenges/settle-challenge.ts';
import { checkIdempotencyKey, type Idempotency } from '../signup/idempotency.ts';
import { monthBounds } from '../signup/quota.ts';
import { limitedRequestOf, type RateLimiter } from '../signup/rate-limit.ts';
import { answerBodyOf } from '../signup/rebuild-answer.ts';
import { type MemberReports, reportMember } from '../signup/report-member.ts';
import type { AssessmentStore } from '../store/store.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';
import { CHALLENGE_PAGE } from './challenge-page.ts';
import { readOrProblem } from './core/problems.ts';
import type { RequestContext } from './core/request-context.ts';
import type { Operations } from './operation.ts';
import { addLimitHeaders, addShadowHeader, assessWithHeaders, momentOf } from './signup-headers.ts';

export interface ApiOptions {
  readonly operations: Operations;
  readonly assessSignup: AssessSignup;
  readonly store: Pick<AssessmentStore, 'findStored' | 'saveFeedback' | 'saveFeedbackOnce' | 'creditsUsed'> &
    MemberReports;
  readonly rateLimiter: Pick<RateLimiter, 'peek'>;
  readonly idempotency: Idempotency;
}

/** The error texts of every operation for an assessment that does not exist or that this caller may not see. */
export const UNKNOWN_ASSESSMENT = {
  message: 'No assessment has this request_id.',
  resolution: 'Send the request_id of an assessment that this key may read.',
};

const FEEDBACK_ANSWER = JSON.stringify({
  accepted: true,
  message: 'Feedback recorded.',
} satisfies FeedbackResponse);

export function apiRoutes(options: ApiOptions): void {
  const { operations, assessSignup, store, rateLimiter } = options;

  /** A live key reads all assessments of its account; a sandbox key only sandbox ones. */
  function find(requestId: string, { account, key }: Caller): Promise<StoredAssessment | undefined> {
    return store.findStored(requestId, { accountId: account.id, mode: key.mode });
  }

  // The rate limit also counts a signup that cannot be read.
  operations.register<AssessmentRequest>(OPERATIONS.assessSignup, async (context, read) => {
    const message = await readOrProblem(read);
    const { caller, idempotencyKey } = context;
    const request = { caller, message, idempotencyKey, moment: momentOf(context) };
    const { body, verdict } = await assessWithHeaders(context, assessSignup, request);
    context.verdict = verdict;
    return body;
  });

  operations.register(OPERATIONS.getAssessment, async (context) => {
    const { request_id: requestId = '' } = context.params;
    const { caller, at } = context;
    const stored = assertKnown(await find(requestId, caller));
    const body = answerBodyOf(stored);
    if (stored.shadow) addShadowHeader(context, body);
    addLimitHeaders(context, await rateLimiter.peek(limitedRequestOf(caller, at)));
    return body;
  });

  registerFeedback(options, find);
  registerUsage(options);
}

type Find = (requestId: string, caller: Caller) => Promise<StoredAssessment | undefined>;

/** One record per assessment: the newest wins. A repeated request is not newer than what came after the first one. */
function registerFeedback({ operations, store, idempotency }: ApiOptions, find: Find): void {
  operations.register<FeedbackRequest>(OPERATIONS.submitFeedback, async (context, read) => {
    const { request_id: requestId, outcome, note = null } = await read();
    const { caller, idempotencyKey } = context;
    const toFeedback = () => ({ requestId, outcome, note, keyId: caller.key.id, at: context.at });
    const invalid = checkIdempotencyKey(idempotencyKey);
    if (invalid !== undefined) throw invalid;
    if (idempotencyKey === undefined) {
      await reportMember(store, assertKnown(await find(requestId, caller)), toFeedback());
      await store.saveFeedback(toFeedback());
      return FEEDBACK_ANSWER;
    }
    const turn = await idempotency.begin({
      caller,
      requestId: context.id,
      operation: 'submitFeedback',
      key: idempotencyKey,
      members: [requestId, outcome, note],
    });
    if (turn.outcome === 'answered') {
      context.header(REPLAYED, 'true');
      return turn.text;
    }
    try {
      await reportMember(store, assertKnown(await find(requestId, caller)), toFeedback());
      await store.saveFeedbackOnce(toFeedback(), { claim: turn.claim, answer: FEEDBACK_ANSWER });
    } catch (error) {
      turn.release();
      throw error;
    }
    turn.complete(FEEDBACK_ANSWER);
    return FEEDBACK_ANSWER;
  });
}

function registerUsage({ operations, store, rateLimiter }: ApiOptions): void {
  operations.register(OPERATIONS.getUsage, async (context) => {
    const { caller, at } = context;
    const { account, limits } = caller;
    const { start, end } = monthBounds(at);
    const limited = limitedRequestOf(caller, at);
    const used = await store.creditsUsed(account.id, limited.month);
    addLimitHeaders(context, await rateLimiter.peek(limited, used));
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
  /** Keyed hash of a text. */
  readonly fingerprint: (text: string) => string;
  /** URL at which people reach the service, without a slash at the end. @throws Problem where that is not known */
  readonly originOf: (context: RequestContext) => string;
}

/** Takes what became of a challenged signup. */
export function challengeRoute(options: ChallengeRouteOptions): void {
  const { operations, redeemChallenge, fingerprint, originOf } = options;
  operations.register<ChallengeRequest>(OPERATIONS.redeemChallenge, async (context, read) => {
    const { account, key } = context.caller;
    const { id: callId, idempotencyKey } = context;
    const request = await read();
    const invalid = checkIdempotencyKey(idempotencyKey);
    if (invalid !== undefined) throw invalid;
    const { response, isRepeated } = await redeemChallenge(request, {
      accountId: account.id,
      mode: key.mode,
      callId,
      redeemer:
        idempotencyKey === undefined ? UNNAMED : fingerprint(`${IDEMPOTENCY_KEY.name}:${idempotencyKey}`),
      pageUrl: () => `${originOf(context)}${CHALLENGE_PAGE}`,
    });
    if (isRepeated) context.header(REPLAYED, 'true');
    return JSON.stringify(response);
  });
}

/** @throws Problem */
function assertKnown(stored: StoredAssessment | undefined): StoredAssessment {
  if (stored === undefined) throw new Problem('missing_field', 'request_id', UNKNOWN_ASSESSMENT);
  return stored;
}

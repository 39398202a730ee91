/** Answers one signup in the decided order: rate limit, body, quota, assessment; and sets the rate and quota headers. */
import type { Quota } from '../accounts/quota.ts';
import { effectiveWeights } from '../assess/account-policy.ts';
import type { Assess, AssessmentCaller, PreparedSignup } from '../assess/assess.ts';
import { readSignupAttempt } from '../assess/read-signup-attempt.ts';
import type { AssessmentRequest } from '../contract/messages.ts';
import { Problem } from '../contract/problem.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import { asProblem } from './problems.ts';
import type { RateLimitContext, RateLimiter } from './rate-limit.ts';

/** A request to assess a signup, from the public API or from the dashboard. */
export interface SignupRequest extends RateLimitContext {
  /** Id of the assessment it may make. */
  readonly id: string;
  /** `performance.now()` when it came in. */
  readonly started: number;
  /** Set once the signup is assessed. */
  verdict: string;
}

export interface AnswerSignupOptions {
  readonly assess: Assess;
  readonly quota: Quota;
  readonly rateLimiter: RateLimiter;
  /** Called with how long the counters took, milliseconds. */
  readonly onCounted: (milliseconds: number) => void;
  /** Called for each live signup that was assessed and stored. */
  readonly onAssessed: (verdict: string, reasons: readonly ReasonCode[]) => void;
}

/**
 * Returns the text of the assessment. `message` is a Problem where the body is not valid: the rate limit is checked first.
 * @throws Problem, with the headers already set on the answer
 */
export type AnswerSignup = (signup: SignupRequest, message: AssessmentRequest | Problem) => Promise<string>;

export function createAnswerSignup(options: AnswerSignupOptions): AnswerSignup {
  const { assess, quota, rateLimiter, onCounted, onAssessed } = options;

  /** Returns the Problem of a message that is not valid: the request still counts for the rate limit. */
  function prepare(signup: SignupRequest, message: AssessmentRequest | Problem): PreparedSignup | Problem {
    if (message instanceof Problem) return message;
    const { id: requestId, at, started } = signup;
    try {
      return assess.prepare(toAssessmentCaller(signup.caller), readSignupAttempt(message), {
        requestId,
        at,
        started,
      });
    } catch (error) {
      return asProblem(error);
    }
  }

  return async (signup, message) => {
    const { caller, at } = signup;
    const live = caller.key.mode === 'live';
    const prepared = prepare(signup, message);
    const started = performance.now();
    if (prepared instanceof Problem) {
      await rateLimiter.admit(signup);
      throw prepared;
    }
    const { rate, counted } = await (live
      ? rateLimiter.admitAttempt(signup, prepared.subject)
      : rateLimiter.admit(signup));
    if (live) onCounted(performance.now() - started);
    const assessed = await assess.assess(prepared, counted);
    if (live) quota.learn(caller, at, assessed.used);
    if (assessed.body === null) throw rateLimiter.quotaExceeded(signup, rate, assessed.used);
    signup.verdict = assessed.verdict;
    if (live) onAssessed(assessed.verdict, assessed.reasons);
    rateLimiter.setHeaders(signup, rate, live ? assessed.used : await quota.used(caller, at));
    return assessed.body;
  };
}

function toAssessmentCaller(caller: RateLimitContext['caller']): AssessmentCaller {
  const { account, key, limits, thresholds, policy } = caller;
  return {
    accountId: account.id,
    keyId: key.id,
    mode: key.mode,
    thresholds,
    policy: effectiveWeights(policy),
    cap: limits.cap,
  };
}

/** Answers one attempt in the decided order: rate limit, the body, quota, assessment; and tells where the caller stands. */
import type { Quota } from '../accounts/quota.ts';
import { weighingOf } from '../assess/account-policy.ts';
import type { Asker, Assess, PreparedSignup } from '../assess/assess.ts';
import { readSignupAttempt } from '../assess/signup-attempt.ts';
import type { AssessmentRequest } from '../contract/messages.ts';
import type { Problem } from '../contract/problem.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { RateLimitContext, RateLimiter } from './rate-limit.ts';

/** A request to assess, however it came. */
export interface SignupRequest extends RateLimitContext {
  /** Id of the assessment it may make. */
  readonly id: string;
  /** `performance.now()` when it came in. */
  readonly started: number;
  /** Set to what was answered. */
  verdict: string;
}

export interface AnswerAttemptOptions {
  readonly assess: Assess;
  readonly quota: Quota;
  readonly meter: RateLimiter;
  /** Told how long the counters took, milliseconds. */
  readonly onCounted: (milliseconds: number) => void;
  /** Told of each live signup that was judged and stored. */
  readonly onJudged: (verdict: string, reasons: readonly ReasonCode[]) => void;
}

/**
 * The text of the assessment. `message`: or why the body holds none, which the rate limit goes before.
 * @throws Problem, with the headers already set on the answer
 */
export type AnswerAttempt = (
  attempting: SignupRequest,
  message: AssessmentRequest | Problem,
) => Promise<string>;

export function createAnswerAttempt(options: AnswerAttemptOptions): AnswerAttempt {
  const { assess, quota, meter, onCounted, onJudged } = options;

  /** What cannot be read is still a request. */
  function prepare(attempting: SignupRequest, message: AssessmentRequest | Problem): PreparedSignup | Error {
    if (message instanceof Error) return message;
    const { id: requestId, at, started } = attempting;
    try {
      return assess.prepare(toAsker(attempting.caller), readSignupAttempt(message), {
        requestId,
        at,
        started,
      });
    } catch (error) {
      return error as Error;
    }
  }

  return async (attempting, message) => {
    const { caller, at } = attempting;
    const live = caller.key.mode === 'live';
    const prepared = prepare(attempting, message);
    const started = performance.now();
    if (prepared instanceof Error) {
      await meter.admit(attempting);
      throw prepared;
    }
    const { rate, counted } = await (live
      ? meter.checkAndCount(attempting, prepared.subject)
      : meter.admit(attempting));
    if (live) onCounted(performance.now() - started);
    const assessed = await assess.assess(prepared, counted);
    if (live) quota.learn(caller, at, assessed.used);
    if (assessed.body === null) throw meter.quotaExceeded(attempting, rate, assessed.used);
    attempting.verdict = assessed.verdict;
    if (live) onJudged(assessed.verdict, assessed.reasons);
    meter.setHeaders(attempting, rate, live ? assessed.used : await quota.used(caller, at));
    return assessed.body;
  };
}

function toAsker({ account, key, limits, thresholds, policy }: RateLimitContext['caller']): Asker {
  return {
    accountId: account.id,
    keyId: key.id,
    mode: key.mode,
    thresholds,
    policy: weighingOf(policy),
    cap: limits.cap,
  };
}

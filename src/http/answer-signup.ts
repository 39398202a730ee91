/** Answers one signup in the decided order: rate limit, body, idempotency key, quota, assessment; and sets the rate and quota headers. */
import type { Quota } from '../accounts/quota.ts';
import { effectiveWeights } from '../assess/account-policy.ts';
import { shadowVerdictOf } from '../assess/answer.ts';
import type {
  Assess,
  AssessmentCaller,
  AssessResult,
  PreparedSignup,
  QuotaExceeded,
} from '../assess/assess.ts';
import { readSignupAttempt } from '../assess/read-signup-attempt.ts';
import type { AssessmentRequest } from '../contract/messages.ts';
import { SHADOW_HEADER } from '../contract/operations.ts';
import { Problem } from '../contract/problem.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import type { RateState } from '../counters/counters.ts';
import type { Awaitable } from '../model/awaitable.ts';
import type { IdempotencyClaim } from '../model/idempotency-claim.ts';
import { SyncPromise } from '../model/sync-promise.ts';
import { checkIdempotencyKey, type IdempotentRequest, type Once } from './idempotency.ts';
import { asProblem } from './problems.ts';
import type { AdmissionResult, RateLimitContext, RateLimiter } from './rate-limit.ts';

/** A request to assess a signup, from the public API or from the dashboard. */
export interface SignupRequest extends IdempotentRequest {
  /** `performance.now()` when it came in. */
  readonly started: number;
  /** The answered verdict, set once the signup is assessed; a repeated answer leaves it empty. */
  verdict: string;
}

export interface AnswerSignupOptions {
  readonly assess: Assess;
  readonly quota: Quota;
  readonly rateLimiter: RateLimiter;
  readonly once: Once;
  /** Called with how long the counters took, milliseconds. */
  readonly onCounted: (milliseconds: number) => void;
  /** Called for each live signup that was assessed and stored, with the verdict of the judgement. */
  readonly onAssessed: (verdict: string, reasons: readonly ReasonCode[]) => void;
}

/**
 * Returns the text of the assessment. `message` is a Problem where the body is not valid: the rate limit is checked first.
 * @throws Problem, with the headers already set on the answer
 */
export type AnswerSignup = (
  signup: SignupRequest,
  message: AssessmentRequest | Problem,
) => PromiseLike<string>;

export function createAnswerSignup(options: AnswerSignupOptions): AnswerSignup {
  const { quota, rateLimiter, once } = options;
  const prepare = createPrepare(options.assess);
  const assessNew = createAssessNew(options);

  async function refuse(signup: SignupRequest, problem: Problem): Promise<never> {
    await rateLimiter.admit(signup);
    throw problem;
  }

  async function answerOnce(signup: SignupRequest, message: AssessmentRequest, prepared: PreparedSignup) {
    const { rate } = await rateLimiter.admit(signup);
    const { text, isReplay } = await once(signup, {
      operation: 'assessSignup',
      members: membersOf(message, prepared),
      carryOut: async (claim) => await assessNew(signup, prepared, { rate, claim }),
    });
    if (isReplay) {
      setShadowHeader(signup, text);
      rateLimiter.setHeaders(signup, rate, await quota.used(signup.caller, signup.at));
    }
    return text;
  }

  function answer(signup: SignupRequest, message: AssessmentRequest | Problem): PromiseLike<string> {
    const prepared = prepare(signup, message);
    if (prepared instanceof Problem) return refuse(signup, prepared);
    return signup.idempotencyKey === undefined
      ? assessNew(signup, prepared)
      : answerOnce(signup, message as AssessmentRequest, prepared);
  }

  return (signup, message) => SyncPromise.try(() => answer(signup, message));
}

/** All that an assessment is made from. Bodies that differ in other members, in form, or in the spelling of the address, ask for the same. */
function membersOf(request: AssessmentRequest, { attempt }: PreparedSignup): readonly unknown[] {
  const { ip, session_id: sessionId, brought_by: broughtBy } = request;
  return [attempt.email.address, ip ?? null, sessionId ?? null, ...(broughtBy ? [broughtBy] : [])];
}

/** Says what the verdict of a stored answer would be, where it was answered in shadow mode. */
export function setShadowHeader(context: Pick<SignupRequest, 'header'>, body: string): void {
  const verdict = shadowVerdictOf(body);
  if (verdict !== undefined) context.header(SHADOW_HEADER, verdict);
}

function createPrepare(assess: Pick<Assess, 'prepare'>) {
  /** Returns the Problem of a message that is not valid: the request still counts for the rate limit. */
  return (signup: SignupRequest, message: AssessmentRequest | Problem): PreparedSignup | Problem => {
    const invalid = message instanceof Problem ? message : checkIdempotencyKey(signup);
    if (invalid !== undefined) return invalid;
    const { id: requestId, at, started } = signup;
    try {
      return assess.prepare(
        toAssessmentCaller(signup.caller),
        readSignupAttempt(message as AssessmentRequest),
        {
          requestId,
          at,
          started,
        },
      );
    } catch (error) {
      return asProblem(error);
    }
  };
}

/** A request with an idempotency key, which the rate limit has admitted. */
interface KeyedSignup {
  readonly rate: RateState;
  readonly claim: IdempotencyClaim;
}

/** Makes an assessment. */
function createAssessNew({ assess, quota, rateLimiter, onCounted, onAssessed }: AnswerSignupOptions) {
  /** A sandbox request is counted for the rate limit only. */
  function count(
    signup: SignupRequest,
    { subject }: PreparedSignup,
    admitted: RateState | undefined,
  ): Awaitable<AdmissionResult> {
    if (signup.caller.key.mode !== 'live')
      return admitted === undefined ? rateLimiter.admit(signup) : { rate: admitted, counted: null };
    const started = performance.now();
    const end = (result: AdmissionResult) => {
      onCounted(performance.now() - started);
      return result;
    };
    const result = rateLimiter.admitAttempt(signup, subject, admitted);
    return result instanceof Promise ? result.then(end) : end(result);
  }

  /** Sets the headers and returns the body. A function of its own: it keeps in memory only what it names. */
  function toBody(signup: SignupRequest, rate: RateState) {
    return (assessed: AssessResult | QuotaExceeded): Awaitable<string> => {
      const { caller, at } = signup;
      const live = caller.key.mode === 'live';
      if (live) quota.learn(caller, at, assessed.used);
      const { body } = assessed;
      if (body === null) throw rateLimiter.quotaExceeded(signup, rate, assessed.used);
      signup.verdict = assessed.answeredVerdict;
      if (caller.key.shadow) signup.header(SHADOW_HEADER, assessed.verdict);
      if (live) onAssessed(assessed.verdict, assessed.reasons);
      const end = (used: number) => {
        rateLimiter.setHeaders(signup, rate, used);
        return body;
      };
      const used = live ? assessed.used : quota.used(caller, at);
      return used instanceof Promise ? used.then(end) : end(used);
    };
  }

  return (signup: SignupRequest, prepared: PreparedSignup, keyed?: KeyedSignup): PromiseLike<string> => {
    const assessCounted = ({ rate, counted }: AdmissionResult) =>
      assess.assess(prepared, counted, keyed?.claim).then(toBody(signup, rate));
    const counting = count(signup, prepared, keyed?.rate);
    return counting instanceof Promise
      ? SyncPromise.from(counting).then(assessCounted)
      : assessCounted(counting);
  };
}

export function toAssessmentCaller(caller: RateLimitContext['caller']): AssessmentCaller {
  const { account, key, limits, thresholds, policy } = caller;
  return {
    accountId: account.id,
    keyId: key.id,
    mode: key.mode,
    shadow: key.shadow,
    thresholds,
    policy: effectiveWeights(policy),
    cap: limits.cap,
  };
}
